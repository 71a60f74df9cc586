"""Results of a comparison with Postgres, also while the scope goes on to change."""

import asyncio
import threading
import tracemalloc
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.verification import (
    ATTEMPTS,
    Agreement,
    CachedIndexes,
    NeverStill,
    find_difference,
)
from camillo_server.search.store.scope_rows import PAGE_ROWS, PackedPage, ScopeRowsReader

from tests.patience import until
from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    DIMENSIONS,
    MODEL,
    Replica,
    contents,
    loaded,
    new_row,
    new_rows,
    replica,
)
from tests.storage.search.agreeing_index import OF, agreeing, compared, deaf, execute

BOB = Scope(ALICE.tenant_id, AgentId("bob"))


def held_indexes(here: Replica, reader: ScopeRowsReader | None = None) -> CachedIndexes:
    return CachedIndexes(here.caches, reader or here.reader, here.pool)


async def test_an_index_that_differs_is_dropped_and_loaded_anew(database: TestDatabase) -> None:
    async with agreeing(database) as (here, _):
        await here.remember(new_row("of bob"), BOB)
        bobs = await here.warm(BOB)
        indexes = held_indexes(here)
        of_alice, of_bob = indexes.of_tenant(ALICE.tenant_id, None, 10)
        assert (of_alice.scope, of_bob.scope) == (ALICE, BOB)
        assert of_alice.agreement is Agreement.NOT_COMPARED
        execute(database, f"update memories set content = '🦭' {OF % 1}")
        told = await indexes.compare(of_alice)
        assert told
        assert (told.agreement, told.difference) == (Agreement.DIFFERS, "texts")
        assert (told.memories, told.revision) == (5, of_alice.revision)
        assert here.held() is None
        assert here.caches.failures == 1
        told = await indexes.compare(of_bob)
        assert told
        assert (told.agreement, told.difference) == (Agreement.AGREES, "")
        assert here.held(BOB) is bobs
        assert await indexes.compare(of_alice) is None
        resident = await here.warm()
        assert "🦭" in contents(resident.snapshot)
        told = await indexes.compare(of_alice)
        assert told
        assert told.agreement is Agreement.AGREES


async def test_an_index_that_cannot_catch_up_differs(database: TestDatabase) -> None:
    async with agreeing(database) as (here, _):
        indexes = held_indexes(here)
        [index] = indexes.of_tenant(ALICE.tenant_id, None, 10)
        execute(database, "update scopes set revision = revision - 1")
        told = await indexes.compare(index)
        assert told
        assert told.agreement is Agreement.DIFFERS
        assert "earlier revision" in told.difference
        assert here.held() is None


async def test_what_postgres_does_not_answer_for_stays_as_it_is(database: TestDatabase) -> None:
    async with agreeing(database) as (here, resident):
        indexes = held_indexes(here)
        [index] = indexes.of_tenant(ALICE.tenant_id, None, 10)
        await here.database.close()
        with pytest.raises(StorageUnavailable):
            await indexes.compare(index)
        assert here.held() is resident
        assert here.caches.failures == 0


class RestlessReader(ScopeRowsReader):
    """Reader of a scope to which something happens before its pages are read, for the first times."""

    def __init__(self, here: Replica, happens: Callable[[], Awaitable[Any]], times: int) -> None:
        super().__init__(here.database, MODEL, DIMENSIONS)
        self._happens = happens
        self._times = times
        self.read = self.reading = 0

    async def pages(self, scope: Scope, after: int | None = None) -> AsyncGenerator[PackedPage, None]:
        self.read += 1
        if self.read <= self._times:
            await self._happens()
        self.reading += 1
        try:
            async with aclosing(super().pages(scope, after)) as pages:
                async for page in pages:
                    yield page
        finally:
            self.reading -= 1


async def test_a_scope_that_changes_all_the_time_is_given_up_after_some_attempts(
    database: TestDatabase,
) -> None:
    async with agreeing(database) as (here, resident):
        restless = RestlessReader(here, lambda: here.remember(new_row(f"again {uuid4()}")), 10**9)
        with pytest.raises(NeverStill):
            await find_difference(resident, restless, here.pool)
        assert restless.read == ATTEMPTS
        indexes = held_indexes(here, restless)
        [index] = indexes.of_tenant(ALICE.tenant_id, None, 10)
        told = await indexes.compare(index)
        assert told
        assert (told.agreement, told.difference) == (Agreement.NEVER_STILL, "")
        assert told.memories == 5 + 2 * ATTEMPTS
        assert here.held() is resident
        assert here.caches.failures == 0


@pytest.mark.parametrize("told", [None, "texts"])
async def test_a_scope_that_comes_to_rest_is_compared(database: TestDatabase, told: str | None) -> None:
    async with agreeing(database) as (here, resident), replica(database) as other:
        if told:
            execute(database, f"update memories set content = '🦭' {OF % 1}")

        def write() -> Awaitable[object]:
            return other.remember(new_row(f"elsewhere {uuid4()}"))

        restless = RestlessReader(here, write, ATTEMPTS - 1)
        assert await find_difference(resident, restless, here.pool) == told
        assert restless.read == ATTEMPTS
        elsewhere = [text for text in contents(resident.snapshot) if text.startswith("elsewhere")]
        assert len(elsewhere) == ATTEMPTS - 1


class GatedPool(ThreadPoolExecutor):
    """One thread, which begins the first piece of work when it may."""

    def __init__(self) -> None:
        super().__init__(1)
        self.go_on = threading.Event()
        self.first: Future[Any] | None = None

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        def wait_and_work() -> Any:
            assert self.go_on.wait(60)
            return work(*args, **kwargs)

        future = super().submit(wait_and_work)
        self.first = self.first or future
        return future


async def test_a_change_that_is_half_applied_is_no_difference(database: TestDatabase) -> None:
    async with replica(database, heard_through=deaf) as here, replica(database) as other:
        rows = new_rows(600)
        await here.remember_many(rows)
        resident = await here.warm()
        snapshot = resident.snapshot
        with GatedPool() as pool:
            comparing = asyncio.create_task(find_difference(resident, here.reader, pool))
            await until(lambda: pool.first is not None)
            changed = [
                replace(row, memory=row.memory._replace(content=f"新 {number}")) for number, row in enumerate(rows)
            ]
            await other.remember_many(changed, replace=True)
            refreshing = asyncio.create_task(resident.refresh())
            while resident.index._columns.count == snapshot.count:  # noqa: ASYNC110
                await asyncio.sleep(0)
            # Amid the change, and nothing else goes on while the thread compares.
            assert resident.snapshot is snapshot
            pool.go_on.set()
            assert pool.first
            found, _ = pool.first.result(60)
            assert found
            assert await comparing is None
            await refreshing
        assert sorted(contents(resident.snapshot)) == sorted(row.memory.content for row in changed)


async def test_postings_that_are_added_while_they_are_compared_are_left_out(
    database: TestDatabase,
) -> None:
    async with agreeing(database) as (here, resident):
        snapshot = resident.snapshot
        before = len(snapshot.terms.entries(snapshot.count)[0])

        def write() -> None:
            for row in range(snapshot.count, snapshot.count + 3_000):
                snapshot.terms.add(row, range(row * 20, row * 20 + 20), [1] * 20)

        with ThreadPoolExecutor(1) as writer:
            writing = writer.submit(write)
            while not writing.done():
                assert await compared(here, resident) is None
            writing.result()
        assert len(snapshot.terms.entries(snapshot.count)[0]) == before
        assert len(snapshot.terms.entries(snapshot.count + 3_000)[0]) == before + 60_000


async def test_a_comparison_that_ends_early_has_given_back_its_connection(
    database: TestDatabase,
) -> None:
    async with replica(database, heard_through=deaf) as here:
        await here.remember_many(new_rows(2 * PAGE_ROWS + 1))
        resident = await here.warm()
        reader = RestlessReader(here, lambda: here.remember(new_row("again")), 1)
        execute(database, "update memories set pinned = true where content = 'memory 5'")
        assert await find_difference(resident, reader, here.pool) == "column pinned"
        assert (reader.read, reader.reading) == (2, 0)


@pytest.mark.parametrize("count", [1, 20, 300])
async def test_the_bytes_told_are_about_those_that_are_taken(database: TestDatabase, count: int) -> None:
    copies = 50
    async with replica(database, heard_through=deaf) as here:
        await here.remember_many(new_rows(count, "北京 memory", tags=["t"], session_id="s"))
        told = (await loaded(here.reader)).nbytes

        async def taken() -> float:
            """The bytes of each of many scopes, with those that anything else takes meanwhile."""
            tracemalloc.start()
            try:
                before, _ = tracemalloc.get_traced_memory()
                kept = [ResidentScope(ALICE, await loaded(here.reader), here.reader) for _ in range(copies)]
                after, _ = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
            return (after - before) / len(kept)

        least = min([await taken() for _ in range(3)])
        assert 0.85 < told / least < 1.15
