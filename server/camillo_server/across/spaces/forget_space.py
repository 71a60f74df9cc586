"""Forgets a person: their space, and what other spaces say about them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from camillo_server.across.admin.administration import Administration
from camillo_server.across.admin.store.agent_rows import GoneElsewhere
from camillo_server.across.forgetting.excerpts import ExcerptQuery
from camillo_server.across.forgetting.forgetting import FindNames
from camillo_server.across.forgetting.records import ForgetSelection, Forgotten, Records, summed
from camillo_server.across.forgetting.store.elsewhere import ElsewhereStore, FoundElsewhere, about, nothing
from camillo_server.across.spaces import paths
from camillo_server.across.spaces.store.spaces import SpaceStore
from camillo_server.kernel.clock import Clock, time_ordered_uuid
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.scope import Principal, Scope
from camillo_server.kernel.writes import PlanConsent, RequestKey
from camillo_server.storage.receipts import Receipt


@dataclass(frozen=True, slots=True)
class SpaceToForget:
    """A request: the names by which other spaces are searched, what becomes of the records that are found (none of them
    goes unless `removes`; `redact`: as far as possible they stay without the name), and those that stay in any case."""

    names: Sequence[str]
    removes: bool
    redact: bool
    keep: Records
    excerpts: ExcerptQuery
    block_values: bool
    consent: PlanConsent


@dataclass(frozen=True, slots=True)
class ForgottenSpace:
    """The receipt of all stores, and what was found in other spaces; None where nothing was searched."""

    receipt: Receipt
    elsewhere: Forgotten | None
    selection: ForgetSelection


class ForgetSpace:
    """Forgets spaces. Raises NotFound, PlanChanged, PlanRequired, RequestIdReused, ScopeForbidden, StorageUnavailable,
    and KeyMissing and BytesLost where a text cannot be read that is to be searched or blocked."""

    def __init__(
        self,
        administration: Administration,
        elsewhere: ElsewhereStore,
        spaces: SpaceStore,
        names_beside: FindNames,
        clock: Clock,
    ) -> None:
        self._administration = administration
        self._elsewhere = elsewhere
        self._spaces = spaces
        self._names_beside = names_beside
        self._clock = clock

    async def plan(self, caller: Principal, scope: Scope, asked: SpaceToForget) -> ForgottenSpace:
        """Describes what `forget` would do, and shows what it would find."""
        _require_rights(caller, scope, asked)
        receipt = await self._administration.delete_agent(
            caller, scope, None, block_values=asked.block_values, dry_run=True
        )
        selection = await self._selection(scope, asked)
        if not asked.names:
            return ForgottenSpace(receipt, None, selection)
        found = await self._elsewhere.find(scope, selection, self._clock.now())
        gone = found.receipt(receipt.at) if asked.removes else nothing(None, receipt.at)
        elsewhere = Forgotten(gone, 0, found.digest, found.excerpts)
        stores = summed([receipt.stores, gone.stores])
        return ForgottenSpace(replace(receipt, stores=stores), elsewhere, selection)

    async def forget(
        self, caller: Principal, scope: Scope, asked: SpaceToForget, request: RequestKey | None
    ) -> ForgottenSpace:
        """Forgets elsewhere first, each space in a transaction of its own, and then the space itself."""
        _require_rights(caller, scope, asked)
        selection = replace(await self._selection(scope, asked), excerpts=None)
        if (before := await self._administration.deleted_before(caller, request)) is not None:
            return ForgottenSpace(before, None, selection)
        if not await self._spaces.page(scope.tenant_id, [paths.one(scope.agent_id)], None, 1):
            raise NotFound("agent", scope.agent_id)
        now = self._clock.now()
        receipt_id = time_ordered_uuid(now)
        gone = nothing(receipt_id, now)
        if asked.removes:
            found = await self._found(scope, selection, asked)
            gone = await self._elsewhere.forget(found, selection, receipt_id, now)
        receipt = await self._administration.delete_agent(
            caller,
            scope,
            request,
            block_values=asked.block_values,
            dry_run=False,
            gone_elsewhere=GoneElsewhere(receipt_id, gone.stores),
        )
        return ForgottenSpace(receipt, Forgotten(gone, 0) if asked.removes else None, selection)

    async def _found(self, scope: Scope, selection: ForgetSelection, asked: SpaceToForget) -> FoundElsewhere:
        """The records that a plan has shown. Raises PlanChanged, PlanRequired."""
        now = self._clock.now()
        found = await self._elsewhere.find(scope, selection, now)
        asked.consent.require(sum(plan.size for _, plan, _ in found.plans), found.digest, now)
        return found

    async def _selection(self, scope: Scope, asked: SpaceToForget) -> ForgetSelection:
        """The selection in every other space; a name that was merged with one in this space is sought, too."""
        known = [*asked.names, scope.agent_id]
        also = await self._names_beside(scope, asked.names) if asked.names else ()
        return ForgetSelection(
            about(scope, [*known, *also]),
            allow_restating=True,
            redact=asked.redact,
            repeats=True,
            excerpts=replace(asked.excerpts, values=known, merged=also),
            keep=asked.keep,
        )


def _require_rights(caller: Principal, scope: Scope, asked: SpaceToForget) -> None:
    """Raises ScopeForbidden. Names are sought in every other space."""
    if asked.names:
        caller.require_agent(None)
    caller.require_forget(scope.agent_id)
