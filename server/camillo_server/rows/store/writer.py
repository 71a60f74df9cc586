"""Writes of memories: each one transaction at the scope's next revision."""

from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

from psycopg.errors import CheckViolation, UniqueViolation

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.merging import MemorySupersession
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.batch import (
    Batch,
    StoredBatch,
    merged_memories,
    store_batch,
)
from camillo_server.rows.store.encrypted_rows import NO_KEYS
from camillo_server.rows.store.inserts import note_vector_fault, stage, store_rows
from camillo_server.rows.store.removal import restore_rows
from camillo_server.rows.store.rows import PreparedMemory, group_parameters, memory_fingerprints, row_parameters
from camillo_server.rows.store.supersession import supersede
from camillo_server.rows.store.transaction import MemoryTransaction
from camillo_server.rows.write_records import (
    ImportedBatch,
    MemoriesReplay,
    RestoredReplay,
    StoredRows,
    SupersededReplay,
    UpdatedVersions,
    UpdateReplay,
)
from camillo_server.storage.blocklist import (
    CONSTRAINT,
    UNREAD,
    ShortenedText,
    TextFields,
    without_forgotten,
)
from camillo_server.storage.connection_pool import StorageDamaged
from camillo_server.storage.database import Session, violates
from camillo_server.storage.group_commit import GroupCommit
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import next_revision
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.written_requests import PRIMARY_KEY, audit_of, audits_json, enter, named, request_parameters

SQL = statements("rows/store/writes")
REMEMBER = SQL["remember"].replace("{vector}", SQL["vector_of_memory"])
REMEMBER_WITHOUT_VECTOR = SQL["remember"].replace("{vector}", "")
# Why one statement cannot store a memory: one of its keys is taken, or one of its values is blocked.
CONFLICTS = (
    *(PRIMARY_KEY, "memories_pkey", "memory_vectors_pkey", "memories_fingerprint_key"),
    *(CONSTRAINT, UNREAD),
)

R = TypeVar("R")


class MemoryWriter:
    """Writes memories of one scope: every write is one transaction that advances the scope's revision by one.

    A repeated request writes nothing and returns the first record. Every method raises StorageUnavailable,
    RequestIdReused, and KeyMissing where a sensitive memory needs a key that is not there."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring = NO_KEYS) -> None:
        self._writes = writes
        self._keyring = keyring
        self._groups = GroupCommit(self._remember_group, spans_scopes=True)

    async def without_forgotten(self, scope: Scope, texts: TextFields) -> Mapping[str, ShortenedText]:
        """Returns the texts that contained forgotten sentences, by field, without these."""
        return await without_forgotten(self._writes.database, scope, texts)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, record_type: type[R], *, now: datetime
    ) -> R | None:
        """The record of a request that was answered already."""
        written = await self._writes.first_answer(scope, request, record_type, now)
        return None if written is None else written.record

    async def remember(
        self,
        scope: Scope,
        row: NewRow,
        replay: MemoriesReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> StoredRows:
        """Stores the row, or adds it to the memory that says the same. Raises AlreadyExists where the memory id is
        taken, ValueRejected."""
        if row.memory.supersedes:
            # Other memories change with it.
            return await self.remember_many(scope, [row], replay, request, now=now, raise_failure=True)
        # The statement needs the terms, and the index in memory once more after the commit.
        row = row.with_terms()
        prepared = await self._prepared(scope, row, replay, request, now)

        async def store_alone() -> StoredRows:
            try:
                return await self._remember_alone(scope, prepared, request, now=now)
            except StorageDamaged:
                if row.vector is None:
                    raise
            # It waits for its vector.
            plain = await self._prepared(scope, row.without_vector(), replay.without_models(), request, now)
            stored = await self._remember_alone(scope, plain, request, now=now)
            note_vector_fault(self._writes)
            return stored

        shares = prepared.parameters["marks"] is None
        return await self._groups.write(scope, prepared, prepared.byte_count, store_alone, shares=shares)

    async def _prepared(
        self,
        scope: Scope,
        row: NewRow,
        replay: MemoriesReplay,
        request: RequestKey | None,
        now: datetime,
    ) -> PreparedMemory:
        parameters = {
            **scope_parameters(scope),
            **row_parameters(scope, row, self._keyring),
            **request_parameters(self._writes.database.keyring, scope, request, replay),
            "marks": await self._writes.known_fingerprints(scope, row.memory.texts, request)
            if scope in self._writes.known_blocks
            else None,
            "added_memories": 1,
            "now": now,
        }
        parameters["added_terms"] = parameters["term_count"]
        audit = audit_of(None, now, {"memory_ids": [row.memory.memory_id]})
        parameters["audits"] = audits_json([audit])
        return PreparedMemory(scope, row, replay, parameters, audit)

    async def _remember_alone(
        self, scope: Scope, prepared: PreparedMemory, request: RequestKey | None, *, now: datetime
    ) -> StoredRows:
        row, replay = prepared.row, prepared.replay
        try:
            statement = REMEMBER if row.vector is not None else REMEMBER_WITHOUT_VECTOR
            stored = await self._writes.run_alone(scope, statement, prepared.parameters)
        except (UniqueViolation, CheckViolation) as error:
            if not any(violates(error, name) for name in CONFLICTS):
                raise
            # Postgres refuses the first write to a scope with blocked values; from then on fingerprints are sent along.
            if violates(error, UNREAD):
                self._writes.known_blocks.add(scope)
            self._groups.set_apart(scope)
            # Step by step, then: a repeated request, a memory that repeats another, or one that may not be stored.
            return await self.remember_many(scope, [row], replay, request, now=now, raise_failure=True)
        self._writes.notify(scope, stored.revision, [row], only_added=True)
        return StoredRows(stored.revision, replay)

    async def _remember_group(self, scope: Scope, group: Sequence[PreparedMemory]) -> list[StoredRows]:
        """Stores all of them, or raises where one cannot be stored: then none is."""
        parameters = group_parameters(scope.tenant_id, group)
        writes = Counter(each.scope for each in group)
        last = await self._writes.run_group(scope, SQL["remember_group"], parameters)
        reached = {agent_id: revision - writes[Scope(scope.tenant_id, agent_id)] for agent_id, revision, _ in last}
        stored = []
        for each in group:
            revision = reached[each.scope.agent_id] = reached[each.scope.agent_id] + 1
            self._writes.notify(each.scope, revision, [each.row], only_added=True)
            stored.append(StoredRows(revision, each.replay))
        return stored

    async def remember_many(
        self,
        scope: Scope,
        rows: Sequence[NewRow],
        replay: MemoriesReplay,
        request: RequestKey | None,
        *,
        now: datetime,
        raise_failure: bool = False,
    ) -> StoredRows:
        """Stores the rows in their order, each for itself, in one transaction. With `raise_failure`, nothing is stored
        where a row fails: raises AlreadyExists, ValueRejected."""

        async def store(stored: Sequence[NewRow]) -> StoredRows:
            record = replay if stored is rows else replay.without_models()
            return await self._remember_many(scope, stored, record, request, now, raise_failure)

        return await store_rows(self._writes, rows, store)

    async def _remember_many(
        self,
        scope: Scope,
        rows: Sequence[NewRow],
        replay: MemoriesReplay,
        request: RequestKey | None,
        now: datetime,
        raise_failure: bool,
    ) -> StoredRows:
        stored = StoredBatch()

        async def change(session: Session, revision: int) -> MemoriesReplay:
            nonlocal stored
            transaction = MemoryTransaction(session, scope, revision, now, self._keyring)
            stored = await store_batch(transaction, rows)
            if raise_failure:
                stored.raise_failure(rows)
            return stored.add_to(replay, rows)

        written = await self._writes.write(scope, request, MemoriesReplay, change, now, rows)
        if not written.is_repeat:
            return StoredRows(written.revision, written.record, stored.merged)
        merged = await self._writes.database.read(
            scope,
            lambda session: merged_memories(session, scope, self._keyring, written.record.merged),
        )
        return StoredRows(written.revision, written.record, merged)

    async def import_rows(
        self,
        scope: Scope,
        rows: Sequence[NewRow],
        *,
        replace: bool,
        after: Awaitable[object] | None,
        now: datetime,
    ) -> ImportedBatch:
        """Stores rows of different ids, or adds them to memories that say the same; with `replace`, rows also replace
        the memories that have their id. Commits after `after`, the import before it, whose failure is then its own."""
        fingerprints = await memory_fingerprints(self._keyring, scope, rows)

        async def store(rows: Sequence[NewRow]) -> ImportedBatch:
            imported = await self._writes.run(scope, lambda session: work(session, rows))
            self._writes.notify(scope, imported.revision, rows)
            return imported

        async def work(session: Session, rows: Sequence[NewRow]) -> ImportedBatch:
            async with session.transaction():
                # Before the write lock is taken: meanwhile Postgres stores the batch before this one.
                await stage(session, scope, rows, self._keyring, fingerprints)
                if after is not None:
                    await after
                revision = await next_revision(session, scope, now)
                transaction = MemoryTransaction(session, scope, revision, now, self._keyring)
                batch = Batch(transaction, rows, fingerprints, is_staged=True, replace=replace)
                imported = (await batch.store()).imported(revision, len(rows))
                await enter(session, scope, imported, now, revision=revision)
                return imported

        return await store_rows(self._writes, rows, store)

    async def update(
        self,
        scope: Scope,
        row: NewRow,
        versions: UpdatedVersions,
        replay: UpdateReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[UpdateReplay]:
        """Replaces the expected version by the row; what was in force becomes history. Raises NotFound,
        VersionConflict, MemoryRepeated, ValueRejected."""
        fingerprints = await memory_fingerprints(self._keyring, scope, [row])

        async def change(session: Session, revision: int, row: NewRow) -> UpdateReplay:
            transaction = MemoryTransaction(session, scope, revision, now, self._keyring)
            await transaction.update(row, fingerprints, versions)
            return replay

        async def store(rows: Sequence[NewRow]) -> Written[UpdateReplay]:
            return await self._writes.write(
                scope,
                request,
                UpdateReplay,
                partial(change, row=rows[0]),
                now,
                rows,
                texts=versions.new_texts,
                ids={"memory_id": row.memory.memory_id},
            )

        return await store_rows(self._writes, [row], store)

    async def supersede(
        self, scope: Scope, asked: MemorySupersession, request: RequestKey | None, *, now: datetime
    ) -> Written[SupersededReplay]:
        """Has one memory supersede another. Raises NotFound, VersionConflict, SupersessionCycle, MemoryRepeated,
        and InvalidField where the successor ends before it begins."""

        async def change(session: Session, revision: int) -> SupersededReplay:
            transaction = MemoryTransaction(session, scope, revision, now, self._keyring)
            return await supersede(transaction, asked)

        ids = {"memory_ids": [asked.memory_id, asked.successor_id]}
        return await self._writes.write(scope, request, SupersededReplay, change, now, ids=ids)

    async def restore(
        self,
        scope: Scope,
        memory_ids: Sequence[MemoryId],
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[RestoredReplay]:
        """Takes archived memories back; ids that are not archived are passed over."""

        async def change(session: Session, revision: int) -> RestoredReplay:
            return RestoredReplay(await restore_rows(session, scope, memory_ids, revision, now))

        ids = named("memory_ids", memory_ids)
        return await self._writes.write(scope, request, RestoredReplay, change, now, ids=ids)
