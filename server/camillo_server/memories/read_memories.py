"""GetMemory: one memory by its id."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from camillo_server.embedding.embedder import Vector
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.paging import PageCursor, WatchPosition
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import Memory, MemoryVersion, NewRow
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.memories.store.reader import Change, MemoryReader
from camillo_server.storage.change_notifier import ChangeNotifier


class GetMemory:
    """Reads one memory, archived or not."""

    def __init__(self, reader: MemoryReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(
        self, scope: Scope, memory_id: MemoryId, freshness: Freshness, *, with_vector: bool
    ) -> tuple[Memory, Vector | None, int]:
        """The memory, its vector if asked for, the revision read at. Raises NotFound, RevisionBehind."""
        now = self._clock.now()
        memory, revision = await self._reader.get(scope, memory_id, freshness, now=now)
        if memory is None:
            raise NotFound("memory", memory_id)
        vectors = await self._reader.vectors(scope, [memory_id]) if with_vector else {}
        return memory, vectors.get(memory_id), revision


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


class ListMemoryRevisions:
    """Reads one page of a memory's history."""

    def __init__(self, reader: MemoryReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(
        self, scope: Scope, memory_id: MemoryId, below_version: int | None, size: int
    ) -> tuple[Sequence[MemoryVersion], int | None]:
        """The versions below one, and the version below which the next page begins. Raises NotFound."""
        now = self._clock.now()
        found = await self._reader.versions(scope, memory_id, below_version, size + 1, now=now)
        if not found and below_version is None:
            raise NotFound("memory", memory_id)
        page = found[:size]
        return page, page[-1].memory.version if len(found) > size else None


# Each holds a connection to Postgres for as long as its reader takes; the rest of the pool is for other calls.
AT_ONCE = 2


class ExportMemories:
    """Streams a scope; exports beyond two at once in this process wait for their turn."""

    def __init__(self, reader: MemoryReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def __call__(
        self, scope: Scope, wanted: MemoryFilter, *, with_vectors: bool
    ) -> AsyncIterator[tuple[Sequence[NewRow], int]]:
        """Batches with the revision they were read at. Raises StorageUnavailable."""
        async with self._turns:
            now = self._clock.now()
            batches = self._reader.export(scope, wanted, with_vectors=with_vectors, now=now)
            async for batch in batches:
                yield batch


PAGE = 200
# Followers are woken by notifications; this bounds the delay where one is lost.
LONGEST_WAIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """A change, or with None a checkpoint: everything up to the position has been sent."""

    position: WatchPosition
    change: Change | None


class WatchMemories:
    """Follows a scope from a position on."""

    def __init__(self, reader: MemoryReader, notifier: ChangeNotifier, clock: Clock) -> None:
        self._reader = reader
        self._notifier = notifier
        self._clock = clock

    async def __call__(self, scope: Scope, start: WatchPosition) -> AsyncIterator[WatchEvent]:
        """Without end. A checkpoint whenever everything has been sent, and again when the revision moved on."""
        position = start
        checkpoint = -1
        # Who begins with nothing need not hear of what was gone before.
        silent_until = None if start == WatchPosition(0) else 0
        listening = self._notifier.listen(scope)
        try:
            while True:
                after = (position.revision, position.memory_id)
                page = await self._reader.changes(scope, after, PAGE, now=self._clock.now())
                silent_until = page.revision if silent_until is None else silent_until
                for change in page.changes:
                    position = WatchPosition(change.revision, change.memory_id)
                    if change.memory is not None or change.revision > silent_until:
                        yield WatchEvent(position, change)
                if len(page.changes) == PAGE:
                    continue
                # Every change of the revisions up to the one that was read has been sent.
                position = WatchPosition(max(page.revision, position.revision))
                if position.revision != checkpoint:
                    checkpoint = position.revision
                    yield WatchEvent(position, None)
                await listening.wait(LONGEST_WAIT_SECONDS)
        finally:
            listening.close()
