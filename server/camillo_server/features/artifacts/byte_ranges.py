"""Ranges of an artifact, such as lines, as offsets of its bytes."""

from dataclasses import dataclass

from camillo_server.features.artifacts.artifact import Artifact, ArtifactRange, Bytes, Content, Lines, Tail
from camillo_server.features.artifacts.store.contents import ContentStore
from camillo_server.kernel.errors import NotText, RangePastEnd, invalid_field
from camillo_server.lib.text.characters import LONGEST_REST, after_newline, rest_of_character


@dataclass(frozen=True, slots=True)
class ByteSpan:
    """Bytes `start` to `end`, the last not among them."""

    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start


async def find_span(contents: ContentStore, artifact: Artifact, content: Content, range: ArtifactRange) -> ByteSpan:
    """The bytes of a range; reads two parts for it at most. Raises RangePastEnd, NotText for lines of what has none,
    InvalidField for a range that ends before it begins, TypeError for a value of JSON."""
    if isinstance(range, Bytes):
        return await _span_of_bytes(contents, artifact, content, range)
    line_count = artifact.content.line_count
    if line_count is None:
        raise NotText
    if isinstance(range, Tail):
        range = Lines(max(1, line_count - range.lines + 1))
    if not isinstance(range, Lines):
        raise TypeError(range)
    if range.last is not None and range.last < range.first:
        raise invalid_field("range.lines", "ends before it begins")
    if range.first > line_count:
        raise RangePastEnd("lines", line_count)
    start = await line_start(contents, content, range.first)
    if range.last is None or range.last >= line_count:
        return ByteSpan(start, content.size)
    return ByteSpan(start, await line_start(contents, content, range.last + 1))


async def line_start(contents: ContentStore, content: Content, line: int) -> int:
    """The offset at which a line begins."""
    if line == 1:
        return 0
    # The last part that begins in the line before contains the end of that line.
    block = await contents.block_of_line(content, line - 1)
    return block.offset + after_newline(block.data, line - block.first_line)


async def _span_of_bytes(contents: ContentStore, artifact: Artifact, content: Content, range: Bytes) -> ByteSpan:
    size = content.size
    start = range.start if range.start >= 0 else max(0, size + range.start)
    end = size if range.end is None else min(range.end, size)
    if start >= size:
        raise RangePastEnd("bytes", size)
    if end <= start:
        raise invalid_field("range.bytes", "ends before it begins")
    if artifact.content.encoding == "utf-8":
        start = await _character_start(contents, content, start)
        end = await _character_start(contents, content, end)
    return ByteSpan(start, end)


async def _character_start(contents: ContentStore, content: Content, offset: int) -> int:
    """The offset, or the one after the character that it is within."""
    if offset in (0, content.size):
        return offset
    following = await contents.read(content, offset, LONGEST_REST)
    return offset + rest_of_character(following)
