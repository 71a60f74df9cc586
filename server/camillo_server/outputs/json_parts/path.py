"""Finds where a pointer's value begins, going along the members of the containers on its way and over all else.

Of the containers on the way, keys are read strictly; what is passed over is not looked at beyond its structure. The
first of equal keys is the one.
"""

import json
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from camillo_server.kernel.errors import JsonValueNotFound, NotJson
from camillo_server.outputs.json_parts.pointer import JsonPointer, array_index
from camillo_server.outputs.json_parts.structure import Stretch

# Longer than any step of a pointer, each character of which takes twelve bytes at most.
MAX_KEY_BYTES = 64 * 1024

_OPENERS = b"{["
# A key without escapes: what it is needs no parser.
_PLAIN_KEY = re.compile(rb'[ \t\r\n]*"[^"\\]*"[ \t\r\n]*')
_SPACES = b" \t\r\n"
_COMMA, _COLON, _CLOSED_OBJECT, _CLOSED_ARRAY = b",:}]"


def value_begin(stretch: Stretch, at: int) -> int | None:
    """The position of the next token; None if it is not within the stretch."""
    rest = len(stretch.text) - len(stretch.text[at:].lstrip(_SPACES))
    return rest if rest < len(stretch.text) else None


def level_marks(stretch: Stretch, at: int, depth: int) -> npt.NDArray[np.intp]:
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

    def go(self, stretch: Stretch, at: int) -> int:
        """The position reached: behind the comma before the first element that is not gone over; at the array's end;
        or at the stretch's."""
        if not self.left:
            return at
        marks = level_marks(stretch, at, self.depth)
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
        self.found = False
        self.ended = False

    def go(self, stretch: Stretch, at: int) -> int:
        """The position reached: behind the colon of the key; at the object's end; or at the stretch's."""
        marks = level_marks(stretch, at, self.depth)
        positions: list[int] = stretch.positions[marks].tolist()
        kinds: list[int] = stretch.marks[marks].tolist()
        for position, kind in zip(positions, kinds, strict=True):
            if kind == _COMMA:
                self._leave_value()
            elif kind != _COLON:
                self._end(kind)
                return position
            elif self._is_named_by(stretch.text[at:position]):
                self.found = True
                return position + 1
            at = position + 1
        self._keep(stretch.text[at:])
        return len(stretch.text)

    def _end(self, kind: int) -> None:
        if kind != _CLOSED_OBJECT:
            raise NotJson
        self.ended = True

    def _leave_value(self) -> None:
        if not self._is_in_value:
            raise NotJson
        self._is_in_value = False

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
        self._pointer = pointer
        self._steps: Sequence[str] = pointer.steps
        self._within: Member | Elements | None = None
        self._done = 0

    def go(self, stretch: Stretch, at: int) -> int | None:
        """The position of the value; None if it is further on. Raises JsonValueNotFound, NotJson."""
        while True:
            if self._within is not None:
                at = self._within.go(stretch, at)
                if self._within.ended:
                    raise self.not_found()
                if not self._has_arrived():
                    return None
            begin = value_begin(stretch, at)
            if begin is None:
                return None
            if self._done == len(self._steps):
                return self._checked(stretch, begin)
            at = self._enter(stretch, begin)

    def not_found(self) -> JsonValueNotFound:
        """The error that there is no such value."""
        return JsonValueNotFound(self._pointer.text)

    def _has_arrived(self) -> bool:
        """Whether the value of the step lies right ahead; the step is done then."""
        within = self._within
        if isinstance(within, Member) and not within.found:
            return False
        if isinstance(within, Elements) and within.left:
            return False
        self._within = None
        return True

    def _checked(self, stretch: Stretch, begin: int) -> int:
        mark = stretch.text[begin]
        if mark == _CLOSED_ARRAY and self._steps:
            raise self.not_found()
        if mark in b"]},:":
            raise NotJson
        return begin

    def _enter(self, stretch: Stretch, begin: int) -> int:
        begin = self._checked(stretch, begin)
        if stretch.text[begin] not in _OPENERS:
            raise self.not_found()
        depth = stretch.depth_at(begin)
        step = self._steps[self._done]
        self._done += 1
        if stretch.text[begin] == ord("{"):
            self._within = Member(depth, step)
        elif (index := array_index(step)) is not None:
            self._within = Elements(depth, index)
        else:
            raise self.not_found()
        return begin + 1
