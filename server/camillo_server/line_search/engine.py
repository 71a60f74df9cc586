"""Searching, as the use case asks for it."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from camillo_server.domain.line_search import (
    Block,
    Found,
    RankedProgress,
    RankedWanted,
    Wanted,
)
from camillo_server.line_search.ranked import rank_passages
from camillo_server.line_search.search import search_lines


class LineSearchEngine:
    """`LineSearch` by RE2."""

    def lines(self, blocks: AsyncIterator[Block], wanted: Wanted) -> AsyncGenerator[Found]:
        return search_lines(blocks, wanted)

    def passages(
        self,
        blocks: AsyncIterator[Block],
        wanted: RankedWanted,
        read: Callable[[int, int], Awaitable[bytes]],
    ) -> AsyncGenerator[RankedProgress]:
        return rank_passages(blocks, wanted, read)
