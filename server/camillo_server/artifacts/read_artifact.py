"""ReadArtifact: the bytes of an artifact, or a part of them, as a stream."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from camillo_server.artifacts.artifact import Artifact, ArtifactRange
from camillo_server.artifacts.artifacts import ArtifactAsked, GetArtifact
from camillo_server.artifacts.byte_ranges import Place, RangePlaces
from camillo_server.artifacts.ports import Content, ContentReader, JsonValues
from camillo_server.artifacts.upload_stream import Chunker
from camillo_server.kernel.errors import NotJson, NotText, invalid_field
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.outputs.json_parts.pointer import JsonPart
from camillo_server.text.bytes import begun_character, newline_count
from camillo_server.text.tokens import count_tokens, opening, shown


@dataclass(frozen=True, slots=True)
class ReadChunk:
    """Some bytes: where they begin, the number of the line that the first belongs to (0: there are no lines), and how
    many the whole range has (0: not known)."""

    data: bytes
    offset: int
    line: int
    range_bytes: int


class ReadArtifact:
    """Reads as fast as its caller takes: at most three parts are in memory."""

    def __init__(self, get: GetArtifact, contents: ContentReader, json: JsonValues) -> None:
        self._get = get
        self._contents = contents
        self._json = json
        self._places = RangePlaces(contents)

    async def __call__(
        self, asked: ArtifactAsked, wanted: ArtifactRange, resume_after: int = 0
    ) -> AsyncGenerator[ReadChunk]:
        """Raises NotFound, RangePastEnd, NotText, NotJson, JsonValueNotFound, InvalidField, BytesLost,
        BytesUnavailable, KeyMissing, StorageUnavailable."""
        artifact, content = await self._get.found(asked)
        if isinstance(wanted, JsonPart):
            chunks = self._of_json(artifact, content, wanted, resume_after)
        else:
            place = await self._places.place(artifact, content, wanted)
            if resume_after > place.size:
                raise invalid_field("resume_after_bytes", f"must be at most {place.size}")
            chunks = self._of_place(artifact, content, place, resume_after)
        async with aclosing(chunks):
            async for chunk in chunks:
                yield chunk

    async def _of_place(
        self, artifact: Artifact, content: Content, place: Place, resume_after: int
    ) -> AsyncGenerator[ReadChunk]:
        offset, line = place.start + resume_after, 0
        chunker = Chunker(keeps_characters=artifact.content.encoding == "utf-8")
        if offset == place.end:
            if not resume_after:
                yield ReadChunk(b"", offset, 0, 0)
            return
        async with aclosing(self._contents.blocks(content, offset, place.end)) as blocks:
            async for block in blocks:
                line = line or (block.first_line if artifact.has_lines else 0)
                for data in chunker.feed(block.data):
                    yield ReadChunk(data, offset, line, place.size)
                    offset += len(data)
                    line += newline_count(data) if line else 0
        for data in chunker.finish():
            yield ReadChunk(data, offset, line, place.size)

    async def _of_json(
        self, artifact: Artifact, content: Content, wanted: JsonPart, resume_after: int
    ) -> AsyncGenerator[ReadChunk]:
        if artifact.content.encoding != "utf-8":
            raise NotJson
        offset = 0
        chunker = Chunker(keeps_characters=True)
        async with aclosing(self._value(content, wanted)) as values:
            async for value in values:
                for data in chunker.feed(value):
                    skipped = min(len(data), max(0, resume_after - offset))
                    if skipped < len(data):
                        yield ReadChunk(data[skipped:], offset + skipped, 0, 0)
                    offset += len(data)
        if resume_after > offset:
            raise invalid_field("resume_after_bytes", f"must be at most {offset}")

    async def _value(self, content: Content, wanted: JsonPart) -> AsyncGenerator[bytes]:
        async with aclosing(self._contents.blocks(content, 0, content.size)) as blocks:
            parts = (block.data async for block in blocks)
            async with aclosing(self._json.value(parts, wanted)) as values:
                async for value in values:
                    yield value


# No tokenizer that is counted for has tokens of more bytes, but for runs of one character.
BYTES_PER_TOKEN = 8


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page: where it begins in bytes, its lines (0: there are none), its tokens, and how many bytes of the range lie
    before the next page (None after the last)."""

    text: str
    offset: int
    first_line: int
    last_line: int
    tokens: int
    next_after: int | None


class ReadArtifactPage:
    """Reads one page."""

    def __init__(self, get: GetArtifact, read: ReadArtifact) -> None:
        self._get = get
        self._read = read

    async def __call__(
        self, asked: ArtifactAsked, wanted: ArtifactRange, max_tokens: int, after: int
    ) -> TextPage:
        """The page behind the first `after` bytes of the range. Raises NotText for bytes that are none, and what
        ReadArtifact raises."""
        artifact = await self._get(asked)
        encoding = artifact.content.encoding
        if not artifact.has_lines:
            raise NotText
        chunks = self._read(asked, wanted, after)
        first, data, is_all = await _gathered(chunks, max_tokens * BYTES_PER_TOKEN)
        if encoding == "utf-8" and not is_all:
            data = data[: len(data) - begun_character(data)]
        text = data.decode(encoding, "surrogateescape")
        page, tokens = await off_loop(UNBOUNDED, lambda: _cut(shown(text), max_tokens, not is_all))
        used = len(text[: len(page)].encode(encoding, "surrogateescape"))
        return TextPage(
            text=page,
            offset=first.offset,
            first_line=first.line,
            last_line=first.line + page.count("\n", 0, -1) if first.line else 0,
            tokens=tokens,
            next_after=None if is_all and used == len(data) else after + used,
        )


def _cut(text: str, max_tokens: int, goes_on: bool) -> tuple[str, int]:
    page = opening(text, max_tokens, goes_on=goes_on)
    return page, count_tokens(page)


NOTHING = ReadChunk(b"", 0, 0, 0)


async def _gathered(chunks: AsyncGenerator[ReadChunk], most: int) -> tuple[ReadChunk, bytes, bool]:
    """The first chunk, the first `most` bytes, and whether those are all."""
    first, gathered = NOTHING, bytearray()
    async with aclosing(chunks):
        async for chunk in chunks:
            first = chunk if first is NOTHING else first
            gathered += chunk.data
            if len(gathered) > most:
                return first, bytes(gathered[:most]), False
    return first, bytes(gathered), True
