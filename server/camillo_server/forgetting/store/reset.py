"""Everything of a scope, removed: its name, its receipts, its blocked values and tombstones for its followers stay."""

from datetime import datetime

from psycopg.types.json import Jsonb

from camillo_server.artifacts.store.orphaned_contents import delete_artifacts_of
from camillo_server.events.event import EventId
from camillo_server.events.store.forgetting import insert_tombstones
from camillo_server.kernel.ids import AgentId, TenantId, time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Session
from camillo_server.storage.receipts import Receipt
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("forgetting/store/reset")
EVENTS = statements("events/store/forgetting")
# In this order: tombstones permit the deletion of events, and name a receipt that exists.
DELETIONS = (
    *("insert_event_receipt", "insert_event_tombstones", "delete_events", "delete_event_refs"),
    *("delete_memories", "delete_records"),
)


async def count_rows_of_scope(session: Session, scope: Scope) -> dict[str, int]:
    """Rows by store, in the order of the stores' names; stores that are empty are left out."""
    rows = await session.rows(SQL["count_rows"], scope_parameters(scope))
    return {store: count for store, count in rows if count}


async def empty_scope(session: Session, scope: Scope, receipt: Receipt, revision: int) -> None:
    """Removes all rows inside the caller's transaction, which holds the scope's write lock."""
    parameters = {
        **scope_parameters(scope),
        "revision": revision,
        "now": receipt.at,
        "receipt_id": receipt.receipt_id,
        "counts": Jsonb({"total": receipt.stores.get("events", 0), "stores": dict(receipt.stores)}),
    }
    async with session.pipeline():
        for statement in DELETIONS:
            await session.execute(SQL[statement], parameters)
    await delete_artifacts_of(session, scope.tenant_id, scope.agent_id)


async def delete_records_of(
    session: Session, tenant_id: TenantId, agent_id: AgentId, now: datetime
) -> list[Scope]:
    """Deletes an agent's events, decisions, tasks, views and handoffs inside the caller's transaction, which holds the
    scope's write lock. The scopes of the agents who lose a handoff by it, which have a new revision."""
    scope = Scope(tenant_id, agent_id)
    rows = await session.rows(EVENTS["event_ids"], scope_parameters(scope))
    event_ids = [EventId(event_id) for (event_id,) in rows]
    if event_ids:
        stores = {"events": len(event_ids)}
        await insert_tombstones(session, scope, event_ids, time_ordered_uuid(now), stores, now)
    recipients = await session.rows(EVENTS["delete_rest"], scope_parameters(scope))
    return [Scope(tenant_id, AgentId(recipient)) for (recipient,) in recipients]
