"""Pointers to values of JSON documents, as in RFC 6901, slices of arrays, and the way of a pointer through a document.

The way goes along the members of the containers on it and over all else. Keys of these containers are read strictly;
values that are passed over are not looked at beyond their structure. If keys are equal, the first one counts.
"""

import json
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from camillo_server.kernel.errors import JsonValueNotFound, NotJson, invalid_field
from camillo_server.lib.outputs.json_parts.structure import Stretch

MAX_POINTER_CHARACTERS = 4_096
MAX_POINTER_STEPS = 100
# Longer than any step of a pointer, each character of which takes twelve bytes at most.
MAX_KEY_BYTES = 64 * 1024
_FIELD = "json_pointer"
_BAD_ESCAPE = re.compile(r"~(?![01])")
_INDEX = re.compile(r"0|[1-9][0-9]{0,18}")
_OPENERS = b"{["
# A key without escapes: what it is needs no parser.
_PLAIN_KEY = re.compile(rb'[ \t\r\n]*"[^"\\]*"[ \t\r\n]*')
_SPACES = b" \t\r\n"
_COMMA, _COLON, _CLOSED_OBJECT, _CLOSED_ARRAY = b",:}]"


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
            raise invalid_field("json_slice", "counts elements from the first: neither end is negative")


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A value of a JSON document, or a slice of an array."""

    pointer: JsonPointer
    slice: ArraySlice | None = None


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


def _next_token(stretch: Stretch, at: int) -> int | None:
    """The position of the next token; None if it is not within the stretch."""
    rest = len(stretch.text) - len(stretch.text[at:].lstrip(_SPACES))
    return rest if rest < len(stretch.text) else None


def _marks_of_level(stretch: Stretch, at: int, depth: int) -> npt.NDArray[np.intp]:
    """The marks from a position on that part the members of the container open at a depth, up to its end: indexes of
    `positions`."""
    first = int(np.searchsorted(stretch.positions, at))
    depths, marks = stretch.depths[first:], stretch.marks[first:]
    end = np.flatnonzero(depths < depth)[:1]
    if len(end):
        depths, marks = depths[: end[0]], marks[: end[0]]
    parts = np.flatnonzero((depths == depth) & ((marks == _COMMA) | (marks == _COLON)))
    return first + np.concatenate((parts, end))


class Elements:
    """Goes over the first elements of the array that is open at a depth."""

    def __init__(self, depth: int, count: int) -> None:
        self.depth = depth
        self.left = count
        self.ended = False

    @property
    def has_arrived(self) -> bool:
        """Whether no more elements are to be gone over."""
        return not self.left

    def go(self, stretch: Stretch, at: int) -> int:
        """The position reached: behind the comma before the first element that is not gone over; at the array's end;
        or at the stretch's."""
        if not self.left:
            return at
        marks = _marks_of_level(stretch, at, self.depth)
        is_comma = stretch.marks[marks] == _COMMA
        commas = marks[is_comma]
        if len(commas) >= self.left:
            position = int(stretch.positions[commas[self.left - 1]])
            self.left = 0
            return position + 1
        self.left -= len(commas)
        if is_comma.all():
            return len(stretch.text)
        # The first other mark is the array's end, or a fault.
        position = int(stretch.positions[marks[~is_comma][0]])
        if stretch.text[position] != _CLOSED_ARRAY:
            raise NotJson
        self.ended = True
        return position


class Member:
    """Goes to the value of a key in the object that is open at a depth."""

    def __init__(self, depth: int, key: str) -> None:
        self.depth = depth
        self._key = key
        self._plain = key.encode("utf-8", "surrogatepass")
        self._read = b""
        self._is_in_value = False
        self.has_arrived = False
        self.ended = False

    def go(self, stretch: Stretch, at: int) -> int:
        """The position reached: behind the colon of the key; at the object's end; or at the stretch's."""
        marks = _marks_of_level(stretch, at, self.depth)
        positions: list[int] = stretch.positions[marks].tolist()
        kinds: list[int] = stretch.marks[marks].tolist()
        for position, kind in zip(positions, kinds, strict=True):
            if kind == _COMMA:
                if not self._is_in_value:
                    raise NotJson
                self._is_in_value = False
            elif kind == _COLON:
                if self._is_named_by(stretch.text[at:position]):
                    self.has_arrived = True
                    return position + 1
            elif kind == _CLOSED_OBJECT:
                self.ended = True
                return position
            else:
                raise NotJson
            at = position + 1
        self._keep(stretch.text[at:])
        return len(stretch.text)

    def _is_named_by(self, rest: bytes) -> bool:
        if self._is_in_value:
            raise NotJson
        self._keep(rest)
        key, self._read, self._is_in_value = self._read, b"", True
        if len(key) > MAX_KEY_BYTES:
            return False
        if _PLAIN_KEY.fullmatch(key):
            return key.strip(_SPACES)[1:-1] == self._plain
        try:
            name = json.loads(key)
        except ValueError:
            raise NotJson from None
        if not isinstance(name, str):
            raise NotJson
        return name == self._key

    def _keep(self, rest: bytes) -> None:
        if not self._is_in_value and len(self._read) <= MAX_KEY_BYTES:
            self._read += rest


class Path:
    """The way to a pointer's value through one document."""

    def __init__(self, pointer: JsonPointer) -> None:
        self._steps = pointer.steps
        self._done = 0
        self._within: Member | Elements | None = None
        self.not_found = JsonValueNotFound(pointer.text)

    def go(self, stretch: Stretch, at: int) -> int | None:
        """The position of the value; None if it is further on. Raises JsonValueNotFound, NotJson."""
        while True:
            if self._within is not None:
                at = self._within.go(stretch, at)
                if self._within.ended:
                    raise self.not_found
                if not self._within.has_arrived:
                    return None
                self._within = None
            begin = _next_token(stretch, at)
            if begin is None:
                return None
            self._check(stretch.text[begin])
            if self._done == len(self._steps):
                return begin
            at = self._enter(stretch, begin)

    def _check(self, mark: int) -> None:
        """Raises where no value begins."""
        if mark == _CLOSED_ARRAY and self._steps:
            raise self.not_found
        if mark in b"]},:":
            raise NotJson

    def _enter(self, stretch: Stretch, begin: int) -> int:
        if stretch.text[begin] not in _OPENERS:
            raise self.not_found
        depth = stretch.depth_at(begin)
        step = self._steps[self._done]
        self._done += 1
        if stretch.text[begin] == ord("{"):
            self._within = Member(depth, step)
        elif (index := array_index(step)) is not None:
            self._within = Elements(depth, index)
        else:
            raise self.not_found
        return begin + 1
