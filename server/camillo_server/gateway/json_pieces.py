"""JSON made values of in pieces of about a millisecond, between which others have the interpreter's lock: Python's own parser holds it
for the whole of a body."""

from __future__ import annotations

import codecs
import json
import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from camillo_server.gateway.json_bounds import MAX_DEPTH, BadJson, TooMuchJson, most_values
from camillo_server.kernel.errors import NotJson
from camillo_server.kernel.off_loop import yield_turn
from camillo_server.outputs.json_parts.structure import Structure

if TYPE_CHECKING:
    import numpy.typing as npt

    Marks = npt.NDArray[np.uint8]
    Places = npt.NDArray[np.int64]

# Bytes of a piece. A body of no more is one.
PIECE_MARKS, PIECE_BYTES = 2_000, 64 * 1024
_COMMA, _COLON, _ARRAY, _OBJECT = b",:[{"
_CLOSED = {_ARRAY: ord("]"), _OBJECT: ord("}")}
# Characters and escapes of a string, both halves of a character at once; some 64 KiB of them.
_UNITS = re.compile(
    rb'(?:[^"\\]{1,64}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u[0-9a-fA-F]{4}|\\[^u]){1,1024}'
)


def parsed(body: bytes, max_values: float) -> Any:
    """The value that a body is. Raises TooMuchJson before anything is made of it, and BadJson."""
    body = body.removeprefix(codecs.BOM_UTF8)
    values = most_values(body)
    if values <= min(max_values, PIECE_MARKS) and len(body) <= PIECE_BYTES:
        return _value_of(body)
    positions, marks, depths = structure_of(body, max_values)
    return _Pieces(body, positions, marks, depths).value(0, len(body), 0, len(marks))


def structure_of(body: bytes, max_values: float) -> tuple[Places, Marks, Places]:
    """Where brackets, commas and colons stand that are not in strings, and how deep it is behind each. Raises TooMuchJson, BadJson."""
    try:
        return _structure_of(body, max_values)
    except NotJson:
        # Broken in its structure, or deeper than that looks.
        raise BadJson from None


def _structure_of(body: bytes, max_values: float) -> tuple[Places, Marks, Places]:
    structure, count, at = Structure(), 0, 0
    found = [(np.zeros(0, np.int64), np.zeros(0, np.uint8), np.zeros(0, np.int64))]
    for begin in range(0, len(body), PIECE_BYTES):
        yield_turn()
        for stretch in structure.stretches(body[begin : begin + PIECE_BYTES]):
            marks, depths = stretch.marks, stretch.depths
            is_value = (marks == _COMMA) | (marks == _ARRAY) | (marks == _OBJECT)
            count += int(np.count_nonzero(is_value))
            if count > max_values:
                raise TooMuchJson(f"must have at most {max_values:.0f} values")
            if len(depths) and depths.max() > MAX_DEPTH:
                raise TooMuchJson(f"is too deep: it may have {MAX_DEPTH} levels")
            found.append((stretch.positions + at, marks, depths))
            at += len(stretch.text)
    structure.finish()
    positions, all_marks, all_depths = zip(*found, strict=True)
    return np.concatenate(positions), np.concatenate(all_marks), np.concatenate(all_depths)


class _Pieces:
    """A body, and its marks. All methods raise BadJson."""

    def __init__(self, body: bytes, positions: Places, marks: Marks, depths: Places) -> None:
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
            return self._scalar(self._body[start:end].strip())
        opener = int(self._marks[first])
        self._require_container(opener, start, end, first, last)
        return self._object(first, last) if opener == _OBJECT else self._array(first, last)

    def _require_container(self, opener: int, start: int, end: int, first: int, last: int) -> None:
        before = self._body[start : self._positions[first]]
        behind = self._body[self._positions[last - 1] + 1 : end]
        is_whole = int(self._depths[first : last - 1].min(initial=MAX_DEPTH)) >= int(
            self._depths[first]
        )
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
        """Yields what is between the commas of a container, in groups no larger than a piece: where each begins and ends, its marks,
        and whether it is a group; a single part that is larger is none."""
        inner = slice(first + 1, last - 1)
        is_comma = (self._marks[inner] == _COMMA) & (self._depths[inner] == self._depths[first])
        ends = np.append(first + 1 + np.flatnonzero(is_comma), last - 1)
        places, at = self._positions[ends], 0
        start, first_mark = int(self._positions[first]) + 1, first + 1
        if last - first == 2 and not self._body[start : places[0]].strip():
            # Empty, with much white space.
            return
        while at < len(ends):
            yield_turn()
            fitting = min(
                int(np.searchsorted(ends, first_mark + PIECE_MARKS, "right")),
                int(np.searchsorted(places, start + PIECE_BYTES, "right")),
            )
            last_part = max(at, fitting - 1)
            end = int(places[last_part])
            if not self._body[start:end].strip():
                raise BadJson
            yield start, end, first_mark, int(ends[last_part]), fitting > at
            start, first_mark, at = end + 1, int(ends[last_part]) + 1, last_part + 1

    def _scalar(self, text: bytes) -> str:
        """A string; nothing else is as long as this."""
        if not (text[:1] == text[-1:] == b'"'):
            raise BadJson
        end, cuts = len(text) - 1, [1]
        while cuts[-1] < end:
            yield_turn()
            units = _UNITS.match(text, cuts[-1], end)
            cut = units.end() if units else 0
            while cut < end and text[cut] & 0xC0 == 0x80:
                cut -= 1
            if cut <= cuts[-1]:
                raise BadJson
            cuts.append(cut)
        return "".join(_value_of(b'"' + text[at:cut] + b'"') for at, cut in pairwise(cuts))


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


_decode = json.JSONDecoder(
    object_pairs_hook=_distinct, parse_constant=_no_number, parse_float=_finite
).decode


def _value_of(text: bytes) -> Any:
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
