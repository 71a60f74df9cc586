"""Where in the bytes of an artifact a range lies."""

from dataclasses import dataclass

from camillo_server.artifacts.artifact import Artifact, ArtifactRange, Bytes, Lines, Tail
from camillo_server.artifacts.ports import Content, ContentReader
from camillo_server.kernel.errors import NotText, RangePastEnd, invalid_field
from camillo_server.text.bytes import LONGEST_REST, after_newline, rest_of_character


@dataclass(frozen=True, slots=True)
class Place:
    """Bytes `start` to `end`, the last not among them."""

    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start


class RangePlaces:
    """Turns ranges into places, reading what it has to: two parts at most."""

    def __init__(self, contents: ContentReader) -> None:
        self._contents = contents

    async def place(self, artifact: Artifact, content: Content, wanted: ArtifactRange) -> Place:
        """Raises RangePastEnd, NotText for lines of what has none, InvalidField for a range that ends before it
        begins. Not for JSON."""
        if isinstance(wanted, Bytes):
            return await self._of_bytes(artifact, content, wanted)
        line_count = artifact.content.line_count
        if line_count is None:
            raise NotText
        if isinstance(wanted, Tail):
            wanted = Lines(max(1, line_count - wanted.lines + 1))
        if not isinstance(wanted, Lines):
            raise TypeError(wanted)
        if wanted.last is not None and wanted.last < wanted.first:
            raise invalid_field("range.lines", "ends before it begins")
        if wanted.first > line_count:
            raise RangePastEnd("lines", line_count)
        start = await self.of_line(content, wanted.first)
        if wanted.last is None or wanted.last >= line_count:
            return Place(start, content.size)
        return Place(start, await self.of_line(content, wanted.last + 1))

    async def of_line(self, content: Content, line: int) -> int:
        """Where a line begins."""
        if line == 1:
            return 0
        # The last part that begins in the line before has the end of that line.
        block = await self._contents.block_of_line(content, line - 1)
        return block.offset + after_newline(block.data, line - block.first_line)

    async def _of_bytes(self, artifact: Artifact, content: Content, wanted: Bytes) -> Place:
        size = content.size
        start = wanted.start if wanted.start >= 0 else max(0, size + wanted.start)
        end = size if wanted.end is None else min(wanted.end, size)
        if start >= size:
            raise RangePastEnd("bytes", size)
        if end <= start:
            raise invalid_field("range.bytes", "ends before it begins")
        if artifact.content.encoding != "utf-8":
            return Place(start, end)
        return Place(
            await self._at_character(content, start), await self._at_character(content, end)
        )

    async def _at_character(self, content: Content, offset: int) -> int:
        """The same place, or behind the character that it lies in."""
        if offset in (0, content.size):
            return offset
        following = await self._contents.read(content, offset, LONGEST_REST)
        return offset + rest_of_character(following)
