"""ListEvents: events that pass a filter, in the order of recording or against it, in pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.domain.channel import Channel, ChannelPolicy
from camillo_server.domain.events.event import Event, EventFilter
from camillo_server.domain.events.loading import narrowed
from camillo_server.domain.events.ports import EventCursor, EventReader
from camillo_server.domain.scope import Scope


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
