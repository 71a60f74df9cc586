"""Recipes out of plain data, and everything that can be wrong with them."""

from typing import Any

import pytest
from camillo_server.across.context.recipe import Order, Overflow, Recipe, SectionSource
from camillo_server.across.context.recipe_parsing import parse_recipe
from camillo_server.kernel.errors import InvalidField
from camillo_server.kernel.kinds import MemoryKind, Source
from camillo_server.search.scoring import PROFILES, ScoringProfile

from tests.cases import each_case
from tests.unit.context.samples import section


def parsed(*sections: Any, **fields: Any) -> Recipe:
    value = {"name": "mine", "budget": 1_000, "sections": list(sections), **fields}
    return parse_recipe(value, "text", is_built_in=False)


def places(*sections: Any, **fields: Any) -> dict[str, str]:
    with pytest.raises(InvalidField) as raised:
        parsed(*sections, **fields)
    return {each.field: each.description for each in raised.value.violations}


EVIDENCE = section("evidence", "recall", 500)


def test_what_is_not_stated_has_a_meaning() -> None:
    (found,) = parsed(EVIDENCE).sections
    assert (found.title, found.most, found.priority) == ("Evidence", 500, 0)
    assert (found.order, found.overflow) == (Order.AS_FOUND, Overflow.DROP)
    assert (found.sources, found.limits, found.is_stable) == ((Source.MEMORY,), (200,), False)


def test_everything_that_is_stated_is_taken_over() -> None:
    stated = {
        **EVIDENCE,
        "title": "What is known",
        "most": 800,
        "priority": 7,
        "order": "oldest_first",
        "limits": [9, 4],
        "sources": ["event", "memory"],
        "kinds": ["fact", "summary"],
        "tags": ["日本", "x"],
        "metadata": {"tool": "茶", "attempt": 2, "late": True},
        "profile": {"similarity": 0.5, "recency": 0.5, "half_life_hours": 24},
    }
    (found,) = parsed(stated).sections
    assert (found.title, found.most, found.priority) == ("What is known", 800, 7)
    assert (found.order, found.limits) == (Order.OLDEST_FIRST, (9, 4))
    assert found.sources == (Source.EVENT, Source.MEMORY)
    assert found.kinds == (MemoryKind.FACT, MemoryKind.SUMMARY)
    assert found.tags == ("日本", "x")
    assert found.metadata == {"tool": "茶", "attempt": 2.0, "late": True}
    assert found.profile == ScoringProfile(similarity=0.5, recency=0.5, half_life_hours=24)


@each_case(
    "metadata",
    [
        {},
        [],
        "tool",
        {"": "x"},
        {1: "x"},
        {"tool": ""},
        {"tool": "x" * 129},
        {"tool": "a\0"},
        {"tool": ["x"]},
        {"tool": None},
        {"tool": float("nan")},
        {"tool": float("inf")},
        {"tool": 10**400},
        {str(number): 1 for number in range(9)},
    ],
)
def test_metadata_that_nothing_could_have_is_refused(metadata: Any) -> None:
    assert places({**EVIDENCE, "metadata": metadata}).keys() == {"sections[0].metadata"}


def test_a_profile_can_be_named() -> None:
    assert parsed({**EVIDENCE, "profile": "blended"}).sections[0].profile == PROFILES["blended"]


def test_stable_sections_come_first_and_the_others_keep_their_order() -> None:
    found = parsed(
        section("b", "tasks", 1),
        section("c", "recall", 1, stable=True),
        section("a", "decisions", 1),
        section("d", "view", 1, view="rules"),
    )
    assert [each.name for each in found.sections] == ["c", "d", "b", "a"]


def test_all_that_is_wrong_is_told_at_once() -> None:
    found = places(
        {**EVIDENCE, "budget": "much", "surprise": 1},
        section("rules", "view", 900, priority=101),
        section("rules", "pinned", 900, hours=3),
        "nothing",
        description=7,
    )
    assert set(found) >= {
        "description",
        "sections[0].budget",
        "sections[0].surprise",
        "sections[1].priority",
        "sections[1].view",
        "sections[1].name",
        "sections[2].name",
        "sections[2].hours",
        "sections[3]",
        "sections",
    }
    assert "1,800" in found["sections"]


@each_case(
    ("field", "value"),
    [
        ("name", "Not a name"),
        ("name", ""),
        ("name", None),
        ("budget", 0),
        ("budget", -5),
        ("budget", True),
        ("budget", 1.5),
        ("budget", 10**9),
        ("budget", float("nan")),
        ("sections", []),
        ("sections", {}),
        ("sections", None),
        ("sections", [EVIDENCE] * 40),
        ("description", "two\nlines"),
        ("description", "x" * 2_000),
        ("extra", 1),
    ],
)
def test_a_field_that_breaks_a_limit_is_named(field: str, value: object) -> None:
    parsed(EVIDENCE)
    with pytest.raises(InvalidField) as raised:
        parse_recipe({"name": "mine", "budget": 1_000, "sections": [EVIDENCE], field: value}, "", is_built_in=False)
    assert field in {each.field for each in raised.value.violations}


@each_case(
    ("field", "value"),
    [
        ("source", "everything"),
        ("source", ["recall"]),
        ("order", "sideways"),
        ("overflow", "condense"),
        ("overflow", 3),
        ("most", 499),
        ("limit", 0),
        ("limit", 201),
        ("limits", [3, 5]),
        ("limits", [5, 5]),
        ("limits", [201, 5]),
        ("limits", [5, 0]),
        ("limits", ["5"]),
        ("limits", [True]),
        ("limits", []),
        ("sources", ["memory", "dreams"]),
        ("sources", [["memory"]]),
        ("kinds", ["fact", 3]),
        ("tags", [""]),
        ("profile", "unknown"),
        ("profile", 3),
        ("profile", {}),
        ("profile", {"similarity": 2}),
        ("profile", {"similarity": float("nan")}),
        ("profile", {"likeness": 1}),
        ("title", "\u2028"),
        ("stable", "yes"),
        ("view", "rules"),
        ("hours", 3),
        ("whole", 3),
    ],
)
def test_a_field_of_a_section_that_breaks_a_limit_is_named(field: str, value: object) -> None:
    parsed(EVIDENCE)
    found = places({**EVIDENCE, field: value})
    assert any(place.startswith(f"sections[0].{field}") for place in found)


def test_only_one_of_limit_and_limits_is_stated() -> None:
    assert "sections[0].limit" in places({**EVIDENCE, "limit": 3, "limits": [3]})


def test_what_a_request_brings_has_one_section() -> None:
    turns = section("a", "given_turns", 1, overflow="condense", whole=3)
    assert parsed(turns).sections[0].source is SectionSource.GIVEN_TURNS
    assert "sections[1].source" in places(turns, {**turns, "name": "b"})


@pytest.mark.parametrize("value", [None, [], "text", 3])
def test_what_is_no_mapping_is_no_recipe(value: object) -> None:
    with pytest.raises(InvalidField):
        parse_recipe(value, "", is_built_in=False)


def test_the_digest_follows_what_is_said_and_not_how() -> None:
    first = parsed(EVIDENCE)
    reordered = parsed(dict(reversed(list(EVIDENCE.items()))))
    assert first.digest == reordered.digest
    assert first.digest != parsed({**EVIDENCE, "budget": 499}).digest
    assert len(first.digest) == 16
