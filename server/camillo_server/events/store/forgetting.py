"""Removing events for good, with everything that was derived from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.events.event import EventId, ForgottenEvents
from camillo_server.kernel.ids import MemoryId, time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, replay_record
from camillo_server.memories.store.deletion import archive_rows, count_rows, delete_rows
from camillo_server.storage.database import Database, Session
from camillo_server.storage.receipts import Cause, Receipt, keep_receipt
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import scope_revision
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("events/store/forgetting")
NAMED_IDS = 1_000

Selector = Sequence[EventId] | str


@replay_record
@dataclass(frozen=True, slots=True)
class ForgottenEventsReplay:
    """The receipt; of a dry run, without an id."""

    receipt_id: UUID | None
    event_ids: tuple[EventId, ...]
    total: int
    stores: Mapping[str, int]
    invalidated: tuple[MemoryId, ...]
    forgotten_at: datetime


@dataclass(frozen=True, slots=True)
class EventsToRemove:
    """What goes with events: their chunks; and which summaries lose their ground."""

    event_ids: Sequence[EventId]
    chunk_ids: Sequence[MemoryId]
    summary_ids: Sequence[MemoryId]
    stores: dict[str, int]

    def receipt(self, receipt_id: UUID | None, now: datetime) -> ForgottenEventsReplay:
        """The receipt for the caller, which names at most 1,000 ids of each kind."""
        return ForgottenEventsReplay(
            receipt_id=receipt_id,
            event_ids=tuple(self.event_ids[:NAMED_IDS]),
            total=len(self.event_ids),
            stores=self.stores,
            invalidated=tuple(self.summary_ids[:NAMED_IDS]),
            forgotten_at=now,
        )


class EventForgetting:
    """Forgets events of a scope, or tells what that would remove."""

    def __init__(self, writes: ScopeWrites) -> None:
        self._writes = writes
        self._database: Database = writes.database

    async def would_forget(
        self, scope: Scope, selector: Selector, now: datetime
    ) -> ForgottenEvents:
        """Raises StorageUnavailable."""
        async with self._database.snapshot(scope.tenant_id) as session:
            doomed = await events_to_remove(session, scope, selector)
            revision = await scope_revision(session, scope)
        return _forgotten(doomed.receipt(None, now), revision)

    async def forget(
        self, scope: Scope, selector: Selector, request: RequestKey | None, now: datetime
    ) -> ForgottenEvents:
        """Raises StorageUnavailable, RequestIdReused."""
        receipt_id = time_ordered_uuid(now)

        async def change(session: Session, revision: int) -> ForgottenEventsReplay:
            doomed = await events_to_remove(session, scope, selector)
            await remove_events(session, scope, doomed, receipt_id, revision, now)
            receipt = Receipt(receipt_id, Cause.FORGET_EVENTS, doomed.stores, 0, now)
            await keep_receipt(session, scope, receipt)
            return doomed.receipt(receipt_id, now)

        written = await self._writes.write(scope, request, ForgottenEventsReplay, change, now)
        self._writes.notify_removal(scope)
        return _forgotten(written.record, written.revision)


async def insert_tombstones(
    session: Session,
    scope: Scope,
    event_ids: Sequence[EventId],
    receipt_id: UUID,
    stores: Mapping[str, int],
    now: datetime,
) -> None:
    """Removes events inside the caller's transaction, which has taken the scope's turn: a receipt with the counts of
    these stores, then tombstones, and then they go."""
    parameters = {
        **scope_parameters(scope),
        "event_ids": list(event_ids),
        "receipt_id": receipt_id,
        "counts": Jsonb({"total": len(event_ids), "stores": dict(stores)}),
        "now": now,
    }
    async with session.pipeline():
        for statement in ("keep_receipt", "insert_tombstones", "delete_events"):
            await session.execute(SQL[statement], parameters)


async def remove_events(
    session: Session,
    scope: Scope,
    doomed: EventsToRemove,
    receipt_id: UUID,
    revision: int,
    now: datetime,
) -> None:
    """Removes events and their chunks inside the caller's transaction, and archives the summaries that cite them."""
    await insert_tombstones(session, scope, doomed.event_ids, receipt_id, doomed.stores, now)
    if doomed.chunk_ids:
        await delete_rows(session, scope, doomed.chunk_ids, revision, now)
    if doomed.summary_ids:
        await archive_rows(session, scope, doomed.summary_ids, revision, now)


async def events_to_remove(session: Session, scope: Scope, selector: Selector) -> EventsToRemove:
    """What goes with these events, or with those of a session."""
    key = scope_parameters(scope)
    if isinstance(selector, str):
        statement, named = SQL["ids_of_session"], {**key, "session_id": selector}
    else:
        statement, named = SQL["ids_of_events"], {**key, "event_ids": list(selector)}
    event_ids = await _ids(session, statement, named)
    origins = [str(event_id) for event_id in event_ids]
    chunk_ids = await _ids(session, SQL["chunks_of"], {**key, "origins": origins})
    refs = [*origins, *(str(chunk_id) for chunk_id in chunk_ids)]
    summary_ids = await _ids(session, SQL["citing_summaries"], {**key, "refs": refs})
    rows = await count_rows(session, scope, [MemoryId(each) for each in chunk_ids])
    return EventsToRemove(
        event_ids=[EventId(each) for each in event_ids],
        chunk_ids=[MemoryId(each) for each in chunk_ids],
        summary_ids=[MemoryId(each) for each in summary_ids],
        stores={
            "chunk_vectors": rows["memory_vectors"],
            "chunks": rows["memories"],
            "events": len(event_ids),
        },
    )


async def _ids(session: Session, statement: Any, parameters: dict[str, Any]) -> list[UUID]:
    return [row[0] for row in await session.rows(statement, parameters)]


def _forgotten(receipt: ForgottenEventsReplay, revision: int) -> ForgottenEvents:
    return ForgottenEvents(
        receipt_id=receipt.receipt_id,
        event_ids=list(receipt.event_ids),
        total=receipt.total,
        stores=receipt.stores,
        invalidated=list(receipt.invalidated),
        forgotten_at=receipt.forgotten_at,
        revision=revision,
    )
