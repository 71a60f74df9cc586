"""ReadArtifact: the bytes of an artifact, or a part of them, as a stream."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from camillo_server.domain.artifact import Artifact
from camillo_server.domain.artifact_ports import Content, ContentReader, JsonValues
from camillo_server.domain.artifact_range import ArtifactRange, JsonPart
from camillo_server.domain.chunks import Chunker
from camillo_server.domain.errors import NotJson, invalid_field
from camillo_server.domain.get_artifact import ArtifactAsked, GetArtifact
from camillo_server.domain.line_places import newline_count
from camillo_server.domain.range_places import Place, RangePlaces


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
