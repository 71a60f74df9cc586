"""Empties large scopes in steps before they are deleted: one transaction for millions of rows would outlast every deadline,
and a repeated call would begin anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from camillo_server.features.events.event import EventId
from camillo_server.features.events.store.forgetting import events_to_remove, remove_events
from camillo_server.kernel.ids import (
    BEFORE_EVERY_ID,
    AgentId,
    MemoryId,
    TenantId,
    time_ordered_uuid,
)
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import replay_record
from camillo_server.rows.store.deletion import delete_rows
from camillo_server.storage.database import Session
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("across/forgetting/store/forgetting")
EVENTS = statements("features/events/store/forgetting")
# Rows of a kind in one transaction, which holds the scope's write lock.
STEP = 2_000


@replay_record
@dataclass(frozen=True, slots=True)
class StepReplay:
    """How many events, memories and chunks a step deleted."""

    rows: int


async def large_scopes(writes: ScopeWrites, tenant_id: TenantId, agent_id: AgentId | None) -> Sequence[Scope]:
    """The scopes of a tenant, or of one of its agents, with more rows than a step takes."""
    parameters = {"tenant_id": tenant_id, "agent_id": agent_id, "size": STEP}
    rows = await writes.database.rows(whole_tenant(tenant_id), SQL["large_scopes"], parameters)
    return [Scope(tenant_id, AgentId(found)) for (found,) in rows]


async def shrink_scope(writes: ScopeWrites, scope: Scope, now: datetime) -> None:
    """Deletes events, memories and chunks until a transaction can take the rest. Every step is complete in itself: a call that
    ends early has deleted a part, and its repeat goes on. Raises StorageUnavailable, DeadlineExceeded."""

    async def step(session: Session, revision: int) -> StepReplay:
        event_ids = await _first(session, scope, EVENTS["event_ids"])
        memory_ids = await _first(session, scope, SQL["row_ids"])
        if len(event_ids) == STEP:
            removal = await events_to_remove(session, scope, [EventId(each) for each in event_ids])
            await remove_events(session, scope, removal, time_ordered_uuid(now), revision, now)
        elif len(memory_ids) == STEP:
            ids = [MemoryId(each) for each in memory_ids]
            await delete_rows(session, scope, ids, revision, now)
        else:
            return StepReplay(0)
        return StepReplay(STEP)

    while (await writes.write(scope, None, StepReplay, step, now)).record.rows:
        writes.notify_removal(scope)


async def _first(session: Session, scope: Scope, statement: Any) -> Sequence[Any]:
    parameters = {**scope_parameters(scope), "after_id": BEFORE_EVERY_ID, "size": STEP}
    return [each for (each,) in await session.rows(statement, parameters)]
