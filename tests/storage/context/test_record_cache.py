"""Grounds that were read before: given back where they are still true, and where Postgres is away."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pytest
from camillo_server.across.context.records import ContextRecords, RecordsQuery
from camillo_server.across.context.store.record_cache import RecordCache
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import (
    FULLY_CONSISTENT,
    MINIMIZE_LATENCY,
    AtLeastAsFresh,
    Freshness,
)
from camillo_server.storage.scopes import scope_prefix

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    NOW,
    RIVAL,
    SHARED,
    GroundStore,
    event,
    ground_store,
    later,
)
from tests.storage.context.test_context_records import ALL, NOTHING, memory, remember
from tests.storage.context.test_handoffs import handoff
from tests.storage.context.test_views import view
from tests.storage.tasks.test_tasks import task

Result = TypeVar("Result")


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


@dataclass(slots=True)
class Indexes:
    """How far the indexes in memory have come."""

    revisions: dict[Scope, int]

    def revision_of(self, scope: Scope) -> int | None:
        return self.revisions.get(scope)


@dataclass(slots=True)
class Holding:
    """A record cache, and what it is notified of."""

    held: RecordCache
    indexes: Indexes
    store: GroundStore

    async def records(
        self,
        freshness: Freshness = MINIMIZE_LATENCY,
        seconds: float = 0,
        wanted: RecordsQuery = ALL,
    ) -> ContextRecords:
        return await self.held.read(ALICE, wanted, freshness, now=later(seconds))

    async def is_kept(self, freshness: Freshness = MINIMIZE_LATENCY, seconds: float = 0) -> bool:
        """Whether the next answer comes without Postgres: what is written behind its back is not seen."""
        before = len((await self.records(seconds=seconds)).tasks)
        hidden = task(title="behind the back")
        await self.store.tasks.put(ALICE, hidden, None, None, texts={}, now=NOW)
        return len((await self.records(freshness, seconds)).tasks) == before


@pytest.fixture
async def holding(store: GroundStore) -> Holding:
    """The index of Alice's scope is in memory, that of the shared one is not."""
    indexes = Indexes({})
    held = RecordCache(store.records, indexes.revision_of)
    await store.views.put(ALICE, view(), None, None, now=NOW)
    indexes.revisions[ALICE] = (await store.record(event("first"))).revision
    return Holding(held, indexes, store)


@pytest.mark.parametrize("has_shared_index", [False, True])
async def test_what_is_still_true_is_not_read_again(holding: Holding, has_shared_index: bool) -> None:
    if has_shared_index:
        holding.indexes.revisions[SHARED] = 0
    at = AtLeastAsFresh(holding.indexes.revisions[ALICE])
    assert await holding.is_kept()
    assert await holding.is_kept(at)
    first = await holding.records()
    await holding.store.database.close()
    # The very same: what bundles have made of it is there, too.
    assert await holding.records() is first
    assert not (await holding.records()).is_stale


async def test_it_is_read_again_where_the_index_has_gone_on(holding: Holding) -> None:
    await holding.records()
    holding.indexes.revisions[ALICE] += 1
    assert not await holding.is_kept()


async def test_where_no_index_is_in_memory_it_is_read_again_when_the_notifier_rings(
    holding: Holding,
) -> None:
    del holding.indexes.revisions[ALICE]
    before = len((await holding.records()).tasks)
    await holding.store.tasks.put(ALICE, task(), None, None, texts={}, now=NOW)
    assert len((await holding.records()).tasks) == before
    holding.held.on_change(scope_prefix(ALICE))
    assert len((await holding.records()).tasks) == before + 1


async def test_it_is_read_again_where_a_fresh_one_is_demanded(holding: Holding) -> None:
    assert not await holding.is_kept(FULLY_CONSISTENT)
    newest = (await holding.records(FULLY_CONSISTENT)).revision
    holding.indexes.revisions[ALICE] = newest
    assert not await holding.is_kept(AtLeastAsFresh(newest + 1))


async def test_it_is_read_again_when_its_time_has_passed_or_goes_back(holding: Holding) -> None:
    for seconds in (6, -1):
        await holding.records()
        first = len((await holding.records()).tasks)
        await holding.store.tasks.put(ALICE, task(), None, None, texts={}, now=NOW)
        assert len((await holding.records(seconds=seconds)).tasks) == first + 1
        holding.indexes.revisions[ALICE] += 1


async def test_a_commit_in_this_process_is_heard_of(holding: Holding) -> None:
    """A commit counts even if the index has not caught up with it yet, and if it is of the shared scope."""
    for scope in (ALICE, SHARED):
        holding.indexes.revisions[ALICE] = (await holding.records(FULLY_CONSISTENT)).revision
        before = len((await holding.records()).tasks)
        written = await holding.store.tasks.put(scope, task(scope), None, None, texts={}, now=NOW)
        assert len((await holding.records()).tasks) == before
        assert holding.held.on_commit(scope, written.revision, ())
        assert len((await holding.records()).tasks) == before + 1


async def test_a_ring_for_its_scopes_is_heard_of(holding: Holding) -> None:
    for name in (scope_prefix(SHARED), scope_prefix(ALICE), None):
        before = len((await holding.records(FULLY_CONSISTENT)).tasks)
        await holding.store.tasks.put(SHARED, task(SHARED), None, None, texts={}, now=NOW)
        holding.held.on_change(scope_prefix(BOB))
        assert len((await holding.records()).tasks) == before
        holding.held.on_change(name)
        assert len((await holding.records()).tasks) == before + 1


async def test_with_postgres_away_what_was_said_before_is_given_back_and_marked(
    holding: Holding,
) -> None:
    """Stale records go neither to who demands more, nor to others, and never after they have expired."""
    await remember(holding.store, memory("expires", expires_at=later(50), pinned=True))
    await remember(holding.store, memory("stays", pinned=True))
    sent = handoff(BOB, ALICE, expires_at=later(50))
    await holding.store.record(event(scope=BOB), scope=BOB)
    await holding.store.handoffs.put(BOB, sent, None, now=NOW)
    before = await holding.records()
    assert len(before.pinned) == len(before.recent_memories) == 2
    await holding.store.database.close()
    assert await holding.records(seconds=10) == replace(before, is_stale=True)
    with pytest.raises(StorageUnavailable):
        await holding.records(FULLY_CONSISTENT)
    later_on = await holding.records(seconds=50)
    assert later_on.is_stale
    assert [each.content for each in later_on.pinned] == ["stays"]
    assert [each.content for each in later_on.recent_memories] == ["stays"]
    assert (len(before.handoffs), later_on.handoffs) == (1, [])
    assert (await holding.records(AtLeastAsFresh(before.revision))).is_stale
    with pytest.raises(StorageUnavailable):
        await holding.records(AtLeastAsFresh(before.revision + 1))
    with pytest.raises(StorageUnavailable):
        await holding.records(wanted=NOTHING)
    for scope in (BOB, SHARED, RIVAL):
        with pytest.raises(StorageUnavailable):
            await holding.held.read(scope, ALL, MINIMIZE_LATENCY, now=NOW)


@pytest.mark.parametrize("name", [scope_prefix(SHARED), scope_prefix(ALICE), None])
async def test_what_was_taken_back_is_not_shown_even_with_postgres_away(holding: Holding, name: str | None) -> None:
    await holding.records()
    holding.held.on_removal(scope_prefix(BOB))
    kept = await holding.records(seconds=10)
    reader = holding.held._reader
    read = reader.read

    async def meanwhile(*asked: Any, **wanted: Any) -> Any:
        found = await read(*asked, **wanted)
        holding.held.on_removal(name)
        return found

    reader.read = meanwhile  # type: ignore[method-assign]
    assert (await holding.records(FULLY_CONSISTENT)).tasks == kept.tasks
    reader.read = read  # type: ignore[method-assign]
    await holding.store.database.close()
    with pytest.raises(StorageUnavailable):
        await holding.records(seconds=10)


async def test_the_least_recently_used_goes_first(holding: Holding, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.across.context.store.record_cache.MAX_ENTRIES", 2)
    first, second, third = ALL, replace(ALL, tasks=1), NOTHING
    for wanted in (first, second, first, third):
        await holding.records(wanted=wanted)
    await holding.store.database.close()
    for wanted in (first, third):
        await holding.records(wanted=wanted)
    with pytest.raises(StorageUnavailable):
        await holding.records(wanted=second)


async def test_it_holds_no_more_than_so_many_bytes(holding: Holding, monkeypatch: pytest.MonkeyPatch) -> None:
    await holding.store.record(event("x" * 50_000), chunks=[])
    monkeypatch.setattr("camillo_server.across.context.store.record_cache.MAX_BYTES", 40_000)
    await holding.records()
    await holding.records(wanted=NOTHING)
    await holding.store.database.close()
    assert (await holding.records(wanted=NOTHING, seconds=10)).is_stale
    with pytest.raises(StorageUnavailable):
        await holding.records(seconds=10)


class SlowReader:
    """Passes on what the reader of a cache reads when it is let go, the first read before the others; counts the
    reads."""

    def __init__(self, held: RecordCache) -> None:
        self._read = held._reader.read
        held._reader.read = self._counted  # type: ignore[method-assign]
        self.count = 0
        self.goes_on = asyncio.Event()
        # Later reads wait for this, too: what they keep would take the place of what the first one keeps.
        self.others_go_on = asyncio.Event()
        self.others_go_on.set()
        self.error: Exception | None = None

    async def _counted(self, *asked: Any, **wanted: Any) -> ContextRecords:
        self.count += 1
        is_first = self.count == 1
        records = await self._read(*asked, **wanted)
        await self.goes_on.wait()
        if not is_first:
            await self.others_go_on.wait()
        if self.error is not None:
            raise self.error
        return records


async def started(coroutine: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
    """A task that waits for something outside."""
    task = asyncio.create_task(coroutine)
    await asyncio.sleep(0)
    return task


@pytest.mark.caches
async def test_callers_at_once_share_one_read(holding: Holding) -> None:
    reader = SlowReader(holding.held)
    reader.others_go_on.clear()
    reading = [await started(holding.records(seconds=i / 100)) for i in range(16)]
    # But for who demands everything committed, or asks for another time or for other records.
    reading.append(await started(holding.records(FULLY_CONSISTENT, seconds=1)))
    reading.append(await started(holding.records(seconds=-60)))
    reading.append(await started(holding.records(wanted=NOTHING)))
    assert reader.count == 4
    reader.goes_on.set()
    first, *others = await asyncio.gather(*reading[:16])
    assert all(each == first for each in others)
    assert first.views
    reader.others_go_on.set()
    await asyncio.gather(*reading[16:])
    assert reader.count == 4


async def test_who_waits_for_a_read_that_a_change_overtook_reads_again(holding: Holding) -> None:
    reader = SlowReader(holding.held)
    first, second, third = [await started(holding.records()) for _ in range(3)]
    written = await holding.store.tasks.put(ALICE, task(), None, None, texts={}, now=NOW)
    holding.held.on_commit(ALICE, written.revision, ())
    holding.indexes.revisions[ALICE] = written.revision
    late = await started(holding.records(AtLeastAsFresh(written.revision)))
    reader.goes_on.set()
    await first
    for each in (second, third, late):
        assert len((await each).tasks) == 1
    # The others share the second one.
    assert reader.count == 2


async def test_who_waits_for_a_read_that_fails_or_is_cancelled_reads_for_itself(
    holding: Holding,
) -> None:
    reader = SlowReader(holding.held)
    reading = [await started(holding.records()) for _ in range(3)]
    reading[0].cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading[0]
    reader.goes_on.set()
    assert all([(await each).views for each in reading[1:]])
    reader.goes_on.clear()
    reader.error = StorageUnavailable()
    holding.held.on_removal(None)
    reading = [await started(holding.records()) for _ in range(3)]
    before = reader.count
    reader.goes_on.set()
    for each in reading:
        with pytest.raises(StorageUnavailable):
            await each
    assert reader.count == before + 2
