"""Writes of events and their chunks: each one transaction at the scope's next revision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NoReturn

from psycopg.errors import CheckViolation, UniqueViolation

from camillo_server.crypto.keyring import Keyring
from camillo_server.events.event import Event, EventId, EventsReplay, ForgottenEvents
from camillo_server.events.store.chunk_rows import (
    chunk_columns,
    fit_in_a_statement,
    rows_with_terms,
)
from camillo_server.events.store.forgetting import EventForgetting
from camillo_server.events.store.reader import EventTexts
from camillo_server.events.store.rows import EventRows
from camillo_server.kernel.errors import ValueRejected
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.memory import NewRow
from camillo_server.memories.store.deletion import delete_rows
from camillo_server.memories.store.staging import insert_staged, stage
from camillo_server.storage.blocklist import CONSTRAINT, UNREAD
from camillo_server.storage.database import Session, violates
from camillo_server.storage.requests import PRIMARY_KEY, first_answer, request_parameters
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import next_revision
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("events/store/events")
Parameters = dict[str, Any]


class FingerprintsMissing(Exception):
    """There are values that may not be stated, and the recording does not tell the marks of what it states."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What is stored together: events as the columns of `record`, and their chunks. `marks` of what they state: None
    where they have not been read, since there may be nothing that they must not have."""

    scope: Scope
    event_columns: Parameters
    chunks: Sequence[NewRow]
    replay: EventsReplay
    keyring: Keyring
    marks: Sequence[bytes] | None


class EventRecorder:
    """Few chunks go with their events in one statement; many are copied into the staging table first."""

    def __init__(self, writes: ScopeWrites) -> None:
        self._writes = writes

    async def record(
        self, recording: Recording, request: RequestKey | None, now: datetime
    ) -> Written[EventsReplay]:
        """Raises KeyMissing, RequestIdReused, StorageUnavailable, FingerprintsMissing; ValueRejected, which does not tell where."""
        scope = recording.scope
        is_few = fit_in_a_statement(recording.chunks)
        chunks = await chunk_columns(scope, recording.chunks if is_few else (), recording.keyring)
        parameters = {
            **recording.event_columns,
            **chunks,
            **request_parameters(request, recording.replay),
            "added_chunks": len(chunks["memory_id"]),
            "added_terms": sum(chunks["term_count"]),
            "marks": recording.marks,
            "now": now,
        }

        async def first(session: Session) -> Written[EventsReplay] | None:
            return await first_answer(session, scope, request, EventsReplay, now)

        async def insert(session: Session) -> Written[EventsReplay]:
            try:
                if is_few:
                    revision, _ = await session.only_row(SQL["record"], parameters)
                else:
                    revision = await _record_staged(session, recording, parameters)
            except UniqueViolation as error:
                if not violates(error, PRIMARY_KEY):
                    raise
                # Past its lifetime, the request is new again.
                return await first(session) or await insert(session)
            except CheckViolation as error:
                return await first(session) or _refuse(error)
            return Written(revision, recording.replay)

        written = await self._writes.run(scope, insert)
        stored = () if written.is_repeat else recording.chunks
        self._writes.notify(scope, written.revision, stored, only_added=True)
        return written


def _refuse(error: CheckViolation) -> NoReturn:
    if violates(error, UNREAD):
        raise FingerprintsMissing from error
    if violates(error, CONSTRAINT):
        raise ValueRejected("content") from error
    raise error


async def _record_staged(session: Session, recording: Recording, parameters: Parameters) -> int:
    async with session.transaction():
        # Before the scope's turn is taken: no other writer waits for it.
        await stage(session, recording.scope, recording.chunks, recording.keyring)
        revision: int = (await session.only_row(SQL["record"], parameters))[0]
        async with session.pipeline():
            await insert_staged(session, recording.scope)
    return revision


@dataclass(frozen=True, slots=True)
class _DroppedChunks:
    """Kept nowhere: no request asks for it."""

    dropped: int


class EventWriter:
    """Writes events of one scope. Every write is one transaction that advances the scope's revision by one; a repeated
    request writes nothing and gets the first record. Every method raises StorageUnavailable, RequestIdReused, and
    KeyMissing where it encrypts without a key."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._keyring = keyring
        self._rows = EventRows(keyring)
        self._recorder = EventRecorder(writes)
        self._forgetting = EventForgetting(writes)

    async def record(
        self,
        scope: Scope,
        events: Sequence[Event],
        chunks: Sequence[NewRow],
        replay: EventsReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[EventsReplay]:
        """Stores the events, in this order, and their chunks. Every id is new. Raises ValueRejected where one of them
        has a forgotten value: `rejected` finds out which."""
        stated = EventTexts(scope, events)
        # Here, and not with a connection in hand.
        recording = Recording(
            scope=scope,
            event_columns=scope_parameters(scope) | await self._rows.columns(scope, events),
            chunks=await rows_with_terms(chunks),
            replay=replay,
            keyring=self._keyring,
            marks=stated.marks_at_once(),
        )
        try:
            return await self._recorder.record(recording, request, now)
        except FingerprintsMissing:
            complete = replace(recording, marks=await stated.marks())
            return await self._recorder.record(complete, request, now)

    async def rejected(self, scope: Scope, events: Sequence[Event]) -> Mapping[int, str]:
        """The indexes of the events that have forgotten values, each with the first such field."""
        return await EventTexts(scope, events).rejected(self._writes.database)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[EventsReplay] | None:
        """The first answer to this request, or None."""
        return await self._writes.first_answer(scope, request, EventsReplay, now)

    async def forget(
        self,
        scope: Scope,
        selector: Sequence[EventId] | str,
        request: RequestKey | None,
        *,
        dry_run: bool,
        now: datetime,
    ) -> ForgottenEvents:
        """Removes these events, or those of a session, with everything derived from them; `dry_run` only counts."""
        if dry_run:
            return await self._forgetting.would_forget(scope, selector, now)
        return await self._forgetting.forget(scope, selector, request, now)

    async def drop_chunks(self, scope: Scope, *, now: datetime) -> tuple[int, int]:
        """Removes every chunk of the scope; how many there were, and the revision from which they are gone."""

        async def change(session: Session, revision: int) -> _DroppedChunks:
            found = await session.rows(SQL["chunk_ids"], scope_parameters(scope))
            await delete_rows(session, scope, [row[0] for row in found], revision, now)
            await session.execute(SQL["recount_without_chunks"], scope_parameters(scope))
            return _DroppedChunks(len(found))

        written = await self._writes.write(scope, None, _DroppedChunks, change, now)
        return written.record.dropped, written.revision

    async def add_chunks(self, scope: Scope, chunks: Sequence[NewRow], *, now: datetime) -> int:
        """Stores chunks of existing events and decisions, and leaves existing chunks alone; archives those of superseded
        decisions. The revision that holds them."""
        key = scope_parameters(scope)
        memory_ids = [row.memory.memory_id for row in chunks]
        rows = await rows_with_terms(chunks)

        async def store(session: Session) -> int:
            async with session.transaction():
                # Before the scope's turn is taken: no other writer waits for it.
                await stage(session, scope, rows, self._keyring)
                revision = await next_revision(session, scope, now)
                async with session.pipeline():
                    await session.execute(SQL["unstage_orphans"], key)
                    await insert_staged(session, scope)
                    await session.execute(
                        SQL["archive_superseded"], {**key, "memory_ids": memory_ids}
                    )
            return revision

        revision = await self._writes.run(scope, store)
        self._writes.notify(scope, revision, rows)
        return revision
