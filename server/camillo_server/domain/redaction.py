"""Redaction: secrets are taken out of what a caller writes before anything is made of it or stored."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, TypeVar

from camillo_server.domain.memory import MemoryDraft, Scalar


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


# What a caller states, whichever of the fields below it has.
Draft = TypeVar("Draft", bound=_Dataclass)

# The fields of a memory or an artifact that hold what a caller wrote.
TEXTS = ("content", "name", "description", "media_type", "tool", "command", "session_id")
LISTS, OBJECTS = ("tags", "source_refs"), ("metadata",)
# About a millisecond of work.
DRAFTS_PER_TURN = 25


@dataclass(frozen=True, slots=True)
class FoundSecret:
    """A secret that was taken out: its kind, and where its mark stands in the text that is left, in characters."""

    kind: str
    offset: int


@dataclass(frozen=True, slots=True)
class Redaction:
    """The same of one field: `content`, `tags[0]`, `metadata.url`, or `metadata key`."""

    field: str
    kind: str
    offset: int


class Redactor(Protocol):
    """Knows secrets when it sees them."""

    def redact(self, text: str) -> tuple[str, Sequence[FoundSecret]]:
        """The text with a mark in the place of each secret, never longer than it was, and what was taken out."""
        ...


@dataclass(frozen=True, slots=True)
class MaskedSecret:
    """A secret in a stream of bytes: bytes `offset` to `end`, which a mask of the same length has taken the place of."""

    kind: str
    offset: int
    end: int


@dataclass(frozen=True, slots=True)
class CleanedBytes:
    """Some of the bytes of a stream, and the secrets that begin in them; offsets are from the beginning of the stream.

    `sent` is what they were before, as many; None where that is the same.
    """

    data: bytes
    found: Sequence[MaskedSecret] = ()
    sent: bytes | None = None

    @property
    def as_sent(self) -> bytes:
        """What they were before."""
        return self.data if self.sent is None else self.sent


class RedactionStream(Protocol):
    """Takes secrets out of bytes as they pass, also those that come in several pieces."""

    def feed(self, data: bytes) -> CleanedBytes:
        """The next bytes; gives those that no later ones can make part of a secret."""
        ...

    def finish(self) -> CleanedBytes:
        """The rest."""
        ...


def redacted_draft(draft: Draft, redactor: Redactor) -> tuple[Draft, Sequence[Redaction]]:
    """The draft without secrets, and what was taken out of it."""
    names = (*TEXTS, *LISTS, *OBJECTS)
    written = {name: getattr(draft, name) for name in names if hasattr(draft, name)}
    values, redactions = redacted_values(written, redactor)
    return (replace(draft, **values) if redactions else draft), redactions


async def redacted_drafts(
    drafts: Sequence[MemoryDraft], redactor: Redactor
) -> list[tuple[MemoryDraft, Sequence[Redaction]]]:
    """The same for many, in their order, while other calls get their turn."""
    redacted = []
    for number, draft in enumerate(drafts, 1):
        redacted.append(redacted_draft(draft, redactor))
        if number % DRAFTS_PER_TURN == 0:
            await asyncio.sleep(0)
    return redacted


def redacted_values(
    values: Mapping[str, Any], redactor: Redactor
) -> tuple[dict[str, Any], Sequence[Redaction]]:
    """The same for values by the names of their fields, whichever of them there are."""
    field = _Fields(redactor)
    cleaned = dict(values)
    for name in (name for name in TEXTS if name in values):
        cleaned[name] = field.text(name, values[name])
    for name in (name for name in LISTS if name in values):
        each = [field.text(f"{name}[{i}]", text) for i, text in enumerate(values[name])]
        # Two that differed by their secrets alone are one now.
        cleaned[name] = tuple(dict.fromkeys(each))
    for name in (name for name in OBJECTS if name in values):
        cleaned[name] = field.entries(name, values[name])
    return cleaned, field.redactions


class _Fields:
    """Cleans one field after the other and keeps the list."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self.redactions: list[Redaction] = []

    def text(self, field: str, text: str) -> str:
        left, found = self._redactor.redact(text)
        self.redactions += [Redaction(field, each.kind, each.offset) for each in found]
        return left

    def entries(self, field: str, entries: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """A value is looked at together with its key, which often tells what it is."""
        cleaned: dict[str, Scalar] = {}
        for key, value in entries.items():
            name = self.text(f"{field} key", key)
            cleaned[name] = self._value(f"{field}.{name}", key, value)
        return cleaned

    def _value(self, field: str, key: str, value: Scalar) -> Scalar:
        if not isinstance(value, str):
            return value
        before = f"{key}: "
        left, found = self._redactor.redact(before + value)
        if not left.startswith(before):
            # The key itself was taken for one: then the value is looked at alone.
            return self.text(field, value)
        self.redactions += [
            Redaction(field, each.kind, each.offset - len(before)) for each in found
        ]
        return left[len(before) :]
