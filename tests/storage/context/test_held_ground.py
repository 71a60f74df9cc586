"""Grounds that were read before: given back where they are still true, and where Postgres is away."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from camillo_server.context.ports import Ground, GroundWanted
from camillo_server.context.store.record_cache import HeldGround
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.revision import (
    FULLY_CONSISTENT,
    MINIMIZE_LATENCY,
    AtLeastAsFresh,
    Freshness,
)
from camillo_server.kernel.scope import Scope
from camillo_server.storage.lexemes import scope_prefix

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
from tests.storage.context.test_ground import ALL, NOTHING, memory, remember
from tests.storage.context.test_handoffs import handoff
from tests.storage.context.test_views import view
from tests.storage.replays import OF_HANDOFF
from tests.storage.tasks.test_tasks import task


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
    """A held ground, and what it hears."""

    held: HeldGround
    indexes: Indexes
    store: GroundStore

    async def ground(
        self,
        freshness: Freshness = MINIMIZE_LATENCY,
        seconds: float = 0,
        wanted: GroundWanted = ALL,
    ) -> Ground:
        return await self.held.ground(ALICE, wanted, freshness, now=later(seconds))

    async def is_kept(self, freshness: Freshness = MINIMIZE_LATENCY, seconds: float = 0) -> bool:
        """Whether the next answer comes without Postgres: what is written behind its back is not seen."""
        before = len((await self.ground(seconds=seconds)).tasks)
        hidden = task(title="behind the back")
        await self.store.tasks.put(ALICE, hidden, None, None, texts={}, now=NOW)
        return len((await self.ground(freshness, seconds)).tasks) == before


@pytest.fixture
async def holding(store: GroundStore) -> Holding:
    """The index of Alice's scope is in memory, that of the shared one is not."""
    indexes = Indexes({})
    held = HeldGround(store.ground, indexes.revision_of)
    await store.views.put(ALICE, view(), None, None, now=NOW)
    indexes.revisions[ALICE] = (await store.record(event("first"))).revision
    return Holding(held, indexes, store)


@pytest.mark.parametrize("has_shared_index", [False, True])
async def test_what_is_still_true_is_not_read_again(
    holding: Holding, has_shared_index: bool
) -> None:
    if has_shared_index:
        holding.indexes.revisions[SHARED] = 0
    at = AtLeastAsFresh(holding.indexes.revisions[ALICE])
    assert await holding.is_kept()
    assert await holding.is_kept(at)
    first = await holding.ground()
    await holding.store.database.close()
    assert await holding.ground() is not first
    assert replace(await holding.ground()) == first
    assert not (await holding.ground()).is_held


async def test_it_is_read_again_where_the_index_has_gone_on(holding: Holding) -> None:
    await holding.ground()
    holding.indexes.revisions[ALICE] += 1
    assert not await holding.is_kept()


async def test_where_no_index_is_in_memory_it_is_read_again_when_the_notifier_rings(
    holding: Holding,
) -> None:
    del holding.indexes.revisions[ALICE]
    before = len((await holding.ground()).tasks)
    await holding.store.tasks.put(ALICE, task(), None, None, texts={}, now=NOW)
    assert len((await holding.ground()).tasks) == before
    holding.held.on_change(scope_prefix(ALICE))
    assert len((await holding.ground()).tasks) == before + 1


async def test_it_is_read_again_where_a_fresh_one_is_demanded(holding: Holding) -> None:
    assert not await holding.is_kept(FULLY_CONSISTENT)
    newest = (await holding.ground(FULLY_CONSISTENT)).revision
    holding.indexes.revisions[ALICE] = newest
    assert not await holding.is_kept(AtLeastAsFresh(newest + 1))


async def test_it_is_read_again_when_its_time_has_passed_or_goes_back(holding: Holding) -> None:
    for seconds in (6, -1):
        await holding.ground()
        first = len((await holding.ground()).tasks)
        await holding.store.tasks.put(ALICE, task(), None, None, texts={}, now=NOW)
        assert len((await holding.ground(seconds=seconds)).tasks) == first + 1
        holding.indexes.revisions[ALICE] += 1


async def test_a_commit_in_this_process_is_heard_of(holding: Holding) -> None:
    """Also where the index has not caught up with it yet, and where it is of the shared scope."""
    for scope in (ALICE, SHARED):
        holding.indexes.revisions[ALICE] = (await holding.ground(FULLY_CONSISTENT)).revision
        before = len((await holding.ground()).tasks)
        written = await holding.store.tasks.put(scope, task(scope), None, None, texts={}, now=NOW)
        assert len((await holding.ground()).tasks) == before
        assert holding.held.on_commit(scope, written.revision, ())
        assert len((await holding.ground()).tasks) == before + 1


async def test_a_ring_for_its_scopes_is_heard_of(holding: Holding) -> None:
    for name in (scope_prefix(SHARED), scope_prefix(ALICE), None):
        before = len((await holding.ground(FULLY_CONSISTENT)).tasks)
        await holding.store.tasks.put(SHARED, task(SHARED), None, None, texts={}, now=NOW)
        holding.held.on_change(scope_prefix(BOB))
        assert len((await holding.ground()).tasks) == before
        holding.held.on_change(name)
        assert len((await holding.ground()).tasks) == before + 1


async def test_with_postgres_away_what_was_said_before_is_given_back_and_marked(
    holding: Holding,
) -> None:
    """But neither to who demands more, nor to others, nor what has expired meanwhile."""
    await remember(holding.store, memory("expires", expires_at=later(50), pinned=True))
    await remember(holding.store, memory("stays", pinned=True))
    sent = handoff(BOB, ALICE, expires_at=later(50))
    await holding.store.record(event(scope=BOB), scope=BOB)
    await holding.store.handoffs.put(BOB, sent, OF_HANDOFF, None, now=NOW)
    before = await holding.ground()
    assert len(before.pinned) == len(before.recent_memories) == 2
    await holding.store.database.close()
    assert await holding.ground(seconds=10) == replace(before, is_held=True)
    with pytest.raises(StorageUnavailable):
        await holding.ground(FULLY_CONSISTENT)
    later_on = await holding.ground(seconds=50)
    assert later_on.is_held
    assert [each.content for each in later_on.pinned] == ["stays"]
    assert [each.content for each in later_on.recent_memories] == ["stays"]
    assert (len(before.handoffs), later_on.handoffs) == (1, [])
    assert (await holding.ground(AtLeastAsFresh(before.revision))).is_held
    with pytest.raises(StorageUnavailable):
        await holding.ground(AtLeastAsFresh(before.revision + 1))
    with pytest.raises(StorageUnavailable):
        await holding.ground(wanted=NOTHING)
    for scope in (BOB, SHARED, RIVAL):
        with pytest.raises(StorageUnavailable):
            await holding.held.ground(scope, ALL, MINIMIZE_LATENCY, now=NOW)


@pytest.mark.parametrize("name", [scope_prefix(SHARED), scope_prefix(ALICE), None])
async def test_what_was_taken_back_is_not_shown_even_with_postgres_away(
    holding: Holding, name: str | None
) -> None:
    await holding.ground()
    holding.held.on_removal(scope_prefix(BOB))
    kept = await holding.ground(seconds=10)
    reader = holding.held._reader
    read = reader.read

    async def meanwhile(*asked: Any, **wanted: Any) -> Any:
        found = await read(*asked, **wanted)
        holding.held.on_removal(name)
        return found

    reader.read = meanwhile  # type: ignore[method-assign]
    assert (await holding.ground(FULLY_CONSISTENT)).tasks == kept.tasks
    reader.read = read  # type: ignore[method-assign]
    await holding.store.database.close()
    with pytest.raises(StorageUnavailable):
        await holding.ground(seconds=10)


async def test_the_least_recently_used_goes_first(
    holding: Holding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.context.store.record_cache.MOST_HELD", 2)
    first, second, third = ALL, replace(ALL, tasks=1), NOTHING
    for wanted in (first, second, first, third):
        await holding.ground(wanted=wanted)
    await holding.store.database.close()
    for wanted in (first, third):
        await holding.ground(wanted=wanted)
    with pytest.raises(StorageUnavailable):
        await holding.ground(wanted=second)


async def test_it_holds_no_more_than_so_many_bytes(
    holding: Holding, monkeypatch: pytest.MonkeyPatch
) -> None:
    await holding.store.record(event("x" * 50_000), chunks=[])
    monkeypatch.setattr("camillo_server.context.store.record_cache.MOST_BYTES", 40_000)
    await holding.ground()
    await holding.ground(wanted=NOTHING)
    await holding.store.database.close()
    assert (await holding.ground(wanted=NOTHING, seconds=10)).is_held
    with pytest.raises(StorageUnavailable):
        await holding.ground(seconds=10)
