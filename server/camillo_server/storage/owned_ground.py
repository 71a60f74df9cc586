"""What agents leave behind in ground truth, removed when they are deleted."""

from datetime import datetime

from camillo_server.domain.events.event import EventId
from camillo_server.domain.ids import AgentId, TenantId, time_ordered_uuid
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Session
from camillo_server.storage.event_forgetting import bury
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements

SQL = statements("event_forgetting")


async def delete_ground_of(
    session: Session, tenant_id: TenantId, agent_id: AgentId, now: datetime
) -> list[Scope]:
    """An agent's events, decisions, tasks, views and handoffs, inside the caller's transaction, which has taken the
    scope's turn. The scopes of the agents who lose a handoff by it, which have a new revision."""
    scope = Scope(tenant_id, agent_id)
    rows = await session.rows(SQL["event_ids"], scope_parameters(scope))
    event_ids = [EventId(row[0]) for row in rows]
    if event_ids:
        stores = {"events": len(event_ids)}
        await bury(session, scope, event_ids, time_ordered_uuid(now), stores, now)
    told = await session.rows(SQL["delete_rest"], scope_parameters(scope))
    return [Scope(tenant_id, AgentId(row[0])) for row in told]
