"""JSON made values of in pieces of about a millisecond, between which others have the interpreter's lock: Python's own
parser holds it for the whole of a body."""

from __future__ import annotations

import codecs
import json
import math
import re
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from camillo_server.doors.gateway.json_bounds import MAX_DEPTH, BadJson, TooMuchJson, most_values
from camillo_server.kernel.errors import NotJson
from camillo_server.kernel.off_loop import yield_turn
from camillo_server.lib.outputs.json_parts.structure import Stretch, Structure

if TYPE_CHECKING:
    import numpy.typing as npt

    Marks = npt.NDArray[np.uint8]
    Positions = npt.NDArray[np.int64]
    Depths = npt.NDArray[np.uint8]


# Bounds of one piece, which takes a third of a millisecond. A body within them is one piece.
PIECE_MARKS, PIECE_BYTES = 1_000, 16 * 1024
_COMMA, _COLON, _ARRAY, _OBJECT, _QUOTE = b',:[{"'
_SPACES = b" \t\r\n"
_FULL = re.compile(rb"[^ \t\r\n]")
_CLOSED = {_ARRAY: ord("]"), _OBJECT: ord("}")}
# Characters and escapes of a string, both halves of a character at once; some 16 KiB of them.
_UNITS = re.compile(rb'(?:[^"\\]{1,64}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u[0-9a-fA-F]{4}|\\[^u]){1,256}')


class JsonText:
    """A body that comes in parts, refused as soon as it has too much; where it is large, its brackets, commas and
    colons outside strings are found on the way."""

    def __init__(self, max_values: float) -> None:
        self._max_values = max_values
        self.body = bytearray()
        # At least as many as there are.
        self.most_values = 0
        self._values = self._read = self._at = 0
        self._structure = Structure()
        # Where each mark stands, its byte, and how deep it is behind it.
        self._found = [(np.zeros(0, np.int64), np.zeros(0, np.uint8), np.zeros(0, np.uint8))]

    @property
    def is_large(self) -> bool:
        """Whether the body is to be looked at before it is parsed."""
        return self.most_values > min(self._max_values, PIECE_MARKS) or len(self.body) > PIECE_BYTES

    def append(self, part: bytes) -> None:
        self.body += part
        self.most_values += most_values(part)

    def look(self) -> None:
        """Finds the structure of what has come. Raises TooMuchJson, BadJson."""
        try:
            for begin in range(self._read, len(self.body), PIECE_BYTES):
                yield_turn()
                part = bytes(self.body[begin : begin + PIECE_BYTES])
                self._read = begin + len(part)
                for stretch in self._structure.stretches(part):
                    self._take(stretch)
        except NotJson:
            # Broken in its structure, or deeper than that looks.
            raise BadJson from None

    def value(self) -> Any:
        """The value that the body is; an empty object where there is none. The body is given up. Raises TooMuchJson
        before anything is made of it, and BadJson."""
        if not self.is_large:
            return _value_of(self.body.removeprefix(codecs.BOM_UTF8) or b"{}")
        self.look()
        try:
            self._structure.finish()
        except NotJson:
            raise BadJson from None
        positions, marks, depths = map(np.concatenate, zip(*self._found, strict=True))
        self._found.clear()
        body, self.body = self.body, bytearray()
        start = body.startswith(codecs.BOM_UTF8) * len(codecs.BOM_UTF8)
        return _Pieces(body, positions + start, marks, depths).value(start, len(body), 0, len(marks))

    def _take(self, stretch: Stretch) -> None:
        marks, depths = stretch.marks, stretch.depths
        is_value = (marks == _COMMA) | (marks == _ARRAY) | (marks == _OBJECT)
        self._values += int(np.count_nonzero(is_value))
        if self._values > self._max_values:
            raise TooMuchJson(f"must have at most {self._max_values:.0f} values")
        if len(depths) and depths.max() > MAX_DEPTH:
            raise TooMuchJson(f"is too deep: it may have {MAX_DEPTH} levels")
        self._found.append((stretch.positions + self._at, marks, depths.astype(np.uint8)))
        self._at += len(stretch.text)


def parsed(body: bytes, max_values: float) -> Any:
    """The value that a body is. Raises TooMuchJson before anything is made of it, and BadJson."""
    text = JsonText(max_values)
    text.append(body)
    return text.value()


class _Pieces:
    """A body, and its marks. All methods raise BadJson."""

    def __init__(self, body: bytearray, positions: Positions, marks: Marks, depths: Depths) -> None:
        self._body = body
        self._positions = positions
        self._marks = marks
        self._depths = depths

    def value(self, start: int, end: int, first: int, last: int) -> Any:
        """Value that stands from `start` to `end`, with these marks."""
        yield_turn()
        if last - first <= PIECE_MARKS and end - start <= PIECE_BYTES:
            return _value_of(self._body[start:end])
        if first == last:
            return self._scalar(start, end)
        opener = int(self._marks[first])
        self._require_container(opener, start, end, first, last)
        return self._object(first, last) if opener == _OBJECT else self._array(first, last)

    def _require_container(self, opener: int, start: int, end: int, first: int, last: int) -> None:
        before = self._body[start : self._positions[first]]
        behind = self._body[self._positions[last - 1] + 1 : end]
        is_whole = int(self._depths[first : last - 1].min(initial=MAX_DEPTH)) >= int(self._depths[first])
        closer = _CLOSED.get(opener, -1)
        if before.strip() or behind.strip() or not is_whole or self._marks[last - 1] != closer:
            raise BadJson

    def _array(self, first: int, last: int) -> list[Any]:
        values: list[Any] = []
        for start, end, first_mark, end_mark, is_group in self._parts(first, last):
            if is_group:
                values += _value_of(b"[" + self._body[start:end] + b"]")
            else:
                values.append(self.value(start, end, first_mark, end_mark))
        return values

    def _object(self, first: int, last: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        count = 0
        for start, end, first_mark, end_mark, is_group in self._parts(first, last):
            if is_group:
                part = _value_of(b"{" + self._body[start:end] + b"}")
            else:
                part = self._member(start, end, first_mark, end_mark)
            members |= part
            count += len(part)
            if len(members) < count:
                raise BadJson
        return members

    def _member(self, start: int, end: int, first: int, last: int) -> dict[str, Any]:
        """One that is larger than a piece."""
        colon = int(self._positions[first]) if first < last else end
        if colon - start > PIECE_BYTES or colon == end or self._marks[first] != _COLON:
            raise BadJson
        name = _value_of(self._body[start:colon])
        if not isinstance(name, str):
            raise BadJson
        return {name: self.value(colon + 1, end, first + 1, last)}

    def _parts(self, first: int, last: int) -> Any:
        """Yields what is between the commas of a container, in groups no larger than a piece: where each begins and
        ends, its marks, and whether it is a group; a single part that is larger is none."""
        inner = slice(first + 1, last - 1)
        is_comma = (self._marks[inner] == _COMMA) & (self._depths[inner] == self._depths[first])
        ends = np.append(first + 1 + np.flatnonzero(is_comma), last - 1)
        ends_at, at = self._positions[ends], 0
        start, first_mark = int(self._positions[first]) + 1, first + 1
        if last - first == 2 and not self._body[start : ends_at[0]].strip():
            # Empty, with much white space.
            return
        while at < len(ends):
            yield_turn()
            fitting = min(
                int(np.searchsorted(ends, first_mark + PIECE_MARKS, "right")),
                int(np.searchsorted(ends_at, start + PIECE_BYTES, "right")),
            )
            last_part = max(at, fitting - 1)
            end = int(ends_at[last_part])
            if not self._body[start:end].strip():
                raise BadJson
            yield start, end, first_mark, int(ends[last_part]), fitting > at
            start, first_mark, at = end + 1, int(ends[last_part]) + 1, last_part + 1

    def _scalar(self, start: int, end: int) -> str:
        """A string; nothing else is as long as this."""
        text, parts = self._body, list[str]()
        first = _FULL.search(text, start, end)
        while end > start and text[end - 1] in _SPACES:
            end -= 1
        at, end = first.start() + 1 if first else end, end - 1
        if at > end or not text[at - 1] == text[end] == _QUOTE:
            raise BadJson
        while at < end:
            yield_turn()
            units = _UNITS.match(text, at, end)
            cut = units.end() if units else 0
            while cut < end and text[cut] & 0xC0 == 0x80:
                cut -= 1
            if cut <= at:
                raise BadJson
            parts.append(_value_of(b'"' + text[at:cut] + b'"'))
            at = cut
        return "".join(parts)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is there twice")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


_decode = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_no_number, parse_float=_finite).decode


def _value_of(text: bytes | bytearray) -> Any:
    try:
        return _decode(text.decode())
    except UnicodeDecodeError:
        raise BadJson from None
    except json.JSONDecodeError as error:
        raise BadJson(f"must be JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise TooMuchJson(f"is too deep: it may have {MAX_DEPTH} levels") from None
    except ValueError as error:
        # Raised by the hooks, or for a number of too many digits.
        raise BadJson(f"must be JSON: {error}"[:200]) from None
