"""Stores events with their chunks in as few round trips as it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

from psycopg.errors import CheckViolation, UniqueViolation

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.errors import ValueRejected
from camillo_server.domain.events.ports import EventsReplay
from camillo_server.domain.ports import NewRow
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey, Written
from camillo_server.storage.chunk_rows import chunk_columns, fit_in_a_statement
from camillo_server.storage.database import Session
from camillo_server.storage.errors import violates
from camillo_server.storage.requests import PRIMARY_KEY, first_answer, request_parameters
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.staging import insert_staged, stage
from camillo_server.storage.statements import statements
from camillo_server.storage.value_blocks import CONSTRAINT, UNREAD

SQL = statements("events")

Parameters = dict[str, Any]


class MarksWanted(Exception):
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
        """Raises KeyMissing, RequestIdReused, StorageUnavailable, MarksWanted; ValueRejected, which does not tell where."""
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
        self._writes.tell(scope, written.revision, stored, only_added=True)
        return written


def _refuse(error: CheckViolation) -> NoReturn:
    if violates(error, UNREAD):
        raise MarksWanted from error
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
