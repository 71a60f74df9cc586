"""Forgets memories with everything that was derived from them, so that what they said does not come back."""

from datetime import datetime
from uuid import UUID

from camillo_server.crypto.keyring import Keyring
from camillo_server.events.store.forgetting import remove_doomed
from camillo_server.forgetting.ports import Forgetting, ForgottenReplay
from camillo_server.forgetting.store.deletion_plan import Doomed, doomed_by
from camillo_server.kernel.ids import time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.store.deletion import delete_rows, restore_rows
from camillo_server.storage.blocklist import Blocking, block
from camillo_server.storage.database import Session
from camillo_server.storage.receipts import Cause, Receipt, keep_receipt
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = {
    **statements("forgetting/store/forgetting"),
    "scope_revision": statements("memories/store/reads")["scope_revision"],
}


class ForgettingStore:
    """`MemoryForgetting` on Postgres."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._keyring = keyring

    async def forget(
        self, scope: Scope, what: Forgetting, request: RequestKey | None, *, now: datetime
    ) -> Written[ForgottenReplay]:
        receipt_id = time_ordered_uuid(now)

        async def change(session: Session, revision: int) -> ForgottenReplay:
            doomed = await doomed_by(session, scope, what, self._keyring, now)
            await _remove(session, scope, doomed, receipt_id, revision, now)
            await block(session, scope, Blocking(doomed.marks, receipt_id, now))
            receipt = Receipt(
                receipt_id, Cause.FORGET_MEMORIES, doomed.stores, len(doomed.marks), now
            )
            await keep_receipt(session, scope, receipt)
            return doomed.receipt(receipt_id, now)

        written = await self._writes.write(scope, request, ForgottenReplay, change, now)
        self._writes.notify_removal(scope)
        return written

    async def would_forget(
        self, scope: Scope, what: Forgetting, *, now: datetime
    ) -> tuple[ForgottenReplay, int]:
        async with self._writes.database.snapshot(scope.tenant_id) as session:
            doomed = await doomed_by(session, scope, what, self._keyring, now)
            row = await session.only_row(SQL["scope_revision"], scope_parameters(scope))
        return doomed.receipt(None, now), row[0]


async def _remove(
    session: Session, scope: Scope, doomed: Doomed, receipt_id: UUID, revision: int, now: datetime
) -> None:
    if doomed.memory_ids:
        await delete_rows(session, scope, doomed.memory_ids, revision, now)
    if doomed.compaction_ids:
        key = {**scope_parameters(scope), "compaction_ids": list(doomed.compaction_ids)}
        await session.execute(SQL["delete_compactions"], key)
    if doomed.restored_ids:
        await restore_rows(session, scope, doomed.restored_ids, revision, now)
    if doomed.events is not None and doomed.events.event_ids:
        await remove_doomed(session, scope, doomed.events, receipt_id, revision, now)
