"""Texts made to take long: each is read in time that grows with its length alone."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from camillo_formats.markdown import markdown_passages, sections
from camillo_server.across.context.rendering import comparable, fence_tag
from camillo_server.features.compaction.guard import lost_facts
from camillo_server.kernel.ids import TenantId
from camillo_server.lib.outputs.summary.prose import html_lines
from camillo_server.lib.redaction.redaction import Redactor
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.lib.text.json_lines import json_text
from camillo_server.lib.text.speech import REMEMBER
from camillo_server.lib.text.substance import differ, substance
from camillo_server.lib.text.value_fingerprints import folded, value_fingerprints
from camillo_server.lib.text.value_spans import ValueSpans

from tests.cases import each_case
from tests.patience import takes_less

# Texts that take a second here took minutes or more before; most take some hundredths.
MAX_SECONDS = 3.0
VALUES = ("415-555-0186", "ana.lima@example.com", "Ana Lima")
NEAR_VALUES = ("4-" * 50_000, "a@" * 50_000, "a." * 50_000, "4" * 100_000, "ana " * 50_000)
PILED = "a" + "\u0301\u0316" * 200_000


def known_tags(seed: str, count: int) -> str:
    """The tags that a fence would try one after the other, if the seed alone decided."""
    digest, tags = sha256(seed.encode()), list[str]()
    for _ in range(count):
        tags.append(f"{int.from_bytes(digest.digest()[:8], 'big') % 10**9:09d}")
        digest = sha256(digest.digest())
    return " ".join(tags)


HOSTILE: dict[str, Callable[[], Any]] = {
    "folded": lambda: folded("\u0f73" * 300_000),
    "index terms": lambda: index_terms(PILED),
    "comparable": lambda: comparable(PILED),
    "importance": lambda: REMEMBER.are_in("忘" * 100_000),
    "secrets": lambda: Redactor().redact("\n".join(["a1" * 20] * 20_000) + "sgp_"),
    "fences": lambda: fence_tag("seed", [known_tags("seed", 60_000)]),
    "substance": lambda: substance("- !" * 100_000),
    "difference": lambda: differ("a " * 100_000, "b a " * 50_000),
    "facts": lambda: lost_facts(["a" * 200_000], "a" * 200_000),
    "headings": lambda: list(markdown_passages(f"# a{' ' * 100_000}x")),
    "headings in headings": lambda: list(markdown_passages(f"# {'a' * 500_000}\n" + "## b\nc\n" * 20_000)),
    "fences of code": lambda: sections("`" * 200_000 + "x`\n" + "```\n~~~\n" * 50_000),
    "an open fence": lambda: sections("~~~\n" + ("```" + " " * 200 + "x\n") * 5_000),
    "a value inside": lambda: [ValueSpans(value).are_in(text) for text in NEAR_VALUES for value in VALUES],
    "identifiers": lambda: [value_fingerprints(TenantId("t"), text) for text in NEAR_VALUES],
    "html": lambda: list(html_lines(f"<html><body>&#{'9' * 5_000};")),
}


@each_case("name", HOSTILE)
def test_it_is_read_in_time_that_grows_with_its_length(name: str) -> None:
    assert takes_less(MAX_SECONDS, HOSTILE[name])


def test_numbers_are_written_no_longer_than_they_were_stated() -> None:
    assert json_text({"n": [1e308] * 1_000}).count("e+308") == 1_000
    assert "10000000" in json_text({"n": 1e7})


def test_a_fence_has_a_tag_that_no_text_holds() -> None:
    first = fence_tag("seed", [])
    assert known_tags("seed", 1) == first
    assert fence_tag("seed", [f"it will be {first}"]) != first
