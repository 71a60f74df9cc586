"""ForgetMemories: remove for good, or tell what would go."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.forgetting.ports import (
    Forgetting,
    ForgottenReplay,
    MemoryForgetting,
    ResetReplay,
    ScopeReset,
)
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import ConfirmationRequired
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.storage.receipts import Cause, Receipt, ReceiptDone


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The receipt: ids in order (1,000 at most), rows by store, in the order of their names, and how many values may not
    be stated again. Of a dry run, `receipt_id` is None."""

    receipt_id: UUID | None
    memory_ids: Sequence[MemoryId]
    stores: dict[str, int]
    blocked_values: int
    at: datetime
    revision: int

    @property
    def memories(self) -> int:
        """How many memories went, or would."""
        return self.stores["memories"]


class ForgetMemories:
    """Forgets what a selector means with what was derived from it, in one transaction."""

    def __init__(self, forgetting: MemoryForgetting, clock: Clock) -> None:
        self._forgetting = forgetting
        self._clock = clock

    async def __call__(
        self, scope: Scope, what: Forgetting, request: RequestKey | None, *, dry_run: bool
    ) -> Forgotten:
        """Raises RequestIdReused, StorageUnavailable; KeyMissing and BytesLost where a value cannot be read that is to be
        blocked. Ids that are not there are passed over."""
        now = self._clock.now()
        if dry_run:
            receipt, revision = await self._forgetting.would_forget(scope, what, now=now)
            return _forgotten(receipt, revision)
        written = await self._forgetting.forget(scope, what, request, now=now)
        return _forgotten(written.record, written.revision)


def _forgotten(receipt: ForgottenReplay, revision: int) -> Forgotten:
    return Forgotten(
        receipt_id=receipt.receipt_id,
        memory_ids=receipt.memory_ids,
        stores=dict(sorted(receipt.stores.items())),
        blocked_values=receipt.blocked_values,
        at=receipt.forgotten_at,
        revision=revision,
    )


class ResetScope:
    """Removes everything of a scope but its name, its receipts and its blocked values."""

    def __init__(self, resetting: ScopeReset, clock: Clock) -> None:
        self._resetting = resetting
        self._clock = clock

    async def __call__(
        self, scope: Scope, confirm: str, request: RequestKey | None, *, dry_run: bool
    ) -> ReceiptDone:
        """Raises ConfirmationRequired unless `confirm` is the agent's id, or the tenant's for its shared scope, also for
        a dry run; RequestIdReused, StorageUnavailable."""
        if confirm != (scope.agent_id or scope.tenant_id):
            raise ConfirmationRequired(
                "the agent's id" if scope.agent_id else "the tenant's id for its shared scope"
            )
        now = self._clock.now()
        if dry_run:
            receipt, revision = await self._resetting.would_reset(scope, now=now)
            return _done(receipt, revision)
        written = await self._resetting.reset(scope, request, now=now)
        return _done(written.record, written.revision)


def _done(record: ResetReplay, revision: int) -> ReceiptDone:
    receipt = Receipt(
        receipt_id=record.receipt_id,
        cause=Cause.RESET,
        stores=dict(sorted(record.stores.items())),
        blocked_values=0,
        at=record.at,
    )
    return ReceiptDone(receipt, revision)
