"""Empties scopes: what stays is the name, the receipts, the blocked values, and tombstones for those who follow."""

from datetime import datetime

from psycopg.types.json import Jsonb

from camillo_server.artifacts.store.orphaned_contents import delete_artifacts_of
from camillo_server.events.event import EventId
from camillo_server.events.store.forgetting import bury
from camillo_server.forgetting.ports import ResetReplay
from camillo_server.kernel.ids import AgentId, TenantId, time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.storage.database import Parameters, Session
from camillo_server.storage.receipts import Cause, Receipt, keep_receipt
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = {
    **statements("forgetting/store/reset"),
    "scope_revision": statements("memories/store/reads")["scope_revision"],
}
OF_EVENTS = ("keep_event_receipt", "bury_events", "delete_events", "delete_event_refs")


class PostgresScopeReset:
    """`ScopeReset` on Postgres."""

    def __init__(self, writes: ScopeWrites) -> None:
        self._writes = writes

    async def reset(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[ResetReplay]:
        """Bytes of artifacts outside of Postgres are condemned, and left to the collector."""
        receipt_id = time_ordered_uuid(now)

        async def change(session: Session, revision: int) -> ResetReplay:
            stores = await _counts(session, scope)
            key = {**scope_parameters(scope), "revision": revision, "now": now}
            counts = {"total": stores.get("events", 0), "stores": stores}
            of_events = {"receipt_id": receipt_id, "counts": Jsonb(counts)}
            await _empty(session, {**key, **of_events})
            await delete_artifacts_of(session, scope.tenant_id, scope.agent_id)
            await keep_receipt(session, scope, Receipt(receipt_id, Cause.RESET, stores, 0, now))
            return ResetReplay(receipt_id, stores, now)

        written = await self._writes.write(scope, request, ResetReplay, change, now)
        self._writes.tell_forgetting(scope)
        return written

    async def would_reset(self, scope: Scope, *, now: datetime) -> tuple[ResetReplay, int]:
        async with self._writes.database.snapshot(scope.tenant_id) as session:
            stores = await _counts(session, scope)
            row = await session.only_row(SQL["scope_revision"], scope_parameters(scope))
        return ResetReplay(None, stores, now), row[0]


async def _counts(session: Session, scope: Scope) -> dict[str, int]:
    """Rows by store, in the order of the stores' names; stores that are empty are left out."""
    rows = await session.rows(SQL["counts"], scope_parameters(scope))
    return {store: count for store, count in rows if count}


async def _empty(session: Session, parameters: Parameters) -> None:
    async with session.pipeline():
        for statement in (*OF_EVENTS, "delete_memories", "delete_records"):
            await session.execute(SQL[statement], parameters)


EVENTS = statements("events/store/forgetting")


async def delete_ground_of(
    session: Session, tenant_id: TenantId, agent_id: AgentId, now: datetime
) -> list[Scope]:
    """An agent's events, decisions, tasks, views and handoffs, inside the caller's transaction, which has taken the
    scope's turn. The scopes of the agents who lose a handoff by it, which have a new revision."""
    scope = Scope(tenant_id, agent_id)
    rows = await session.rows(EVENTS["event_ids"], scope_parameters(scope))
    event_ids = [EventId(row[0]) for row in rows]
    if event_ids:
        stores = {"events": len(event_ids)}
        await bury(session, scope, event_ids, time_ordered_uuid(now), stores, now)
    told = await session.rows(EVENTS["delete_rest"], scope_parameters(scope))
    return [Scope(tenant_id, AgentId(row[0])) for row in told]
