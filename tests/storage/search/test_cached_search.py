"""Searches that a scope in memory leaves to Postgres, and which of them make a scope worth loading."""

import asyncio
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from camillo_server.kernel.clock import set_deadline
from camillo_server.kernel.writes import MINIMIZE_LATENCY
from camillo_server.models.embedding.embedder import Vector
from camillo_server.search.candidates import AnsweredBy, CandidatePool
from camillo_server.search.index import engine, scope_caches
from camillo_server.search.index.engine import CachedMemorySearch
from camillo_server.search.store.recall import PostgresMemorySearch

from tests.patience import FACTOR, PATIENCE_SECONDS, until
from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import ALICE, MODEL, new_rows, replica, spec, unit

FOREIGN = replace(unit(1.0), model_id="another")


@pytest.mark.parametrize(("vector", "loads"), [(FOREIGN, False), (unit(1.0), True), (None, True)])
async def test_a_scope_is_not_loaded_for_a_vector_that_it_could_not_be_compared_with(
    database: TestDatabase, vector: Vector | None, loads: bool
) -> None:
    async with replica(database) as here:
        await here.remember_many(new_rows(10))
        behind = PostgresMemorySearch(here.database)
        search = CachedMemorySearch(here.caches, behind, MODEL)
        asked = spec(["memori"], vector)
        cold = await search.candidates(asked, MINIMIZE_LATENCY)
        assert cold.answered_by is AnsweredBy.POSTGRES
        assert len(cold) == 10
        assert (ALICE in here.caches._loading) is loads
        assert here.caches.misses == loads
        await until(lambda: not here.caches._loading)
        assert (here.held() is not None) is loads


async def test_a_vector_of_another_model_is_left_to_postgres_where_the_scope_is_in_memory(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        rows = new_rows(10)
        foreign = [
            replace(
                row,
                memory=row.memory._replace(vector_model_id="another"),
                vector=replace(row.vector, model_id="another") if row.vector else None,
            )
            for row in new_rows(5, "другой")
        ]
        await here.remember_many([*rows, *foreign])
        await here.warm()
        behind = PostgresMemorySearch(here.database)
        search = CachedMemorySearch(here.caches, behind, MODEL)
        own = await search.candidates(spec([], unit(1.0)), MINIMIZE_LATENCY)
        other = await search.candidates(spec([], FOREIGN), MINIMIZE_LATENCY)
        assert own.answered_by is AnsweredBy.CACHE
        assert other.answered_by is AnsweredBy.POSTGRES
        assert np.count_nonzero(~np.isnan(own.arms.dense)) == 10
        assert np.count_nonzero(~np.isnan(other.arms.dense)) == 5


@pytest.mark.parametrize("awaited_rows", [10, 9])
async def test_a_recall_waits_for_a_short_load_that_is_under_way_but_not_until_its_deadline(
    database: TestDatabase, monkeypatch: pytest.MonkeyPatch, awaited_rows: int
) -> None:
    monkeypatch.setattr(scope_caches, "MAX_AWAITED_ROWS", awaited_rows)
    monkeypatch.setattr(engine, "LOAD_WAIT_SECONDS", PATIENCE_SECONDS)
    async with replica(database) as here:
        await here.remember_many(new_rows(10))
        search = CachedMemorySearch(here.caches, PostgresMemorySearch(here.database), MODEL)

        async def recall(deadline_seconds: float | None = None) -> CandidatePool:
            set_deadline(deadline_seconds)
            return await search.candidates(spec(["memori"], unit(1.0)), MINIMIZE_LATENCY)

        go_on = Event()
        for _ in range(here.pool._max_workers):
            here.pool.submit(go_on.wait)
        try:
            assert (await recall()).answered_by is AnsweredBy.POSTGRES
            await until(lambda: here.caches.is_loaded_soon(ALICE) or awaited_rows < 10)
            in_a_hurry = await asyncio.create_task(recall(2.0 * FACTOR))
            assert in_a_hurry.answered_by is AnsweredBy.POSTGRES
            waiting = asyncio.create_task(recall())
            if awaited_rows < 10:
                assert (await waiting).answered_by is AnsweredBy.POSTGRES
        finally:
            go_on.set()
        await until(lambda: here.held() is not None)
        if awaited_rows == 10:
            assert (await waiting).answered_by is AnsweredBy.CACHE
