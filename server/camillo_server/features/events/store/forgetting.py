"""Removing events for good, with their chunks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.features.events.store.redaction import events_to_redact
from camillo_server.kernel.ids import BEFORE_EVERY_ID, MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.forgettable import Forgettable, Removal
from camillo_server.rows.store.removal import DELETED_AT_ONCE, chunks_of, count_chunks, delete_rows
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/events/store/forgetting")


@dataclass(frozen=True, slots=True)
class EventsToRemove:
    """Events to remove with their chunks."""

    event_ids: Sequence[UUID]
    chunk_ids: Sequence[MemoryId]
    stores: dict[str, int]

    async def carry_out(self, session: Session, scope: Scope, removal: Removal) -> None:
        """Removes them inside the caller's transaction."""
        await _keep_receipt(session, scope, removal, self.stores)
        for index in range(0, len(self.event_ids), DELETED_AT_ONCE):
            part = self.event_ids[index : index + DELETED_AT_ONCE]
            await _delete(session, scope, part, removal.receipt_id, index)
        if self.chunk_ids:
            await delete_rows(session, scope, self.chunk_ids, removal.revision, removal.now)


async def events_to_remove(session: Session, scope: Scope, event_ids: Collection[str]) -> EventsToRemove:
    """These events, which exist, with their chunks."""
    chunk_ids = await chunks_of(session, scope, event_ids)
    stores = {**await count_chunks(session, scope, chunk_ids), "events": len(event_ids)}
    return EventsToRemove([UUID(each) for each in event_ids], chunk_ids, dict(sorted(stores.items())))


async def delete_every_event(session: Session, scope: Scope, removal: Removal) -> None:
    """Deletes all events of a scope inside the caller's transaction, which holds the scope's lock, in parts. The
    receipt's counts of events are right."""
    if not removal.stores.get("events"):
        return
    await _keep_receipt(session, scope, removal, removal.stores)
    page = {**scope_parameters(scope), "after_id": BEFORE_EVERY_ID, "size": DELETED_AT_ONCE}
    index = 0
    while event_ids := [each for (each,) in await session.rows(SQL["page_of_events"], page)]:
        await _delete(session, scope, event_ids, removal.receipt_id, index)
        page["after_id"] = event_ids[-1]
        index += len(event_ids)


async def _keep_receipt(session: Session, scope: Scope, removal: Removal, stores: Mapping[str, int]) -> None:
    parameters = {
        **scope_parameters(scope),
        "receipt_id": removal.receipt_id,
        "counts": Jsonb({"total": stores["events"], "stores": dict(stores)}),
        "now": removal.now,
    }
    await session.execute(SQL["keep_receipt"], parameters)


async def _delete(session: Session, scope: Scope, event_ids: Sequence[UUID], receipt_id: UUID, index: int) -> None:
    """Tombstones first, which permit the deletion; they name a receipt that exists. `index` is that of the first."""
    parameters = {
        **scope_parameters(scope),
        "event_ids": list(event_ids),
        "receipt_id": receipt_id,
        "place": index,
    }
    async with session.pipeline():
        await session.execute(SQL["insert_tombstones"], parameters)
        await session.execute(SQL["delete_events"], parameters)


EVENTS = Forgettable(
    "events",
    SQL,
    "event",
    has_chunks=True,
    is_cited=True,
    plan=events_to_remove,
    delete_all=delete_every_event,
    redact=events_to_redact,
)
