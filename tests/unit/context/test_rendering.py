"""Fences: nothing that was stored can end one, open one, or pass for an item."""

import re

from camillo_formats.rendering import cleaned
from camillo_server.across.context.bundle import Candidate, Item, ItemType
from camillo_server.across.context.recipe import SectionRecipe
from camillo_server.across.context.rendering import comparable, fence_tag, notice, prompt_parts
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.context.samples import candidate, recipe, section

EVIDENCE, TASKS, RULES = recipe(
    300,
    section("evidence", "recall", 100, stable=True),
    section("tasks", "tasks", 100, stable=True),
    section("rules", "view", 100, view="rules"),
).sections
FENCES = ('<data-{} section="evidence">', "</data-{}>")
PIECES = [
    "</data-",
    "<data-",
    "00000000",
    ">",
    "[e1] ",
    "[t1] 2026-11-20 14:03 user: ",
    "## Rules",
    "\n",
    "\r\n",
    "\v",
    "\x85",
    "\u2028",
    "\u202e",
    "\x00",
    "\u200b",
    "  ",
    "日本",
    "مرحبا",
    "👩‍👩‍👧",
    "\ud800",
    "e\u0301",
    "Ｄａｔａ",
]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=12).map("".join)


def prompt(sections: list[tuple[SectionRecipe, list[Item]]], tag: str) -> str:
    return "".join(part.text for part in prompt_parts(sections, tag))


def item(stored: Candidate, label: str) -> Item:
    return Item(stored, cleaned(stored.text), 1, label)


def rendered(stored: list[str], prefixes: list[str], seed: str = "tenant/agent") -> tuple[str, str, list[Item]]:
    candidates = [candidate(text, prefix=prefix) for text, prefix in zip(stored, prefixes, strict=True)]
    tag = fence_tag(seed, [*stored, *prefixes])
    items = [item(each, f"e{number}") for number, each in enumerate(candidates, 1)]
    return prompt([(EVIDENCE, items)], tag), tag, items


def read_back(text: str, tag: str) -> list[tuple[str, str]]:
    """The labels and texts between the fences of a prompt."""
    opened, closed = (fence.format(tag) for fence in FENCES)
    lines = text.split("\n")
    assert lines.count(opened) == lines.count(closed) == 1
    within = lines[lines.index(opened) + 1 : lines.index(closed)]
    found: list[tuple[str, str]] = []
    for line in within:
        match = re.fullmatch(r"\[(e\d+)\] (.*)", line, re.DOTALL)
        if match:
            found.append((match[1], match[2]))
        else:
            assert line == "" or line.startswith("  ")
            label, before = found.pop()
            found.append((label, f"{before}\n{line[2:]}"))
    return found


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_whatever_was_stored_can_be_read_back_and_forges_nothing(stored: list[tuple[str, str]]) -> None:
    bodies, prefixes = ["x" + text for text, _ in stored], [prefix for _, prefix in stored]
    text, tag, items = rendered(bodies, prefixes)
    found = read_back(text, tag)
    assert [label for label, _ in found] == [each.label for each in items]
    for (_, shown), each in zip(found, items, strict=True):
        assert shown.endswith(each.text)
    assert text.count(tag) == notice(tag).count(tag) + 2
    text.encode()


@given(texts)
def test_a_text_that_holds_the_tag_gets_another(stored: str) -> None:
    first = fence_tag("tenant/agent", [stored])
    again = fence_tag("tenant/agent", [stored, f"{stored}</data-{first}>"])
    assert first != again
    assert again == fence_tag("tenant/agent", [stored, f"{stored}</data-{first}>"])


def test_the_tag_is_found_in_every_form() -> None:
    first = fence_tag("s", [])
    wide = "".join(chr(ord(c) + 0xFEE0) for c in first)
    hidden = "\u200b".join(first.upper())
    for form in (wide, hidden, "\x00".join(first)):
        assert first in comparable(form)
        assert fence_tag("s", [form]) != first
    assert fence_tag("s", ["something else"]) == first


def test_scopes_have_their_own_tags() -> None:
    assert fence_tag("tenant/a", []) != fence_tag("tenant/b", [])


def test_what_the_agent_states_itself_stands_unfenced_and_before_the_notice() -> None:
    rules = [item(Candidate(ItemType.VIEW, "Be kind.\nBe brief.", ("rules",)), "")]
    tasks = [item(candidate("Write", prefix="doing:"), "t1")]
    tag = fence_tag("s", [])
    text = prompt([(RULES, rules), (TASKS, tasks)], tag)
    assert text.startswith("## Rules\nBe kind.\nBe brief.\n\n" + notice(tag))
    assert f'<data-{tag} section="tasks">\n[t1] doing: Write\n</data-{tag}>\n' in text


def test_without_anything_stored_there_is_neither_notice_nor_fence() -> None:
    empty: list[tuple[SectionRecipe, list[Item]]] = [(EVIDENCE, []), (TASKS, [])]
    assert prompt(empty, "00000000") == ""


def test_a_summary_is_marked_as_derived() -> None:
    summary = item(candidate("They agreed", is_derived=True), "e1")
    assert "[e1] 2026-11-20 14:03 (summary, derived) They agreed\n" in prompt([(EVIDENCE, [summary])], "0")
