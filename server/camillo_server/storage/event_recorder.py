"""Stores events with their chunks in as few round trips as it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.errors import UniqueViolation

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.ports import NewRow
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import Facts, RequestKey, Written
from camillo_server.storage.chunk_rows import chunk_columns, fit_in_a_statement
from camillo_server.storage.database import Session
from camillo_server.storage.errors import violates
from camillo_server.storage.requests import PRIMARY_KEY, first_answer, request_parameters
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.staging import insert_staged, stage
from camillo_server.storage.statements import statements

SQL = statements("events")

Parameters = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Recording:
    """What is stored together: events as the columns of `record`, and their chunks."""

    scope: Scope
    event_columns: Parameters
    chunks: Sequence[NewRow]
    facts: Facts
    keyring: Keyring


class EventRecorder:
    """Few chunks go with their events in one statement; many are copied into the staging table first."""

    def __init__(self, writes: ScopeWrites) -> None:
        self._writes = writes

    async def record(
        self, recording: Recording, request: RequestKey | None, now: datetime
    ) -> Written:
        """Raises KeyMissing, RequestIdReused, StorageUnavailable."""
        scope, facts = recording.scope, recording.facts
        is_few = fit_in_a_statement(recording.chunks)
        chunks = await chunk_columns(scope, recording.chunks if is_few else (), recording.keyring)
        parameters = {
            **recording.event_columns,
            **chunks,
            **request_parameters(request, facts),
            "added_chunks": len(chunks["memory_id"]),
            "added_terms": sum(chunks["term_count"]),
            "now": now,
        }

        async def insert(session: Session) -> Written:
            try:
                if is_few:
                    (revision,) = await session.only_row(SQL["record"], parameters)
                else:
                    revision = await _record_staged(session, recording, parameters)
            except UniqueViolation as error:
                if not violates(error, PRIMARY_KEY):
                    raise
                # Past its lifetime, the request is new again.
                return await first_answer(session, scope, request, now) or await insert(session)
            return Written(revision, facts)

        written = await self._writes.run(scope, insert)
        # A repeat has the facts of the first time, and stored nothing.
        stored = recording.chunks if written.facts is facts else ()
        self._writes.tell(scope, written.revision, stored, only_added=True)
        return written


async def _record_staged(session: Session, recording: Recording, parameters: Parameters) -> int:
    async with session.transaction():
        # Before the scope's turn is taken: no other writer waits for it.
        await stage(session, recording.scope, recording.chunks, recording.keyring)
        revision: int = (await session.only_row(SQL["record"], parameters))[0]
        async with session.pipeline():
            await insert_staged(session, recording.scope)
    return revision
