"""GetEvent: one event by its id."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from camillo_server.events.event import Event, EventFilter, EventId
from camillo_server.events.loading import may_load_event, narrowed
from camillo_server.events.ports import EventChangePage, EventReader
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.paging import LAST_PLACE, EventCursor
from camillo_server.kernel.scope import Scope
from camillo_server.memories.watch_memories import MAX_WAIT_SECONDS
from camillo_server.storage.change_notifier import ChangeNotifier


class GetEvent:
    """Reads an event that the channel may load, and the ids of its chunks."""

    def __init__(self, reader: EventReader, policy: ChannelPolicy) -> None:
        self._reader = reader
        self._policy = policy

    async def __call__(
        self, scope: Scope, event_id: EventId, channel: Channel
    ) -> tuple[Event, Sequence[MemoryId]]:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        found = await self._reader.get(scope, event_id)
        if found is None or not may_load_event(self._policy, channel, found[0]):
            raise NotFound("event", event_id)
        return found


@dataclass(frozen=True, slots=True)
class EventsAsked:
    """Which events, and where they will be shown."""

    scope: Scope
    filter: EventFilter
    channel: Channel
    newest_first: bool


@dataclass(frozen=True, slots=True)
class ListedEvents:
    """A page, where the next one begins (None after the last), and the revision read at."""

    events: Sequence[Event]
    next_cursor: EventCursor | None
    revision: int


class ListEvents:
    """Reads one page, which may end before its size because of its bytes."""

    def __init__(self, reader: EventReader, policy: ChannelPolicy) -> None:
        self._reader = reader
        self._policy = policy

    async def __call__(
        self, asked: EventsAsked, after: EventCursor | None, size: int
    ) -> ListedEvents:
        """Raises KeyMissing, StorageUnavailable."""
        wanted = narrowed(self._policy, asked.filter, asked.channel)
        # One more than asked for tells whether there is a next page.
        found = await self._reader.page(
            asked.scope, wanted, after, size + 1, newest_first=asked.newest_first
        )
        events = found.events[:size]
        more = found.is_cut or len(found.events) > size
        cursor = cursor_of(events[-1]) if more and events else None
        return ListedEvents(events, cursor, found.revision)


def cursor_of(event: Event) -> EventCursor:
    """The place of an event in the order of recording."""
    return EventCursor(event.revision, event.place)


PAGE = 200
BEGINNING = EventCursor(0, LAST_PLACE)


class WatchEvents:
    """Follows a scope from a place on."""

    def __init__(
        self, reader: EventReader, notifier: ChangeNotifier, policy: ChannelPolicy
    ) -> None:
        self._reader = reader
        self._notifier = notifier
        self._policy = policy

    async def __call__(
        self, scope: Scope, wanted: EventFilter, channel: Channel, after: EventCursor | None
    ) -> AsyncIterator[EventChangePage]:
        """Without end: pages of changes, and one without any, a checkpoint, whenever everything up to its revision has
        been sent and the revision moved on. None begins with the first event there is."""
        position, checkpoint = after or BEGINNING, -1
        wanted = narrowed(self._policy, wanted, channel)
        # Who begins with nothing need not hear of what was gone before.
        silent_until = None if after is None else 0
        listening = self._notifier.listen(scope)
        try:
            while True:
                page = await self._reader.changes(scope, wanted, position, PAGE)
                silent_until = page.revision if silent_until is None else silent_until
                told = _told(page, silent_until)
                if told.changes:
                    yield told
                if page.changes:
                    # A page may be short because of its bytes: only an empty one tells that there is no more.
                    position = EventCursor(page.changes[-1].revision, page.changes[-1].place)
                    continue
                position = EventCursor(max(page.revision, position.revision), LAST_PLACE)
                if position.revision != checkpoint:
                    checkpoint = position.revision
                    yield EventChangePage((), checkpoint)
                await listening.wait(MAX_WAIT_SECONDS)
        finally:
            listening.close()


def _told(page: EventChangePage, silent_until: int) -> EventChangePage:
    """The page without what was forgotten up to a revision."""
    told = [
        change
        for change in page.changes
        if change.recorded is not None or change.revision > silent_until
    ]
    return replace(page, changes=told)
