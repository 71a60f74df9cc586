"""The lines of a content that match a pattern, or are the best for a query, found while the content is read."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial
from typing import TypeVar

from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.lib.outputs.line_search.lines import Sections
from camillo_server.lib.outputs.line_search.query import (
    Block,
    LineProgress,
    LineQuery,
    Match,
    Matcher,
    MatchLine,
    RankedPassage,
    RankedProgress,
    RankedQuery,
    compiled,
)
from camillo_server.lib.outputs.line_search.query_terms import QueryTerms
from camillo_server.lib.outputs.line_search.scan import LineScan
from camillo_server.lib.outputs.line_search.windows import Window, Windows

T = TypeVar("T")
# Apart from other work: an expression can be so slow that one block of text takes seconds, and a thread cannot be
# stopped.
_SEARCHES = ThreadPoolExecutor(max_workers=2, thread_name_prefix="search")
# The approximate size of an answer: it ends with the match that exceeds this.
FOUND_BYTES = 256 << 10
# An answer is sent after so many bytes even without any match.
PROGRESS_BYTES = 16 << 20
# The size of a match, and of a line, beside its text.
_FRAME_BYTES = 64
ReadBytes = Callable[[int, int], Awaitable[bytes]]


async def search_lines(blocks: AsyncGenerator[Block], query: LineQuery) -> AsyncGenerator[LineProgress]:
    """The matching lines in order, as soon as they and their context are read; the last answer says that it is.

    Blocks follow each other without a gap. The first one begins the content, or holds a line before
    `query.start_line`: as many lines before it as there should be context, and one more, as that may lack its
    beginning. When the limit is reached no more blocks are asked for; at the end they are closed. Raises InvalidField
    as `compiled` does, before anything is read.
    """
    async with aclosing(blocks):
        # A tenth of a second, for one that is too large.
        search = _Search(await _in_thread(partial(compiled, query.pattern)), query)
        async for block in blocks:
            async for found in _in_threads(search.feed(block)):
                yield found
            if search.is_complete:
                return
        async for found in _in_threads(search.finish()):
            yield found


async def _in_thread(work: Callable[[], T]) -> T:
    """The result of work for which other searches may have to be waited for."""
    return await off_loop(UNBOUNDED, work, _SEARCHES)


async def _in_threads(work: Iterator[LineProgress]) -> AsyncIterator[LineProgress]:
    while (found := await _in_thread(partial(next, work, None))) is not None:
        yield found


class _Search:
    """Gathers matches to answers."""

    def __init__(self, matcher: Matcher, query: LineQuery) -> None:
        self._sections = Sections()
        self._scan = LineScan(matcher, query)
        self._start_line = query.start_line
        self._has_begun = False
        self._scanned_bytes = 0
        self._answered_bytes = 0
        self._matches: list[Match] = []
        self._pending_bytes = 0

    @property
    def is_complete(self) -> bool:
        """Whether the last answer was given."""
        return self._scan.is_complete

    def feed(self, block: Block) -> Iterator[LineProgress]:
        """The answers that this block completes; one at most FOUND_BYTES after the one before."""
        self._scanned_bytes += len(block.data)
        for section in self._sections.feed(self._from_whole_line(block)):
            yield from self._gathered(self._scan.matches(section))
            if self.is_complete:
                yield self._answer(is_last=True)
                return
        if self._matches or self._scanned_bytes - self._answered_bytes >= PROGRESS_BYTES:
            yield self._answer()

    def finish(self) -> Iterator[LineProgress]:
        """The answers at the end of the content."""
        for section in self._sections.finish():
            yield from self._gathered(self._scan.matches(section))
        yield from self._gathered(self._scan.finish())
        yield self._answer(is_last=True)

    def _from_whole_line(self, block: Block) -> Block:
        """The block without the line at the very beginning if that may lack its own."""
        if self._has_begun:
            return block
        if block.offset == 0 or block.first_line >= self._start_line:
            self._has_begun = bool(block.data)
            return block
        cut = block.data.find(b"\n") + 1
        self._has_begun = bool(cut)
        cut = cut or len(block.data)
        return Block(block.offset + cut, block.first_line + 1, block.data[cut:])

    def _gathered(self, matches: Iterator[Match]) -> Iterator[LineProgress]:
        for match in matches:
            self._matches.append(match)
            self._pending_bytes += _size(match)
            if self._pending_bytes >= FOUND_BYTES and not self.is_complete:
                yield self._answer()

    def _answer(self, is_last: bool = False) -> LineProgress:
        found = LineProgress(
            tuple(self._matches),
            self._scanned_bytes,
            self._scan.next_line,
            is_last,
            is_last and self._scan.limit_reached,
        )
        self._matches, self._pending_bytes = [], 0
        self._answered_bytes = self._scanned_bytes
        return found


def _size(match: Match) -> int:
    lines = (match.line, *match.before, *match.after)
    return sum(map(_line_size, lines)) + _FRAME_BYTES * (1 + len(match.spans))


def _line_size(line: MatchLine) -> int:
    return _FRAME_BYTES + len(line.text if line.text.isascii() else line.text.encode())


async def rank_passages(
    blocks: AsyncGenerator[Block], query: RankedQuery, read: ReadBytes
) -> AsyncGenerator[RankedProgress]:
    """Yields how far the content is read, now and then, and at last the best passages.

    The blocks are the whole content, and closed at the end; `read(offset, length)` gives the texts of what was found,
    `limit` times at most and at most 32 KiB each. Raises InvalidField for a query without a word, before anything is
    read.
    """
    async with aclosing(blocks):
        ranking = _Ranking(query)
        scanned_bytes = reported_bytes = 0
        async for block in blocks:
            scanned_bytes += len(block.data)
            await _in_thread(partial(ranking.feed, block))
            if scanned_bytes - reported_bytes >= PROGRESS_BYTES:
                reported_bytes = scanned_bytes
                yield RankedProgress(scanned_bytes)
        best = await _in_thread(ranking.best)
        texts = [await read(window.offset, window.length) for window in best]
        passages = await _in_thread(partial(ranking.passages, best, texts))
        yield RankedProgress(scanned_bytes, passages)


class _Ranking:
    def __init__(self, query: RankedQuery) -> None:
        self._terms = QueryTerms(query.query)
        self._limit = query.limit
        self._windows = Windows(query.window_lines)
        self._sections = Sections()

    def feed(self, block: Block) -> None:
        self._add(self._sections.feed(block))

    def best(self) -> list[Window]:
        self._add(self._sections.finish())
        return self._windows.best(self._limit)

    def passages(self, windows: Sequence[Window], texts: Sequence[bytes]) -> tuple[RankedPassage, ...]:
        return tuple(
            self._windows.passage(window, text, self._terms) for window, text in zip(windows, texts, strict=True)
        )

    def _add(self, sections: Iterator[Block]) -> None:
        for section in sections:
            self._windows.add(section, self._terms.hits(section.data))
