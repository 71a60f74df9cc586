"""Forgetting: removes records or a whole scope for good, lists the receipts, and lifts blocks of forgotten values."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from camillo_server.across.forgetting.records import (
    ForgetSelection,
    Forgotten,
    ForgottenEvents,
    Repeating,
    event_receipt,
)
from camillo_server.across.forgetting.store.forgetting import ForgettingStore
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import ConfirmationRequired, invalid_field
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.storage.receipts import Cause, KeptRefusal, Receipt, RefusalLog

# Names that a forgetting looks for beside those it is given.
MAX_MERGED = 256
# The names that were merged in a scope with one of these, without these.
FindNames = Callable[[Scope, Sequence[str]], Awaitable[Sequence[str]]]


class Forgetting:
    """The use cases of one scope. Every method raises StorageUnavailable, and RequestIdReused where it takes a
    request."""

    def __init__(self, store: ForgettingStore, refusals: RefusalLog, clock: Clock, names_beside: FindNames) -> None:
        self._store = store
        self._names_beside = names_beside
        self._refusals = refusals
        self._clock = clock

    async def forget(
        self,
        scope: Scope,
        selection: ForgetSelection,
        request: RequestKey | None,
        *,
        dry_run: bool,
        cause: Cause,
    ) -> Forgotten:
        """Forgets the selection. Ids that do not exist are passed over.

        Raises PlanChanged, PlanRequired, and KeyMissing and BytesLost where a value cannot be read that is to be
        blocked or searched for."""
        now = self._clock.now()
        if selection.include_merged:
            selection = await self._with_merged(scope, selection)
        if dry_run:
            return await self._store.would_forget(scope, selection, now=now)
        written = await self._store.forget(scope, selection, request, now=now, cause=cause)
        return Forgotten(written.record, written.revision)

    async def _with_merged(self, scope: Scope, selection: ForgetSelection) -> ForgetSelection:
        """The selection with all names that were merged in this scope with one that it has. Raises InvalidField."""
        if not isinstance(selection.selector, Repeating):
            return selection
        values = selection.selector.values
        merged = await self._names_beside(scope, values)
        if len(merged) > MAX_MERGED:
            raise invalid_field("include_merged", f"must be absent where more than {MAX_MERGED} names were merged")
        excerpts = selection.excerpts and replace(selection.excerpts, merged=merged)
        return replace(selection, selector=Repeating((*values, *merged)), excerpts=excerpts)

    async def forget_events(
        self,
        scope: Scope,
        selection: ForgetSelection,
        request: RequestKey | None,
        *,
        dry_run: bool,
    ) -> tuple[ForgottenEvents, int, bytes]:
        """Forgets like `forget`; returns the receipt that events have."""
        now = self._clock.now()
        if dry_run:
            planned = await self._store.would_forget(scope, selection, now=now)
            return event_receipt(planned.receipt), planned.revision, planned.plan_digest
        written = await self._store.forget_events(scope, selection, request, now=now)
        return written.record, written.revision, b""

    async def reset(
        self, scope: Scope, confirm: str, request: RequestKey | None, *, dry_run: bool
    ) -> tuple[Receipt, int]:
        """Removes everything of a scope but its name, its receipts and its blocked values; the receipt, and the
        revision from which it holds.

        Raises ConfirmationRequired unless `confirm` is the agent's id, or the tenant's for its shared scope, also for a
        dry run.
        """
        if confirm != (scope.agent_id or scope.tenant_id):
            raise ConfirmationRequired("the agent's id" if scope.agent_id else "the tenant's id for its shared space")
        now = self._clock.now()
        if dry_run:
            record, revision = await self._store.would_reset(scope, now=now)
        else:
            written = await self._store.reset(scope, request, now=now)
            record, revision = written.record, written.revision
        stores = dict(sorted(record.stores.items()))
        return Receipt(record.receipt_id, Cause.RESET, stores, 0, record.at), revision

    async def list_receipts(self, scope: Scope, after: tuple[datetime, UUID] | None, size: int) -> Sequence[Receipt]:
        """Newest first, at most `size`, behind the time and id of another."""
        return await self._store.list_receipts(scope, after, size)

    async def list_refusals(self, scope: Scope, after: PageCursor | None, size: int) -> Sequence[KeptRefusal]:
        """Writes that were refused for a forgotten value: newest first, at most `size`, behind another."""
        return await self._refusals.page(scope, after, size)

    async def lift_blocks(self, scope: Scope, blocked: str | UUID, request: RequestKey | None) -> int:
        """Lets one text be stated again, or all values that a receipt names; how many values. Raises NotFound for a
        receipt that does not exist."""
        return await self._store.lift_blocks(scope, blocked, request, now=self._clock.now())
