"""Memories whose source says something else since they were derived from it: archived, with a mark that tells why."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import Row, Staleness
from camillo_server.rows.store.deletion import archive_rows, restore_rows
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("rows/store/staleness")


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
