"""Use cases of stored events: read, listed, watched, and cut into chunks anew."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial

from camillo_server.features.events.chunks import chunk_rows
from camillo_server.features.events.event import (
    Event,
    EventChangePage,
    EventFilter,
    EventId,
    EventPage,
    Rebuilt,
    content_cost,
    may_load_event,
)
from camillo_server.features.events.store.reader import EventReader
from camillo_server.features.events.store.writer import EventWriter
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import BEFORE_ALL, LAST_INDEX, EventCursor, MemoryId, PageCursor
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import NewRow
from camillo_server.storage.change_notifier import MAX_WAIT_SECONDS, ChangeNotifier

EVENTS_AT_ONCE = 200
BEGINNING = EventCursor(0, LAST_INDEX)

# The rows of a scope in batches, derived from what is recorded in it.
ChunksOfScope = Callable[[Scope], AsyncGenerator[Sequence[NewRow], None]]


@dataclass(frozen=True, slots=True)
class EventQuery:
    """Conditions of a list, its order, and the channel in which the events will be shown."""

    scope: Scope
    filter: EventFilter
    channel: Channel
    newest_first: bool = False


class Events:
    """Stored events of a scope. Reads raise KeyMissing; every method raises StorageUnavailable."""

    def __init__(
        self,
        reader: EventReader,
        notifier: ChangeNotifier,
        policy: ChannelPolicy,
        clock: Clock,
    ) -> None:
        self._reader = reader
        self._notifier = notifier
        self._policy = policy
        self._clock = clock

    async def get(self, scope: Scope, event_id: EventId, channel: Channel) -> tuple[Event, Sequence[MemoryId]]:
        """An event that the channel may load, and the ids of its chunks. Raises NotFound."""
        found = await self._reader.get(scope, event_id)
        if found is None or not may_load_event(self._policy, channel, found[0]):
            raise NotFound("event", event_id)
        return found

    async def list(self, query: EventQuery, after: EventCursor | None, size: int) -> EventPage:
        """One page, which may end before its size because of its bytes."""
        filter = self._policy.narrowed(query.filter, query.channel)
        return await self._reader.page(query.scope, filter, after, size, newest_first=query.newest_first)

    async def workflow(self, query: EventQuery, after: PageCursor | None, size: int) -> EventPage:
        """One page of the steps of a workflow, the agent's own and the tenant's shared ones."""
        filter = self._policy.narrowed(query.filter, query.channel)
        return await self._reader.workflow(query.scope, filter, after or BEFORE_ALL, size)

    async def watch(
        self, scope: Scope, filter: EventFilter, channel: Channel, after: EventCursor | None
    ) -> AsyncGenerator[EventChangePage]:
        """Yields pages of changes without end, and one without any, a checkpoint, whenever everything up to its
        revision has been sent and the revision moved on. None begins with the first event there is."""
        position, checkpoint = after or BEGINNING, -1
        filter = self._policy.narrowed(filter, channel)
        # A watch from the beginning need not report what was forgotten before it began.
        silent_until = None if after is None else 0
        listening = self._notifier.listen(scope)
        try:
            while True:
                page = await self._reader.changes(scope, filter, position, EVENTS_AT_ONCE)
                listening.require_history()
                silent_until = page.revision if silent_until is None else silent_until
                visible = _without_old_deletions(page, silent_until)
                if visible.changes:
                    yield visible
                if page.changes:
                    # A page may be short because of its bytes: only an empty one means that there is no more.
                    position = EventCursor(page.changes[-1].revision, page.changes[-1].index)
                    continue
                position = EventCursor(max(page.revision, position.revision), LAST_INDEX)
                if position.revision != checkpoint:
                    checkpoint = position.revision
                    yield EventChangePage((), checkpoint)
                await listening.wait(MAX_WAIT_SECONDS)
        finally:
            listening.close()


def cursor_of(event: Event) -> EventCursor:
    """The position of an event in the order of recording."""
    return EventCursor(event.revision, event.index)


def step_cursor(event: Event) -> PageCursor:
    """The position of a step in its workflow."""
    return PageCursor(event.occurred_at, event.event_id)


def _without_old_deletions(page: EventChangePage, silent_until: int) -> EventChangePage:
    """The page without what was forgotten up to a revision."""
    changes = [change for change in page.changes if change.recorded is not None or change.revision > silent_until]
    return replace(page, changes=changes)


class RebuildChunks:
    """Drops every chunk of a scope, and creates those of events and of `others` again: chunks are derived, so that no
    answer changes. Events recorded meanwhile keep their chunks."""

    def __init__(
        self,
        writer: EventWriter,
        reader: EventReader,
        others: Sequence[ChunksOfScope],
        clock: Clock,
    ) -> None:
        self._writer = writer
        self._reader = reader
        self._others = others
        self._clock = clock

    async def __call__(self, scope: Scope) -> Rebuilt:
        """Raises KeyMissing, StorageUnavailable; if it is interrupted, the next call completes it."""
        dropped, since = await self._writer.drop_chunks(scope, now=self._clock.now())
        created, revision = 0, since
        for chunks_of in (*self._others, self._of_events):
            batches = chunks_of(scope)
            async with aclosing(batches):
                async for rows in batches:
                    revision = await self._writer.add_chunks(scope, rows, since, now=self._clock.now())
                    created += len(rows)
        return Rebuilt(dropped, created, revision)

    async def _of_events(self, scope: Scope) -> AsyncGenerator[Sequence[NewRow], None]:
        slices = TimeSlices()
        async with aclosing(self._reader.every(scope, EVENTS_AT_ONCE)) as batches:
            async for events in batches:
                rows: list[NewRow] = []
                for event in events:
                    cost = content_cost(event.content)
                    rows += await slices.run(cost, partial(chunk_rows, event))
                yield rows
