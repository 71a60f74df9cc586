"""Memory pressure: little room for many scopes, a giant among them, scopes that grow and indexes that wear out."""

import asyncio
import random
from dataclasses import replace

import numpy as np
import pytest
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import MINIMIZE_LATENCY, AtLeastAsFresh
from camillo_server.search.candidates import AnsweredBy
from camillo_server.search.index import scope_caches, scope_index
from camillo_server.search.index.dense import DenseIndex, SegmentSizes
from camillo_server.search.index.engine import CachedMemorySearch
from camillo_server.search.store.recall import PostgresMemorySearch

from tests.patience import until
from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    MODEL,
    Replica,
    contents,
    is_found,
    new_row,
    new_rows,
    replica,
    spec,
    unit,
)

MEGABYTE = 2**20
LONG = "烤" + "x" * 500
GIANT = 99


def agent(number: int) -> Scope:
    return Scope(ALICE.tenant_id, AgentId(f"agent-{number}"))


def search(here: Replica) -> CachedMemorySearch:
    return CachedMemorySearch(here.caches, PostgresMemorySearch(here.database), MODEL)


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scope that did not come in may try again at once."""
    monkeypatch.setattr(scope_caches, "LOAD_BACKOFF_SECONDS", 0.0)


async def test_with_a_megabyte_everything_is_answered_and_the_used_scopes_stay(
    database: TestDatabase,
) -> None:
    async with replica(database, max_bytes=MEGABYTE) as here:
        for number in range(30):
            await here.remember_many(new_rows(100, LONG), agent(number))
        await here.remember_many(new_rows(3_000, LONG), agent(GIANT))
        asking, dice = search(here), random.Random(1)  # noqa: S311
        answered: dict[AnsweredBy, int] = dict.fromkeys(AnsweredBy, 0)
        for turn in range(300):
            # Some are asked far more than others, and now and then the giant.
            number = GIANT if turn % 25 == 24 else min(29, int(dice.expovariate(0.2)))
            asked = replace(spec([], unit(1.0)), scope=agent(number))
            pool = await asking.candidates(asked, MINIMIZE_LATENCY)
            assert len(pool) == 50
            answered[pool.answered_by] += 1
            await until(lambda: not here.caches._loading)
            assert here.caches.budget.bytes_held <= MEGABYTE
        assert here.caches.budget.evictions
        assert here.held(agent(0))
        assert here.held(agent(GIANT)) is None
        assert answered[AnsweredBy.CACHE] > answered[AnsweredBy.POSTGRES] > 0


async def test_a_scope_that_was_evicted_is_loaded_anew_when_it_is_used(
    database: TestDatabase,
) -> None:
    async with replica(database, max_bytes=MEGABYTE) as here:
        for number in range(3):
            await here.remember_many(new_rows(500, LONG), agent(number))
        first = await here.warm(agent(0))
        for number in (1, 2):
            # Used more than the first.
            here.caches.use(agent(number))
            await here.warm(agent(number))
        assert here.held(agent(0)) is None
        await here.remember(new_row("written while it was out"), agent(0))
        for _ in range(3):
            here.caches.use(agent(0))
        again = await here.warm(agent(0))
        assert again is not first
        assert is_found(again.snapshot, "written")
        assert not is_found(first.snapshot, "written")


@pytest.mark.parametrize("used", [True, False])
async def test_a_scope_that_grows_beyond_its_share_is_dropped(database: TestDatabase, used: bool) -> None:
    """A scope that is only written to is dropped as well."""
    async with replica(database, max_bytes=MEGABYTE) as here:
        await here.remember_many(new_rows(100))
        resident = await here.warm()
        await here.caches.check()
        before = here.caches.budget.bytes_held
        for row in new_rows(600, "later memory"):
            await here.remember(row)
            if here.caches.budget.bytes_held == before:
                assert here.held() is resident
            if used:
                here.caches.use(ALICE)
        await here.caches.check()
        assert here.held() is None
        assert here.caches.budget.bytes_held == 0
        pool = await search(here).candidates(spec(["memori"], unit(1.0)), MINIMIZE_LATENCY)
        assert pool.answered_by is AnsweredBy.POSTGRES
        assert len(pool) >= 50


@pytest.mark.parametrize("told", [True, False])
async def test_a_worn_index_is_built_anew_aside_while_it_serves(
    database: TestDatabase, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    """Whether its changes were applied at commit or read from Postgres."""
    monkeypatch.setattr(scope_index, "MIN_ADDED_ROWS", 50)
    async with replica(database) as here, replica(database) as other:
        await here.remember_many(new_rows(10))
        worn = await here.warm()
        for number in range(60):
            written = await (here if told else other).remember(new_row(f"later {number}"))
        if not told:
            await worn.refresh()
        assert worn.snapshot.live_count == 70
        assert worn.index.needs_rebuild
        await here.check()
        assert here.held() is worn
        while here.held() is worn:
            snapshot = await worn.snapshot_for(AtLeastAsFresh(written.revision))
            assert snapshot
            assert snapshot.live_count == 70
            await asyncio.sleep(0)
        fresh = here.held()
        assert fresh
        assert not fresh.index.needs_rebuild
        assert fresh.revision == worn.revision
        assert contents(fresh.snapshot) == contents(worn.snapshot)
        assert fresh.index.nbytes < worn.index.nbytes
        assert not here.caches.failures


async def test_vectors_are_arranged_anew_amid_changes_without_harm(
    database: TestDatabase,
) -> None:
    async with replica(database) as here, replica(database) as other:
        await here.remember_many(new_rows(10))
        resident = await here.warm()
        # As any other, but with small segments.
        index, sizes = resident.index, SegmentSizes(max_joined=8, max_small=2)
        vectors = index._dense.vectors(np.arange(10))
        index._dense = DenseIndex.build(vectors, np.ones(10, np.bool_), sizes)
        for number in range(60):
            await other.remember_many(new_rows(20, f"round{number}"))
            await asyncio.gather(resident.refresh(), here.check(), resident.refresh())
        await until(lambda: not here.caches._refreshing)
        assert here.held() is resident
        assert not here.caches.failures
        assert resident.snapshot.dense.count == resident.snapshot.count == 1_210
        assert len(resident.snapshot.dense.segments) < 10


async def test_vectors_arranged_anew_wait_for_a_change_that_is_under_way(
    database: TestDatabase,
) -> None:
    async with replica(database) as here, replica(database) as other:
        await here.remember_many(new_rows(10))
        resident = await here.warm()
        await other.remember_many(new_rows(900, "later"))
        changing = asyncio.create_task(resident.refresh())
        while resident.index._columns.count == resident.snapshot.count:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await resident.merge_segments(here.pool)
        await changing
        assert resident.snapshot.live_count == 910
