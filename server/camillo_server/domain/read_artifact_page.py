"""ReadArtifactPage: text of an artifact in pages of so many tokens."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from camillo_server.domain.artifact_range import ArtifactRange
from camillo_server.domain.character_borders import begun_character
from camillo_server.domain.errors import NotText
from camillo_server.domain.get_artifact import ArtifactAsked, GetArtifact
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.read_artifact import ReadArtifact, ReadChunk
from camillo_server.domain.text_cutting import opening, shown
from camillo_server.domain.tokens import count_tokens

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
