"""Pointers to values of JSON documents, as in RFC 6901, and slices of arrays."""

import re
from dataclasses import dataclass

from camillo_server.kernel.errors import invalid_field

MAX_POINTER_CHARACTERS = 4_096
MAX_POINTER_STEPS = 100
_FIELD = "json_pointer"
_BAD_ESCAPE = re.compile(r"~(?![01])")
_INDEX = re.compile(r"0|[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class JsonPointer:
    """The keys and indexes that lead from the whole document to a value; `text` is the pointer as it was written."""

    steps: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class ArraySlice:
    """The elements `start` to `end` of an array, the last not among them; no end: to the array's end."""

    start: int = 0
    end: int | None = None

    def __post_init__(self) -> None:
        if self.start < 0 or (self.end is not None and self.end < 0):
            raise invalid_field(
                "json_slice", "counts elements from the first: neither end is negative"
            )


def parse_pointer(text: str) -> JsonPointer:
    """Raises InvalidField for what RFC 6901 does not allow, and for what is too long."""
    if len(text) > MAX_POINTER_CHARACTERS:
        raise invalid_field(_FIELD, f"at most {MAX_POINTER_CHARACTERS} characters")
    if text and not text.startswith("/"):
        raise invalid_field(_FIELD, "begins with a slash, or is empty")
    if _BAD_ESCAPE.search(text):
        raise invalid_field(_FIELD, "a tilde is written ~0, a slash within a key ~1")
    steps = text.split("/")[1:]
    if len(steps) > MAX_POINTER_STEPS:
        raise invalid_field(_FIELD, f"at most {MAX_POINTER_STEPS} steps")
    return JsonPointer(tuple(map(_unescaped, steps)), text)


def array_index(step: str) -> int | None:
    """The element that a step means in an array; none for what is no index there, such as `-` or `01`."""
    return int(step) if _INDEX.fullmatch(step) else None


def _unescaped(step: str) -> str:
    # In this order: ~01 is ~1, not a slash.
    return step.replace("~1", "/").replace("~0", "~")


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A value of a JSON document, or a slice of an array."""

    pointer: JsonPointer
    slice: ArraySlice | None = None
