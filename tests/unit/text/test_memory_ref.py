"""Memory refs: the cases that the clients share, and that nothing in a description breaks a ref."""

import json
from pathlib import Path
from typing import Any

import pytest
from camillo_server.lib.text import memory_ref
from camillo_server.lib.text.memory_ref import MemoryRef
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

CASES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[3] / "clients" / "memory_refs.json").read_text("utf-8")
)
# Much of what may do harm, beside any other character.
TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("[]- :\n\r\t\u2028\u202e\u200d\u0301👩🏽🇸🇮क्ष")))
LONG_TEXTS = st.lists(TEXTS, min_size=1, max_size=60).map(lambda parts: "x茶".join(parts) * 5)
IDS = st.from_regex(r"[a-z0-9][a-z0-9_]{2,63}", fullmatch=True)


@each_case("case", CASES["render"])
def test_refs_are_rendered_and_parsed_as_every_client_does(case: dict[str, str]) -> None:
    rendered = memory_ref.render(case["artifact_id"], case["description"])
    assert rendered == case["rendered"]
    assert memory_ref.parse(rendered) == MemoryRef(case["artifact_id"], case["parsed_description"])


@each_case("case", CASES["parse"])
def test_texts_are_refs_or_not(case: dict[str, Any]) -> None:
    ref = MemoryRef(**case["ref"]) if case["ref"] else None
    assert memory_ref.parse(case["text"]) == ref
    assert memory_ref.artifact_id_of(case["text"]) == (ref.artifact_id if ref else case["text"])


@each_case("case", CASES["find"])
def test_refs_are_found_in_their_order(case: dict[str, Any]) -> None:
    assert memory_ref.find_all(case["text"]) == [MemoryRef(**ref) for ref in case["refs"]]


@given(IDS, st.one_of(TEXTS, LONG_TEXTS))
def test_a_ref_is_one_ref_whatever_the_description(artifact_id: str, description: str) -> None:
    rendered = memory_ref.render(artifact_id, description)
    ref = memory_ref.parse(rendered)
    assert ref is not None
    assert ref.artifact_id == artifact_id
    assert len(ref.description) <= memory_ref.MAX_DESCRIPTION
    assert len(rendered.splitlines()) == 1
    assert memory_ref.render(artifact_id, ref.description) == rendered
    assert memory_ref.find_all(f"before [ {rendered}] after {rendered}") == [ref, ref]


@given(st.text())
def test_any_text_can_be_looked_through(text: str) -> None:
    found = memory_ref.find_all(text + "[MemoryRef: abc_1 - tea]" + text)
    assert MemoryRef("abc_1", "tea") in found


@each_case("character", ["👩‍👩‍👧‍👦", "🇸🇮", "👍🏽", "e\u0301\u0323", "क्ष", "각", "🏴\U000e0067\U000e007f"])
def test_a_cut_never_splits_what_reads_as_one_character(character: str) -> None:
    for filled in range(memory_ref.MAX_DESCRIPTION - len(character), memory_ref.MAX_DESCRIPTION):
        rendered = memory_ref.render("abc", "x" * filled + character * 9)
        shown = rendered.removeprefix("[MemoryRef: abc - ").removesuffix("]")
        kept = shown.removesuffix(memory_ref.CUT).lstrip("x")
        assert kept == character * (len(kept) // len(character))
        assert filled <= len(shown) <= memory_ref.MAX_DESCRIPTION


def test_half_a_character_of_utf_16_is_replaced() -> None:
    assert memory_ref.render("abc", "tea \ud83d!") == "[MemoryRef: abc - tea \N{REPLACEMENT CHARACTER}!]"


@each_case("artifact_id", ["", "ab", "Abc", "abc\n", "_abc", "a b c", "a" * 65, "äbc"])
def test_what_is_no_id_is_not_rendered(artifact_id: str) -> None:
    with pytest.raises(ValueError, match="no artifact id"):
        memory_ref.render(artifact_id, "tea")
