"""Emptying a scope: inside the caller's transaction, which holds the scope's write lock."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from camillo_server.artifacts.store.orphaned_contents import delete_artifacts_of
from camillo_server.events.store.forgetting import delete_every_event
from camillo_server.kernel.ids import BEFORE_EVERY_ID, AgentId, TenantId, time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.memories.store.deletion import DELETED_AT_ONCE
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("forgetting/store/forgetting")
EVENTS = statements("events/store/forgetting")


async def count_rows_of_scope(session: Session, scope: Scope) -> dict[str, int]:
    """Rows by store, in the order of the stores' names; stores that are empty are left out."""
    rows = await session.rows(SQL["count_rows"], scope_parameters(scope))
    return {store: count for store, count in rows if count}


async def empty_scope(session: Session, scope: Scope, revision: int, now: datetime) -> None:
    """Removes all rows but events inside the caller's transaction, which holds the scope's write lock."""
    async with session.pipeline():
        for statement in ("delete_event_refs", "count_no_memories", "delete_records"):
            parameters = {**scope_parameters(scope), "revision": revision}
            await session.execute(SQL[statement], parameters)
    await delete_memories_of(session, scope, revision, now)
    await delete_artifacts_of(session, scope.tenant_id, scope.agent_id)


async def delete_memories_of(session: Session, scope: Scope, revision: int, now: datetime) -> None:
    """Deletes all memories and chunks of a scope inside the caller's transaction, which holds the scope's write lock,
    and leaves the scope's counts to the caller. In parts: one statement might take longer than a statement may."""
    parameters = {
        **scope_parameters(scope),
        "revision": revision,
        "now": now,
        "size": DELETED_AT_ONCE,
    }
    last: Sequence[Any] | None = (BEFORE_EVERY_ID,)
    while last is not None:
        last = await session.row(SQL["delete_memories"], {**parameters, "after_id": last[0]})


async def delete_records_of(
    session: Session, tenant_id: TenantId, agent_id: AgentId, now: datetime
) -> list[Scope]:
    """Deletes an agent's events, decisions, tasks, views, skills and handoffs inside the caller's transaction, which holds the
    scope's write lock. The scopes of the agents who lose a handoff by it, which have a new revision."""
    scope = Scope(tenant_id, agent_id)
    (count,) = await session.only_row(EVENTS["count_events"], scope_parameters(scope))
    if count:
        receipt_id = time_ordered_uuid(now)
        await delete_every_event(session, scope, receipt_id, {"events": count}, now)
    recipients = await session.rows(EVENTS["delete_rest"], scope_parameters(scope))
    return [Scope(tenant_id, AgentId(recipient)) for (recipient,) in recipients]
