"""Writes of events and their chunks: each one transaction at the scope's next revision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.events.event import Event, EventId
from camillo_server.domain.events.ports import EventsReplay, ForgottenEvents
from camillo_server.domain.ports import NewRow
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey, Written
from camillo_server.storage.chunk_rows import rows_with_terms
from camillo_server.storage.database import Session
from camillo_server.storage.event_forgetting import EventForgetting
from camillo_server.storage.event_recorder import EventRecorder, MarksWanted, Recording
from camillo_server.storage.event_rows import EventRows
from camillo_server.storage.forgetting import delete_rows
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.scope_writes import ScopeWrites, next_revision
from camillo_server.storage.staging import insert_staged, stage
from camillo_server.storage.stated_events import StatedEvents
from camillo_server.storage.statements import statements

SQL = statements("events")


@dataclass(frozen=True, slots=True)
class _DroppedChunks:
    """Kept nowhere: no request asks for it."""

    dropped: int


class PostgresEventWriter:
    """`EventWriter` on Postgres. What is sensitive is stored sealed: where that needs a key that is not there, every
    method that stores raises KeyMissing."""

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
        stated = StatedEvents(scope, events)
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
        except MarksWanted:
            complete = replace(recording, marks=await stated.marks())
            return await self._recorder.record(complete, request, now)

    async def rejected(self, scope: Scope, events: Sequence[Event]) -> Mapping[int, str]:
        return await StatedEvents(scope, events).rejected(self._writes.database)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[EventsReplay] | None:
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
        if dry_run:
            return await self._forgetting.would_forget(scope, selector, now)
        return await self._forgetting.forget(scope, selector, request, now)

    async def drop_chunks(self, scope: Scope, *, now: datetime) -> tuple[int, int]:
        async def change(session: Session, revision: int) -> _DroppedChunks:
            found = await session.rows(SQL["chunk_ids"], scope_parameters(scope))
            await delete_rows(session, scope, [row[0] for row in found], revision, now)
            await session.execute(SQL["recount_without_chunks"], scope_parameters(scope))
            return _DroppedChunks(len(found))

        written = await self._writes.write(scope, None, _DroppedChunks, change, now)
        return written.record.dropped, written.revision

    async def add_chunks(self, scope: Scope, chunks: Sequence[NewRow], *, now: datetime) -> int:
        """Leaves out chunks of what is not there any more, and archives those of superseded decisions."""
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
        self._writes.tell(scope, revision, rows)
        return revision
