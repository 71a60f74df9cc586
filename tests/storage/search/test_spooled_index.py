"""Spooled rows in an index beside what is committed: whatever happens to either, nothing stale is left."""

from collections.abc import AsyncIterator

import pytest
from camillo_server.kernel.writes import FULLY_CONSISTENT, MINIMIZE_LATENCY, AtLeastAsFresh

from tests.patience import until
from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import ALICE, Replica, contents, new_row, replica


@pytest.fixture
async def here(database: TestDatabase) -> AsyncIterator[Replica]:
    async with replica(database) as here:
        await here.remember(new_row("one 一"))
        await here.warm()
        yield here


def shown(here: Replica) -> list[str]:
    resident = here.held()
    assert resident is not None
    return contents(resident.snapshot)


def marked(here: Replica) -> list[str]:
    """The contents that are marked as spooled."""
    resident = here.held()
    assert resident is not None
    snapshot = resident.snapshot
    rows = [row for row in range(snapshot.count) if snapshot.live[row]]
    return sorted(each.content for each in snapshot.memories(rows) if each.is_spooled)


async def drain(here: Replica) -> None:
    here.notifier.notify_drained(ALICE)
    await until(lambda: not marked(here))


async def test_rows_of_others_are_applied_beside_spooled_ones(database: TestDatabase, here: Replica) -> None:
    here.notifier.notify_spooled(ALICE, [new_row("spooled 存")])
    async with replica(database) as there:
        await there.remember(new_row("of another server"))
    await here.check()
    assert shown(here) == sorted(["of another server", "one 一", "spooled 存"])
    assert marked(here) == ["spooled 存"]
    await drain(here)
    assert shown(here) == sorted(["of another server", "one 一"])
    assert here.caches.failures == 0


async def test_a_replayed_row_that_was_forgotten_does_not_come_back(here: Replica) -> None:
    row = new_row("spooled, then forgotten 忘")
    here.notifier.notify_spooled(ALICE, [row])
    assert marked(here) == ["spooled, then forgotten 忘"]
    await here.remember(row)
    assert (shown(here), marked(here)) == (sorted(["one 一", row.memory.content]), [])
    await here.forget([row.memory.memory_id])
    here.caches.drop(ALICE, "a test drops it")
    await here.warm()
    assert shown(here) == ["one 一"]


async def test_only_what_demands_no_commit_sees_spooled_rows(here: Replica) -> None:
    here.notifier.notify_spooled(ALICE, [new_row("spooled 存")])
    resident = here.held()
    assert resident is not None
    for freshness, count in (
        (MINIMIZE_LATENCY, 2),
        (AtLeastAsFresh(resident.revision), 2),
        (AtLeastAsFresh(resident.revision, is_committed=True), 1),
        (FULLY_CONSISTENT, 1),
    ):
        snapshot = await resident.snapshot_for(freshness)
        assert snapshot is not None
        assert (snapshot.live_count, snapshot.facts.memory_count, len(contents(snapshot))) == (count,) * 3
    assert await resident.snapshot_for(AtLeastAsFresh(resident.revision + 1)) is None


async def test_a_row_that_is_spooled_again_takes_its_own_place(here: Replica) -> None:
    row = new_row("first 一次")
    here.notifier.notify_spooled(ALICE, [row])
    again = new_row("second 二次", memory_id=row.memory.memory_id)
    here.notifier.notify_spooled(ALICE, [again])
    assert marked(here) == ["second 二次"]
    await here.remember(row)
    # A spooled row that comes late does not hide the committed one.
    here.notifier.notify_spooled(ALICE, [again])
    assert (shown(here), marked(here)) == (sorted(["first 一次", "one 一"]), [])


async def test_a_new_history_keeps_what_is_spooled(here: Replica) -> None:
    here.notifier.notify_spooled(ALICE, [new_row("spooled 存")])
    here.notifier.notify_new_history()
    assert here.held() is None
    await here.warm()
    assert marked(here) == ["spooled 存"]
