"""Removals of records and scopes, each one transaction: what is derived of the removed texts goes with them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from camillo_server.across.forgetting.excerpts import merged
from camillo_server.across.forgetting.records import (
    ForgetSelection,
    Forgotten,
    ForgottenElsewhere,
    ForgottenEvents,
    ForgottenReplay,
    LiftedReplay,
    ResetReplay,
    event_receipt,
)
from camillo_server.across.forgetting.store.plan import (
    DeletionPlan,
    DeletionPlanner,
    SearchedBefore,
    carry_out,
)
from camillo_server.across.forgetting.store.redaction import redact
from camillo_server.across.forgetting.store.scopes import (
    count_rows_of_scope,
    delete_own_actions,
    empty_scope,
)
from camillo_server.doors.spool.failures import erase_contents
from camillo_server.kernel.clock import time_ordered_uuid
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope, shared_scope, whole_tenant
from camillo_server.kernel.writes import EmptyReplay, RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.value_spans import SoughtValues
from camillo_server.rows.forgettable import FindRepeats, Forgettables, Removal
from camillo_server.rows.store.removal import chunks_of, count_chunks
from camillo_server.storage.blocklist import Blocking, block, lift
from camillo_server.storage.database import Session
from camillo_server.storage.receipts import (
    Cause,
    Receipt,
    keep_receipt,
    page_receipts,
    require_receipt,
)
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import hold_shared_scope, scope_revision
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("across/forgetting/store/forgetting")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Removal:
    """A forgetting under way. `searched_before` is what was found before the scope was locked, `rest` what went
    elsewhere."""

    selection: ForgetSelection
    receipt_id: UUID
    cause: Cause
    now: datetime
    searched_before: SearchedBefore | None = None
    rest: Sequence[ForgottenReplay] = ()
    # Agents who lost a handoff by it, with the revisions of their scopes.
    receivers: dict[AgentId, int] = field(default_factory=dict)
    # Scopes with rows that stay without a value, and wait for their vectors.
    without_vectors: set[Scope] = field(default_factory=set)


class ForgettingStore:
    """Removes for good, or reads what a removal would take. Every method raises StorageUnavailable; every write of a
    scope is one transaction that advances the scope's revision by one, and raises RequestIdReused."""

    def __init__(
        self, writes: ScopeWrites, keyring: Keyring, declared: Forgettables, repeating_artifacts: FindRepeats
    ) -> None:
        self._writes = writes
        self._keyring = keyring
        self._declared = declared
        self._repeating_artifacts = repeating_artifacts

    async def forget(
        self,
        scope: Scope,
        selection: ForgetSelection,
        request: RequestKey | None,
        *,
        now: datetime,
        cause: Cause = Cause.FORGET_MEMORIES,
    ) -> Written[ForgottenReplay]:
        """Forgets the selection. With `all_scopes`, the other scopes of the tenant come first, each in a transaction
        of its own: if that is interrupted, a repeat does the rest. Raises KeyMissing and BytesLost where a value cannot
        be read that is to be blocked or searched for."""
        removal = _Removal(selection, time_ordered_uuid(now), cause, now)
        if selection.repeats:
            # Not to search for what is gone.
            first = await self._writes.first_answer(scope, request, ForgottenReplay, now)
            if first is not None:
                return first
            plan, searched_before = await self.planned(scope, selection, now)
            rest = await self._forget_rest(scope, plan, removal) if selection.all_scopes else ()
            removal = replace(removal, searched_before=searched_before, rest=rest)
        return await self._write(scope, request, ForgottenReplay, lambda gone: gone, removal)

    async def forget_events(
        self, scope: Scope, selection: ForgetSelection, request: RequestKey | None, *, now: datetime
    ) -> Written[ForgottenEvents]:
        """Forgets like `forget`; returns the receipt that events have."""
        removal = _Removal(selection, time_ordered_uuid(now), Cause.FORGET_EVENTS, now)
        return await self._write(scope, request, ForgottenEvents, event_receipt, removal)

    async def _write(
        self,
        scope: Scope,
        request: RequestKey | None,
        record_type: type[R],
        record: Callable[[ForgottenReplay], R],
        removal: _Removal,
    ) -> Written[R]:
        async def change(session: Session, revision: int) -> R:
            return record(await self._remove(session, scope, revision, removal))

        written = await self._writes.write(scope, request, record_type, change, removal.now)
        self._notify(scope, removal)
        if scope in removal.without_vectors:
            self._writes.notify_missing_vectors(scope)
        return written

    async def would_forget(self, scope: Scope, selection: ForgetSelection, *, now: datetime) -> Forgotten:
        """Plans what `forget` would do, at the revision read at; for all scopes without a digest. Raises as `forget`
        does."""
        plan, searched_before = await self.planned(scope, selection, now)
        receipt = plan.receipt(None, now)
        found = plan.excerpts.found() if plan.excerpts else None
        if not selection.all_scopes:
            return Forgotten(receipt, searched_before.revision, plan.digest(), found)
        rest = replace(_rest_of(plan, selection), excerpts=selection.excerpts)
        plans = [(await self.planned(other, rest, now))[0] for other in await self.other_scopes(scope)]
        receipt = receipt.with_rest([each.receipt(None, now) for each in plans])
        if found and selection.excerpts:
            elsewhere = [each.excerpts.found() for each in plans if each.excerpts]
            found = merged([found, *elsewhere], selection.excerpts.per_store)
        return Forgotten(receipt, searched_before.revision, found=found)

    async def planned(
        self, scope: Scope, selection: ForgetSelection, now: datetime
    ) -> tuple[DeletionPlan, SearchedBefore]:
        """The plan of a selection as of now, and what was searched for it."""
        async with self._writes.database.snapshot(scope) as session:
            plan = await DeletionPlanner(session, scope, self._keyring, self._declared, now).plan(selection)
            revision = await scope_revision(session, scope)
        if plan.sought:
            found = await self._repeating_artifacts(scope, plan.sought, plan.excerpts.add if plan.excerpts else None)
            going = found._replace(repeating=sorted({*found.repeating}.difference(selection.keep.get("artifacts", ()))))
            chunk_rows = await self._rows_of_chunks(scope, plan.new_artifacts(going))
            plan = plan.with_artifacts(going, chunk_rows)
            plan = replace(plan, repeats={**plan.repeats, "artifacts": found.repeating})
        return plan, SearchedBefore(plan.repeats, revision, plan.left_ids["unsearched_artifacts"])

    async def _rows_of_chunks(self, scope: Scope, origins: Collection[str]) -> Mapping[str, int]:
        """The number of rows of these records' chunks, by store."""

        async def work(session: Session) -> Mapping[str, int]:
            chunk_ids = await chunks_of(session, scope, origins)
            return await count_chunks(session, scope, chunk_ids) if chunk_ids else {}

        return await self._writes.database.read(scope, work) if origins else {}

    async def _remove(self, session: Session, scope: Scope, revision: int, removal: _Removal) -> ForgottenReplay:
        """Removes what is selected inside the caller's transaction, which holds the scope's write lock."""
        selection, receipt_id, now = removal.selection, removal.receipt_id, removal.now
        if selection.repeats and scope.agent_id:
            # An agent's actions lie in the shared scope: one that is recorded now is found, or refused.
            await session.execute(SQL["enter_every_agent"])
            await hold_shared_scope(session, scope, now)
        planner = DeletionPlanner(session, scope, self._keyring, self._declared, now)
        plan = await planner.plan(selection, removal.searched_before)
        selection.consent.require(plan.size, plan.digest(), now)
        carried = Removal(receipt_id, revision, now)
        removal.receivers.update(await carry_out(session, scope, plan, carried, self._declared))
        if await redact(session, scope, plan.redactions, carried):
            removal.without_vectors.add(scope)
        # A value that is blocked in the shared scope is blocked for every agent.
        every_agent = selection.all_scopes or not scope.agent_id
        values = SoughtValues(frozenset((*plan.blocked, *plan.sought.fingerprints)), plan.sought.spans)
        await erase_contents(session, scope, values, self._keyring, every_agent=every_agent)
        # With `all_scopes`, the values are blocked in the shared scope already.
        if not selection.all_scopes or scope == shared_scope(scope):
            await block(session, scope, Blocking(list(plan.blocked), receipt_id, now))
        blocked = len(plan.blocked)
        await keep_receipt(session, scope, Receipt(receipt_id, removal.cause, plan.stores, blocked, now))
        return plan.receipt(receipt_id, now).with_rest(removal.rest)

    async def _forget_rest(self, scope: Scope, plan: DeletionPlan, removal: _Removal) -> Sequence[ForgottenReplay]:
        """Blocks the values for every agent, so that nothing comes back, and removes from the other scopes of the
        tenant what cites or repeats what is planned; receipts of those that held something."""
        await self._block_everywhere(scope, plan.blocked, removal)
        receipts = []
        for other in await self.other_scopes(scope):
            there, searched_before = await self.planned(other, _rest_of(plan, removal.selection), removal.now)
            if there.size:
                of_other = _Removal(
                    _rest_of(plan, removal.selection), removal.receipt_id, removal.cause, removal.now, searched_before
                )
                receipts.append(await self._forget_there(other, of_other))
        return receipts

    async def forget_found(
        self, scope: Scope, selection: ForgetSelection, found: SearchedBefore, receipt_id: UUID, now: datetime
    ) -> ForgottenReplay:
        """Forgets in a scope what was found there before, and what repeats it since, under the receipt of another."""
        return await self._forget_there(scope, _Removal(selection, receipt_id, Cause.FORGET, now, found))

    async def _forget_there(self, scope: Scope, removal: _Removal) -> ForgottenReplay:
        return (await self._write(scope, None, ForgottenReplay, lambda gone: gone, removal)).record

    async def _block_everywhere(self, scope: Scope, fingerprints: Collection[bytes], removal: _Removal) -> None:
        shared = shared_scope(scope)
        blocking = Blocking(list(fingerprints), removal.receipt_id, removal.now)
        receipt = Receipt(removal.receipt_id, removal.cause, {}, len(fingerprints), removal.now)

        async def change(session: Session, revision: int) -> EmptyReplay:
            await block(session, shared, blocking)
            # Its own receipt comes with its own removal.
            if scope != shared:
                await keep_receipt(session, shared, receipt)
            return EmptyReplay()

        if fingerprints:
            await self._writes.write(shared, None, EmptyReplay, change, removal.now)

    async def other_scopes(self, scope: Scope) -> Sequence[Scope]:
        """Every other scope of the tenant, in the order of their agents."""
        rows = await self._writes.database.rows(
            whole_tenant(scope.tenant_id), SQL["other_agents"], scope_parameters(scope)
        )
        return [Scope(scope.tenant_id, AgentId(agent_id)) for (agent_id,) in rows]

    def _notify(self, scope: Scope, removal: _Removal) -> None:
        """Call it after the commit."""
        self._writes.notify_removal(scope)
        for agent_id, revision in removal.receivers.items():
            receiver = Scope(scope.tenant_id, agent_id)
            self._writes.notify(receiver, revision, ())
            self._writes.notify_removal(receiver)

    async def reset(self, scope: Scope, request: RequestKey | None, *, now: datetime) -> Written[ResetReplay]:
        """Empties the scope. Bytes of artifacts outside of Postgres become orphans, which the collector removes."""
        receipt_id = time_ordered_uuid(now)
        of_shared = list[int]()

        async def change(session: Session, revision: int) -> ResetReplay:
            of_shared.clear()
            stores = await count_rows_of_scope(session, scope)
            await empty_scope(session, scope, Removal(receipt_id, revision, now, stores), self._declared)
            of_shared.append(await delete_own_actions(session, scope, self._declared, now))
            receipt = Receipt(receipt_id, Cause.RESET, stores, 0, now)
            await keep_receipt(session, scope, receipt)
            return ResetReplay(receipt_id, stores, now)

        written = await self._writes.write(scope, request, ResetReplay, change, now)
        self._writes.notify_removal(scope)
        for shared_revision in filter(None, of_shared):
            self._writes.notify(shared_scope(scope), shared_revision, ())
            self._writes.notify_removal(shared_scope(scope))
        return written

    async def would_reset(self, scope: Scope, *, now: datetime) -> tuple[ResetReplay, int]:
        """The receipt that `reset` would give, and the revision read at."""
        async with self._writes.database.snapshot(scope) as session:
            stores = await count_rows_of_scope(session, scope)
            return ResetReplay(None, stores, now), await scope_revision(session, scope)

    async def list_receipts(self, scope: Scope, after: tuple[datetime, UUID] | None, size: int) -> Sequence[Receipt]:
        """Newest first, at most `size`, behind the time and id of another."""
        return await page_receipts(self._writes.database, scope, after, size)

    async def lift_blocks(self, scope: Scope, blocked: str | UUID, request: RequestKey | None, *, now: datetime) -> int:
        """Lifts the block of a text, or all blocks of a receipt; how many. Raises NotFound for a receipt that does not
        exist."""

        async def change(session: Session, revision: int) -> LiftedReplay:
            if isinstance(blocked, UUID):
                await require_receipt(session, scope, blocked)
            return LiftedReplay(await lift(session, scope, blocked))

        written = await self._writes.write(scope, request, LiftedReplay, change, now)
        return written.record.lifted


def _rest_of(plan: DeletionPlan, selection: ForgetSelection) -> ForgetSelection:
    """The selection of records that go in other scopes because of a plan."""
    elsewhere = ForgottenElsewhere(plan.refs, plan.sought)
    return ForgetSelection(
        elsewhere, allow_restating=True, repeats=True, include_linked=selection.include_linked, redact=selection.redact
    )
