"""Secrets taken out of one field after the other, of texts as of nested JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from camillo_server.domain.redaction import Redaction, Redactor


class FieldRedaction:
    """Cleans what it is given and keeps the list of what it took out."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self.redactions: list[Redaction] = []

    def text(self, field: str, text: str) -> str:
        """One text."""
        left, found = self._redactor.redact(text)
        self.redactions += [Redaction(field, each.kind, each.offset) for each in found]
        return left

    def texts(self, field: str, texts: Sequence[str]) -> tuple[str, ...]:
        """A list of them, all kept."""
        return tuple(self.text(f"{field}[{place}]", text) for place, text in enumerate(texts))

    def tags(self, field: str, tags: Sequence[str]) -> tuple[str, ...]:
        """The same, two that differed by their secrets alone being one now."""
        return tuple(dict.fromkeys(self.texts(field, tags)))

    def json(self, field: str, value: Mapping[str, Any]) -> dict[str, Any]:
        """A JSON object. A text is looked at together with its key, which often tells what it is."""
        cleaned: dict[str, Any] = {}
        for key, each in value.items():
            name = self._free(cleaned, self.text(f"{field} key", key))
            cleaned[name] = self._value(f"{field}.{name}", key, each)
        return cleaned

    def _value(self, field: str, key: str, value: object) -> object:
        if isinstance(value, str):
            return self._keyed(field, key, value)
        if isinstance(value, Mapping):
            return self.json(field, value)
        if isinstance(value, list | tuple):
            return [self._value(f"{field}[{place}]", key, each) for place, each in enumerate(value)]
        return value

    def _keyed(self, field: str, key: str, text: str) -> str:
        before = f"{key}: "
        left, found = self._redactor.redact(before + text)
        if not found:
            return text
        if not left.startswith(before):
            # The key itself was taken for one: then the text is looked at alone.
            return self.text(field, text)
        self.redactions += [
            Redaction(field, each.kind, each.offset - len(before)) for each in found
        ]
        return left[len(before) :]

    def _free(self, taken: Mapping[str, Any], name: str) -> str:
        """Two keys may differ by their secrets alone: none of their values is to be lost."""
        free, number = name, 2
        while free in taken:
            free, number = f"{name} {number}", number + 1
        return free
