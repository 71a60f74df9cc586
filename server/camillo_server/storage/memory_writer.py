"""Writes of memories: each one transaction at the scope's next revision."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

from psycopg import Rollback
from psycopg.errors import UniqueViolation

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.errors import AlreadyExists, NotFound, VersionConflict
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import MemoryFilter
from camillo_server.domain.ports import Imported, NewRow, UpdatedVersions
from camillo_server.domain.scope import Scope
from camillo_server.domain.source import is_chunk
from camillo_server.domain.writes import Facts, RequestKey, Written
from camillo_server.storage.change_bell import PostgresChangeBell
from camillo_server.storage.database import Database, Session
from camillo_server.storage.errors import violates
from camillo_server.storage.forgetting import forget_rows, ids_to_forget
from camillo_server.storage.requests import (
    PRIMARY_KEY,
    first_answer,
    keep_answer,
    request_parameters,
)
from camillo_server.storage.rows import row_parameters, scope_parameters
from camillo_server.storage.sealed_rows import NO_KEYS
from camillo_server.storage.staging import insert_staged, stage
from camillo_server.storage.statements import statements
from camillo_server.storage.turns import ScopeTurns

SQL = statements("memory_writes")

Change = Callable[[Session, int], Awaitable[Facts]]


class PostgresMemoryWriter:
    """`MemoryWriter` on Postgres. What is sensitive is stored sealed: where that needs a key that is not there, every
    method raises KeyMissing."""

    def __init__(
        self,
        database: Database,
        bell: PostgresChangeBell,
        on_missing_vector: Callable[[Scope], None],
        on_commit: Callable[[Scope, int, Sequence[NewRow]], bool] = lambda *_: False,
        keyring: Keyring = NO_KEYS,
    ) -> None:
        """After a commit, `on_missing_vector` is called for rows without a vector, and `on_commit` with the revision
        and the row if all that was done is to add one; it says whether the observers of the bell know of it now."""
        self._database = database
        self._bell = bell
        self._on_missing_vector = on_missing_vector
        self._on_commit = on_commit
        self._keyring = keyring
        self._turns = ScopeTurns()

    async def remember(
        self, scope: Scope, row: NewRow, facts: Facts, request: RequestKey | None, *, now: datetime
    ) -> Written:
        # The statement wants its terms, and the index in memory once more after the commit.
        row = row.with_terms()
        parameters = {
            **scope_parameters(scope),
            **row_parameters(scope, row, self._keyring),
            **request_parameters(request, facts),
            "added_memories": 1,
            "now": now,
        }
        parameters["added_terms"] = parameters["term_count"]

        async def insert(session: Session) -> Written:
            while True:
                try:
                    found = await session.only_row(SQL["remember"], parameters)
                except UniqueViolation as error:
                    answer = await first_answer(session, scope, request, now)
                    if answer is not None:
                        return answer
                    # Whichever of the two the statement came to first.
                    if violates(error, "memories_pkey") or violates(error, "memory_vectors_pkey"):
                        raise AlreadyExists("memory", row.memory.memory_id) from error
                    if not violates(error, PRIMARY_KEY):
                        raise
                else:
                    return Written(found[0], facts)

        async with self._turns.take(scope):
            written = await self._database.write(scope.tenant_id, insert)
        # A repeat has the facts of the first time, and stored nothing.
        added = [row] if written.facts is facts else []
        self._tell(scope, written.revision, [row], added)
        return written

    async def remember_many(
        self,
        scope: Scope,
        rows: Sequence[NewRow],
        facts: Facts,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written:
        async def insert(session: Session, revision: int) -> Facts:
            seen = await _taken_ids(session, scope, rows)
            taken = []
            free = []
            for place, row in enumerate(rows):
                if row.memory.memory_id in seen:
                    taken.append(place)
                else:
                    seen.add(row.memory.memory_id)
                    free.append(row)
            await stage(session, scope, free, self._keyring)
            async with session.pipeline():
                await insert_staged(session, scope)
            return {**facts, "taken": taken}

        return await self._write(scope, request, insert, now, rows)

    async def import_rows(
        self,
        scope: Scope,
        rows: Sequence[NewRow],
        *,
        replace: bool,
        after: Awaitable[object] | None,
        now: datetime,
    ) -> Imported:
        async def work(session: Session) -> Imported:
            async with session.transaction():
                # Before the scope's turn is taken: meanwhile Postgres stores the batch before this one.
                await stage(session, scope, rows, self._keyring)
                if after is not None:
                    await after
                async with session.pipeline():
                    turn = await session.execute(SQL["next_revision"], _turn(scope, now))
                    unstaged = await insert_staged(session, scope)
                revision = (await turn.fetchall())[0][0]
                taken: dict[MemoryId, bool] = dict(await unstaged.fetchall())
                replaced = [row for row in rows if replace and taken.get(row.memory.memory_id)]
                for row in replaced:
                    await self._put_in_place(session, scope, row, revision, now)
                    await _put_statistics(session, scope, row)
            stored = len(rows) - len(taken) + len(replaced)
            return Imported(revision, stored, len(rows) - stored)

        async with self._turns.take(scope):
            imported = await self._database.write(scope.tenant_id, work)
        self._tell(scope, imported.revision, rows)
        return imported

    async def update(
        self,
        scope: Scope,
        row: NewRow,
        versions: UpdatedVersions,
        facts: Facts,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written:
        memory_id = row.memory.memory_id

        async def change(session: Session, revision: int) -> Facts:
            key = {**scope_parameters(scope), "memory_id": memory_id, "is_chunk": False}
            found = await session.row(SQL["lock_memory"], key)
            if found is None:
                raise NotFound("memory", memory_id)
            if not found[0] == versions.expected == versions.read:
                raise VersionConflict("memory", versions.expected, found[0])
            await self._put_in_place(session, scope, row, revision, now)
            return facts

        return await self._write(scope, request, change, now, [row])

    async def forget(
        self,
        scope: Scope,
        selector: Sequence[MemoryId] | MemoryFilter,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written:
        async def change(session: Session, revision: int) -> Facts:
            memory_ids = await ids_to_forget(session, scope, selector, now)
            return await forget_rows(session, scope, memory_ids, revision, now)

        return await self._write(scope, request, change, now)

    async def restore(
        self,
        scope: Scope,
        memory_ids: Sequence[MemoryId],
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written:
        async def change(session: Session, revision: int) -> Facts:
            key = {**scope_parameters(scope), "now": now, "revision": revision}
            rows = await session.rows(SQL["archived_ids"], {**key, "memory_ids": list(memory_ids)})
            archived = [row[0] for row in rows]
            await session.execute(SQL["keep_version"], {**key, "memory_ids": archived})
            await session.execute(SQL["restore"], {**key, "memory_ids": archived})
            return {"restored": len(archived)}

        return await self._write(scope, request, change, now)

    async def _write(
        self,
        scope: Scope,
        request: RequestKey | None,
        change: Change,
        now: datetime,
        rows: Sequence[NewRow] = (),
    ) -> Written:
        """Takes the scope's turn, answers a repeat, else makes the change and keeps its answer: one transaction."""

        async def work(session: Session) -> Written:
            async with session.transaction() as transaction:
                revision = await _next_revision(session, scope, now)
                written = await first_answer(session, scope, request, now)
                if written is not None:
                    raise Rollback(transaction)
                written = Written(revision, await change(session, revision))
                await keep_answer(session, scope, request, written, now)
            return written

        async with self._turns.take(scope):
            written = await self._database.write(scope.tenant_id, work)
        self._tell(scope, written.revision, rows)
        return written

    async def _put_in_place(
        self, session: Session, scope: Scope, row: NewRow, revision: int, now: datetime
    ) -> None:
        """The row takes the place of what is in force, which becomes history."""
        memory = row.memory
        key = {**scope_parameters(scope), "memory_id": memory.memory_id}
        key |= {"is_chunk": is_chunk(memory.kind), "revision": revision, "now": now}
        version, term_count = await session.only_row(SQL["lock_memory"], key)
        parameters = row_parameters(scope, row, self._keyring)
        await session.execute(SQL["keep_version"], {**key, "memory_ids": [memory.memory_id]})
        await session.execute(
            SQL["replace_memory"],
            {**parameters, **key, "version": max(version + 1, memory.version)},
        )
        await session.execute(SQL["replace_vector"], {**parameters, **key})
        await session.execute(
            SQL["adjust_scope"],
            {**key, "added_memories": 0, "added_terms": parameters["term_count"] - term_count},
        )

    def _tell(
        self, scope: Scope, revision: int, rows: Sequence[NewRow], added: Sequence[NewRow] = ()
    ) -> None:
        """After the commit: to those who follow the scope, and to the one who makes missing vectors."""
        self._bell.ring(scope, observed=self._on_commit(scope, revision, added))
        if any(row.vector is None for row in rows):
            self._on_missing_vector(scope)


async def _next_revision(session: Session, scope: Scope, now: datetime) -> int:
    """Takes the scope's turn: later writers wait until this transaction ends."""
    row = await session.only_row(SQL["next_revision"], _turn(scope, now))
    revision: int = row[0]
    return revision


def _turn(scope: Scope, now: datetime) -> dict[str, Any]:
    """The parameters of `next_revision` for a write that counts its rows itself."""
    return {**scope_parameters(scope), "added_memories": 0, "added_terms": 0, "now": now}


async def _taken_ids(session: Session, scope: Scope, rows: Sequence[NewRow]) -> set[MemoryId]:
    memory_ids = [row.memory.memory_id for row in rows]
    found = await session.rows(
        SQL["taken_ids"], {**scope_parameters(scope), "memory_ids": memory_ids}
    )
    return {row[0] for row in found}


async def _put_statistics(session: Session, scope: Scope, row: NewRow) -> None:
    memory = row.memory
    if memory.access_count or memory.accessed_at:
        await session.execute(
            SQL["put_access"],
            {
                **scope_parameters(scope),
                "memory_id": memory.memory_id,
                "accessed_at": memory.accessed_at,
                "access_count": memory.access_count,
            },
        )
