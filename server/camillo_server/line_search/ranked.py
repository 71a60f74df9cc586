"""The passages of a content that answer a query best, by the words they share with it."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack

from camillo_server.domain.line_search import Block, Passage, RankedProgress, RankedWanted
from camillo_server.line_search.passages import passage
from camillo_server.line_search.query_terms import QueryTerms
from camillo_server.line_search.search import PROGRESS_BYTES
from camillo_server.line_search.sections import LinePart, Section, Sections
from camillo_server.line_search.threads import in_search_thread
from camillo_server.line_search.windows import Window, Windows

ReadBytes = Callable[[int, int], Awaitable[bytes]]


async def rank_passages(
    blocks: AsyncIterator[Block], wanted: RankedWanted, read: ReadBytes
) -> AsyncGenerator[RankedProgress, None]:
    """Tells now and then how far the content is read, and at last the best passages.

    The blocks are the whole content; `read(offset, length)` gives the texts of what was found, `limit` times at most
    and at most 32 KiB each. Raises InvalidField for a query without a word, before anything is read.
    """
    async with AsyncExitStack() as at_end:
        if hasattr(blocks, "aclose"):
            at_end.push_async_callback(blocks.aclose)
        ranking = _Ranking(wanted)
        scanned_bytes = told_bytes = 0
        async for block in blocks:
            scanned_bytes += len(block.data)
            await in_search_thread(ranking.take, block)
            if scanned_bytes - told_bytes >= PROGRESS_BYTES:
                told_bytes = scanned_bytes
                yield RankedProgress(scanned_bytes)
        best = await in_search_thread(ranking.best)
        texts = [await read(window.offset, window.length) for window in best]
        passages = await in_search_thread(ranking.passages, best, texts)
        yield RankedProgress(scanned_bytes, passages)


class _Ranking:
    def __init__(self, wanted: RankedWanted) -> None:
        self._terms = QueryTerms(wanted.query)
        self._limit = wanted.limit
        self._windows = Windows(wanted.window_lines)
        self._sections = Sections()

    def take(self, block: Block) -> None:
        self._add(self._sections.taking(block))

    def best(self) -> list[Window]:
        self._add(self._sections.rest())
        return self._windows.best(self._limit)

    def passages(self, windows: Sequence[Window], texts: Sequence[bytes]) -> tuple[Passage, ...]:
        return tuple(
            passage(window, text, self._terms, self._windows.weight)
            for window, text in zip(windows, texts, strict=True)
        )

    def _add(self, pieces: Iterator[Section | LinePart]) -> None:
        for piece in pieces:
            number = piece.first_line if isinstance(piece, Section) else piece.line
            self._windows.add(piece.offset, number, piece.data, self._terms.hits(piece.data))
