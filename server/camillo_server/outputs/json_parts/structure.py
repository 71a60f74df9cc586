"""The structure of JSON text, block by block, without making values of it: what lies in strings, and how deep.

Numpy looks at a stretch of bytes at once, so what is skipped costs little, whatever it holds, and a string of any
length needs no memory.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from camillo_server.kernel.errors import NotJson

MAX_DEPTH = 200
STRETCH_BYTES = 256 * 1024 - 64

_BYTE_ORDER_MARK = codecs.BOM_UTF8
# With every escaped backslash masked: an escape that the stretch cuts, and one that there is not.
_CUT_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_BAD_ESCAPE = re.compile(rb'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_QUOTE = ord('"')
_SPACE = ord(" ")
_BACKSLASH = ord("\\")

_DEPTH_CHANGE = np.zeros(256, np.int8)
_DEPTH_CHANGE[list(b"[{")] = 1
_DEPTH_CHANGE[list(b"]}")] = -1
_IS_STRUCTURE = bytes(code in b"[]{}:," for code in range(256))
_IS_SPACE = bytes(code in b" \t\r\n" for code in range(256))

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some bytes of JSON text that cut no escape, and their structure.

    `outside` tells which bytes are not in strings, where the opening quote is within and the closing one outside. Of
    the marks of structure, `positions` has the offsets, `marks` the bytes, and `depths` how many containers are open
    behind each.
    """

    text: bytes
    outside: Flags
    quotes: npt.NDArray[np.intp]
    positions: npt.NDArray[np.intp]
    marks: npt.NDArray[np.uint8]
    depths: npt.NDArray[np.int64]

    def depth_at(self, position: int) -> int:
        """The number of containers open behind the mark at a position, or behind the next one."""
        index = int(np.searchsorted(self.positions, position))
        return int(self.depths[index]) if index < len(self.depths) else 0

    def compact(self, start: int, end: int) -> bytes:
        """A part without the white space between tokens."""
        text = self.text[start:end]
        spaces = _flags(text, _IS_SPACE) & self.outside[start:end]
        return np.frombuffer(text, np.uint8)[~spaces].tobytes() if spaces.any() else text

    def skeleton(self, start: int, end: int) -> bytes:
        """A part without what is in its strings."""
        codes = np.frombuffer(self.text, np.uint8)[start:end]
        kept = self.outside[start:end].copy()
        quotes = self.quotes[
            np.searchsorted(self.quotes, start) : np.searchsorted(self.quotes, end)
        ]
        kept[quotes - start] = True
        return codes[kept].tobytes()


class Structure:
    """Reads the blocks of one document in their order. A byte order mark before it is left out."""

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._held = b""
        self._begun = False
        self.in_string = False
        self.depth = 0

    def stretches(self, block: bytes) -> Iterator[Stretch]:
        """Raises NotJson for bytes that are no UTF-8, what strings may not hold, and containers too deep or closed
        too often; not for all else that is no JSON."""
        data = self._unmarked(block)
        for start in range(0, len(data), STRETCH_BYTES):
            text = self._held + data[start : start + STRETCH_BYTES]
            yield self._stretch(text)

    def finish(self) -> None:
        """Raises NotJson if the document ends within a string, an escape, a character or a container."""
        if self._held or self.in_string or self.depth or self._utf8.getstate()[0]:
            raise NotJson

    def _unmarked(self, block: bytes) -> bytes:
        if self._begun:
            return block
        data = self._held + block
        self._begun = len(data) >= len(_BYTE_ORDER_MARK)
        if not self._begun and _BYTE_ORDER_MARK.startswith(data):
            self._held = data
            return b""
        self._held, self._begun = b"", True
        return data.removeprefix(_BYTE_ORDER_MARK)

    def _stretch(self, data: bytes) -> Stretch:
        masked = data.replace(rb"\\", b"__")
        cut = _CUT_ESCAPE.search(masked, max(0, len(masked) - 5))
        end = cut.start() if cut else len(data)
        text, self._held = data[:end], data[end:]
        self._check(text, masked[:end])
        codes = np.frombuffer(masked.replace(rb"\"", b"__")[:end], np.uint8)
        quotes = np.flatnonzero(codes == _QUOTE)
        inside = self._inside(quotes, end)
        if ((codes < _SPACE) & inside).any():
            raise NotJson
        return self._measured(text, ~inside, quotes)

    def _inside(self, quotes: npt.NDArray[np.intp], length: int) -> Flags:
        """Flags of the bytes within strings; also notes whether the last is."""
        is_inside = np.zeros(len(quotes) + 1, np.bool_)
        is_inside[(0 if self.in_string else 1) :: 2] = True
        self.in_string = bool(is_inside[-1])
        return np.repeat(is_inside, np.diff(quotes, prepend=0, append=length))

    def _check(self, text: bytes, masked: bytes) -> None:
        if _BAD_ESCAPE.search(masked):
            raise NotJson
        try:
            self._utf8.decode(text)
        except UnicodeDecodeError:
            raise NotJson from None

    def _measured(self, text: bytes, outside: Flags, quotes: npt.NDArray[np.intp]) -> Stretch:
        codes = np.frombuffer(text, np.uint8)
        if b"\\" in text and ((codes == _BACKSLASH) & outside).any():
            raise NotJson
        positions = np.flatnonzero(_flags(text, _IS_STRUCTURE) & outside)
        marks = codes[positions]
        depths = self.depth + np.cumsum(_DEPTH_CHANGE[marks], dtype=np.int64)
        if len(depths):
            self.depth = int(depths[-1])
            if depths.max() > MAX_DEPTH or depths.min() < 0:
                raise NotJson
        return Stretch(text, outside, quotes, positions, marks, depths)


def _flags(text: bytes, table: bytes) -> Flags:
    return np.frombuffer(text.translate(table), np.bool_)
