"""YAML within limits, and the recipes that come with the server."""

import time

import pytest
from camillo_formats.plain_yaml import FieldRefused, load_yaml
from camillo_server.across.context.recipe import Overflow
from camillo_server.across.context.recipes import built_in_recipes

from tests.cases import each_case


def test_plain_data_is_read() -> None:
    assert load_yaml("name: ärger\nsections: [{a: 1}, {a: 2.5}]") == {
        "name": "ärger",
        "sections": [{"a": 1}, {"a": 2.5}],
    }
    assert load_yaml("") is None


@each_case(
    "text",
    [
        "a: [unclosed",
        "a: &x 1\nb: *x",
        "a: &x 1",
        "a: 1\na: 2",
        "b:\n  - {c: 1, c: 2}",
        "[1]: 2",
        "!!python/object/apply:os.system ['true']",
        "a: 2026-13-45",
        f"a: {'9' * 5_000}",
        "a: 1\n---\nb: 2",
        "a: \x00",
        "- " * 9 + "x",
        "[" * 20_000,
        "{a: " * 9_000,
        "x" * 70_000,
        "? ?",
    ],
)
def test_what_is_no_plain_data_is_refused(text: str) -> None:
    with pytest.raises(FieldRefused) as raised:
        load_yaml(text)
    assert raised.value.field == "yaml"


def test_a_bomb_of_aliases_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 40)]
    before = time.perf_counter()
    with pytest.raises(FieldRefused):
        load_yaml("\n".join(lines))
    assert time.perf_counter() - before < 1


def test_eight_levels_are_read() -> None:
    assert load_yaml("[" * 8 + "]" * 8) is not None


def test_the_recipes_of_the_server_are_valid() -> None:
    recipes = built_in_recipes()
    of_calls = {"active_context", "digest", "run_snapshot", "working_memory"}
    of_the_past = {"past_decisions", "similar_past_tasks", "tool_outcomes"}
    assert set(recipes) == of_calls | of_the_past
    assert all(recipe.is_built_in for recipe in recipes.values())


def test_the_active_context_has_the_budgets_that_its_design_asks_for() -> None:
    recipe = built_in_recipes()["active_context"]
    assert recipe.budget == 65_000
    found = {each.name: (each.budget, each.priority) for each in recipe.sections}
    assert found == {
        "identity": (1_200, 10),
        "rules": (6_000, 9),
        "standing": (0, 8),
        "task_state": (3_000, 8),
        "relevant_decisions": (4_000, 7),
        "handoff_packet": (6_000, 7),
        "retrieved_evidence": (28_000, 6),
        "recent_window": (8_000, 5),
        "earlier": (0, 4),
        "recent": (0, 4),
        "reserve": (8_800, 0),
    }
    assert all(each.most == each.budget for each in recipe.sections if each.budget)
    assert [each.name for each in recipe.sections] == list(found)


def test_the_snapshot_shows_what_is_pinned_first() -> None:
    recipe = built_in_recipes()["run_snapshot"]
    assert recipe.budget == 500
    assert [each.limits[0] for each in recipe.sections[1:]] == [3, 5]
    assert recipe.sections[0].source == "pinned"


def test_working_memory_never_cuts_the_system_prompt() -> None:
    recipe = built_in_recipes()["working_memory"]
    system, skills, memories, documents, turns = recipe.sections
    assert (system.overflow, skills.overflow) == (Overflow.KEEP, Overflow.KEEP)
    assert (skills.budget, skills.names, skills.listed, skills.is_stable) == (0, (), 0, True)
    assert (tuple(memories.limits), tuple(documents.limits)) == ((5, 3), (5, 2))
    # A section that is cut first is filled last.
    assert turns.priority < memories.priority < documents.priority
    assert (turns.overflow, turns.whole) == (Overflow.CONDENSE, 20)
