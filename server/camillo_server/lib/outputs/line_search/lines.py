"""Lines as they are shown: without their ends, decoded, and cut where they are too long."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from camillo_server.lib.outputs.line_search.query import (
    Block,
    LinePart,
    Match,
    Matcher,
    MatchLine,
    character_start,
    is_within_character,
)

MAX_SPANS = 20
# A longer line is handed on in parts.
MAX_HELD_LINE_BYTES = 1 << 20
_MAX_CACHED = 512


@dataclass(frozen=True, slots=True)
class RawLine:
    """A line in `data[begin:end]`, without its end; `base` is the offset of the data in the content.

    In a part of a line, `begin` is not where the line begins, which is at `offset`, and `end` may not be its end.
    """

    number: int
    offset: int
    data: bytes
    base: int
    begin: int
    end: int
    is_part: bool = False

    def shown(self, begin: int, end: int) -> MatchLine:
        """The line with the text between these positions."""
        is_cut = self.is_part or begin > self.begin or end < self.end
        text = self.data[begin:end].decode("utf-8", "replace")
        return MatchLine(self.number, self.offset, text, is_cut, self.base + begin)


def head(line: RawLine, max_bytes: int) -> MatchLine:
    """The line, or its beginning."""
    return line.shown(line.begin, _end_of_characters(line, line.begin + max_bytes))


def match_in(line: RawLine, text: bytes, span: tuple[int, int], matcher: Matcher, max_bytes: int) -> Match:
    """The first match of a line, at `span`, and those after it that are shown with it; `text` is the data, prepared."""
    begin, end = _around(line, span, max_bytes)
    spans = _spans(text, span, end, matcher)
    data = line.data
    return Match(
        line.shown(begin, end),
        tuple((_characters(data, begin, start), _characters(data, begin, stop)) for start, stop in spans),
    )


def line_starts(data: bytes) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The offsets at which lines begin after a newline; the last may be the end of the data."""
    return np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1


def _around(line: RawLine, span: tuple[int, int], max_bytes: int) -> tuple[int, int]:
    """The range of a line that is shown around a match, which is in the middle if it can be."""
    if line.end - line.begin <= max_bytes:
        return line.begin, line.end
    room = max(max_bytes - (span[1] - span[0]), 0) // 2
    begin = max(min(span[0] - room, line.end - max_bytes), line.begin)
    end = _end_of_characters(line, begin + max_bytes)
    while begin < span[0] and is_within_character(line.data, begin):
        begin += 1
    return begin, end


def _spans(text: bytes, first: tuple[int, int], end: int, matcher: Matcher) -> list[tuple[int, int]]:
    """The first match and those after it that end by `end`, in bytes."""
    spans: list[tuple[int, int]] = []
    found: tuple[int, int] | None = first
    while found and len(spans) < MAX_SPANS:
        spans.append((found[0], min(found[1], end)))
        start = found[1] if found[1] > found[0] else _next_character(text, found[1])
        found = matcher.find(text, start, end) if start <= end else None
    return spans


def _characters(data: bytes, begin: int, end: int) -> int:
    part = data[begin:end]
    return len(part) if part.isascii() else len(part.decode("utf-8", "replace"))


def _end_of_characters(line: RawLine, end: int) -> int:
    return max(character_start(line.data, end), line.begin) if end < line.end else line.end


def _next_character(text: bytes, position: int) -> int:
    position += 1
    while is_within_character(text, position):
        position += 1
    return position


class Sections:
    """Turns blocks that are cut anywhere into sections, in order: blocks of whole lines, each with its newline but for
    the very last of a content, and parts of lines that are too long to be held."""

    def __init__(self) -> None:
        self._carried: list[bytes] = []
        self._carried_bytes = 0
        self._carried_offset = 0
        # The line that is carried comes after these, which are counted only if its number is asked for.
        self._lines_before = (1, b"")
        self._is_in_long_line = False

    def feed(self, block: Block) -> Iterator[Block]:
        """The sections and parts that are complete with this block."""
        offset, line, data = block.offset, block.first_line, block.data
        if self._is_in_long_line and data:
            end = data.find(b"\n") + 1 or len(data)
            self._is_in_long_line = data[end - 1] != ord("\n")
            yield LinePart(offset, line, data[:end], not self._is_in_long_line)
            if self._is_in_long_line:
                return
            offset, line, data = offset + end, line + 1, data[end:]
        end = data.rfind(b"\n") + 1
        if end:
            yield self._section(Block(offset, line, data[:end]))
        if end < len(data):
            yield from self._carry(Block(offset, line, data), end)

    def finish(self) -> Iterator[Block]:
        """The last section or part, at the end of the content."""
        if self._is_in_long_line:
            yield LinePart(self._carried_offset, self._lines_before[0], b"", True)
        elif self._carried:
            yield self._section(Block(self._carried_offset, self._carried_line(), b""))

    def _section(self, block: Block) -> Block:
        """The block behind what is carried."""
        if not self._carried:
            return block
        data = b"".join([*self._carried, block.data])
        self._carried, self._carried_bytes = [], 0
        return Block(self._carried_offset, block.first_line, data)

    def _carry(self, block: Block, start: int) -> Iterator[LinePart]:
        """Keeps what begins a line, or goes on with the one that is carried already."""
        if not self._carried:
            self._carried_offset = block.offset + start
            self._lines_before = (block.first_line, block.data[:start])
        self._carried.append(block.data[start:])
        self._carried_bytes += len(block.data) - start
        if self._carried_bytes > MAX_HELD_LINE_BYTES:
            self._lines_before = (self._carried_line(), b"")
            self._is_in_long_line = True
            begun = self._section(Block(self._carried_offset, self._lines_before[0], b""))
            yield LinePart(begun.offset, begun.first_line, begun.data, False)

    def _carried_line(self) -> int:
        first_line, data = self._lines_before
        return first_line + data.count(b"\n")


class SectionLines:
    """Builds each line once, as matches that are close to each other share their context."""

    def __init__(self, section: Block, max_line_bytes: int) -> None:
        self.section = section
        self._max_line_bytes = max_line_bytes
        self._cache: dict[int, tuple[MatchLine, int]] = {}

    def raw(self, number: int, begin: int) -> tuple[RawLine, int]:
        """The line that begins there, and where the next one does."""
        data, offset = self.section.data, self.section.offset
        newline = data.find(b"\n", begin)
        end = newline if newline >= 0 else len(data)
        following = end + 1
        if newline > begin and data[newline - 1] == ord("\r"):
            end -= 1
        return RawLine(number, offset + begin, data, offset, begin, end), following

    def before(self, number: int, begin: int, count: int) -> list[MatchLine]:
        """Up to so many lines before the one of this number that begins there, in order."""
        lines: list[MatchLine] = []
        data = self.section.data
        while begin and len(lines) < count:
            begin = data.rfind(b"\n", 0, begin - 1) + 1
            number -= 1
            lines.append(self._line(number, begin)[0])
        return lines[::-1]

    def following(self, number: int, begin: int, count: int) -> list[MatchLine]:
        """Up to so many lines from the one of this number that begins there."""
        lines: list[MatchLine] = []
        while begin < len(self.section.data) and len(lines) < count:
            line, begin = self._line(number, begin)
            number += 1
            lines.append(line)
        return lines

    def _line(self, number: int, begin: int) -> tuple[MatchLine, int]:
        line = self._cache.get(begin)
        if line is None:
            raw, following = self.raw(number, begin)
            line = head(raw, self._max_line_bytes), following
            if len(self._cache) == _MAX_CACHED:
                self._cache.clear()
            self._cache[begin] = line
        return line
