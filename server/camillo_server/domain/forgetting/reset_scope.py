"""ResetScope: empty a scope, or tell what would go."""

from camillo_server.domain.clock import Clock
from camillo_server.domain.errors import ConfirmationRequired
from camillo_server.domain.forgetting.ports import ResetReplay, ScopeReset
from camillo_server.domain.forgetting.receipt import Cause, Receipt, ReceiptDone
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


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
