"""RebuildChunks: drop every chunk of a scope and make it again; chunks are derived, so that no answer changes."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import partial

from camillo_server.events.chunks import chunk_rows
from camillo_server.events.event import Rebuilt, content_cost
from camillo_server.events.store.reader import EventReader
from camillo_server.events.store.writer import EventWriter
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import NewRow

EVENTS_AT_ONCE = 200

# The rows of a scope in batches, made from what is recorded in it.
ChunksOfScope = Callable[[Scope], AsyncGenerator[Sequence[NewRow], None]]


class RebuildChunks:
    """Drops and makes the chunks of events and of `others`. What is recorded meanwhile keeps its chunks."""

    def __init__(
        self, writer: EventWriter, reader: EventReader, others: ChunksOfScope, clock: Clock
    ) -> None:
        self._writer = writer
        self._reader = reader
        self._others = others
        self._clock = clock

    async def __call__(self, scope: Scope) -> Rebuilt:
        """Raises KeyMissing, StorageUnavailable; if it is broken off, the next call completes it."""
        dropped, revision = await self._writer.drop_chunks(scope, now=self._clock.now())
        made = 0
        for batches in (self._others(scope), self._of_events(scope)):
            async with aclosing(batches):
                async for rows in batches:
                    revision = await self._writer.add_chunks(scope, rows, now=self._clock.now())
                    made += len(rows)
        return Rebuilt(dropped, made, revision)

    async def _of_events(self, scope: Scope) -> AsyncGenerator[Sequence[NewRow], None]:
        slices = TimeSlices()
        async for events in self._reader.every(scope, EVENTS_AT_ONCE):
            rows: list[NewRow] = []
            for event in events:
                rows += await slices.run(content_cost(event.content), partial(chunk_rows, event))
            yield rows
