"""Emptying a scope: inside the caller's transaction, which holds the scope's write lock."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.across.forgetting.records import summed
from camillo_server.across.forgetting.store.texts import RecordTexts
from camillo_server.features.artifacts.store.orphaned_contents import delete_artifacts_of
from camillo_server.features.events.store.forgetting import delete_every_event
from camillo_server.kernel.ids import (
    BEFORE_EVERY_ID,
    AgentId,
    MemoryId,
)
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.rows.store.deletion import DELETED_AT_ONCE, delete_rows
from camillo_server.storage.database import Session
from camillo_server.storage.scopes import next_revision
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("across/forgetting/store/forgetting")
EVENTS = statements("features/events/store/forgetting")


async def count_rows_of_scope(session: Session, scope: Scope) -> dict[str, int]:
    """Rows by store, in the order of the stores' names; stores that are empty are left out. Actions of an agent count with it, though
    they lie in the tenant's shared scope."""
    rows = await session.rows(SQL["count_rows"], scope_parameters(scope))
    return {store: count for store, count in rows if count}


async def count_rows_of_agent(session: Session, scope: Scope) -> dict[str, int]:
    """Counts like `count_rows_of_scope`, with the handoffs that the agent made, which lie in the scopes of others. The
    session has to see the whole tenant."""
    (made,) = await session.only_row(SQL["count_handoffs_made"], scope_parameters(scope))
    stores = summed([await count_rows_of_scope(session, scope), {"handoffs": made}])
    return {store: count for store, count in stores.items() if count}


async def values_of_scope(session: Session, scope: Scope) -> set[bytes]:
    """The fingerprints of all values that a scope's records state: what may be blocked. Raises KeyMissing and BytesLost."""
    texts = RecordTexts(session, scope, session.keyring)
    stated = await texts.fingerprints(None, shortest=0)
    return {each for each, is_value in stated.items() if is_value}


async def delete_own_actions(session: Session, scope: Scope, now: datetime) -> int:
    """Removes the actions that an agent entered, and their chunks, from the tenant's shared scope, inside the caller's transaction, which
    holds the lock of the agent's scope. The new revision of the shared scope, 0 where there were none. Their entries in the audit trail stay."""
    key = scope_parameters(scope)
    if not scope.agent_id:
        return 0
    await session.execute(SQL["enter_every_agent"])
    revision = 0
    ids = [action_id for (action_id,) in await session.rows(SQL["own_actions"], key)]
    if ids:
        shared = shared_scope(scope)
        revision = await next_revision(session, shared, now)
        parameters = {**scope_parameters(shared), "origins": ids}
        chunks = await session.rows(EVENTS["chunks_of"], parameters)
        await delete_rows(session, shared, [MemoryId(each) for (each,) in chunks], revision, now)
        await session.execute(SQL["delete_actions"], {**key, "ids": ids})
    return revision


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
    session: Session, scope: Scope, receipt_id: UUID, stores: Mapping[str, int], now: datetime
) -> list[Scope]:
    """Deletes an agent's events, decisions, tasks, views, skills and handoffs inside the caller's transaction, which holds the
    scope's write lock. The scopes of the agents who lose a handoff by it, and the shared one if it loses actions of the agent, which
    have a new revision. `stores` are the counts of the receipt; those of events are right."""
    if "events" in stores:
        await delete_every_event(session, scope, receipt_id, stores, now)
    recipients = await session.rows(EVENTS["delete_rest"], scope_parameters(scope))
    changed = [Scope(scope.tenant_id, AgentId(recipient)) for (recipient,) in recipients]
    if await delete_own_actions(session, scope, now):
        changed.append(shared_scope(scope))
    return changed
