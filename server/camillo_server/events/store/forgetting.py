"""Removing events for good, with everything that was derived from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.events.event import EventId, ForgottenEvents
from camillo_server.kernel.ids import MAX_NAMED_IDS, MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.memories.store.deletion import (
    archive_rows,
    count_rows,
    delete_rows,
)
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("events/store/forgetting")

Selector = Sequence[EventId] | str


@dataclass(frozen=True, slots=True)
class EventsToRemove:
    """Events to remove with their chunks, and the summaries to archive because they cite them."""

    event_ids: Sequence[EventId]
    chunk_ids: Sequence[MemoryId]
    summary_ids: Sequence[MemoryId]
    stores: dict[str, int]

    def receipt(self, receipt_id: UUID | None, now: datetime) -> ForgottenEvents:
        """The receipt for the caller, which names at most 1,000 ids of each kind."""
        return ForgottenEvents(
            receipt_id=receipt_id,
            event_ids=tuple(self.event_ids[:MAX_NAMED_IDS]),
            total=len(self.event_ids),
            stores=self.stores,
            invalidated=tuple(self.summary_ids[:MAX_NAMED_IDS]),
            forgotten_at=now,
        )


async def insert_tombstones(
    session: Session,
    scope: Scope,
    event_ids: Sequence[EventId],
    receipt_id: UUID,
    stores: Mapping[str, int],
    now: datetime,
) -> None:
    """Removes events inside the caller's transaction, which holds the lock of the scope: a receipt with the counts of
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
    removal: EventsToRemove,
    receipt_id: UUID,
    revision: int,
    now: datetime,
) -> None:
    """Removes events and their chunks inside the caller's transaction, and archives the summaries that cite them."""
    await insert_tombstones(session, scope, removal.event_ids, receipt_id, removal.stores, now)
    if removal.chunk_ids:
        await delete_rows(session, scope, removal.chunk_ids, revision, now)
    if removal.summary_ids:
        await archive_rows(session, scope, removal.summary_ids, revision, now)


async def events_to_remove(session: Session, scope: Scope, selector: Selector) -> EventsToRemove:
    """These events, or those of a session, with everything that goes with them."""
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
    return [each for (each,) in await session.rows(statement, parameters)]
