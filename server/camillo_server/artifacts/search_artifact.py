"""SearchArtifact: lines that match, or passages that answer, in one artifact."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

from camillo_server.artifacts.artifact import ArtifactLookup, Content
from camillo_server.artifacts.artifacts import Artifacts
from camillo_server.artifacts.byte_ranges import ByteRanges
from camillo_server.artifacts.store.contents import ContentStore
from camillo_server.kernel.errors import NotText, RangePastEnd
from camillo_server.outputs.line_search.query import LineQuery, Match, RankedPassage, RankedQuery
from camillo_server.outputs.line_search.search import rank_passages, search_lines


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """What was found since the last one. In the final one, `next_line` is where a next search continues; 0: all was
    searched."""

    total_bytes: int
    scanned_bytes: int
    matches: Sequence[Match] = ()
    passages: Sequence[RankedPassage] = ()
    next_line: int = 0
    limit_reached: bool = False


class SearchArtifact:
    """Searches while it reads, and reads no further than it has to."""

    def __init__(self, artifacts: Artifacts, contents: ContentStore) -> None:
        self._artifacts = artifacts
        self._contents = contents
        self._ranges = ByteRanges(contents)

    async def __call__(
        self, lookup: ArtifactLookup, query: LineQuery | RankedQuery
    ) -> AsyncGenerator[SearchProgress]:
        """Raises NotFound, NotText, RangePastEnd for the first line, InvalidField for the pattern, BytesLost,
        BytesUnavailable, KeyMissing, StorageUnavailable."""
        artifact, content = await self._artifacts.get_with_content(lookup)
        line_count = artifact.content.line_count
        if line_count is None:
            raise NotText
        if isinstance(query, RankedQuery):
            progress = self._passages(content, query)
        elif query.start_line > line_count:
            raise RangePastEnd("lines", line_count)
        else:
            progress = self._lines(content, query)
        async with aclosing(progress):
            async for each in progress:
                yield each

    async def _lines(self, content: Content, query: LineQuery) -> AsyncGenerator[SearchProgress]:
        # Lines before the first one are context of its match.
        first = max(1, query.start_line - query.before)
        start = await self._ranges.line_start(content, first)
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

    async def _passages(
        self, content: Content, query: RankedQuery
    ) -> AsyncGenerator[SearchProgress]:
        blocks = self._contents.blocks(content, 0, content.size)
        read = partial(self._contents.read, content)
        async with aclosing(rank_passages(blocks, query, read)) as progress:
            async for each in progress:
                yield SearchProgress(content.size, each.scanned_bytes, passages=each.passages)
