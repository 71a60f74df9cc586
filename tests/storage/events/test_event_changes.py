"""Changes of events: what was recorded and forgotten behind a place, in the order of recording."""

from collections.abc import AsyncIterator

import pytest
from camillo_server.features.events.event import EventFilter
from camillo_server.kernel.ids import EventCursor

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    EVERYTHING,
    GroundStore,
    event,
    ground_store,
    text_of,
)

BEGINNING = EventCursor(0, 2**31 - 1)


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


async def test_changes_cut_by_bytes_end_with_a_revision(store: GroundStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.features.events.store.reader.PAGE_BYTES", 2_500)
    for first, size in ((0, 1), (1, 4), (5, 1)):
        await store.record(*(event(f"{first + n}".ljust(1_000)) for n in range(size)))
    page = await store.reader.changes(ALICE, EVERYTHING, BEGINNING, 100)
    assert [int(text_of(c.recorded)) for c in page.changes if c.recorded] == [0, 1, 2, 3, 4]
    assert page.revision == page.changes[-1].revision
    rest = await store.reader.changes(ALICE, EVERYTHING, EventCursor(page.revision, 2**31 - 1), 9)
    assert [int(text_of(c.recorded)) for c in rest.changes if c.recorded] == [5]
    assert rest.revision == page.revision + 1


async def test_changes_tell_what_was_recorded_and_forgotten_in_order(store: GroundStore) -> None:
    kept, gone, last = event("kept"), event("gone", session_id="s2"), event("last")
    await store.record(kept, gone)
    before = await store.reader.changes(ALICE, EVERYTHING, BEGINNING, 10)
    assert [c.recorded.event_id for c in before.changes if c.recorded] == [
        kept.event_id,
        gone.event_id,
    ]
    forgotten = await store.forget("s2")
    await store.record(last)
    after = EventCursor(before.revision, 2**31 - 1)
    # A forgotten event is told to those, too, who asked for something else.
    for wanted in (EVERYTHING, EventFilter(session_id="s1")):
        page = await store.reader.changes(ALICE, wanted, after, 10)
        assert [(c.recorded and text_of(c.recorded), c.forgotten) for c in page.changes] == [
            (None, gone.event_id),
            ("last", None),
        ]
        assert [c.revision for c in page.changes] == [forgotten.revision, page.revision]
    one_by_one = []
    while True:
        page = await store.reader.changes(ALICE, EVERYTHING, after, 1)
        if not page.changes:
            break
        assert page.revision == page.changes[0].revision - 1
        one_by_one.append(page.changes[0].forgotten)
        after = EventCursor(page.changes[0].revision, page.changes[0].index)
    assert one_by_one == [gone.event_id, None]


async def test_changes_that_do_not_pass_still_bring_a_watch_forward(store: GroundStore) -> None:
    revision = (await store.record(event("passed over"))).revision
    wanted = EventFilter(session_id="nowhere")
    page = await store.reader.changes(ALICE, wanted, BEGINNING, 10)
    assert (page.changes, page.revision) == ([], revision)
    assert (await store.reader.changes(BOB, wanted, BEGINNING, 10)).revision == 0
