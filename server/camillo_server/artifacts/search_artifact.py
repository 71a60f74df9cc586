"""SearchArtifact: lines that match, or passages that answer, in one artifact."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

from camillo_server.artifacts.artifacts import ArtifactAsked, GetArtifact
from camillo_server.artifacts.byte_ranges import RangePlaces
from camillo_server.artifacts.ports import Content, ContentReader, LineSearch
from camillo_server.kernel.errors import NotText, RangePastEnd
from camillo_server.outputs.line_search.query import Match, Passage, RankedWanted, Wanted


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """What was found by now. In the last one, `next_line` is where a next search goes on; 0: all was searched."""

    total_bytes: int
    scanned_bytes: int
    matches: Sequence[Match] = ()
    passages: Sequence[Passage] = ()
    next_line: int = 0
    limit_reached: bool = False


class SearchArtifact:
    """Searches while it reads, and reads no further than it has to."""

    def __init__(self, get: GetArtifact, contents: ContentReader, search: LineSearch) -> None:
        self._get = get
        self._contents = contents
        self._search = search
        self._places = RangePlaces(contents)

    async def __call__(
        self, asked: ArtifactAsked, wanted: Wanted | RankedWanted
    ) -> AsyncGenerator[SearchProgress]:
        """Raises NotFound, NotText, RangePastEnd for the first line, InvalidField for the pattern, BytesLost,
        BytesUnavailable, KeyMissing, StorageUnavailable."""
        artifact, content = await self._get.found(asked)
        line_count = artifact.content.line_count
        if line_count is None:
            raise NotText
        if isinstance(wanted, RankedWanted):
            progress = self._ranked(content, wanted)
        elif wanted.start_line > line_count:
            raise RangePastEnd("lines", line_count)
        else:
            progress = self._lines(content, wanted)
        async with aclosing(progress):
            async for each in progress:
                yield each

    async def _lines(self, content: Content, wanted: Wanted) -> AsyncGenerator[SearchProgress]:
        # Lines before the first one are context of its match.
        first = max(1, wanted.start_line - wanted.before)
        start = await self._places.of_line(content, first)
        blocks = self._contents.blocks(content, start, content.size)
        async with aclosing(blocks), aclosing(self._search.lines(blocks, wanted)) as founds:
            async for found in founds:
                is_whole = found.is_last and not found.limit_reached
                yield SearchProgress(
                    total_bytes=content.size,
                    scanned_bytes=start + found.scanned_bytes,
                    matches=found.matches,
                    next_line=0 if is_whole else found.next_line,
                    limit_reached=found.limit_reached,
                )

    async def _ranked(
        self, content: Content, wanted: RankedWanted
    ) -> AsyncGenerator[SearchProgress]:
        blocks = self._contents.blocks(content, 0, content.size)
        read = partial(self._contents.read, content)
        async with (
            aclosing(blocks),
            aclosing(self._search.passages(blocks, wanted, read)) as progress,
        ):
            async for each in progress:
                yield SearchProgress(content.size, each.scanned_bytes, passages=each.passages)
