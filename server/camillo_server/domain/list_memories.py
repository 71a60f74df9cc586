"""ListMemories: memories that pass a filter, newest first, in pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.domain.clock import Clock
from camillo_server.domain.memory import Memory, MemoryFilter
from camillo_server.domain.ports import MemoryReader, PageCursor
from camillo_server.domain.revision import Freshness
from camillo_server.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """A page, where the next one begins (None after the last), and the revision read at."""

    memories: Sequence[Memory]
    next_cursor: PageCursor | None
    revision: int


class ListMemories:
    """Reads one page."""

    def __init__(self, reader: MemoryReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        wanted: MemoryFilter,
        after: PageCursor | None,
        size: int,
        freshness: Freshness,
    ) -> MemoryPage:
        """Raises RevisionBehind, StorageUnavailable."""
        now = self._clock.now()
        # One more than asked for tells whether there is a next page.
        found, revision = await self._reader.page(
            scope, wanted, after, size + 1, freshness, now=now
        )
        page = found[:size]
        more = len(found) > size
        cursor = PageCursor(page[-1].created_at, page[-1].memory_id) if more else None
        return MemoryPage(page, cursor, revision)
