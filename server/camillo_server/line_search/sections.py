"""Blocks, cut anywhere, put together to whole lines; only lines that are too long to hold stay in parts."""

from collections.abc import Iterator
from dataclasses import dataclass

from camillo_server.domain.line_search import Block

# A longer line is handed on in parts.
LONGEST_HELD_LINE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Section:
    """Whole lines, each with its newline; the very last line of a content may have none."""

    offset: int
    first_line: int
    data: bytes


@dataclass(frozen=True, slots=True)
class LinePart:
    """A part of one long line, cut anywhere; the last one ends with the newline, if the line has one."""

    offset: int
    line: int
    data: bytes
    is_last: bool


class Sections:
    """Turns blocks into sections and parts, in order."""

    def __init__(self) -> None:
        self._carried: list[bytes] = []
        self._carried_bytes = 0
        self._carried_offset = 0
        # The line that is carried comes after these, which are counted only if its number is asked for.
        self._lines_before = (1, b"")
        self._is_in_long_line = False

    def taking(self, block: Block) -> Iterator[Section | LinePart]:
        """What is complete with this block."""
        offset, line, data = block.offset, block.first_line, block.data
        if self._is_in_long_line and data:
            end = data.find(b"\n") + 1 or len(data)
            self._is_in_long_line = data[end - 1] != ord("\n")
            yield LinePart(offset, line, data[:end], is_last=not self._is_in_long_line)
            if self._is_in_long_line:
                return
            offset, line, data = offset + end, line + 1, data[end:]
        end = data.rfind(b"\n") + 1
        if end:
            yield self._section(Block(offset, line, data[:end]))
        if end < len(data):
            yield from self._carry(Block(offset, line, data), end)

    def rest(self) -> Iterator[Section | LinePart]:
        """What is left at the end of the content."""
        if self._is_in_long_line:
            yield LinePart(self._carried_offset, self._lines_before[0], b"", is_last=True)
        elif self._carried:
            yield self._section(Block(self._carried_offset, self._carried_line(), b""))

    def _section(self, block: Block) -> Section:
        if not self._carried:
            return Section(block.offset, block.first_line, block.data)
        data = b"".join([*self._carried, block.data])
        self._carried, self._carried_bytes = [], 0
        return Section(self._carried_offset, block.first_line, data)

    def _carry(self, block: Block, start: int) -> Iterator[LinePart]:
        """Keeps what begins a line, or goes on with the one that is carried already."""
        if not self._carried:
            self._carried_offset = block.offset + start
            self._lines_before = (block.first_line, block.data[:start])
        self._carried.append(block.data[start:])
        self._carried_bytes += len(block.data) - start
        if self._carried_bytes > LONGEST_HELD_LINE_BYTES:
            self._lines_before = (self._carried_line(), b"")
            self._is_in_long_line = True
            begun = self._section(Block(self._carried_offset, self._lines_before[0], b""))
            yield LinePart(begun.offset, begun.first_line, begun.data, is_last=False)

    def _carried_line(self) -> int:
        first_line, data = self._lines_before
        return first_line + data.count(b"\n")
