"""Removing events for good, with their chunks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.features.events.event import EventId
from camillo_server.kernel.ids import BEFORE_EVERY_ID, MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.store.deletion import (
    DELETED_AT_ONCE,
    count_rows,
    delete_rows,
)
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/events/store/forgetting")


@dataclass(frozen=True, slots=True)
class EventsToRemove:
    """Events to remove with their chunks."""

    event_ids: Sequence[EventId]
    chunk_ids: Sequence[MemoryId]
    stores: dict[str, int]


async def delete_every_event(
    session: Session, scope: Scope, receipt_id: UUID, stores: Mapping[str, int], now: datetime
) -> None:
    """Deletes all events of a scope inside the caller's transaction, which holds the scope's lock, in parts. `stores`
    are the counts of the receipt; those of events are right."""
    await _keep_receipt(session, scope, receipt_id, stores, now)
    page = {**scope_parameters(scope), "after_id": BEFORE_EVERY_ID, "size": DELETED_AT_ONCE}
    place = 0
    while event_ids := await _ids(session, SQL["event_ids"], page):
        await _delete(session, scope, event_ids, receipt_id, place)
        page["after_id"] = event_ids[-1]
        place += len(event_ids)


async def _keep_receipt(
    session: Session, scope: Scope, receipt_id: UUID, stores: Mapping[str, int], now: datetime
) -> None:
    parameters = {
        **scope_parameters(scope),
        "receipt_id": receipt_id,
        "counts": Jsonb({"total": stores["events"], "stores": dict(stores)}),
        "now": now,
    }
    await session.execute(SQL["keep_receipt"], parameters)


async def _delete(session: Session, scope: Scope, event_ids: Sequence[UUID], receipt_id: UUID, place: int) -> None:
    """Tombstones first, which permit the deletion; they name a receipt that exists, and their places begin at this."""
    parameters = {
        **scope_parameters(scope),
        "event_ids": list(event_ids),
        "receipt_id": receipt_id,
        "place": place,
    }
    async with session.pipeline():
        await session.execute(SQL["insert_tombstones"], parameters)
        await session.execute(SQL["delete_events"], parameters)


async def remove_events(
    session: Session,
    scope: Scope,
    removal: EventsToRemove,
    receipt_id: UUID,
    revision: int,
    now: datetime,
) -> None:
    """Removes events and their chunks inside the caller's transaction."""
    await _keep_receipt(session, scope, receipt_id, removal.stores, now)
    for place in range(0, len(removal.event_ids), DELETED_AT_ONCE):
        part = removal.event_ids[place : place + DELETED_AT_ONCE]
        await _delete(session, scope, part, receipt_id, place)
    if removal.chunk_ids:
        await delete_rows(session, scope, removal.chunk_ids, revision, now)


async def events_to_remove(session: Session, scope: Scope, event_ids: Sequence[EventId]) -> EventsToRemove:
    """These events, which exist, with their chunks."""
    key = scope_parameters(scope)
    origins = [str(event_id) for event_id in event_ids]
    chunk_ids = await _ids(session, SQL["chunks_of"], {**key, "origins": origins})
    rows = await count_rows(session, scope, [MemoryId(each) for each in chunk_ids])
    return EventsToRemove(
        event_ids=event_ids,
        chunk_ids=[MemoryId(each) for each in chunk_ids],
        stores={
            "chunk_vectors": rows["memory_vectors"],
            "chunks": rows["memories"],
            "events": len(event_ids),
        },
    )


async def _ids(session: Session, statement: Any, parameters: dict[str, Any]) -> list[UUID]:
    return [each for (each,) in await session.rows(statement, parameters)]
