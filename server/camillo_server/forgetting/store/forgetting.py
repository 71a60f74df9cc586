"""Removals of memories and scopes, each one transaction: what is derived of the removed texts goes with them."""

from datetime import datetime
from uuid import UUID

from camillo_server.crypto.keyring import Keyring
from camillo_server.events.store.forgetting import remove_events
from camillo_server.forgetting.records import (
    ForgetSelection,
    ForgottenReplay,
    LiftedReplay,
    ResetReplay,
)
from camillo_server.forgetting.store.deletion_plan import DeletionPlan, plan_deletion
from camillo_server.forgetting.store.reset import count_rows_of_scope, empty_scope
from camillo_server.kernel.ids import time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.store.deletion import delete_rows, restore_rows
from camillo_server.storage.blocklist import Blocking, block, lift
from camillo_server.storage.database import Session
from camillo_server.storage.receipts import Cause, Receipt, keep_receipt, require_receipt
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import scope_revision
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("forgetting/store/forgetting")


class ForgettingStore:
    """Removes for good within one scope, or reads what a removal would take. Every method raises StorageUnavailable;
    every write is one transaction that advances the scope's revision by one, and raises RequestIdReused."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._keyring = keyring

    async def forget(
        self, scope: Scope, selection: ForgetSelection, request: RequestKey | None, *, now: datetime
    ) -> Written[ForgottenReplay]:
        """Raises KeyMissing and BytesLost where a value cannot be read that is to be blocked."""
        receipt_id = time_ordered_uuid(now)

        async def change(session: Session, revision: int) -> ForgottenReplay:
            plan = await plan_deletion(session, scope, selection, self._keyring, now)
            await _carry_out(session, scope, plan, receipt_id, revision, now)
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
    ) -> tuple[ForgottenReplay, int]:
        """The receipt that `forget` would give, and the revision read at. Raises as `forget` does."""
        async with self._writes.database.snapshot(scope.tenant_id) as session:
            plan = await plan_deletion(session, scope, selection, self._keyring, now)
            return plan.receipt(None, now), await scope_revision(session, scope)

    async def reset(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[ResetReplay]:
        """Empties the scope. Bytes of artifacts outside of Postgres become orphans, which the collector removes."""
        receipt_id = time_ordered_uuid(now)

        async def change(session: Session, revision: int) -> ResetReplay:
            stores = await count_rows_of_scope(session, scope)
            receipt = Receipt(receipt_id, Cause.RESET, stores, 0, now)
            await empty_scope(session, scope, receipt, revision)
            await keep_receipt(session, scope, receipt)
            return ResetReplay(receipt_id, stores, now)

        written = await self._writes.write(scope, request, ResetReplay, change, now)
        self._writes.notify_removal(scope)
        return written

    async def would_reset(self, scope: Scope, *, now: datetime) -> tuple[ResetReplay, int]:
        """The receipt that `reset` would give, and the revision read at."""
        async with self._writes.database.snapshot(scope.tenant_id) as session:
            stores = await count_rows_of_scope(session, scope)
            return ResetReplay(None, stores, now), await scope_revision(session, scope)

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


async def _carry_out(
    session: Session,
    scope: Scope,
    plan: DeletionPlan,
    receipt_id: UUID,
    revision: int,
    now: datetime,
) -> None:
    if plan.memory_ids:
        await delete_rows(session, scope, plan.memory_ids, revision, now)
    if plan.compaction_ids:
        key = {**scope_parameters(scope), "compaction_ids": list(plan.compaction_ids)}
        await session.execute(SQL["delete_compactions"], key)
    if plan.restored_ids:
        await restore_rows(session, scope, plan.restored_ids, revision, now)
    if plan.events is not None and plan.events.event_ids:
        await remove_events(session, scope, plan.events, receipt_id, revision, now)
