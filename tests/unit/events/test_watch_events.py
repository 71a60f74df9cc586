"""Watching, listing and rebuilding over events in memory."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import UUID

import pytest
from camillo_server.events.chunks import chunk_rows
from camillo_server.events.event import Event, EventFilter, EventId, EventKind
from camillo_server.events.ports import EventChangePage, EventsReplay
from camillo_server.events.read_events import EventsAsked, GetEvent, ListEvents, WatchEvents
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.paging import LAST_PLACE, EventCursor
from camillo_server.storage.change_notifier import ChangeNotifier

from tests.unit.events.events_in_memory import EventsInMemory
from tests.unit.events.samples import MOMENT, SCOPE, event_of

POLICY = ChannelPolicy()
ALL = EventFilter()


def named(number: int, **said: object) -> Event:
    event = replace(event_of(f"turn {number} 茶"), event_id=EventId(UUID(int=number)))
    return replace(event, **said)  # type: ignore[arg-type]


async def with_events(*batches: list[Event]) -> EventsInMemory:
    events = EventsInMemory()
    for batch in batches:
        placed = [replace(event, place=place) for place, event in enumerate(batch)]
        rows = [row for event in placed for row in chunk_rows(event)]
        await events.record(SCOPE, placed, rows, EventsReplay(MOMENT, ()), None, now=MOMENT)
    return events


def told(page: EventChangePage) -> list[tuple[int, int, bool]]:
    return [(change.revision, change.place, change.recorded is not None) for change in page.changes]


async def following(pages: AsyncIterator[EventChangePage]) -> EventChangePage:
    async with asyncio.timeout(5):
        return await anext(pages)


async def test_a_watch_begins_with_the_first_event_and_goes_on_with_what_comes() -> None:
    events, notifier = await with_events([named(1), named(2)], [named(3)]), ChangeNotifier("")
    watch = WatchEvents(events, notifier, POLICY)(SCOPE, ALL, Channel.PRIVATE, None)
    assert told(await following(watch)) == [(1, 0, True), (1, 1, True), (2, 0, True)]
    assert (await following(watch)) == EventChangePage((), 2)
    await events.forget(SCOPE, [EventId(UUID(int=2))], None, dry_run=False, now=MOMENT)
    notifier.notify(SCOPE)
    assert told(await following(watch)) == [(3, 0, False)]
    assert (await following(watch)) == EventChangePage((), 3)


async def test_a_watch_resumes_behind_a_place_within_a_revision() -> None:
    events = await with_events([named(1), named(2), named(3)])
    after = EventCursor(1, 1)
    watch = WatchEvents(events, ChangeNotifier(""), POLICY)(SCOPE, ALL, Channel.PRIVATE, after)
    assert told(await following(watch)) == [(1, 2, True)]
    behind = WatchEvents(events, ChangeNotifier(""), POLICY)(
        SCOPE, ALL, Channel.PRIVATE, EventCursor(1, LAST_PLACE)
    )
    assert (await following(behind)) == EventChangePage((), 1)


async def test_who_begins_with_nothing_does_not_hear_of_what_is_gone() -> None:
    events = await with_events([named(1), named(2)])
    await events.forget(SCOPE, [EventId(UUID(int=1))], None, dry_run=False, now=MOMENT)
    new = WatchEvents(events, ChangeNotifier(""), POLICY)(SCOPE, ALL, Channel.PRIVATE, None)
    assert told(await following(new)) == [(1, 1, True)]
    old = WatchEvents(events, ChangeNotifier(""), POLICY)(
        SCOPE, ALL, Channel.PRIVATE, EventCursor(1, 0)
    )
    assert told(await following(old)) == [(1, 1, True), (2, 0, False)]


SECRET = named(2, sensitivity=Sensitivity.RESTRICTED)
DECIDED = named(3, sensitivity=Sensitivity.PUBLIC, kind=EventKind.DECISION)
OPEN = named(4, sensitivity=Sensitivity.PUBLIC, kind=EventKind.DECISION, channel=Channel.PUBLIC)
SAID = named(5, sensitivity=Sensitivity.PUBLIC)


@pytest.mark.parametrize(
    ("channel", "numbers"),
    [
        (Channel.PRIVATE, [1, 2, 3, 4, 5]),
        (Channel.TEAM, [1, 3, 4, 5]),
        (Channel.AGENT, [1, 3, 4, 5]),
        (Channel.PUBLIC, [4, 5]),
    ],
)
async def test_a_channel_loads_what_it_may_however_it_is_read(
    channel: Channel, numbers: list[int]
) -> None:
    events = await with_events([named(1), SECRET, DECIDED, OPEN, SAID])
    asked = EventsAsked(SCOPE, ALL, channel, newest_first=False)
    listed = await ListEvents(events, POLICY)(asked, None, 50)
    assert [event.event_id.int for event in listed.events] == numbers
    watch = WatchEvents(events, ChangeNotifier(""), POLICY)(SCOPE, ALL, channel, None)
    page = await following(watch)
    watched = [change.recorded.event_id.int for change in page.changes if change.recorded]
    assert watched == numbers
    for number in range(1, 6):
        found = GetEvent(events, POLICY)(SCOPE, EventId(UUID(int=number)), channel)
        if number in numbers:
            event, chunk_ids = await found
            assert (event.event_id.int, len(chunk_ids)) == (number, 1)
        else:
            with pytest.raises(NotFound):
                await found


@pytest.mark.parametrize("newest_first", [False, True])
async def test_pages_follow_each_other_to_the_end(newest_first: bool) -> None:
    events = await with_events(*[[named(n), named(n + 1)] for n in range(1, 9, 2)])
    asked = EventsAsked(SCOPE, ALL, Channel.PRIVATE, newest_first=newest_first)
    numbers: list[int] = []
    after: EventCursor | None = None
    for _ in range(10):
        listed = await ListEvents(events, POLICY)(asked, after, 3)
        numbers += [event.event_id.int for event in listed.events]
        after = listed.next_cursor
        if after is None:
            break
    expected = list(range(1, 9))
    assert numbers == (expected[::-1] if newest_first else expected)
