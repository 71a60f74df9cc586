"""Secrets taken out of one field after the other, of texts as of nested JSON."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from camillo_server.domain.redaction import Redaction, Redactor

# So much of the beginning of a key names it, and so much of its end tells what its values are: each of them is looked at
# together with it, and a key may be as long as the object.
NAMED_CHARACTERS, TELLING_CHARACTERS = 40, 128


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
        repeats = Counter[str]()
        for key, each in value.items():
            left = name = self.text(f"{field} key", key)
            # Two keys may differ by their secrets alone: none of their values is to be lost.
            while name in cleaned:
                repeats[left] += 1
                name = f"{left} {repeats[left] + 1}"
            path = f"{field}.{name[:NAMED_CHARACTERS]}"
            cleaned[name] = self._value(path, key[-TELLING_CHARACTERS:], each)
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
