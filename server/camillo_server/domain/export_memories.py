"""ExportMemories: all memories that pass a filter, as of one revision, oldest first."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from camillo_server.domain.clock import Clock
from camillo_server.domain.memory import MemoryFilter
from camillo_server.domain.ports import MemoryReader, NewRow
from camillo_server.domain.scope import Scope

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
