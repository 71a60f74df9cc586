"""Candidates and recipes to pack."""

from datetime import UTC, datetime, timedelta
from typing import Any

from camillo_server.context.bundle import Candidate, ItemType
from camillo_server.context.recipe import Recipe
from camillo_server.context.recipe_parsing import parse_recipe

MOMENT = datetime(2026, 11, 20, 14, 3, tzinfo=UTC)


def candidate(text: str, number: int = 0, **fields: Any) -> Candidate:
    """A chunk, the later the higher its number, and the worse."""
    given = {
        "type": ItemType.CHUNK,
        "refs": (f"chunk-{number}", f"event-{number}"),
        "lead": "2026-11-20 14:03",
        "score": 1 - number / 1_000,
        "occurred_at": MOMENT + timedelta(minutes=number),
    }
    return Candidate(text=text, **{**given, **fields})


def turn(text: str, number: int = 0) -> Candidate:
    """A turn that a caller brings."""
    return Candidate(ItemType.GIVEN, text, (f"turn-{number}",), "user:")


def section(name: str, source: str, budget: int, **fields: Any) -> dict[str, Any]:
    """The plain data of a section."""
    return {"name": name, "source": source, "budget": budget, **fields}


def recipe(budget: int, *sections: dict[str, Any]) -> Recipe:
    """A recipe of these sections."""
    value = {"name": "sample", "budget": budget, "sections": list(sections)}
    return parse_recipe(value, "", is_built_in=False)
