"""Cuts one value, or a slice of an array, out of a JSON document that comes in blocks."""

import re
from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial

import numpy as np

from camillo_server.kernel.errors import JsonValueNotFound, NotJson
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.lib.outputs.json_parts.pointer import ArraySlice, Elements, JsonPointer, Path
from camillo_server.lib.outputs.json_parts.structure import Grammar, Stretch, Structure

_LITERAL_END = re.compile(rb"[ \t\r\n,:\]}]")
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

    def pop(self) -> list[bytes]:
        """The text since the last call."""
        pieces, self._pieces = self._pieces, []
        return [b"".join(pieces)] if pieces else []


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
            first = int(np.searchsorted(stretch.positions, at))
            ends = stretch.positions[first:][stretch.depths[first:] < self._depth]
            return int(ends[0]) + 1 if len(ends) else None
        found = _LITERAL_END.search(stretch.text, at)
        return found.start() if found else None


class Slice:
    """An array of some elements of an array."""

    def __init__(self, part: ArraySlice, not_found: JsonValueNotFound) -> None:
        self._not_found = not_found
        self._start = part.start
        self._count = (_ENDLESS if part.end is None else part.end) - part.start
        self._before: Elements | None = None
        self._elements = Elements(0, 0)

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
        self._elements = Elements(depth, self._count)
        return Elements(depth, self._start)

    def _take(self, stretch: Stretch, at: int, text: ValueText) -> bool:
        end = self._elements.go(stretch, at)
        is_cut = not self._elements.left
        text.write(stretch, at, end - 1 if is_cut else end)
        if is_cut or self._elements.ended:
            text.write_mark(b"]")
            return True
        return False


class ValueCutter:
    """Is fed the blocks of one document in their order until it is done, and returns the value's text piece by piece.

    The value is checked by the grammar of JSON as it comes out: NotJson may follow its last piece. The text before it
    is checked for bytes that are no UTF-8, for strings and for depth, and for the brackets and keys of the containers
    on the path; the text after it is not read. If the value is the whole document, all of it is checked.
    """

    def __init__(self, pointer: JsonPointer, part: ArraySlice | None) -> None:
        self._structure = Structure()
        self._path = Path(pointer)
        # Each writes the part of a stretch that belongs to the value, and returns whether the value ends in it.
        self._cut: Everything | OneValue | Slice = OneValue() if pointer.steps else Everything()
        if part is not None:
            self._cut = Slice(part, self._path.not_found)
        self._text = ValueText()
        self._is_cutting = False
        self.is_done = False

    def feed(self, block: bytes) -> list[bytes]:
        """The next pieces, each at most 256 KiB. Raises NotJson, JsonValueNotFound."""
        pieces: list[bytes] = []
        for stretch in self._structure.stretches(block):
            self._take(stretch)
            pieces += self._text.pop()
            if self.is_done:
                break
        return pieces

    def finish(self) -> None:
        """The document has ended. Raises NotJson if the value has not."""
        if self.is_done:
            return
        self._structure.finish()
        if not self._is_cutting:
            raise NotJson
        self._text.finish()

    def _take(self, stretch: Stretch) -> None:
        at = 0 if self._is_cutting else self._path.go(stretch, 0)
        if at is None:
            return
        self._is_cutting = True
        if self._cut.go(stretch, at, self._text):
            self._text.finish()
            self.is_done = True


async def json_value(
    blocks: AsyncIterator[bytes],
    pointer: JsonPointer,
    slice: ArraySlice | None,
) -> AsyncGenerator[bytes]:
    """The value as compact JSON text in UTF-8, in chunks of up to 256 KiB; of a slice, an array of its elements.

    Numbers and strings are as they were written. Raises NotJson and JsonValueNotFound, the first also behind chunks.
    Reads no block behind the value; closing the blocks is the caller's.
    """
    cutter = ValueCutter(pointer, slice)
    async for block in blocks:
        for chunk in await off_loop(UNBOUNDED, partial(cutter.feed, block)):
            yield chunk
        if cutter.is_done:
            return
    await off_loop(UNBOUNDED, cutter.finish)
