"""Which part of an artifact is wanted."""

from dataclasses import dataclass

from camillo_server.domain.json_pointer import ArraySlice, JsonPointer

AROUND_DEFAULT = 20


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes `start` to `end`, the last not among them. A negative start counts from the end; no end: to the end."""

    start: int = 0
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines `first` (from 1) to `last`, both among them; no last: to the end."""

    first: int
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Tail:
    """The last so many lines."""

    lines: int


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A value of a JSON document, or a slice of an array."""

    pointer: JsonPointer
    slice: ArraySlice | None = None


ArtifactRange = Bytes | Lines | Tail | JsonPart
WHOLE = Bytes()


def head(lines: int) -> Lines:
    """The first so many lines."""
    return Lines(1, lines)


def around(line: int, context: int) -> Lines:
    """A line with so many lines before and after it."""
    return Lines(max(1, line - context), line + context)
