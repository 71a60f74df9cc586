"""Texts of other spaces about whoever is forgotten: found in each by their names, and forgotten there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from camillo_server.across.forgetting.excerpts import FoundValues, merged
from camillo_server.across.forgetting.records import ForgetSelection, ForgottenElsewhere, ForgottenReplay
from camillo_server.across.forgetting.store.forgetting import ForgettingStore
from camillo_server.across.forgetting.store.plan import DeletionPlan, SearchedBefore
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.value_fingerprints import value_fingerprint
from camillo_server.lib.text.value_spans import SoughtValues, ValueSpans


@dataclass(frozen=True, slots=True)
class FoundElsewhere:
    """Plans of the spaces that hold something, with what each was made of. `digest` is the same where the same records
    are found, whatever becomes of them."""

    plans: Sequence[tuple[Scope, DeletionPlan, SearchedBefore]]
    digest: bytes
    excerpts: FoundValues | None

    def receipt(self, now: datetime) -> ForgottenReplay:
        """The records that would go."""
        return _joined([plan.receipt(None, now) for _, plan, _ in self.plans], None, now)


class ElsewhereStore:
    """Looks into every other space of a tenant, one after the other. Every method raises StorageUnavailable, and
    KeyMissing and BytesLost where a text cannot be read that is to be searched."""

    def __init__(self, store: ForgettingStore) -> None:
        self._store = store

    async def find(self, scope: Scope, selection: ForgetSelection, now: datetime) -> FoundElsewhere:
        """The records of other spaces that the selection finds."""
        plans, found = [], []
        for other in await self._store.other_scopes(scope):
            plan, searched = await self._store.planned(other, selection, now)
            found += [plan.excerpts.found()] if plan.excerpts else []
            if any(plan.repeats.values()):
                plans.append((other, plan, searched))
        per_store = selection.excerpts.per_store if selection.excerpts else 0
        return FoundElsewhere(plans, _digest(plans), merged(found, per_store) if found else None)

    async def forget(
        self, found: FoundElsewhere, selection: ForgetSelection, receipt_id: UUID, now: datetime
    ) -> ForgottenReplay:
        """Forgets what was found, each space in a transaction of its own."""
        gone = [
            await self._store.forget_found(other, selection, searched, receipt_id, now)
            for other, plan, searched in found.plans
            if plan.size
        ]
        return _joined(gone, receipt_id, now)


def about(scope: Scope, names: Sequence[str]) -> ForgottenElsewhere:
    """Selects the records of another space that hold one of these names, in a sentence or as a whole."""
    fingerprints = frozenset(value_fingerprint(scope.tenant_id, name) for name in names)
    return ForgottenElsewhere(frozenset(), SoughtValues(fingerprints, ValueSpans(*names)))


def nothing(receipt_id: UUID | None, now: datetime) -> ForgottenReplay:
    """The receipt of what stays."""
    return ForgottenReplay(receipt_id, (), {}, 0, now, scopes=0)


def _joined(receipts: Sequence[ForgottenReplay], receipt_id: UUID | None, now: datetime) -> ForgottenReplay:
    return nothing(receipt_id, now).with_rest(receipts)


def _digest(plans: Sequence[tuple[Scope, DeletionPlan, SearchedBefore]]) -> bytes:
    found = [
        (scope.agent_id, sorted((store, sorted(ids)) for store, ids in plan.repeats.items() if ids))
        for scope, plan, _ in plans
    ]
    return sha256(repr(found).encode()).digest()
