"""Removals of memories and scopes, each one transaction: what is derived of the removed texts goes with them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from camillo_server.artifacts.store.orphaned_contents import delete_artifacts_of
from camillo_server.crypto.keyring import Keyring
from camillo_server.events.event import EventId
from camillo_server.events.store.forgetting import (
    EventsToRemove,
    delete_every_event,
    events_to_remove,
    remove_events,
)
from camillo_server.kernel.ids import (
    BEFORE_EVERY_ID,
    MAX_NAMED_IDS,
    AgentId,
    MemoryId,
    TenantId,
    time_ordered_uuid,
)
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.plans import NO_PLAN, PlanConsent
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written, replay_record
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.memories.store.deletion import (
    DELETED_AT_ONCE,
    count_rows,
    delete_rows,
    existing_ids,
    restore_rows,
    selected_ids,
)
from camillo_server.memories.store.encrypted_rows import EncryptedRows
from camillo_server.storage.blocklist import Blocking, block, lift
from camillo_server.storage.database import Parameters, Session
from camillo_server.storage.receipts import (
    Cause,
    Receipt,
    keep_receipt,
    page_receipts,
    require_receipt,
)
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import scope_revision
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.text.value_fingerprints import value_fingerprint

SQL = statements("forgetting/forgetting")
EVENTS = statements("events/store/forgetting")
# Decrypting a value of 2,000 characters and computing its fingerprint.
VALUE_MICROSECONDS = 30.0
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class ForgetSelection:
    """Memories that are forgotten with all that was derived from them.

    With `include_events` the events go that they rest on, too. Unless `allow_restating` is set, a later write that
    repeats one of their texts is refused.
    """

    selector: Sequence[MemoryId] | MemoryFilter
    allow_restating: bool = False
    include_events: bool = False
    consent: PlanConsent = NO_PLAN


@replay_record
@dataclass(frozen=True, slots=True)
class ForgottenReplay:
    """The receipt of forgotten memories: at most 1,000 ids, in order, and removed rows by store. Of a dry run, without
    an id."""

    receipt_id: UUID | None
    memory_ids: tuple[MemoryId, ...]
    stores: Mapping[str, int]
    blocked_values: int
    forgotten_at: datetime


@replay_record
@dataclass(frozen=True, slots=True)
class ResetReplay:
    """The receipt of an emptied scope. Of a dry run, without an id."""

    receipt_id: UUID | None
    stores: Mapping[str, int]
    at: datetime


@replay_record
@dataclass(frozen=True, slots=True)
class LiftedReplay:
    """How many values may be stated again."""

    lifted: int


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """The ids that go, in order; `restored_ids` are memories that come back because the memory that replaced them goes,
    `fingerprints` stand for the values that may not be stated again."""

    memory_ids: Sequence[MemoryId]
    compaction_ids: Sequence[UUID]
    restored_ids: Sequence[MemoryId]
    fingerprints: Sequence[bytes]
    stores: dict[str, int]
    events: EventsToRemove | None = None

    def digest(self) -> bytes:
        """The same for the same memories, compactions and events alone."""
        events = self.events.event_ids if self.events else ()
        digest = sha256()
        for ids in (self.memory_ids, self.compaction_ids, events):
            digest.update(b"".join(sorted(each.bytes for each in ids)) + b"|")
        return digest.digest()

    def receipt(self, receipt_id: UUID | None, now: datetime) -> ForgottenReplay:
        """The receipt for the caller, which names at most 1,000 ids."""
        return ForgottenReplay(
            receipt_id=receipt_id,
            memory_ids=tuple(self.memory_ids[:MAX_NAMED_IDS]),
            stores=self.stores,
            blocked_values=len(self.fingerprints),
            forgotten_at=now,
        )


class ForgettingStore:
    """Removes for good within one scope, or reads what a removal would take. Every method raises StorageUnavailable;
    every write is one transaction that advances the scope's revision by one, and raises RequestIdReused."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._keyring = keyring

    async def forget(
        self, scope: Scope, selection: ForgetSelection, request: RequestKey | None, *, now: datetime
    ) -> Written[ForgottenReplay]:
        """Raises PlanChanged, PlanRequired; KeyMissing and BytesLost where a value cannot be read that is to be blocked."""
        receipt_id = time_ordered_uuid(now)

        async def change(session: Session, revision: int) -> ForgottenReplay:
            plan = await plan_deletion(session, scope, selection, self._keyring, now)
            selection.consent.require(len(plan.memory_ids), plan.digest(), now)
            if plan.memory_ids:
                await delete_rows(session, scope, plan.memory_ids, revision, now)
            if plan.compaction_ids:
                key = {**scope_parameters(scope), "compaction_ids": list(plan.compaction_ids)}
                await session.execute(SQL["delete_compactions"], key)
            if plan.restored_ids:
                await restore_rows(session, scope, plan.restored_ids, revision, now)
            if plan.events is not None and plan.events.event_ids:
                await remove_events(session, scope, plan.events, receipt_id, revision, now)
            await block(session, scope, Blocking(plan.fingerprints, receipt_id, now))
            receipt = Receipt(
                receipt_id, Cause.FORGET_MEMORIES, plan.stores, len(plan.fingerprints), now
            )
            await keep_receipt(session, scope, receipt)
            return plan.receipt(receipt_id, now)

        written = await self._writes.write(scope, request, ForgottenReplay, change, now)
        self._writes.notify_removal(scope)
        return written

    async def would_forget(
        self, scope: Scope, selection: ForgetSelection, *, now: datetime
    ) -> tuple[ForgottenReplay, int, bytes]:
        """The receipt that `forget` would give, the revision read at, and the plan's digest. Raises as `forget` does."""
        async with self._writes.database.snapshot(scope) as session:
            plan = await plan_deletion(session, scope, selection, self._keyring, now)
            return plan.receipt(None, now), await scope_revision(session, scope), plan.digest()

    async def reset(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[ResetReplay]:
        """Empties the scope. Bytes of artifacts outside of Postgres become orphans, which the collector removes."""
        receipt_id = time_ordered_uuid(now)

        async def change(session: Session, revision: int) -> ResetReplay:
            stores = await count_rows_of_scope(session, scope)
            if "events" in stores:
                await delete_every_event(session, scope, receipt_id, stores, now)
            await _empty_scope(session, scope, revision, now)
            receipt = Receipt(receipt_id, Cause.RESET, stores, 0, now)
            await keep_receipt(session, scope, receipt)
            return ResetReplay(receipt_id, stores, now)

        written = await self._writes.write(scope, request, ResetReplay, change, now)
        self._writes.notify_removal(scope)
        return written

    async def would_reset(self, scope: Scope, *, now: datetime) -> tuple[ResetReplay, int]:
        """The receipt that `reset` would give, and the revision read at."""
        async with self._writes.database.snapshot(scope) as session:
            stores = await count_rows_of_scope(session, scope)
            return ResetReplay(None, stores, now), await scope_revision(session, scope)

    async def list_receipts(
        self, scope: Scope, after: tuple[datetime, UUID] | None, size: int
    ) -> Sequence[Receipt]:
        """Newest first, at most `size`, behind the time and id of another."""
        return await page_receipts(self._writes.database, scope, after, size)

    async def lift_blocks(
        self, scope: Scope, blocked: str | UUID, request: RequestKey | None, *, now: datetime
    ) -> int:
        """Lifts the block of a text, or all blocks of a receipt; how many. Raises NotFound for a receipt that does not
        exist."""

        async def change(session: Session, revision: int) -> LiftedReplay:
            if isinstance(blocked, UUID):
                await require_receipt(session, scope, blocked)
            return LiftedReplay(await lift(session, scope, blocked))

        written = await self._writes.write(scope, request, LiftedReplay, change, now)
        return written.record.lifted


@dataclass(slots=True)
class _Cascade:
    """The ids reached so far from the selected ones."""

    gone: set[MemoryId]
    # The sources of these go with them, since a caller selected them.
    selected: frozenset[MemoryId]
    compaction_ids: set[UUID] = field(default_factory=set)
    sources: set[MemoryId] = field(default_factory=set)


async def plan_deletion(
    session: Session, scope: Scope, selection: ForgetSelection, keyring: Keyring, now: datetime
) -> DeletionPlan:
    """Call it in the transaction that deletes, holding the scope's write lock, or in a snapshot. Raises KeyMissing and
    BytesLost where a value cannot be read that is to be blocked."""
    selected = await selected_ids(session, scope, selection.selector, now)
    cascade = await _cascade(session, scope, selected)
    memory_ids = await existing_ids(session, scope, cascade.gone)
    stores = await count_rows(session, scope, memory_ids)
    if cascade.compaction_ids:
        stores["compactions"] = len(cascade.compaction_ids)
    events = await _events_under(session, scope, memory_ids) if selection.include_events else None
    return DeletionPlan(
        memory_ids=memory_ids,
        compaction_ids=sorted(cascade.compaction_ids),
        restored_ids=sorted(cascade.sources - cascade.gone),
        fingerprints=()
        if selection.allow_restating
        else await _fingerprints(session, scope, memory_ids, keyring),
        stores=stores if events is None else {**stores, **events.stores},
        events=events,
    )


async def _cascade(session: Session, scope: Scope, selected: Sequence[MemoryId]) -> _Cascade:
    """A merged memory goes when a source of it goes, and its other sources come back. A merged memory that was selected
    takes its sources with it: else they would bring back what it says."""
    key = {**scope_parameters(scope), "memory_ids": list(selected)}
    with_sources = frozenset(
        memory_id for (memory_id,) in await session.rows(SQL["with_sources"], key)
    )
    cascade = _Cascade(set(with_sources), with_sources)
    # Derived rows and merges lead to each other: until neither adds an id.
    size = -1
    while size < len(cascade.gone):
        key["memory_ids"] = list(cascade.gone)
        derived = await session.rows(SQL["with_derived"], key)
        cascade.gone.update(memory_id for (memory_id,) in derived)
        size = len(cascade.gone)
        await _add_merged(session, {**key, "memory_ids": list(cascade.gone)}, cascade)
    return cascade


async def _add_merged(session: Session, key: Parameters, cascade: _Cascade) -> None:
    rows = await session.rows(SQL["compactions_of"], key)
    for compaction_id, is_committed, merged_id, source_ids in rows:
        cascade.compaction_ids.add(compaction_id)
        if is_committed and merged_id is not None:
            cascade.gone.add(merged_id)
            if merged_id not in cascade.selected:
                cascade.sources.update(source_ids)


async def _events_under(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId]
) -> EventsToRemove:
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    rows = await session.rows(SQL["sources_of"], parameters)
    refs = {ref for row in rows for ref in row if ref is not None}
    # A caller may name anything as a source: those that are a UUID may be events.
    event_ids = [EventId(UUID(ref)) for ref in refs if _UUID.fullmatch(ref)]
    events = await events_to_remove(session, scope, event_ids)
    # A summary that goes itself cannot be archived.
    return replace(events, summary_ids=sorted(set(events.summary_ids) - set(memory_ids)))


async def _fingerprints(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], keyring: Keyring
) -> Sequence[bytes]:
    """Of every text that the memories have or had. Raises KeyMissing, BytesLost."""
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    rows = await session.rows(SQL["values_of"], parameters)
    encrypted = EncryptedRows(keyring, scope)

    def fingerprints() -> list[bytes]:
        values = {encrypted.content(*row) for row in rows}
        return sorted({value_fingerprint(scope.tenant_id, value) for value in values})

    return await off_loop(len(rows) * VALUE_MICROSECONDS, fingerprints)


async def count_rows_of_scope(session: Session, scope: Scope) -> dict[str, int]:
    """Rows by store, in the order of the stores' names; stores that are empty are left out."""
    rows = await session.rows(SQL["count_rows"], scope_parameters(scope))
    return {store: count for store, count in rows if count}


async def _empty_scope(session: Session, scope: Scope, revision: int, now: datetime) -> None:
    """Removes all rows but events inside the caller's transaction, which holds the scope's write lock."""
    async with session.pipeline():
        for statement in ("delete_event_refs", "count_no_memories", "delete_records"):
            await session.execute(SQL[statement], scope_parameters(scope))
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
    """Deletes an agent's events, decisions, tasks, views and handoffs inside the caller's transaction, which holds the
    scope's write lock. The scopes of the agents who lose a handoff by it, which have a new revision."""
    scope = Scope(tenant_id, agent_id)
    (count,) = await session.only_row(EVENTS["count_events"], scope_parameters(scope))
    if count:
        receipt_id = time_ordered_uuid(now)
        await delete_every_event(session, scope, receipt_id, {"events": count}, now)
    recipients = await session.rows(EVENTS["delete_rest"], scope_parameters(scope))
    return [Scope(tenant_id, AgentId(recipient)) for (recipient,) in recipients]
