"""The structure of JSON text, block by block, without making values of it: what lies in strings, how deep, and whether
the whole is one document.

Numpy looks at a stretch of bytes at once, so what is skipped costs little, whatever it holds, and a string of any
length needs no memory.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

import ijson
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
_SPACES = b" \t\r\n"
_IS_SPACE = bytes(code in _SPACES for code in range(256))

# The parser makes a number of the digits, which Python refuses to do of thousands of them, and of large exponents;
# whether a number is well formed shows in its first digits.
_DIGITS_SENT = 16
# The parser lets no other thread run meanwhile: about a millisecond.
_PART_BYTES = 16 * 1024
_MORE_DIGITS = re.compile(rb"([0-9]{16})[0-9]+")
_FIRST_DIGITS = re.compile(rb"[0-9]*")
_LAST_DIGITS = re.compile(rb"[0-9]{0,16}\Z")
DEFAULT_MAX_BYTES = 32 * 1024 * 1024
_CLOSERS = {b"{": b"}", b"[": b"]"}

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some bytes of JSON text that cut no escape, and their structure.

    `outside` tells which bytes are not in strings, where the opening quote is within and the closing one outside. For
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
        quotes = self.quotes[np.searchsorted(self.quotes, start) : np.searchsorted(self.quotes, end)]
        kept[quotes - start] = True
        return codes[kept].tobytes()


class Structure:
    """Reads the blocks of one document in their order. A byte order mark before it is left out."""

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._pending = b""
        self._begun = False
        self.in_string = False
        self.depth = 0

    def stretches(self, block: bytes) -> Iterator[Stretch]:
        """Raises NotJson for bytes that are no UTF-8, what strings may not hold, and containers too deep or closed
        too often; not for all else that is no JSON."""
        data = self._unmarked(block)
        for start in range(0, len(data), STRETCH_BYTES):
            text = self._pending + data[start : start + STRETCH_BYTES]
            yield self._stretch(text)

    def finish(self) -> None:
        """Raises NotJson if the document ends within a string, an escape, a character or a container."""
        if self._pending or self.in_string or self.depth or self._utf8.getstate()[0]:
            raise NotJson

    def _unmarked(self, block: bytes) -> bytes:
        if self._begun:
            return block
        data = self._pending + block
        self._begun = len(data) >= len(_BYTE_ORDER_MARK)
        if not self._begun and _BYTE_ORDER_MARK.startswith(data):
            self._pending = data
            return b""
        self._pending, self._begun = b"", True
        return data.removeprefix(_BYTE_ORDER_MARK)

    def _stretch(self, data: bytes) -> Stretch:
        masked = data.replace(rb"\\", b"__")
        cut = _CUT_ESCAPE.search(masked, max(0, len(masked) - 5))
        end = cut.start() if cut else len(data)
        text, self._pending = data[:end], data[end:]
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


class Grammar:
    """Checks the skeleton of a document, which it is fed in parts."""

    def __init__(self) -> None:
        self._events = ijson.sendable_list()
        self._parser = ijson.get_backend("yajl2_c").basic_parse_coro(self._events)
        self._digits_open = 0

    def feed(self, skeleton: bytes) -> None:
        """Raises NotJson; is of no use thereafter."""
        for start in range(0, len(skeleton), _PART_BYTES):
            if shortened := self._shortened(skeleton[start : start + _PART_BYTES]):
                self._send(shortened)

    def _shortened(self, skeleton: bytes) -> bytes:
        """The skeleton without surplus digits of a number, be they of this part or of more than one."""
        first = _FIRST_DIGITS.match(skeleton)
        leading = first.end() if first else 0
        sent = min(leading, _DIGITS_SENT - self._digits_open)
        if leading == len(skeleton):
            self._digits_open += sent
        else:
            last = _LAST_DIGITS.search(skeleton, max(leading, len(skeleton) - _DIGITS_SENT))
            self._digits_open = len(last.group()) if last else 0
        return skeleton[:sent] + _MORE_DIGITS.sub(rb"\1", skeleton[leading:])

    def finish(self) -> None:
        """Raises NotJson if the document is not complete, or not one."""
        # Sending nothing is the end of the text.
        self._send(b"")

    def _send(self, text: bytes) -> None:
        try:
            self._parser.send(text)
        except StopIteration:
            pass
        # Errors that Python raises about numbers pass through the parser.
        except (ijson.JSONError, ValueError, ArithmeticError, SystemError):
            raise NotJson from None
        finally:
            del self._events[:]


class JsonValidator:
    """Checks a document whose parts it is fed in their order. A single number, string or literal is no document here.

    Checks only `max_bytes` of a longer content, and whether its last byte closes what its first one opens.
    """

    def __init__(self, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._left = max_bytes
        self._structure = Structure()
        self._grammar: Grammar | None = Grammar()
        self._begin = b""
        self._closer = b""
        self._last = b""
        self._is_refuted = False

    def feed(self, part: bytes) -> None:
        """Takes CPU time, one to three seconds for 32 MiB, until the answer is known."""
        if self._is_refuted:
            return
        if not self._closer:
            self._look_at_begin(part)
        self._last = part.rstrip(_SPACES)[-1:] or self._last
        if self._grammar is not None and not self._is_refuted:
            self._check(self._grammar, part[: self._left])
        self._left -= len(part)
        if self._left < 0:
            self._left, self._grammar = 0, None

    def finish(self) -> bool:
        """Whether it is a document."""
        if self._is_refuted or not self._closer or self._last != self._closer:
            return False
        if self._grammar is None:
            return True
        try:
            self._structure.finish()
            self._grammar.finish()
        except NotJson:
            return False
        return True

    def _look_at_begin(self, part: bytes) -> None:
        begin, self._begin = self._begin + part, b""
        if len(begin) < len(_BYTE_ORDER_MARK) and _BYTE_ORDER_MARK.startswith(begin):
            self._begin = begin
            return
        first = begin.removeprefix(_BYTE_ORDER_MARK).lstrip(_SPACES)[:1]
        if first:
            self._closer = _CLOSERS.get(first, b"")
            self._is_refuted = not self._closer

    def _check(self, grammar: Grammar, part: bytes) -> None:
        try:
            for stretch in self._structure.stretches(part):
                grammar.feed(stretch.skeleton(0, len(stretch.text)))
        except NotJson:
            self._is_refuted = True
