"""Values by name, and what scenarios say with them: `${alice.key}`, `${page.memories.0.memory_id}`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_REFERENCE = re.compile(r"\$\{([^}]+)\}")


class Missing(LookupError):
    """A path leads nowhere."""


class Variables:
    """The variables of a scenario; steps add to them."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def set(self, name: str, value: Any) -> None:
        self._values[name] = value

    def filled(self, template: Any) -> Any:
        """The template with every reference replaced; one that is a whole text keeps the type of its value."""
        if isinstance(template, str):
            return self._text(template)
        if isinstance(template, Mapping):
            return {self._text(key): self.filled(value) for key, value in template.items()}
        if isinstance(template, list):
            return [self.filled(value) for value in template]
        return template

    def _text(self, template: str) -> Any:
        whole = _REFERENCE.fullmatch(template)
        if whole:
            return at(self._values, whole[1])
        return _REFERENCE.sub(lambda found: str(at(self._values, found[1])), template)


def at(value: Any, path: str) -> Any:
    """The value at a path of keys and places; Missing if there is none. `*` is every place: the result is a list."""
    head, _, rest = path.partition(".")
    if not head:
        return value
    if head == "*":
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise Missing(f"no list to look through in {_short(value)}")
        found = [at(each, rest) for each in value]
        return [inner for each in found for inner in each] if "*" in rest.split(".") else found
    return at(_step(value, head), rest)


def _step(value: Any, key: str) -> Any:
    try:
        return value[int(key)] if isinstance(value, list) else value[key]
    except (LookupError, TypeError, ValueError):
        raise Missing(f"no {key} in {_short(value)}") from None


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:120]}..."
