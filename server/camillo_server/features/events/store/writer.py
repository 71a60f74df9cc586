"""Writes of events and their chunks: each one transaction at the scope's next revision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import NoReturn

from psycopg.errors import CheckViolation, UniqueViolation

from camillo_server.features.events.content import event_texts
from camillo_server.features.events.event import Event, EventsReplay, contents_cost
from camillo_server.features.events.store.rows import EventRows, PreparedEvents, record_statement, step_rows
from camillo_server.kernel.errors import ValueRejected
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import (
    chunks_json,
    fit_in_a_statement,
    insert_staged,
    rows_with_terms,
    stage,
    store_rows,
)
from camillo_server.rows.store.removal import delete_rows
from camillo_server.storage.blocklist import (
    CONSTRAINT,
    UNREAD,
    ShortenedText,
    TextFields,
    ValueFingerprints,
    blocked_fingerprints,
    fingerprint_texts,
    kept_fingerprints,
    with_request_id,
    without_forgotten,
)
from camillo_server.storage.database import Session, violates
from camillo_server.storage.group_commit import GroupCommit
from camillo_server.storage.receipts import note_refusals
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import next_revision
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.written_requests import PRIMARY_KEY, audit_of, enter, named, request_parameters

SQL = {**statements("rows/store/writes"), **statements("features/events/store/events")}


class FingerprintsMissing(Exception):
    """Some values are blocked in the scope, and the statement was given no fingerprints."""


@dataclass(frozen=True, slots=True)
class _DroppedChunks:
    """The number of dropped chunks, which is not kept: no request asks for it."""

    dropped: int


class EventWriter:
    """Writes events of one scope. Every write advances the scope's revision by one, all of it or nothing; a repeated
    request writes nothing and gets the first record. Every method raises StorageUnavailable, RequestIdReused, and
    KeyMissing where it encrypts without a key."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._keyring = keyring
        self._rows = EventRows(keyring)
        self._groups = GroupCommit(self._record_group)

    async def without_forgotten(self, scope: Scope, texts: TextFields) -> Mapping[str, ShortenedText]:
        """The texts that had forgotten sentences, without these."""
        return await without_forgotten(self._writes.database, scope, texts)

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
        rows = await rows_with_terms(chunks)

        async def store(rows: Sequence[NewRow]) -> Written[EventsReplay]:
            return await self._record_rows(scope, events, rows, replay, request, now)

        return await store_rows(self._writes, rows, store)

    async def _record_rows(
        self,
        scope: Scope,
        events: Sequence[Event],
        rows: Sequence[NewRow],
        replay: EventsReplay,
        request: RequestKey | None,
        now: datetime,
    ) -> Written[EventsReplay]:
        if fit_in_a_statement(rows):
            write = await self._prepared(scope, events, rows, replay, request, now)
            return await self._groups.write(
                scope, write, write.byte_count, partial(self._record, scope, events, write, request)
            )
        # Many chunks are copied into the staging table first, and nobody waits for that.
        write = await self._prepared(scope, events, (), replay, request, now)
        return await self._record(scope, events, write, request, rows)

    async def _prepared(
        self,
        scope: Scope,
        events: Sequence[Event],
        rows: Sequence[NewRow],
        replay: EventsReplay,
        request: RequestKey | None,
        now: datetime,
    ) -> PreparedEvents:
        keyring, kept = self._writes.database.keyring, None
        if request is not None:
            kept = {**request_parameters(keyring, scope, request, replay), "created_at": now}
        return PreparedEvents(
            events=await self._rows.json(scope, events),
            chunks=await chunks_json(scope, rows, self._keyring),
            rows=rows,
            request=kept,
            replay=replay,
            steps=step_rows(events),
            marks=await self._marks(scope, events, request) if scope in self._writes.known_blocks else None,
            audit=audit_of(None, now, named("event_ids", [event.event_id for event in events])),
            now=now,
        )

    async def _record(
        self,
        scope: Scope,
        events: Sequence[Event],
        write: PreparedEvents,
        request: RequestKey | None,
        staged: Sequence[NewRow] = (),
    ) -> Written[EventsReplay]:
        """Stores one write, or finds its first answer."""
        try:
            written = await self._store(scope, write, request, staged)
        except FingerprintsMissing:
            self._writes.known_blocks.add(scope)
            write = replace(write, marks=await self._marks(scope, events, request))
            written = await self._store(scope, write, request, staged)
        stored = () if written.is_repeat else staged or write.rows
        self._writes.notify(scope, written.revision, stored, only_added=not written.is_repeat)
        return written

    async def _store(
        self,
        scope: Scope,
        write: PreparedEvents,
        request: RequestKey | None,
        staged: Sequence[NewRow],
    ) -> Written[EventsReplay]:
        """Stores one write or finds its first answer, and notifies nobody. Raises FingerprintsMissing."""
        try:
            return Written(await self._insert(scope, write, staged), write.replay)
        except UniqueViolation as error:
            if not violates(error, PRIMARY_KEY):
                raise
            first = await self.first_answer(scope, request, now=write.now)
            # Past its lifetime, the request is new again.
            return first or await self._store(scope, write, request, staged)
        except CheckViolation as error:
            return await self.first_answer(scope, request, now=write.now) or _refuse(error)

    async def _record_group(self, scope: Scope, writes: Sequence[PreparedEvents]) -> Sequence[Written[EventsReplay]]:
        """Stores all of these writes, or none: what is wrong with one is found out when they are stored one by one."""
        statement, parameters = record_statement(scope, writes)
        last = (await self._writes.run_alone(scope, statement, parameters)).revision
        first = last - len(writes) + 1
        stored = [Written(revision, each.replay) for revision, each in enumerate(writes, first)]
        for written, each in zip(stored, writes, strict=True):
            self._writes.notify(scope, written.revision, each.rows, only_added=True)
        return stored

    async def _marks(self, scope: Scope, events: Sequence[Event], request: RequestKey | None) -> list[bytes]:
        fingerprints = _distinct(await _fingerprints(scope, events, request))
        return list(await kept_fingerprints(self._writes.database.keyring, scope, fingerprints))

    async def _insert(self, scope: Scope, write: PreparedEvents, staged: Sequence[NewRow]) -> int:
        """The revision at which the write is stored."""
        statement, parameters = record_statement(scope, [write])
        if not staged:
            stored = await self._writes.run_alone(scope, statement, parameters)
            return int(stored.revision)

        async def insert(session: Session) -> int:
            async with session.transaction():
                # Before the scope is locked: no other writer waits for it.
                await stage(session, scope, staged, self._keyring)
                revision: int
                revision, _ = await session.only_row(statement, parameters)
                async with session.pipeline():
                    await insert_staged(session, scope)
            return revision

        return await self._writes.run(scope, insert)

    async def rejected(self, scope: Scope, events: Sequence[Event], request: RequestKey | None) -> Mapping[int, str]:
        """The indexes of the events that have forgotten values, each with the first such field. Raises ValueRejected
        where the request's id is one."""
        *of_each, of_request = await _fingerprints(scope, events, request)
        blocked = await self._writes.database.read(
            scope,
            lambda session: blocked_fingerprints(session, scope, _distinct([*of_each, of_request])),
        )
        for index, each in enumerate(of_each):
            path = f"events[{index}]." if len(of_each) > 1 else "event."
            note_refusals(scope, each.receipts(blocked, path))
        for field in of_request.fields_with(blocked):
            note_refusals(scope, of_request.receipts(blocked))
            raise ValueRejected(field)
        fields = ((index, each.fields_with(blocked)) for index, each in enumerate(of_each))
        return {index: names[0] for index, names in fields if names}

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[EventsReplay] | None:
        """The first answer to this request, or None."""
        return await self._writes.first_answer(scope, request, EventsReplay, now)

    async def drop_chunks(self, scope: Scope, *, now: datetime) -> tuple[int, int]:
        """Removes every chunk of the scope; how many there were, and the revision of the removal."""

        async def change(session: Session, revision: int) -> _DroppedChunks:
            rows = await session.rows(SQL["chunk_ids"], scope_parameters(scope))
            await delete_rows(session, scope, [memory_id for (memory_id,) in rows], revision, now)
            await session.execute(SQL["recount_without_chunks"], scope_parameters(scope))
            return _DroppedChunks(len(rows))

        written = await self._writes.write(scope, None, _DroppedChunks, change, now)
        return written.record.dropped, written.revision

    async def add_chunks(self, scope: Scope, chunks: Sequence[NewRow], since: int, *, now: datetime) -> int:
        """Stores chunks of existing events, decisions and slots, and leaves existing chunks alone, and events that were
        redacted after the revision `since`; archives those of superseded decisions. The revision that holds them."""
        key = scope_parameters(scope)
        memory_ids = [row.memory.memory_id for row in chunks]
        rows = await rows_with_terms(chunks)

        async def store(session: Session) -> int:
            async with session.transaction():
                # Before the scope is locked: no other writer waits for it.
                await stage(session, scope, rows, self._keyring)
                revision = await next_revision(session, scope, now)
                async with session.pipeline():
                    await session.execute(SQL["unstage_orphans"], key)
                    await session.execute(SQL["unstage_redacted"], {**key, "since": since})
                    await session.execute(SQL["unstage_taken"], key)
                    await insert_staged(session, scope)
                    for name in ("archive_superseded", "archive_passages"):
                        await session.execute(SQL[name], {**key, "memory_ids": memory_ids})
                await enter(session, scope, None, now, named("memory_ids", memory_ids), revision=revision)
            return revision

        revision = await self._writes.run(scope, store)
        self._writes.notify(scope, revision, rows)
        return revision


def _refuse(error: CheckViolation) -> NoReturn:
    if violates(error, UNREAD):
        raise FingerprintsMissing from error
    if violates(error, CONSTRAINT):
        raise ValueRejected("content") from error
    raise error


async def _fingerprints(scope: Scope, events: Sequence[Event], request: RequestKey | None) -> list[ValueFingerprints]:
    """The fingerprints of each event, and last those of the request's id."""
    texts = [*map(event_texts, events), with_request_id({}, request)]
    cost = contents_cost(event.content for event in events)
    return await off_loop(cost, lambda: [fingerprint_texts(scope, each) for each in texts])


def _distinct(of_each: Sequence[ValueFingerprints]) -> list[bytes]:
    return list({fingerprint for each in of_each for fingerprint in each.all()})
