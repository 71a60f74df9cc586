"""Reads of an artifact: its bytes as a stream, its text by pages of tokens, lines that match, passages that answer."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

from camillo_server.features.artifacts.artifact import (
    Artifact,
    ArtifactLookup,
    ArtifactRange,
    Bytes,
    Content,
    Lines,
    Tail,
)
from camillo_server.features.artifacts.artifacts import Artifacts
from camillo_server.features.artifacts.store.contents import CompressedBlock, ContentStore
from camillo_server.kernel.errors import NotJson, NotText, RangePastEnd, invalid_field
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.lib.outputs.json_parts.pointer import JsonPart
from camillo_server.lib.outputs.json_parts.values import json_value
from camillo_server.lib.outputs.line_search.query import (
    Block,
    LineQuery,
    Match,
    RankedPassage,
    RankedQuery,
)
from camillo_server.lib.outputs.line_search.search import rank_passages, search_lines
from camillo_server.lib.text.characters import (
    LONGEST_REST,
    after_newline,
    begun_character,
    newline_count,
    rest_of_character,
)
from camillo_server.lib.text.tokens import count_tokens, opening, shown

CHUNK_BYTES = 256 * 1024
# No tokenizer that is counted for has tokens of more bytes, but for runs of one character.
BYTES_PER_TOKEN = 8


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


@dataclass(frozen=True, slots=True)
class ReadChunk:
    """Some bytes: their offset, the number of the line that the first belongs to (0: there are no lines), and the size
    of the whole range (0: not known). `decoded_bytes` is the number of bytes that a frame of zstd stands for; 0 if the
    bytes are no frame."""

    data: bytes
    offset: int
    line: int
    range_bytes: int
    decoded_bytes: int = 0


NOTHING = ReadChunk(b"", 0, 0, 0)


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page: its offset in bytes, its lines (0: there are none), its tokens, and how many bytes of the range precede
    the next page (None after the last)."""

    text: str
    offset: int
    first_line: int
    last_line: int
    tokens: int
    next_after: int | None


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """The results found since the last message. In the final one, `next_line` is where a next search continues; 0: all
    was searched."""

    total_bytes: int
    scanned_bytes: int
    matches: Sequence[Match] = ()
    passages: Sequence[RankedPassage] = ()
    next_line: int = 0
    limit_reached: bool = False


class ReadArtifact:
    """Reads as fast as its caller takes: at most six parts are in memory."""

    def __init__(self, artifacts: Artifacts, contents: ContentStore) -> None:
        self._artifacts = artifacts
        self._contents = contents

    async def chunks(
        self,
        lookup: ArtifactLookup,
        range: ArtifactRange,
        resume_after: int = 0,
        *,
        compressed: bool = False,
    ) -> AsyncGenerator[ReadChunk]:
        """The bytes of a range, but the first `resume_after`; `compressed` as in ContentStore.blocks. Raises NotFound,
        RangePastEnd, NotText, NotJson, JsonValueNotFound, InvalidField, BytesLost, BytesUnavailable, KeyMissing,
        StorageUnavailable."""
        artifact, content = await self._artifacts.get_with_content(lookup)
        if isinstance(range, JsonPart):
            chunks = self._of_json(artifact, content, range, resume_after)
        else:
            span = await find_span(self._contents, artifact, content, range)
            if resume_after > span.size:
                raise invalid_field("resume_after_bytes", f"must be at most {span.size}")
            rest = ByteSpan(span.start + resume_after, span.end)
            blocks = self._contents.blocks(content, rest.start, rest.end, compressed=compressed)
            chunks = self._of_blocks(artifact, blocks, rest, span.size)
        async with aclosing(chunks):
            async for chunk in chunks:
                yield chunk

    async def _of_blocks(
        self,
        artifact: Artifact,
        blocks: AsyncGenerator[Block],
        rest: ByteSpan,
        range_bytes: int,
    ) -> AsyncGenerator[ReadChunk]:
        offset, line = rest.start, 0
        chunker = Chunker(keeps_characters=artifact.content.encoding == "utf-8")
        if not rest.size:
            if not range_bytes:
                yield ReadChunk(b"", offset, 0, 0)
            return
        async with aclosing(blocks):
            async for block in blocks:
                is_compressed = isinstance(block, CompressedBlock)
                for data in chunker.finish() if is_compressed else ():
                    yield ReadChunk(data, offset, line, range_bytes)
                    offset, line = offset + len(data), 0
                line = line or (block.first_line if artifact.has_lines else 0)
                if isinstance(block, CompressedBlock):
                    yield ReadChunk(block.data, offset, line, range_bytes, block.size)
                    offset, line = offset + block.size, 0
                    continue
                for data in chunker.feed(block.data):
                    yield ReadChunk(data, offset, line, range_bytes)
                    offset += len(data)
                    line += newline_count(data) if line else 0
        for data in chunker.finish():
            yield ReadChunk(data, offset, line, range_bytes)

    async def _of_json(
        self, artifact: Artifact, content: Content, part: JsonPart, resume_after: int
    ) -> AsyncGenerator[ReadChunk]:
        if artifact.content.encoding != "utf-8":
            raise NotJson
        offset = 0
        chunker = Chunker(keeps_characters=True)
        async with aclosing(self._value(content, part)) as values:
            async for value in values:
                for data in chunker.feed(value):
                    skipped = min(len(data), max(0, resume_after - offset))
                    if skipped < len(data):
                        yield ReadChunk(data[skipped:], offset + skipped, 0, 0)
                    offset += len(data)
        if resume_after > offset:
            raise invalid_field("resume_after_bytes", f"must be at most {offset}")

    async def _value(self, content: Content, part: JsonPart) -> AsyncGenerator[bytes]:
        async with aclosing(self._contents.blocks(content, 0, content.size)) as blocks:
            data = (block.data async for block in blocks)
            async with aclosing(json_value(data, part.pointer, part.slice)) as values:
                async for value in values:
                    yield value

    async def page(self, lookup: ArtifactLookup, range: ArtifactRange, max_tokens: int, after: int) -> TextPage:
        """The page after the first `after` bytes of the range. Raises NotText for bytes that are none, and what
        `chunks` raises."""
        artifact = await self._artifacts.get(lookup)
        encoding = artifact.content.encoding
        if not artifact.has_lines:
            raise NotText
        chunks = self.chunks(lookup, range, after)
        first, data, is_all = await _collect(chunks, max_tokens * BYTES_PER_TOKEN)
        if encoding == "utf-8" and not is_all:
            data = data[: len(data) - begun_character(data)]
        page, tokens, used = await off_loop(UNBOUNDED, lambda: _cut(data, encoding, max_tokens, goes_on=not is_all))
        return TextPage(
            text=page,
            offset=first.offset,
            first_line=first.line,
            last_line=first.line + page.count("\n", 0, -1) if first.line else 0,
            tokens=tokens,
            next_after=None if is_all and used == len(data) else after + used,
        )

    async def search(self, lookup: ArtifactLookup, query: LineQuery | RankedQuery) -> AsyncGenerator[SearchProgress]:
        """Searches while it reads, and reads no further than it has to. Raises NotFound, NotText, RangePastEnd for the
        first line, InvalidField for the pattern, BytesLost, BytesUnavailable, KeyMissing, StorageUnavailable."""
        artifact, content = await self._artifacts.get_with_content(lookup)
        line_count = artifact.content.line_count
        if line_count is None:
            raise NotText
        if isinstance(query, RankedQuery):
            progress = self._passages(content, query)
        elif query.start_line > line_count:
            raise RangePastEnd("lines", line_count)
        else:
            progress = self._matches(content, query)
        async with aclosing(progress):
            async for each in progress:
                yield each

    async def _matches(self, content: Content, query: LineQuery) -> AsyncGenerator[SearchProgress]:
        # Lines before the first one are context of its match.
        first = max(1, query.start_line - query.before)
        start = await line_start(self._contents, content, first)
        blocks = self._contents.blocks(content, start, content.size)
        async with aclosing(search_lines(blocks, query)) as progress:
            async for each in progress:
                is_whole = each.is_last and not each.limit_reached
                yield SearchProgress(
                    total_bytes=content.size,
                    scanned_bytes=start + each.scanned_bytes,
                    matches=each.matches,
                    next_line=0 if is_whole else each.next_line,
                    limit_reached=each.limit_reached,
                )

    async def _passages(self, content: Content, query: RankedQuery) -> AsyncGenerator[SearchProgress]:
        blocks = self._contents.blocks(content, 0, content.size)
        read = partial(self._contents.read, content)
        async with aclosing(rank_passages(blocks, query, read)) as progress:
            async for each in progress:
                yield SearchProgress(content.size, each.scanned_bytes, passages=each.passages)


def _cut(data: bytes, encoding: str, max_tokens: int, *, goes_on: bool) -> tuple[str, int, int]:
    """The text of a page, its tokens, and how many of the bytes it takes."""
    text = data.decode(encoding, "surrogateescape")
    page = opening(shown(text), max_tokens, goes_on=goes_on)
    used = len(text[: len(page)].encode(encoding, "surrogateescape"))
    return page, count_tokens(page), used


async def _collect(chunks: AsyncGenerator[ReadChunk], max_bytes: int) -> tuple[ReadChunk, bytes, bool]:
    """The first chunk, the first `max_bytes`, and whether those are all."""
    first, collected = NOTHING, bytearray()
    async with aclosing(chunks):
        async for chunk in chunks:
            first = chunk if first is NOTHING else first
            collected += chunk.data
            if len(collected) > max_bytes:
                return first, bytes(collected[:max_bytes]), False
    return first, bytes(collected), True


class Chunker:
    """Cuts what it is fed into chunks; with `keeps_characters` never within a character of UTF-8."""

    def __init__(self, *, keeps_characters: bool) -> None:
        self._keeps_characters = keeps_characters
        self._pending = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The chunks of the next bytes; the beginning of a character is kept for the next ones."""
        data = self._pending + data if self._pending else data
        at = 0
        while at < len(data):
            chunk = data[at : at + CHUNK_BYTES]
            begun = begun_character(chunk) if self._keeps_characters else 0
            if begun:
                chunk = chunk[:-begun]
            if chunk:
                yield chunk
            at += len(chunk)
            if at + begun == len(data):
                break
        self._pending = data[at:]

    def finish(self) -> Iterator[bytes]:
        """The rest of a character that never ended."""
        if self._pending:
            yield self._pending
        self._pending = b""
