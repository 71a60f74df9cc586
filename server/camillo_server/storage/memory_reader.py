"""Reads of memories, each in one snapshot with the revision it was read at."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import Memory, MemoryFilter, MemoryVersion, Vector
from camillo_server.domain.ports import Change, ChangePage, NewRow, PageCursor
from camillo_server.domain.revision import Freshness
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import Facts
from camillo_server.storage.database import Database, Session
from camillo_server.storage.forgetting import count_rows, ids_to_forget
from camillo_server.storage.freshness import read_fresh
from camillo_server.storage.rows import (
    MEMORY_COLUMN_COUNT,
    filter_parameters,
    memory_from,
    scope_parameters,
    vector_from,
)
from camillo_server.storage.statements import statements

SQL = statements("memory_reads")
EXPORT_BATCH = 500
BEFORE_EVERY_ID = MemoryId(UUID(int=0))


class PostgresMemoryReader:
    """`MemoryReader` on Postgres."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(
        self, scope: Scope, memory_id: MemoryId, freshness: Freshness, *, now: datetime | None
    ) -> tuple[Memory | None, int]:
        parameters = {**scope_parameters(scope), "memory_id": memory_id, "now": now}

        async def work(session: Session) -> tuple[Memory | None, int]:
            row = await session.only_row(SQL["get"], parameters)
            return (memory_from(row[1:]) if row[1] is not None else None), row[0]

        return await read_fresh(self._database, scope, freshness, work)

    async def vectors(self, scope: Scope, memory_ids: Sequence[MemoryId]) -> dict[MemoryId, Vector]:
        parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}

        async def work(session: Session) -> dict[MemoryId, Vector]:
            rows = await session.rows(SQL["vectors"], parameters)
            return {row[0]: vector_from(row[1], row[2]) for row in rows}

        return await self._database.read(scope.tenant_id, work)

    async def page(
        self,
        scope: Scope,
        wanted: MemoryFilter,
        after: PageCursor | None,
        size: int,
        freshness: Freshness,
        *,
        now: datetime,
    ) -> tuple[Sequence[Memory], int]:
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(wanted),
            "now": now,
            "after_at": after.at if after else None,
            "after_id": after.memory_id if after else None,
            "size": size,
        }

        async def work(session: Session) -> tuple[Sequence[Memory], int]:
            rows = await session.rows(SQL["page"], parameters)
            return [memory_from(row[1:]) for row in rows if row[1] is not None], rows[0][0]

        return await read_fresh(self._database, scope, freshness, work)

    async def versions(
        self,
        scope: Scope,
        memory_id: MemoryId,
        below_version: int | None,
        size: int,
        *,
        now: datetime | None,
    ) -> Sequence[MemoryVersion]:
        parameters = {
            **scope_parameters(scope),
            "memory_id": memory_id,
            "below_version": below_version,
            "size": size,
            "now": now,
        }

        async def work(session: Session) -> Sequence[MemoryVersion]:
            rows = await session.rows(SQL["versions"], parameters)
            return [MemoryVersion(memory_from(row[:18]), row[18]) for row in rows]

        return await self._database.read(scope.tenant_id, work)

    async def would_forget(
        self, scope: Scope, selector: Sequence[MemoryId] | MemoryFilter, *, now: datetime
    ) -> tuple[Facts, int]:
        async def work(session: Session) -> tuple[Facts, int]:
            memory_ids = await ids_to_forget(session, scope, selector, now)
            facts = await count_rows(session, scope, memory_ids)
            return facts, await _revision(session, scope)

        return await self._database.read(scope.tenant_id, work)

    async def export(
        self, scope: Scope, wanted: MemoryFilter, *, with_vectors: bool, now: datetime
    ) -> AsyncIterator[tuple[Sequence[NewRow], int]]:
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(wanted),
            "now": now,
            "with_vectors": with_vectors,
        }
        async with self._database.snapshot(scope.tenant_id) as session:
            revision = await _revision(session, scope)
            async with session.cursor("export", binary=True) as cursor:
                await cursor.execute(SQL["export"], parameters)
                while rows := await cursor.fetchmany(EXPORT_BATCH):
                    yield [_new_row(row) for row in rows], revision

    async def changes(
        self, scope: Scope, after: tuple[int, MemoryId | None], size: int, *, now: datetime
    ) -> ChangePage:
        revision, memory_id = after
        parameters = {
            **scope_parameters(scope),
            "after_revision": revision,
            # Ids of one revision begin with the smallest; without an id, the whole revision has been seen.
            "after_id": memory_id or MemoryId(UUID(int=2**128 - 1)),
            "size": size,
        }

        async def work(session: Session) -> ChangePage:
            rows = await session.rows(SQL["changes"], parameters)
            return ChangePage([_change(row, now) for row in rows if row[1] is not None], rows[0][0])

        return await self._database.read(scope.tenant_id, work)


async def _revision(session: Session, scope: Scope) -> int:
    row = await session.only_row(SQL["scope_revision"], scope_parameters(scope))
    revision: int = row[0]
    return revision


def _new_row(row: Sequence[Any]) -> NewRow:
    memory, embedding = memory_from(row), row[MEMORY_COLUMN_COUNT + 2]
    return NewRow(
        memory, None if embedding is None else vector_from(memory.vector_model_id, embedding)
    )


def _change(row: Sequence[Any], now: datetime) -> Change:
    _, revision, memory_id, *_ = row
    content = row[4]
    memory = None if content is None else memory_from(row[2:])
    if memory is not None and memory.expires_at is not None and memory.expires_at <= now:
        memory = None
    return Change(revision, memory_id, memory)
