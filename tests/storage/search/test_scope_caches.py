"""Scopes in memory over one database: loaded once, kept true, and dropped where that fails."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from camillo_server.kernel.clock import set_deadline
from camillo_server.kernel.errors import DeadlineExceeded, StorageUnavailable
from camillo_server.kernel.writes import FULLY_CONSISTENT, MINIMIZE_LATENCY, AtLeastAsFresh
from camillo_server.rows.row import NewRow
from camillo_server.rows.write_records import UpdatedVersions
from camillo_server.search.index import scope_caches
from camillo_server.search.index.engine import CachedMemorySearch
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.store.recall import PostgresMemorySearch

from tests.patience import until
from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    MODEL,
    NOW,
    Observer,
    Replica,
    contents,
    is_found,
    loaded,
    new_row,
    new_rows,
    replica,
    spec,
    unit,
)
from tests.storage.replays import OF_MEMORIES, OF_UPDATE


def deaf(observer: Observer) -> Observer:
    """An observer that loses every notification."""
    return lambda name: None


def execute(database: TestDatabase, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
    """Runs a statement as superuser, past every policy, and returns its rows."""
    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        cursor = superuser.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


async def test_a_scope_is_loaded_once_however_many_want_it(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember_many(new_rows(20))
        for _ in range(50):
            here.caches.request_load(ALICE)
        resident = await here.warm()
        assert here.caches.loads == sum(here.instruments.index_load_seconds.counts) == 1
        assert len(contents(resident.snapshot)) == 20


async def test_an_empty_scope_is_not_loaded(database: TestDatabase) -> None:
    async with replica(database) as here:
        here.caches.request_load(ALICE)
        await until(lambda: not here.caches._loading)
        assert here.held() is None


async def test_a_load_is_not_bound_by_the_deadline_of_the_caller_who_caused_it(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        await here.remember(new_row("walrus"))

        async def call() -> None:
            set_deadline(0.0)
            with pytest.raises(DeadlineExceeded):
                await here.reader.facts(ALICE)
            await here.warm()

        await asyncio.create_task(call())
        assert here.held()


async def test_new_memories_are_there_when_their_commit_returns(database: TestDatabase) -> None:
    async with replica(database, heard_through=deaf) as here:
        await here.remember(new_row("first"))
        resident = await here.warm()
        written = await here.remember(new_row("北京烤鸭", unit(1.0)))
        assert resident.revision == written.revision
        assert is_found(resident.snapshot, "北京烤鸭")
        assert not is_found(resident.snapshot, "second")


async def test_own_commits_may_be_told_in_any_order(database: TestDatabase) -> None:
    async with replica(database, heard_through=deaf) as here, replica(database) as other:
        await here.remember(new_row("first"))
        resident = await here.warm()
        rows = [new_row(f"word{number}") for number in range(3)]
        revisions = [(await other.remember(row)).revision for row in rows]
        assert not here.caches.on_commit(ALICE, revisions[1], rows[1:2])
        assert here.caches.on_commit(ALICE, revisions[0], rows[:1])
        assert contents(resident.snapshot) == ["first", "word0"]
        await asyncio.gather(resident.refresh(), resident.refresh())
        assert here.caches.on_commit(ALICE, revisions[2], rows[2:])
        assert contents(resident.snapshot) == ["first", "word0", "word1", "word2"]
        assert here.held() is resident


async def test_with_every_notification_lost_one_check_brings_a_scope_up_to_date(
    database: TestDatabase,
) -> None:
    async with replica(database, heard_through=deaf) as here, replica(database) as other:
        await here.remember(new_row("first"))
        resident = await here.warm()
        await other.remember(new_row("second"))
        snapshot = await resident.snapshot_for(MINIMIZE_LATENCY)
        assert snapshot
        assert contents(snapshot) == ["first"]
        await here.check()
        assert contents(resident.snapshot) == ["first", "second"]


async def test_a_scope_that_was_not_used_waits_until_it_is(database: TestDatabase) -> None:
    async with replica(database, heard_through=deaf) as here, replica(database) as other:
        await here.remember(new_row("first"))
        resident = await here.warm()
        await here.caches.check()
        await other.remember(new_row("second"))
        await here.caches.check()
        assert contents(resident.snapshot) == ["first"]
        await here.check()
        assert contents(resident.snapshot) == ["first", "second"]


async def test_who_demands_everything_committed_gets_it(database: TestDatabase) -> None:
    async with replica(database, heard_through=deaf) as here, replica(database) as other:
        await here.remember(new_row("first"))
        resident = await here.warm()
        for number in range(20):
            await other.remember(new_row(f"word{number}"))
            snapshots = await asyncio.gather(*(resident.snapshot_for(FULLY_CONSISTENT) for _ in range(5)))
            assert all(snapshot and is_found(snapshot, f"word{number}") for snapshot in snapshots)


async def test_a_revision_that_nobody_has_written_is_left_to_postgres(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        written = await here.remember(new_row("first"))
        resident = await here.warm()
        assert await resident.snapshot_for(AtLeastAsFresh(written.revision))
        assert await resident.snapshot_for(AtLeastAsFresh(written.revision + 1)) is None


async def test_a_caller_who_leaves_amid_a_refresh_leaves_the_index_right(
    database: TestDatabase,
) -> None:
    async with replica(database, heard_through=deaf) as here, replica(database) as other:
        rows = new_rows(1_500)
        await here.remember_many(rows)
        resident = await here.warm()
        before = resident.snapshot
        changed = [replace(row, memory=row.memory._replace(content=f"新 {number}")) for number, row in enumerate(rows)]
        revision = await other.remember_many(changed, replace=True)
        for turns in (1, 10, 100):
            caller = asyncio.create_task(resident.refresh())
            for _ in range(turns):
                await asyncio.sleep(0)
            caller.cancel()
            with pytest.raises(asyncio.CancelledError):
                await caller
        assert len(contents(before)) == 1_500
        assert "新 0" not in contents(before)
        snapshot = await resident.snapshot_for(AtLeastAsFresh(revision))
        assert snapshot
        assert sorted(contents(snapshot)) == sorted(row.memory.content for row in changed)
        assert snapshot.facts == (await loaded(here.reader)).snapshot.facts


async def test_a_refresh_whose_callers_have_left_fails_without_a_word(database: TestDatabase) -> None:
    loop, logged = asyncio.get_running_loop(), list[str]()
    loop.set_exception_handler(lambda _, context: logged.append(context["message"]))

    async def fail() -> None:
        raise StorageUnavailable

    async with replica(database, heard_through=deaf) as here:
        await here.remember(new_row("first"))
        resident = await here.warm()
        async with resident._changing:
            caller = asyncio.create_task(resident.refresh())
            await asyncio.sleep(0)
            [refreshing] = [each for each in asyncio.all_tasks() if "ResidentScope._refresh" in repr(each)]
            caller.cancel()
            await asyncio.wait([caller])
            await here.database.close()
        control = asyncio.create_task(fail())
        await asyncio.wait([refreshing, control])
        assert isinstance(refreshing._exception, StorageUnavailable)
        del refreshing, caller, control
        gc.collect()
        # The control alone.
        assert logged == ["Task exception was never retrieved"]


def restored_database(database: TestDatabase) -> None:
    """The scope is where it was before its last write."""
    execute(database, "delete from camillo.memories where content = 'second'")
    execute(
        database,
        "update camillo.scopes set revision = revision - 1, memory_count = 1, term_count = 1",
    )


def deleted_tenant(database: TestDatabase) -> None:
    execute(database, "delete from camillo.tenants where tenant_id = 'acme'")


def wrong_memory_count(database: TestDatabase) -> None:
    execute(database, "update camillo.scopes set memory_count = 3, revision = revision + 1")


def wrong_term_count(database: TestDatabase) -> None:
    execute(database, "update camillo.scopes set term_count = 1, revision = revision + 1")


def row_without_a_revision_of_its_own(database: TestDatabase) -> None:
    """Somebody deleted a row past the server, so no tombstone tells of it."""
    execute(database, "delete from camillo.memories where content = 'second'")
    execute(
        database,
        "update camillo.scopes set memory_count = 1, term_count = 1, revision = revision + 1",
    )


GAPS = (
    restored_database,
    deleted_tenant,
    wrong_memory_count,
    wrong_term_count,
    row_without_a_revision_of_its_own,
)


@pytest.mark.parametrize("damage", GAPS, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("by", ["check", "demand", "bell"])
async def test_an_index_that_disagrees_with_postgres_is_dropped(
    database: TestDatabase, damage: Callable[[TestDatabase], None], by: str
) -> None:
    async with replica(database) as here:
        await here.remember(new_row("first"))
        await here.remember(new_row("second"))
        resident = await here.warm()
        await here.check()
        assert here.held() is resident
        damage(database)
        if by == "check":
            await here.check()
        elif by == "demand":
            with pytest.raises(IndexFailed):
                await resident.snapshot_for(FULLY_CONSISTENT)
            here.caches.drop(ALICE, "as the search does")
        else:
            following = asyncio.create_task(here.caches.follow())
            here.notifier.notify(ALICE)
            await until(lambda: here.held() is None)
            following.cancel()
        assert here.held() is None
        assert here.caches.failures == 1
        assert here.caches.budget.bytes_held == 0


async def test_a_scope_that_was_deleted_and_made_again_is_not_mixed_up(
    database: TestDatabase,
) -> None:
    async with replica(database, heard_through=deaf) as here:
        await here.remember(new_row("of the first"))
        await here.warm()
        deleted_tenant(database)
        async with replica(database) as other:
            await other.remember(new_row("of the second"), now=new_row("", number=60).memory.occurred_at)
            await here.check()
            assert here.held() is None
            resident = await here.warm()
            assert contents(resident.snapshot) == ["of the second"]


async def test_an_index_whose_search_fails_is_dropped_and_postgres_answers(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        await here.remember_many(new_rows(10))
        resident = await here.warm()
        behind = PostgresMemorySearch(here.database)
        search = CachedMemorySearch(here.caches, behind, MODEL)
        asked = spec(["memori"], unit(1.0))
        in_memory = await search.candidates(asked, MINIMIZE_LATENCY)
        resident.snapshot.dense.segments[0].exact.d = 3
        # Another vector: the index knows what it found for the first.
        in_postgres = await search.candidates(spec(["memori"], unit(1.0)), MINIMIZE_LATENCY)
        assert (in_memory.answered_by.name, in_postgres.answered_by.name) == ("CACHE", "POSTGRES")
        assert len(in_memory) == len(in_postgres) == 10
        assert here.caches.failures == 1
        await until(lambda: here.held() is not None)
        again = await search.candidates(asked, MINIMIZE_LATENCY)
        assert again.answered_by == in_memory.answered_by


async def test_a_load_that_breaks_half_way_leaves_nothing_behind(
    database: TestDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scope_caches, "LOAD_BACKOFF_SECONDS", 0.0)
    async with replica(database) as here:
        await here.remember_many(new_rows(2_500))
        async with loading_held_up(here, database) as pid:
            execute(database, "select pg_terminate_backend(%s)", pid)
        await until(lambda: not here.caches._loading)
        assert here.held() is None
        assert here.caches.loads == here.caches.budget.bytes_held == 0
        await everything_given_back(here)
        resident = await here.warm()
        assert len(contents(resident.snapshot)) == 2_500


async def test_a_load_that_is_ended_gives_back_its_connection(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember_many(new_rows(2_500))
        async with loading_held_up(here, database):
            await here.caches.close()
            await everything_given_back(here)
        assert here.held() is None


@asynccontextmanager
async def loading_held_up(here: Replica, database: TestDatabase) -> AsyncIterator[int]:
    """The loader has read a page and waits for its turn to unpack it; gives the pid of its connection's backend."""
    reading = (
        "select pid from pg_stat_activity where datname = current_database()"
        " and state = 'idle in transaction' and query like '%%record_send%%'"
    )
    go_on = threading.Event()
    try:
        for _ in range(2):
            here.pool.submit(go_on.wait)
        here.caches.use(ALICE)
        here.caches.request_load(ALICE)
        await until(lambda: len(execute(database, reading)) == 1)
        ((pid,),) = execute(database, reading)
        yield pid
    finally:
        go_on.set()


async def everything_given_back(here: Replica) -> None:
    """Checks that all connections lie in the pool."""

    def is_given_back() -> bool:
        statistics = here.database.statistics()
        return statistics["pool_available"] == statistics["pool_size"]

    await until(is_given_back)


async def test_every_write_here_is_seen_by_the_next_recall_here(database: TestDatabase) -> None:
    """A recall that demands nothing sees it as well: it may miss writes of other replicas alone."""
    async with replica(database, heard_through=deaf) as here:
        rows = new_rows(3)
        await here.remember_many(rows)
        resident = await here.warm()

        async def seen() -> list[str]:
            snapshot = await resident.snapshot_for(MINIMIZE_LATENCY)
            assert snapshot
            return contents(snapshot)

        await here.remember(new_row("one"))
        assert "one" in await seen()
        await here.writer.remember_many(ALICE, [new_row("two")], OF_MEMORIES, None, now=NOW)
        assert "two" in await seen()
        await here.remember_many([new_row("three")])
        assert "three" in await seen()
        await here.forget([rows[0].memory.memory_id])
        assert "memory 0" not in await seen()
        old = rows[1].memory
        changed = NewRow(old._replace(content="changed", version=2), None)
        versions = UpdatedVersions(1, 1)
        await here.writer.update(ALICE, changed, versions, OF_UPDATE, None, now=NOW)
        assert sorted(await seen()) == ["changed", "memory 2", "one", "three", "two"]
