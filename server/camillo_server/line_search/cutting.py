"""Lines as they are shown: without their ends, decoded, and cut where they are too long."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from camillo_server.domain.line_search import Line
from camillo_server.line_search.patterns import Matcher, is_within_character

MAX_SPANS = 20
# Below, counting bytes is faster without numpy.
_FEW_BYTES = 4_096


@dataclass(frozen=True, slots=True)
class RawLine:
    """A line in `data[begin:end]`, without its end; `base` is the offset of the data in the content.

    Of a line in parts `begin` is not where the line begins, which is at `offset`, and `end` may not be its end.
    """

    number: int
    offset: int
    data: bytes
    base: int
    begin: int
    end: int
    is_part: bool = False

    def shown(self, begin: int, end: int) -> Line:
        """The line with the text between these places."""
        is_cut = self.is_part or begin > self.begin or end < self.end
        text = self.data[begin:end].decode("utf-8", "replace")
        return Line(self.number, self.offset, text, is_cut, self.base + begin)


def head(line: RawLine, max_bytes: int) -> Line:
    """The line, or its beginning."""
    return line.shown(line.begin, _end_of_characters(line, line.begin + max_bytes))


def around(line: RawLine, span: tuple[int, int], max_bytes: int) -> tuple[int, int]:
    """From where to where a line is shown that has a match there, which is in the middle if it can be."""
    if line.end - line.begin <= max_bytes:
        return line.begin, line.end
    room = max(max_bytes - (span[1] - span[0]), 0) // 2
    begin = max(min(span[0] - room, line.end - max_bytes), line.begin)
    end = _end_of_characters(line, begin + max_bytes)
    while begin < span[0] and is_within_character(line.data, begin):
        begin += 1
    return begin, end


def spans_within(
    matcher: Matcher, text: bytes, first: tuple[int, int], end: int
) -> list[tuple[int, int]]:
    """The first match and those after it that end by `end`, in bytes."""
    spans: list[tuple[int, int]] = []
    found: tuple[int, int] | None = first
    while found and len(spans) < MAX_SPANS:
        spans.append((found[0], min(found[1], end)))
        start = found[1] if found[1] > found[0] else _next_character(text, found[1])
        found = matcher.find(text, start, end) if start <= end else None
    return spans


def in_characters(
    data: bytes, begin: int, spans: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """The spans as places in the text that is decoded from `begin` on."""
    return tuple(
        (_characters(data, begin, start), _characters(data, begin, end)) for start, end in spans
    )


def newlines(data: bytes, begin: int, end: int) -> int:
    """How many there are from `begin` to `end`."""
    if end - begin < _FEW_BYTES:
        return data.count(b"\n", begin, end)
    return int(np.count_nonzero(np.frombuffer(data, np.uint8, end - begin, begin) == ord("\n")))


def line_starts(data: bytes) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Where a line begins after a newline; the last may be the end of the data."""
    return np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1


def _characters(data: bytes, begin: int, end: int) -> int:
    part = data[begin:end]
    return len(part) if part.isascii() else len(part.decode("utf-8", "replace"))


def _end_of_characters(line: RawLine, end: int) -> int:
    if end >= line.end:
        return line.end
    for back in range(4):
        if not is_within_character(line.data, end - back):
            return max(end - back, line.begin)
    return end


def _next_character(text: bytes, place: int) -> int:
    place += 1
    while is_within_character(text, place):
        place += 1
    return place
