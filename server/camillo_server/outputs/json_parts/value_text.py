"""The text of one value as it comes out, and what decides where it ends."""

from typing import Protocol

import numpy as np

from camillo_server.kernel.errors import JsonValueNotFound
from camillo_server.outputs.json_parts.path import Elements
from camillo_server.outputs.json_parts.pointer import ArraySlice
from camillo_server.outputs.json_parts.structure import Stretch
from camillo_server.outputs.json_parts.validator import Grammar

_LITERAL_ENDS = b" \t\r\n,:]}"
_ENDLESS = 1 << 62


class ValueText:
    """Collects compact text, and checks it."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._grammar = Grammar()

    def write(self, stretch: Stretch, start: int, end: int) -> None:
        """Adds a part of the stretch. Raises NotJson."""
        self._grammar.feed(stretch.skeleton(start, end))
        if piece := stretch.compact(start, end):
            self._pieces.append(piece)

    def write_mark(self, mark: bytes) -> None:
        """Adds a mark that is not taken from the document."""
        self._grammar.feed(mark)
        self._pieces.append(mark)

    def finish(self) -> None:
        """The end of the value. Raises NotJson if it is none."""
        self._grammar.finish()

    def taken(self) -> list[bytes]:
        """The text since it was last taken."""
        pieces, self._pieces = self._pieces, []
        return [b"".join(pieces)] if pieces else []


class Cut(Protocol):
    """Decides what of a document is written, from where the value begins."""

    def go(self, stretch: Stretch, at: int, text: ValueText) -> bool:
        """Writes what belongs to the value; whether it ends in the stretch."""
        ...


class Everything:
    """The document to its end."""

    def go(self, stretch: Stretch, at: int, text: ValueText) -> bool:
        text.write(stretch, at, len(stretch.text))
        return False


class OneValue:
    """A value within others."""

    def __init__(self) -> None:
        self._first = b""
        self._depth = 0

    def go(self, stretch: Stretch, at: int, text: ValueText) -> bool:
        if not self._first:
            self._first = stretch.text[at : at + 1]
            self._depth = stretch.depth_at(at)
        end = self._end(stretch, at)
        text.write(stretch, at, len(stretch.text) if end is None else end)
        return end is not None

    def _end(self, stretch: Stretch, at: int) -> int | None:
        if self._first == b'"':
            closing = stretch.quotes[(stretch.quotes >= at) & stretch.outside[stretch.quotes]]
            return int(closing[0]) + 1 if len(closing) else None
        if self._first in b"{[":
            first = int(np.searchsorted(stretch.places, at))
            ends = stretch.places[first:][stretch.depths[first:] < self._depth]
            return int(ends[0]) + 1 if len(ends) else None
        return _literal_end(stretch.text, at)


class Slice:
    """An array of some elements of an array."""

    def __init__(self, part: ArraySlice, not_found: JsonValueNotFound) -> None:
        self._not_found = not_found
        self._start = part.start
        self._count = (_ENDLESS if part.end is None else part.end) - part.start
        self._before: Elements | None = None
        self._wanted = Elements(0, 0)

    def go(self, stretch: Stretch, at: int, text: ValueText) -> bool:
        if self._before is None:
            self._before = self._open(stretch, at, text)
            at += 1
        if self._count > 0:
            at = self._before.go(stretch, at)
            if not self._before.ended:
                return not self._before.left and self._take(stretch, at, text)
        text.write_mark(b"]")
        return True

    def _open(self, stretch: Stretch, at: int, text: ValueText) -> Elements:
        if stretch.text[at] != ord("["):
            raise self._not_found
        text.write_mark(b"[")
        depth = stretch.depth_at(at)
        self._wanted = Elements(depth, self._count)
        return Elements(depth, self._start)

    def _take(self, stretch: Stretch, at: int, text: ValueText) -> bool:
        end = self._wanted.go(stretch, at)
        is_cut = not self._wanted.left
        text.write(stretch, at, end - 1 if is_cut else end)
        if is_cut or self._wanted.ended:
            text.write_mark(b"]")
            return True
        return False


def _literal_end(text: bytes, at: int) -> int | None:
    ends = [place for mark in _LITERAL_ENDS if (place := text.find(mark, at)) >= 0]
    return min(ends, default=None)
