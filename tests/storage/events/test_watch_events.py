"""Watching and listing events."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

import pytest
from camillo_server.features.events.chunks import chunk_rows
from camillo_server.features.events.event import Event, EventChangePage, EventFilter, EventId
from camillo_server.features.events.events import EventQuery, Events
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import LAST_INDEX, EventCursor
from camillo_server.kernel.kinds import EventKind, Sensitivity
from camillo_server.storage.change_notifier import ChangeNotifier

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, NOW, GroundStore, ground_store
from tests.unit.events.samples import event_of

POLICY = ChannelPolicy()
ALL = EventFilter()


class FixedClock:
    def now(self) -> datetime:
        return NOW


def named(number: int, **said: object) -> Event:
    event = replace(event_of(f"turn {number} 茶"), event_id=EventId(UUID(int=number)), agent_id=ALICE.agent_id)
    return replace(event, **said)  # type: ignore[arg-type]


@dataclass
class Following:
    """The use cases over Postgres, and the last revision of what was recorded."""

    store: GroundStore
    notifier: ChangeNotifier = field(default_factory=lambda: ChangeNotifier(""))
    clock: FixedClock = field(default_factory=FixedClock)
    revision: int = 0

    def __post_init__(self) -> None:
        store = self.store
        self.events = Events(store.reader, self.notifier, POLICY, self.clock)

    async def record(self, *batches: list[Event]) -> int:
        """The first revision."""
        revisions = []
        for batch in batches:
            placed = [replace(event, index=place) for place, event in enumerate(batch)]
            rows = [row for event in placed for row in chunk_rows(event)]
            revisions.append((await self.store.record(*placed, chunks=rows)).revision)
        return revisions[0]

    async def forget(self, number: int) -> None:
        await self.store.forget([EventId(UUID(int=number))])


@pytest.fixture
async def following_events(database: TestDatabase) -> AsyncIterator[Following]:
    async with ground_store(database) as store:
        yield Following(store)


def told(page: EventChangePage) -> list[tuple[int, int, bool]]:
    return [(change.revision, change.index, change.recorded is not None) for change in page.changes]


async def following(pages: AsyncIterator[EventChangePage]) -> EventChangePage:
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await anext(pages)


async def test_a_watch_begins_with_the_first_event_and_goes_on_with_what_comes(
    following_events: Following,
) -> None:
    first = await following_events.record([named(1), named(2)], [named(3)])
    watch = following_events.events.watch(ALICE, ALL, Channel.PRIVATE, None)
    assert told(await following(watch)) == [
        (first, 0, True),
        (first, 1, True),
        (first + 1, 0, True),
    ]
    assert (await following(watch)) == EventChangePage((), first + 1)
    await following_events.forget(2)
    following_events.notifier.notify(ALICE)
    assert told(await following(watch)) == [(first + 2, 0, False)]
    assert (await following(watch)) == EventChangePage((), first + 2)


async def test_a_watch_resumes_behind_a_place_within_a_revision(
    following_events: Following,
) -> None:
    first = await following_events.record([named(1), named(2), named(3)])
    after = EventCursor(first, 1)
    watch = following_events.events.watch(ALICE, ALL, Channel.PRIVATE, after)
    assert told(await following(watch)) == [(first, 2, True)]
    behind = EventCursor(first, LAST_INDEX)
    watch = following_events.events.watch(ALICE, ALL, Channel.PRIVATE, behind)
    assert (await following(watch)) == EventChangePage((), first)


async def test_who_begins_with_nothing_does_not_hear_of_what_is_gone(
    following_events: Following,
) -> None:
    first = await following_events.record([named(1), named(2)])
    await following_events.forget(1)
    new = following_events.events.watch(ALICE, ALL, Channel.PRIVATE, None)
    assert told(await following(new)) == [(first, 1, True)]
    old = following_events.events.watch(ALICE, ALL, Channel.PRIVATE, EventCursor(first, 0))
    assert told(await following(old)) == [(first, 1, True), (first + 1, 0, False)]


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
    following_events: Following, channel: Channel, numbers: list[int]
) -> None:
    await following_events.record([named(1), SECRET, DECIDED, OPEN, SAID])
    events = following_events.events
    asked = EventQuery(ALICE, ALL, channel, newest_first=False)
    listed = await events.list(asked, None, 50)
    assert [event.event_id.int for event in listed.events] == numbers
    watch = events.watch(ALICE, ALL, channel, None)
    page = await following(watch)
    watched = [change.recorded.event_id.int for change in page.changes if change.recorded]
    assert watched == numbers
    for number in range(1, 6):
        found = events.get(ALICE, EventId(UUID(int=number)), channel)
        if number in numbers:
            event, chunk_ids = await found
            assert (event.event_id.int, len(chunk_ids)) == (number, 1)
        else:
            with pytest.raises(NotFound):
                await found


@pytest.mark.parametrize("newest_first", [False, True])
async def test_pages_follow_each_other_to_the_end(following_events: Following, newest_first: bool) -> None:
    await following_events.record(*[[named(n), named(n + 1)] for n in range(1, 9, 2)])
    events = following_events.events
    asked = EventQuery(ALICE, ALL, Channel.PRIVATE, newest_first=newest_first)
    numbers: list[int] = []
    after: EventCursor | None = None
    for _ in range(10):
        listed = await events.list(asked, after, 3)
        numbers += [event.event_id.int for event in listed.events]
        after = EventCursor(listed.events[-1].revision, listed.events[-1].index)
        if not listed.has_more:
            break
    expected = list(range(1, 9))
    assert numbers == (expected[::-1] if newest_first else expected)
