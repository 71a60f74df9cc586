"""The lines of a content that match a pattern, told while the content is read."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import AsyncExitStack

from camillo_server.domain.line_search import Block, Found, Line, Match, Wanted
from camillo_server.line_search.patterns import Matcher, compiled
from camillo_server.line_search.scan import LineScan
from camillo_server.line_search.sections import Sections
from camillo_server.line_search.threads import in_search_thread

# What one answer holds, about: it ends with the match that exceeds this.
FOUND_BYTES = 256 << 10
# So often an answer comes even without any match.
PROGRESS_BYTES = 16 << 20
# What a match and a line cost beside their text.
_FRAME_BYTES = 64


async def search_lines(blocks: AsyncIterator[Block], wanted: Wanted) -> AsyncGenerator[Found, None]:
    """The matching lines in order, as soon as they and their context are read; the last answer says that it is.

    Blocks follow each other without a gap. The first one begins the content, or holds a line before
    `wanted.start_line`: as many lines before it as there should be context, and one more, as that may lack its
    beginning. When the limit is reached no more blocks are asked for, and an asynchronous generator is closed. Raises
    InvalidField as `compiled` does, before anything is read.
    """
    async with AsyncExitStack() as at_end:
        if hasattr(blocks, "aclose"):
            at_end.push_async_callback(blocks.aclose)
        # A tenth of a second, for one that is too large.
        search = _Search(await in_search_thread(compiled, wanted.pattern), wanted)
        async for block in blocks:
            async for found in _in_threads(search.taking(block)):
                yield found
            if search.is_complete:
                return
        async for found in _in_threads(search.rest()):
            yield found


async def _in_threads(work: Iterator[Found]) -> AsyncIterator[Found]:
    while (found := await in_search_thread(next, work, None)) is not None:
        yield found


class _Search:
    """Gathers matches to answers."""

    def __init__(self, matcher: Matcher, wanted: Wanted) -> None:
        self._sections = Sections()
        self._scan = LineScan(matcher, wanted)
        self._start_line = wanted.start_line
        self._has_begun = False
        self._scanned_bytes = 0
        self._answered_bytes = 0
        self._matches: list[Match] = []
        self._held_bytes = 0

    @property
    def is_complete(self) -> bool:
        """Whether the last answer was given."""
        return self._scan.is_complete

    def taking(self, block: Block) -> Iterator[Found]:
        """What this block brings; an answer at most FOUND_BYTES after the one before."""
        self._scanned_bytes += len(block.data)
        for piece in self._sections.taking(self._from_whole_line(block)):
            yield from self._gathered(self._scan.matches(piece))
            if self.is_complete:
                yield self._answer(is_last=True)
                return
        if self._matches or self._scanned_bytes - self._answered_bytes >= PROGRESS_BYTES:
            yield self._answer()

    def rest(self) -> Iterator[Found]:
        """What the end of the content brings."""
        for piece in self._sections.rest():
            yield from self._gathered(self._scan.matches(piece))
        yield from self._gathered(self._scan.rest())
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

    def _gathered(self, matches: Iterator[Match]) -> Iterator[Found]:
        for match in matches:
            self._matches.append(match)
            self._held_bytes += _size(match)
            if self._held_bytes >= FOUND_BYTES and not self.is_complete:
                yield self._answer()

    def _answer(self, is_last: bool = False) -> Found:
        found = Found(
            tuple(self._matches),
            self._scanned_bytes,
            self._scan.next_line,
            is_last,
            is_last and self._scan.limit_reached,
        )
        self._matches, self._held_bytes = [], 0
        self._answered_bytes = self._scanned_bytes
        return found


def _size(match: Match) -> int:
    lines = (match.line, *match.before, *match.after)
    return sum(map(_line_size, lines)) + _FRAME_BYTES * (1 + len(match.spans))


def _line_size(line: Line) -> int:
    return _FRAME_BYTES + len(line.text if line.text.isascii() else line.text.encode())
