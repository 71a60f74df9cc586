"""The texts that a caller states, by the fields that they are in: what may not be one that was forgotten."""

from collections.abc import Iterator, Mapping
from typing import Any

OF_DECISIONS = ("decision", "rationale", "constraints", "alternatives", "consequences")
OF_TASKS = ("title", "details", "goal", "plan_step", "constraints")
OF_PACKETS = ("goal", "plan_step", "note", "constraints")
OF_ARTIFACTS = ("name", "description", "command", "metadata")


def stated_in(values: Mapping[str, Any], path: str = "") -> Mapping[str, str]:
    """Those of the values, which are texts, lists of texts or flat objects; `path` stands before each field."""
    return {
        field: text for name, value in values.items() for field, text in _texts(path + name, value)
    }


def stated_by(draft: object, names: tuple[str, ...], path: str = "") -> Mapping[str, str]:
    """Those of these fields of a draft."""
    return stated_in({name: getattr(draft, name) for name in names}, path)


def _texts(field: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, Mapping):
        yield from (
            (f"{field}.{key}", text) for key, text in value.items() if isinstance(text, str)
        )
        # By their numbers, from 0: a key may hold what may not be told.
        yield from ((f"{field}[{number}]", key) for number, key in enumerate(value))
    elif isinstance(value, list | tuple):
        yield from ((f"{field}[{place}]", text) for place, text in enumerate(value))
