"""Rows that leave recall: removed for good with everything that belongs to them, archived, or stale, since a source
says something else; and those that come back."""

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import Row, Staleness
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.rows import filter_parameters
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("rows/store/writes")
# With all their rows in other tables a second or two: one statement for any number might take longer than it may.
DELETED_AT_ONCE = 10_000


async def selected_ids(
    session: Session, scope: Scope, selector: Sequence[MemoryId] | MemoryFilter, now: datetime
) -> list[MemoryId]:
    """The ids of the memories that a selector means, in order."""
    if not isinstance(selector, MemoryFilter):
        return await existing_ids(session, scope, selector)
    parameters = {**scope_parameters(scope), **filter_parameters(selector), "now": now}
    return [memory_id for (memory_id,) in await session.rows(SQL["ids_of_filter"], parameters)]


async def existing_ids(session: Session, scope: Scope, memory_ids: Collection[MemoryId]) -> list[MemoryId]:
    """The ids that belong to memories of the scope, in order."""
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    return [memory_id for (memory_id,) in await session.rows(SQL["memories_of_ids"], parameters)]


async def count_rows(session: Session, scope: Scope, memory_ids: Sequence[MemoryId]) -> dict[str, int]:
    """How many rows forgetting these would remove, by store."""
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    counts = await session.only_record(SQL["rows_of_memories"], parameters)
    return dict(counts._asdict())


async def chunks_of(session: Session, scope: Scope, origins: Collection[str]) -> Sequence[MemoryId]:
    """The chunks of records, by the ids of these."""
    if not origins:
        return ()
    parameters = {**scope_parameters(scope), "origins": list(origins)}
    return [memory_id for (memory_id,) in await session.rows(SQL["chunks_of"], parameters)]


async def count_chunks(session: Session, scope: Scope, chunk_ids: Sequence[MemoryId]) -> dict[str, int]:
    """How many rows go with these chunks, by store."""
    rows = await count_rows(session, scope, chunk_ids)
    return {"chunks": rows["memories"], "chunk_vectors": rows["memory_vectors"]}


async def delete_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> None:
    """Removes memories or chunks inside the caller's transaction, and leaves tombstones. Compactions that hold their
    texts go, too, unless a merged memory still replaces them."""
    for begin in range(0, len(memory_ids), DELETED_AT_ONCE):
        part = memory_ids[begin : begin + DELETED_AT_ONCE]
        await session.execute(SQL["forget"], _change(scope, part, revision, now))
    parameters = _change(scope, memory_ids, revision, now)
    await session.execute(SQL["delete_undone_compactions"], parameters)


async def forget_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> dict[str, int]:
    """Removes memories or chunks as `delete_rows` does; how many rows went, by store."""
    stores = await count_rows(session, scope, memory_ids)
    await delete_rows(session, scope, memory_ids, revision, now)
    return stores


async def archive_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> None:
    """Archives memories inside the caller's transaction, which holds the scope's write lock: what is in force becomes
    history, as with any change of a memory."""
    parameters = _change(scope, memory_ids, revision, now)
    async with session.pipeline():
        await session.execute(SQL["keep_version"], parameters)
        await session.execute(SQL["archive"], parameters)


async def restore_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> int:
    """Takes those of these memories back that are archived, in the same way; how many."""
    parameters = _change(scope, memory_ids, revision, now)
    rows = await session.rows(SQL["archived_ids"], parameters)
    parameters["memory_ids"] = [memory_id for (memory_id,) in rows]
    async with session.pipeline():
        await session.execute(SQL["keep_version"], parameters)
        await session.execute(SQL["restore"], parameters)
    return len(rows)


def _change(scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime) -> dict[str, Any]:
    key = scope_parameters(scope)
    return {**key, "memory_ids": list(memory_ids), "revision": revision, "now": now}


async def mark_derived(session: Session, scope: Scope, source_id: UUID, revision: int, now: datetime) -> Set[MemoryId]:
    """Archives what was derived from a source, over every step, and undoes the compactions among it. Call it in the
    transaction that changes the source, holding the scope's write lock. Returns the sources of those compactions; all
    but this one are restored."""
    key = {**scope_parameters(scope), "source_ref": str(source_id), "now": now}
    derived = {MemoryId(each) for (each,) in await session.rows(SQL["derived"], key)}
    if not derived:
        return frozenset()
    key["memory_ids"] = sorted(derived)
    in_force = [each for (each,) in await session.rows(SQL["in_force"], key)]
    await archive_rows(session, scope, in_force, revision, now)
    undone = await session.rows(SQL["undo_compactions"], key)
    sources = {MemoryId(each) for (ids,) in undone for each in ids} - derived
    await restore_rows(session, scope, sorted(sources - {source_id}), revision, now)
    await session.execute(SQL["mark"], key)
    return sources


@dataclass(frozen=True, slots=True)
class StaleMarks:
    """The marks of stale memories. Raises StorageUnavailable."""

    database: Database

    async def added_to(self, scope: Scope, memories: Sequence[Row]) -> Sequence[Row]:
        """The same memories; those that are stale say so. Nothing is read where none is archived."""
        archived = [each.memory_id for each in memories if each.archived]
        if not archived:
            return memories
        parameters = {**scope_parameters(scope), "memory_ids": archived}
        rows = await self.database.rows(scope, SQL["marks"], parameters)
        marks = {memory_id: Staleness(ref, since) for memory_id, ref, since in rows}
        return [each._replace(stale=marks.get(each.memory_id)) for each in memories]
