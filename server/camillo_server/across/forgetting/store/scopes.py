"""Emptying a scope: inside the caller's transaction, which holds the scope's write lock, or in steps before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from camillo_server.across.forgetting.records import summed
from camillo_server.across.forgetting.store.texts import RecordTexts
from camillo_server.kernel.clock import time_ordered_uuid
from camillo_server.kernel.ids import BEFORE_EVERY_ID, AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope, shared_scope, whole_tenant
from camillo_server.kernel.writes import replay_record
from camillo_server.rows.forgettable import Forgettables, Removal
from camillo_server.rows.store.removal import DELETED_AT_ONCE, chunks_of, delete_rows
from camillo_server.storage.database import Session
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import next_revision
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.token_usage import fold_space

SQL = statements("across/forgetting/store/forgetting")
# Rows of a kind that one step of a large deletion takes: it holds the write lock of the scope.
STEP = 2_000


async def count_rows_of_scope(session: Session, scope: Scope) -> dict[str, int]:
    """Rows by store, in the order of the stores' names; stores that are empty are left out. Actions of an agent count
    with it, though they lie in the tenant's shared scope."""
    rows = await session.rows(SQL["count_rows"], scope_parameters(scope))
    return {store: count for store, count in rows if count}


async def count_rows_of_agent(session: Session, scope: Scope) -> dict[str, int]:
    """Counts like `count_rows_of_scope`, with the handoffs that the agent made, which lie in the scopes of others. The
    session has to see the whole tenant."""
    (made,) = await session.only_row(SQL["count_handoffs_made"], scope_parameters(scope))
    stores = summed([await count_rows_of_scope(session, scope), {"handoffs": made}])
    return {store: count for store, count in stores.items() if count}


async def values_of_scope(session: Session, scope: Scope, declared: Forgettables) -> set[bytes]:
    """The fingerprints of all values that a scope's records state: what may be blocked. Raises KeyMissing and
    BytesLost."""
    texts = RecordTexts(session, scope, session.keyring, declared)
    stated = await texts.fingerprints(None, shortest=0)
    return {each for each, is_value in stated.items() if is_value}


async def delete_own_actions(session: Session, scope: Scope, declared: Forgettables, now: datetime) -> int:
    """Removes the actions that an agent entered, and their chunks, from the tenant's shared scope, inside the caller's
    transaction, which holds the lock of the agent's scope. The new revision of the shared scope, 0 where there were
    none. Their entries in the audit trail stay."""
    key = scope_parameters(scope)
    if not scope.agent_id:
        return 0
    await session.execute(SQL["enter_every_agent"])
    revision = 0
    ids = [action_id for (action_id,) in await session.rows(declared.sql["own_actions"], key)]
    if ids:
        shared = shared_scope(scope)
        revision = await next_revision(session, shared, now)
        await delete_rows(session, shared, await chunks_of(session, shared, ids), revision, now)
        await session.execute(declared.sql["delete_actions"], {**key, "ids": ids})
    return revision


async def empty_scope(session: Session, scope: Scope, removal: Removal, declared: Forgettables) -> None:
    """Removes all rows inside the caller's transaction, which holds the scope's write lock."""
    async with session.pipeline():
        for statement in ("delete_event_refs", "count_no_memories", "delete_records"):
            parameters = {**scope_parameters(scope), "revision": removal.revision}
            await session.execute(SQL[statement], parameters)
    await delete_memories_of(session, scope, removal.revision, removal.now)
    await declared.delete_all(session, scope, removal)


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


async def delete_agent_rows(session: Session, scope: Scope, removal: Removal, declared: Forgettables) -> list[Scope]:
    """Deletes all records of an agent inside the caller's transaction, which holds the scope's write lock. Returns the
    scopes of the agents who lose a handoff by it, and the shared one if it loses actions of the agent, which have a new
    revision."""
    await delete_memories_of(session, scope, removal.revision, removal.now)
    await declared.delete_all(session, scope, removal)
    await fold_space(session, scope)
    recipients = await session.rows(SQL["delete_rest"], scope_parameters(scope))
    changed = [Scope(scope.tenant_id, AgentId(recipient)) for (recipient,) in recipients]
    if await delete_own_actions(session, scope, declared, removal.now):
        changed.append(shared_scope(scope))
    return changed


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


async def shrink_scope(writes: ScopeWrites, scope: Scope, declared: Forgettables, now: datetime) -> None:
    """Deletes events, memories and chunks until a transaction can take the rest: one for millions of rows would outlast
    every deadline, and a repeated call would begin anew. Every step is complete in itself: a call that ends early has
    deleted a part, and its repeat goes on. Raises StorageUnavailable, DeadlineExceeded."""

    async def step(session: Session, revision: int) -> StepReplay:
        for store, plan in declared.planned.items():
            ids = await _first(session, scope, declared.sql[f"page_of_{store}"])
            if len(ids) == STEP:
                planned = await plan(session, scope, [str(each) for each in ids])
                await planned.carry_out(session, scope, Removal(time_ordered_uuid(now), revision, now))
                return StepReplay(STEP)
        ids = await _first(session, scope, SQL["row_ids"])
        if len(ids) < STEP:
            return StepReplay(0)
        await delete_rows(session, scope, [MemoryId(each) for each in ids], revision, now)
        return StepReplay(STEP)

    while (await writes.write(scope, None, StepReplay, step, now)).record.rows:
        writes.notify_removal(scope)


async def _first(session: Session, scope: Scope, statement: Any) -> Sequence[Any]:
    parameters = {**scope_parameters(scope), "after_id": BEFORE_EVERY_ID, "size": STEP}
    return [each for (each,) in await session.rows(statement, parameters)]
