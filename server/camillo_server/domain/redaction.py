"""Redaction: secrets are taken out of what a caller writes before anything is made of it or stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


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
