"""Reads of memories, each in one snapshot with the revision it was read at."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.kernel.ids import BEFORE_ALL, MemoryId, PageCursor
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import MemoryVersion, NewRow, Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.encrypted_rows import NO_KEYS
from camillo_server.rows.store.removal import StaleMarks
from camillo_server.rows.store.rows import ColumnValues, RowReader, filter_parameters
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scopes import read_fresh
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("rows/store/reads")
EXPORT_BATCH = 500
MAX_ID = MemoryId(UUID(int=2**128 - 1))


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """One change of a scope: a memory in its latest state, or None for one that was forgotten or has expired."""

    revision: int
    memory_id: MemoryId
    memory: Row | None


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Changes in the order of (revision, memory id), and the scope's revision when they were read."""

    changes: Sequence[MemoryChange]
    revision: int


class MemoryReader:
    """Reads memories of one scope, never chunks, each time in one snapshot.

    Every method raises StorageUnavailable, RevisionBehind where the freshness is not reached before the deadline,
    KeyMissing where a row is encrypted and its key is not there, and BytesLost where an encrypted row is damaged."""

    def __init__(self, database: Database, keyring: Keyring = NO_KEYS) -> None:
        self._database = database
        self._keyring = keyring
        self._stale_marks = StaleMarks(database)

    async def get(
        self, scope: Scope, memory_id: MemoryId, freshness: Freshness, *, now: datetime | None
    ) -> tuple[Row | None, int]:
        """The memory, if it has not expired by `now` (None: expired or not), and the revision read at."""
        parameters = {**scope_parameters(scope), "memory_id": memory_id, "now": now}
        reading = RowReader(scope, self._keyring)

        async def work(session: Session) -> tuple[ColumnValues, int]:
            revision, *columns = await session.only_row(SQL["get"], parameters)
            return columns, revision

        columns, revision = await read_fresh(self._database, scope, freshness, work)
        if columns[0] is None:
            return None, revision
        (memory,) = await self._stale_marks.added_to(scope, [reading.memory(columns)])
        return memory, revision

    async def vectors(self, scope: Scope, memory_ids: Sequence[MemoryId]) -> dict[MemoryId, Vector]:
        """The vectors of the models that the memories name."""
        parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
        reading = RowReader(scope, self._keyring)

        rows = await self._database.rows(scope, SQL["vectors"], parameters)
        return {memory_id: reading.vector(memory_id, model_id, columns) for memory_id, model_id, *columns in rows}

    async def page(
        self,
        scope: Scope,
        query: MemoryFilter,
        after: PageCursor | None,
        size: int,
        freshness: Freshness,
        *,
        now: datetime,
    ) -> tuple[Sequence[Row], int]:
        """Newest first, at most `size`, behind `after`; and the revision read at."""
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(query),
            "now": now,
            "after_at": after.at if after else None,
            "after_id": after.row_id if after else None,
            "size": size,
        }
        reading = RowReader(scope, self._keyring)

        async def work(session: Session) -> tuple[Sequence[ColumnValues], int]:
            rows = await session.rows(SQL["page"], parameters)
            revision, *_ = rows[0]
            return [columns for _, *columns in rows if columns[0] is not None], revision

        # The connection is given back before what is encrypted is decrypted.
        rows, revision = await read_fresh(self._database, scope, freshness, work)
        memories = await reading.memories(rows)
        return await self._stale_marks.added_to(scope, memories), revision

    async def versions(
        self,
        scope: Scope,
        memory_id: MemoryId,
        below_version: int | None,
        size: int,
        *,
        now: datetime | None,
    ) -> Sequence[MemoryVersion]:
        """Newest first, the version in force among them; empty where there is no such memory, or it has expired by
        `now` (None: expired or not)."""
        parameters = {
            **scope_parameters(scope),
            "memory_id": memory_id,
            "below_version": below_version,
            "size": size,
            "now": now,
        }
        reading = RowReader(scope, self._keyring)

        rows = await self._database.rows(scope, SQL["versions"], parameters)
        memories = await reading.memories(rows)
        return [MemoryVersion(memory, replaced_at) for memory, (*_, replaced_at) in zip(memories, rows, strict=True)]

    async def export(
        self,
        scope: Scope,
        query: MemoryFilter,
        after: PageCursor = BEFORE_ALL,
        *,
        with_vectors: bool,
        now: datetime,
    ) -> AsyncGenerator[tuple[Sequence[NewRow], int]]:
        """Batches, oldest first, behind `after`, with the revision at which the export began. Each is a read of its
        own: between them a caller holds neither a connection nor a transaction."""
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(query),
            "now": now,
            "with_vectors": with_vectors,
            "size": EXPORT_BATCH,
        }
        reading = RowReader(scope, self._keyring)
        bounds = await self._database.rows(scope, SQL["export_bounds"], parameters)
        revision, parameters["last_at"] = bounds[0]
        while True:
            parameters["after_at"], parameters["after_id"] = after
            rows = await self._database.rows(scope, SQL["export"], parameters)
            batch = await reading.new_rows(rows)
            if batch:
                yield batch, revision
            if len(batch) < EXPORT_BATCH:
                return
            last = batch[-1].memory
            after = PageCursor(last.created_at, last.memory_id)

    async def changes(
        self, scope: Scope, after: tuple[int, MemoryId | None], size: int, *, now: datetime
    ) -> ChangePage:
        """Changes behind a revision, or behind a memory within it, in order; at most `size`."""
        revision, memory_id = after
        parameters = {
            **scope_parameters(scope),
            "after_revision": revision,
            # Ids of one revision begin with the smallest; without an id, the whole revision has been seen.
            "after_id": memory_id or MAX_ID,
            "size": size,
        }
        reading = RowReader(scope, self._keyring)

        rows = await self._database.rows(scope, SQL["changes"], parameters)
        # Without a change, one row has the revision alone.
        scope_at, *_ = rows[0]
        found = [columns for _, *columns in rows if columns[0] is not None]
        changed = [columns for _, *columns in found if not _is_tombstone(columns)]
        memories = iter(await reading.memories(changed))
        changes = []
        for changed_in, *columns in found:
            memory = None if _is_tombstone(columns) else next(memories)
            if memory and memory.expires_at is not None and memory.expires_at <= now:
                memory = None
            changes.append(MemoryChange(changed_in, columns[0], memory))
        return ChangePage(changes, scope_at)


def _is_tombstone(columns: Sequence[Any]) -> bool:
    """A tombstone has the columns of a memory, all null but the first two: its id and its agent."""
    _, _, content, *_ = columns
    return content is None
