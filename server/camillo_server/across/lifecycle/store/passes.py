"""Passes over a scope in Postgres: planned and applied in one transaction."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from heapq import nsmallest
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from camillo_server.across.lifecycle.plan import (
    MAX_NAMED_ITEMS,
    MAX_OVER_QUOTA,
    NEW_FOR,
    NO_ORDER,
    Action,
    LifecyclePolicy,
    PassDone,
    PassOrder,
    Plan,
    PlannedItem,
    Reason,
    Selected,
    Work,
)
from camillo_server.kernel.clock import time_ordered_uuid
from camillo_server.kernel.ids import BEFORE_EVERY_ID, MemoryId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Written, replay_record
from camillo_server.rows.store.removal import archive_rows, count_rows, forget_rows
from camillo_server.rows.store.rows import ARCHIVED
from camillo_server.storage.database import Session
from camillo_server.storage.receipts import Cause, Receipt, keep_receipt
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import next_revision, scope_revision
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.written_requests import first_answer, keep_answer

SQL = statements("across/lifecycle/store/lifecycle")

# About a millisecond of work; other calls run in between.
ROWS_PER_SLICE = 250
# Memories that one statement judges: two seconds on two busy cores.
PAGE_ROWS = 100_000
# Ids of one statement: a pass may take as long as it must, but no statement longer than its timeout.
MAX_IDS = 2_000


class CountRow(NamedTuple):
    """How many items there are for a reason."""

    action: Action
    reason: Reason
    number: int


@replay_record
@dataclass(frozen=True, slots=True)
class PassReplay:
    """A pass that was carried out; `receipt_id` is None where it found nothing to do."""

    receipt_id: UUID | None
    items: tuple[PlannedItem, ...]
    counts: tuple[CountRow, ...]
    stores: Mapping[str, int]
    at: datetime
    digest: bytes


class PassStore:
    """Passes over one scope. Both methods raise StorageUnavailable."""

    def __init__(self, writes: ScopeWrites, policy: LifecyclePolicy) -> None:
        """The importance of memories that a caller selects decays by the policy, too."""
        self.policy = policy
        self._writes = writes

    async def plan(self, scope: Scope, work: Work, *, at: datetime) -> PassDone:
        """A pass as it would be now, read in one snapshot."""
        async with self._writes.database.snapshot(scope) as session:
            revision = await scope_revision(session, scope)
            plan = await self._plan(session, scope, work, at)
            removed = plan.taken_by(Action.REMOVE)
            stores = await count_rows(session, scope, removed) if removed else {}
        done = await _nothing_done(plan, revision)
        return replace(done, stores=dict(sorted(stores.items())))

    async def carry_out(self, scope: Scope, work: Work, order: PassOrder, *, now: datetime) -> PassDone:
        """Plans and applies a pass in one transaction that holds the scope's lock, and advances the revision by one;
        where there is nothing to do, the revision stays. Raises PlanChanged where the plan is not the ordered one,
        PlanRequired, RequestIdReused."""

        async def in_transaction(session: Session) -> Written[PassReplay]:
            async with session.transaction():
                return await self._carry_out(session, scope, work, order, now)

        if order == NO_ORDER:
            # Mostly there is nothing to do: a plan without the lock finds that out, and delays no writer.
            planned = await self.plan(scope, work, at=now)
            if not planned.items:
                return planned
        written = await self._writes.run(scope, in_transaction)
        done = _pass_from(written)
        if done.receipt_id is not None:
            self._writes.notify(scope, done.revision, ())
        if done.stores:
            self._writes.notify_removal(scope)
        return done

    async def _carry_out(
        self, session: Session, scope: Scope, work: Work, order: PassOrder, now: datetime
    ) -> Written[PassReplay]:
        lock = await session.row(SQL["lock_scope"], scope_parameters(scope))
        answer = await first_answer(session, scope, order.request, PassReplay, now)
        if answer is not None:
            return answer
        planned = order.consent.plan
        plan = await self._plan(session, scope, work, planned.at if planned else now)
        done = await _nothing_done(plan, lock[0] if lock else 0)
        order.consent.require(len(plan.items), done.digest, now)
        if plan.items:
            done = await _apply(session, plan, done, now)
        written = Written(done.revision, _replay_of(done))
        # A scope that nobody has written to has no row to lock: two requests would conflict with each other.
        if lock is not None:
            ids = {"counts": _counts(written.record)}
            await keep_answer(session, scope, order.request, written, now, ids)
        return written

    async def _plan(self, session: Session, scope: Scope, work: Work, at: datetime) -> Plan:
        if isinstance(work, LifecyclePolicy):
            return Plan(scope, work, at, await _items_to_maintain(session, scope, work, at))
        parameters = _selector_parameters(work, self.policy.weekly_decay, at)
        statement = SQL["selected_of_ids" if work.selector.memory_ids else "selected"]
        rows = _in_slices(session, statement, {**scope_parameters(scope), **parameters})
        return Plan(scope, work, at, [_item_from(row, work.action) async for part in rows for row in part])


async def _in_slices(
    session: Session, statement: LiteralString, parameters: dict[str, Any]
) -> AsyncIterator[Sequence[Any]]:
    """The rows of a statement, between which other calls run."""
    async with session.cursor(binary=True) as cursor:
        await cursor.execute(statement, parameters)
        while rows := await cursor.fetchmany(ROWS_PER_SLICE):
            yield rows
            await asyncio.sleep(0)


async def _items_to_maintain(
    session: Session, scope: Scope, policy: LifecyclePolicy, at: datetime
) -> list[PlannedItem]:
    """The items that maintenance takes, in the order of the ids. Reads in pages: for millions of memories, one
    statement would exceed its timeout."""
    parameters = {**scope_parameters(scope), **_policy_parameters(policy, at), "size": PAGE_ROWS}
    items: list[PlannedItem] = []
    over_quota: list[PlannedItem] = []
    counted, last_id = 0, BEFORE_EVERY_ID
    while True:
        page_read = page_counted = 0
        rows = _in_slices(session, SQL["to_maintain"], {**parameters, "after_id": last_id})
        async for part in rows:
            for row in part:
                page_read, page_counted, page_last_id, *taken = row
                last_id = page_last_id or last_id
                if taken[0] is not None:
                    item = _item_from(taken, None)
                    (over_quota if item.reason is Reason.OVER_QUOTA else items).append(item)
        counted += page_counted
        over_quota = await off_loop(len(over_quota) * ROW, partial(_first_to_leave, over_quota))
        if page_read < PAGE_ROWS:
            break
    surplus = max(counted - policy.memory_quota, 0) if policy.memory_quota else 0
    items += over_quota[:surplus]
    return await off_loop(len(items) * ROW, partial(sorted, items, key=_by_id))


def _first_to_leave(items: list[PlannedItem]) -> list[PlannedItem]:
    return nsmallest(MAX_OVER_QUOTA, items, key=_order_of_leaving)


def _order_of_leaving(item: PlannedItem) -> tuple[float, datetime, MemoryId]:
    """The least important goes first, of equals the one that was used least recently."""
    return item.decayed_importance, item.last_used_at, item.memory_id


def _by_id(item: PlannedItem) -> MemoryId:
    return item.memory_id


async def _apply(session: Session, plan: Plan, done: PassDone, now: datetime) -> PassDone:
    """Does what is planned, and leaves a receipt where something is removed."""
    revision = await next_revision(session, plan.scope, now)
    done = replace(done, receipt_id=time_ordered_uuid(now), revision=revision)
    for archived in _parts(plan.taken_by(Action.ARCHIVE)):
        await archive_rows(session, plan.scope, archived, revision, now)
    stores: Counter[str] = Counter()
    for removed in _parts(plan.taken_by(Action.REMOVE)):
        stores.update(await forget_rows(session, plan.scope, removed, revision, now))
    if stores:
        done = replace(done, stores=dict(sorted(stores.items())))
        cause = Cause.PRUNE if isinstance(plan.work, Selected) else Cause.MAINTENANCE
        receipt = Receipt(done.receipt_id, cause, done.stores, 0, now)
        await keep_receipt(session, plan.scope, receipt)
    return done


def _parts(memory_ids: Sequence[MemoryId]) -> Iterator[Sequence[MemoryId]]:
    return (memory_ids[at : at + MAX_IDS] for at in range(0, len(memory_ids), MAX_IDS))


async def _nothing_done(plan: Plan, revision: int) -> PassDone:
    digest, counts = await off_loop(len(plan.items) * ROW, lambda: (plan.digest(), plan.counts))
    return PassDone(
        receipt_id=None,
        items=plan.items[:MAX_NAMED_ITEMS],
        counts=counts,
        stores={},
        at=plan.at,
        revision=revision,
        digest=digest,
    )


def _policy_parameters(policy: LifecyclePolicy, at: datetime) -> dict[str, Any]:
    """The parameters of the statement `to_maintain`."""
    return {
        "weekly_decay": policy.weekly_decay,
        "archive_below": policy.archive_below,
        "unimportant_below": policy.unimportant_below,
        "idle_since": at - policy.unimportant_after,
        "memory_quota": policy.memory_quota,
        "max_over_quota": MAX_OVER_QUOTA,
        "new_since": at - NEW_FOR,
        # Stored by a server whose clock is ahead; a memory of the far future is none that was just stored.
        "new_until": at + NEW_FOR,
        "hidden_before": at - policy.retention,
        "now": at,
    }


def _selector_parameters(work: Selected, weekly_decay: float, at: datetime) -> dict[str, Any]:
    """The parameters of the statements `selected` and `selected_of_ids`."""
    selector = work.selector
    return {
        "only_unarchived": work.action is Action.ARCHIVE,
        "archived": ARCHIVED[selector.archived],
        "memory_ids": list(selector.memory_ids),
        "unused_since": selector.unused_since,
        "created_before": selector.created_before,
        "tags_any": list(selector.tags_any) or None,
        "tags_all": list(selector.tags_all) or None,
        "kinds": [int(kind) for kind in selector.kinds] or None,
        "max_access_count": selector.max_access_count,
        "importance_below": selector.importance_below,
        "weekly_decay": weekly_decay,
        "now": at,
    }


def _item_from(row: Sequence[Any], action: Action | None) -> PlannedItem:
    """The item in a row of these statements; without an action, the one of its reason."""
    memory_id, version, kind, decayed_importance, last_used_at, reason = row
    default = Action.REMOVE if reason == Reason.RETENTION else Action.ARCHIVE
    return PlannedItem(
        memory_id,
        version,
        MemoryKind(kind),
        decayed_importance,
        last_used_at,
        Reason(reason),
        action or default,
    )


def _replay_of(done: PassDone) -> PassReplay:
    return PassReplay(
        receipt_id=done.receipt_id,
        items=tuple(done.items),
        counts=tuple(CountRow(*key, count) for key, count in done.counts.items()),
        stores=done.stores,
        at=done.at,
        digest=done.digest,
    )


def _counts(record: PassReplay) -> dict[str, int]:
    """The counts for the audit trail by action and reason, such as `archive_unimportant`."""
    return {f"{row.action.name}_{row.reason.name}".lower(): row.number for row in record.counts}


def _pass_from(written: Written[PassReplay]) -> PassDone:
    record = written.record
    return PassDone(
        receipt_id=record.receipt_id,
        items=list(record.items),
        counts={(row.action, row.reason): row.number for row in record.counts},
        stores=dict(sorted(record.stores.items())),
        at=record.at,
        revision=written.revision,
        digest=record.digest,
    )
