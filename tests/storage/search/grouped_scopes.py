"""Large scopes that are read from row groups."""

from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID

import psycopg
import pytest
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import NewRow
from camillo_server.search.index.grouped_loading import GroupedPart, GroupedRows, TooFewGrouped, grouped_scope
from camillo_server.search.index.index_loading import IndexLoader, LoadProgress
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.row_grouping import MIN_GROUP_ROWS, RowGrouping
from camillo_server.search.index.scope_index import ScopeIndex
from camillo_server.search.index.verification import find_difference
from camillo_server.search.store.row_groups import (
    RowGroupStore,
    RowsToGroup,
    pack_group,
)
from camillo_server.search.store.scope_rows import PAGE_ROWS

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    Replica,
    contents,
    loaded,
    new_row,
    replica,
    unit,
)

BOB = Scope(ALICE.tenant_id, AgentId("bob"))
LARGE = PAGE_ROWS + 1
ROWS = MIN_GROUP_ROWS + 50


@dataclass(frozen=True, slots=True)
class Grouped:
    """A process, and its row groups."""

    here: Replica
    receivers: ThreadPoolExecutor
    database: TestDatabase

    @property
    def store(self) -> RowGroupStore:
        return RowGroupStore(self.here.reader)

    @property
    def grouping(self) -> RowGrouping:
        return RowGrouping(self.here.reader, self.store, self.here.caches.budget, self.here.pool, pause=0)

    async def index(self, scope: Scope = ALICE) -> ScopeIndex:
        """The index of a scope that counts as large."""
        loader = IndexLoader(self.here.reader, self.store, self.here.pool, self.receivers)
        return await loader.load(scope, LoadProgress(LARGE))

    async def parts(self) -> list[GroupedPart]:
        async with aclosing(grouped_scope(self.here.reader, self.store, ALICE, self.receivers)) as parts:
            return [part async for part in parts]

    async def from_groups(self) -> int:
        """How many rows a load takes from groups; 0 where it reads the tables alone."""
        try:
            return sum(len(part) for part in await self.parts() if isinstance(part, GroupedRows))
        except TooFewGrouped:
            return 0

    async def check(self) -> ScopeIndex:
        """An index as a load makes it, which is as one from pages, column by column."""
        index, by_pages = await self.index(), await loaded(self.here.reader)
        assert (
            await find_difference(ResidentScope(ALICE, index, self.here.reader), self.here.reader, self.here.pool)
            is None
        )
        assert contents(index.snapshot) == contents(by_pages.snapshot)
        ids = b"".join(row.memory_id.bytes for row in by_pages.snapshot.memories(range(by_pages.snapshot.count)))
        for name in ("accessed_at", "access_count", "stated_count"):
            values = index.snapshot.arrays[name][index.rows_of(ids)]
            assert values.tolist() == by_pages.snapshot.arrays[name][by_pages.rows_of(ids)].tolist(), name
        return index

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """A statement as superuser; the rows that it returns."""
        with psycopg.connect(self.database.superuser_url, autocommit=True) as superuser:
            superuser.execute("set search_path to camillo, public")
            cursor = superuser.execute(statement, parameters)
            return cursor.fetchall() if cursor.description else []

    def count(self) -> int:
        """How many groups there are."""
        ((count,),) = self.execute("select count(*) from row_groups")
        assert isinstance(count, int)
        return count


@pytest.fixture
def receivers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
async def grouped(database: TestDatabase, receivers: ThreadPoolExecutor) -> AsyncIterator[Grouped]:
    async with replica(database) as here:
        yield Grouped(here, receivers, database)


def plain_rows(count: int) -> list[NewRow]:
    return [new_row(f"memory {number}", unit(1.0, number), number=number) for number in range(count)]


def ids_of(rows: Sequence[NewRow]) -> list[MemoryId]:
    return sorted(row.memory.memory_id for row in rows)


async def read_to_group(grouped: Grouped, rows: Sequence[NewRow]) -> tuple[RowsToGroup, UUID, UUID, bytes]:
    """All rows, as somebody has packed them and not stored yet."""
    ids = ids_of(rows)
    read = await grouped.store.rows_to_group(ALICE, ids[0], ids[-1])
    assert read is not None
    return read, ids[0], ids[-1], pack_group(grouped.here.reader.unpack(ALICE, read.page))
