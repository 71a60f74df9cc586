"""A large scope is copied, table by table: every row once, with what belongs to it."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import NewRow
from camillo_server.search.index.columns import MIXING, IdTable, RowColumns
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.index_loading import IndexLoader, LoadProgress
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.scope_index import ScopeIndex
from camillo_server.search.index.verification import find_difference
from camillo_server.search.store.scope_copy import ROWS_AT_ONCE, copied_scope
from camillo_server.search.store.scope_rows import PAGE_ROWS, SQL, PackedPage, to_columns
from camillo_server.storage.copying import Rows, copied

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    DIMENSIONS,
    MODEL,
    NOW,
    Replica,
    contents,
    loaded,
    new_row,
    new_rows,
    numbered_id,
    replica,
    unit,
)

BOB = Scope(ALICE.tenant_id, AgentId("bob"))
TEXTS = ("北京烤鸭", "🦭" * 300, "שלום עולם", "e\u0301tude", "")
LARGE = PAGE_ROWS + 1


async def copied_index(here: Replica, receivers: ThreadPoolExecutor, scope: Scope = ALICE) -> ScopeIndex:
    """The index of a scope that counts as large."""
    return await IndexLoader(here.reader, None, here.pool, receivers).load(scope, LoadProgress(LARGE))


async def difference(here: Replica, index: ScopeIndex) -> str | None:
    return await find_difference(ResidentScope(ALICE, index, here.reader), here.reader, here.pool)


def varied_row(number: int) -> NewRow:
    """A row whose vector is its model's, none, another model's or of another length; every sixth is encrypted."""
    vectors = [unit(1.0, number), None, Vector("another", unit(1.0).values), Vector(MODEL, np.ones(3, np.float32))]
    row = new_row(
        f"{TEXTS[number % 5]} {number}",
        vectors[number % 4],
        tags=[f"tag{tag}" for tag in range(number % 4)],
        session_id="會話" if number % 2 else "",
        sensitivity=Sensitivity.RESTRICTED if number % 6 == 0 else Sensitivity.INTERNAL,
    )
    read = row.memory._replace(accessed_at=NOW - timedelta(minutes=number), access_count=number, stated_count=2)
    return replace(row, memory=read) if number % 3 == 0 else row


async def test_a_copied_scope_is_as_its_pages_tell(database: TestDatabase, receivers: ThreadPoolExecutor) -> None:
    async with replica(database) as here:
        rows = [varied_row(number) for number in range(60)]
        await here.remember_many(rows)
        await here.remember(new_row("of another", unit(1.0)), BOB)
        index, by_pages = await copied_index(here, receivers), await loaded(here.reader)
        assert await difference(here, index) is None
        assert contents(index.snapshot) == sorted(row.memory.content for row in rows)
        ids = b"".join(row.memory.memory_id.bytes for row in rows)
        for name in ("accessed_at", "access_count", "stated_count"):
            values = index.snapshot.arrays[name][index.rows_of(ids)]
            assert values.tolist() == by_pages.snapshot.arrays[name][by_pages.rows_of(ids)].tolist()
            assert len(set(values.tolist())) > 1
        assert index.unreadable_count == 0
        # The oracle sees a difference.
        await here.forget([rows[0].memory.memory_id])
        assert await difference(here, index) is None
        index.snapshot.arrays["importance"][index.rows_of(ids)[:1]] = 0.123
        assert await difference(here, index) == "column importance"


@pytest.mark.parametrize("count", [0, 1, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, 2 * ROWS_AT_ONCE + 1])
async def test_every_row_is_copied_once(database: TestDatabase, receivers: ThreadPoolExecutor, count: int) -> None:
    async with replica(database) as here:
        await here.remember_many(new_rows(count))
        index = await copied_index(here, receivers)
        assert index.snapshot.live_count == index.facts.memory_count == count
        assert await difference(here, index) is None
        vectors = index.snapshot.dense.vectors(np.arange(count))
        assert not np.isnan(vectors).any()


async def test_a_load_counts_the_rows_that_are_left(database: TestDatabase, receivers: ThreadPoolExecutor) -> None:
    async with replica(database) as here:
        await here.remember_many([*new_rows(LARGE), *(new_row(f"without a vector {number}") for number in range(10))])
        for rows, left in ((LARGE + 10, 5), (PAGE_ROWS, PAGE_ROWS - LARGE - 10)):
            progress = LoadProgress(rows)
            await IndexLoader(here.reader, None, here.pool, receivers).load(ALICE, progress)
            assert progress.rows_left == left


async def test_a_large_scope_is_loaded_by_copying(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember_many(new_rows(LARGE))
        resident = await here.warm()
        assert resident.memory_count == LARGE
        assert await find_difference(resident, here.reader, here.pool) is None


async def test_a_copy_that_is_left_gives_its_connection_back(
    database: TestDatabase, receivers: ThreadPoolExecutor
) -> None:
    async with replica(database) as here:
        await here.remember_many(new_rows(2 * ROWS_AT_ONCE + 1))
        # More often than there are connections.
        for _ in range(12):
            async with aclosing(copied_scope(here.reader, ALICE, receivers)) as parts:
                first = await anext(parts)
                assert isinstance(first, PackedPage)
                assert len(first) == ROWS_AT_ONCE
        assert (await copied_index(here, receivers)).facts.memory_count == 2 * ROWS_AT_ONCE + 1


async def test_a_load_that_is_cancelled_gives_its_connection_back(
    database: TestDatabase, receivers: ThreadPoolExecutor
) -> None:
    async with replica(database) as here:
        await here.remember_many(new_rows(LARGE))
        for turns in range(12):
            load = asyncio.create_task(copied_index(here, receivers))
            # Each is cancelled a little later.
            for _ in range(3 * turns):
                await asyncio.sleep(0)
            load.cancel()
            await asyncio.wait([load])
            assert load.cancelled() or load.done()
        assert (await copied_index(here, receivers)).facts.memory_count == LARGE


async def test_a_copy_that_is_cancelled_twice_waits_for_its_thread(
    database: TestDatabase, receivers: ThreadPoolExecutor
) -> None:
    has_begun, may_end, lengths = threading.Event(), threading.Event(), list[int]()

    def read(rows: Rows) -> int:
        has_begun.set()
        assert may_end.wait(60)
        lengths.append(len(rows.lengths))
        return len(rows.lengths)

    async def copy() -> None:
        async with here.reader.database.snapshot(ALICE) as session:
            statement = SQL["copy_memories"], here.reader.parameters(ALICE)
            async with aclosing(copied(session, statement, 10, 0, read, receivers)) as parts:
                await anext(parts)

    async with replica(database) as here:
        await here.remember_many(new_rows(40))
        copying = asyncio.create_task(copy())
        await asyncio.to_thread(has_begun.wait, 60)
        for _ in range(2):
            copying.cancel()
            assert not (await asyncio.wait([copying], timeout=0.2))[0]
        may_end.set()
        await asyncio.wait([copying])
        assert copying.cancelled()
        assert lengths == [10]
        assert (await copied_index(here, receivers)).facts.memory_count == 40


def table_of(ids: list[MemoryId]) -> IdTable:
    columns = RowColumns()
    columns.append(to_columns([new_row("text", memory_id=id_) for id_ in ids], 1, MODEL, DIMENSIONS))
    return columns.id_table()


def test_rows_are_found_by_ids_that_share_a_key() -> None:
    key = 5 * int(MIXING)
    ids = [numbered_id(high, (key - high * int(MIXING)) % 2**64) for high in (3, 1, 2, 0)]
    ids += [numbered_id(7, low) for low in (9, 8)]
    table = table_of(ids)
    for order in ([0, 1, 2, 3, 4, 5], [5, 3, 1], [2], []):
        assert table.rows(b"".join(ids[row].bytes for row in order)).tolist() == order


@pytest.mark.parametrize("unknown", [numbered_id(0, 0), numbered_id(1, 3), numbered_id(2**64 - 1, 2**64 - 1)])
def test_an_id_without_a_row_fails(unknown: MemoryId) -> None:
    table = table_of([numbered_id(1, 2), numbered_id(9, 9)])
    assert table.rows(numbered_id(9, 9).bytes).tolist() == [1]
    with pytest.raises(IndexFailed):
        table.rows(unknown.bytes)


def test_a_table_without_rows_finds_nothing() -> None:
    table = RowColumns().id_table()
    assert len(table.rows(b"")) == 0
    with pytest.raises(IndexFailed):
        table.rows(numbered_id(1, 2).bytes)
