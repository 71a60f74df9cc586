"""RunMaintenance: archive what nobody needs any more, remove what was hidden for long."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lifecycle.plan import (
    Action,
    LifecyclePolicy,
    MemorySelector,
    PassDone,
    PlanRef,
    Selected,
    Work,
)


@dataclass(frozen=True, slots=True)
class PassOrder:
    """How a caller wants a pass carried out: under a request id, and as it was planned."""

    request: RequestKey | None = None
    plan: PlanRef | None = None


class LifecycleStore(Protocol):
    """Passes over one scope. Both methods raise StorageUnavailable."""

    async def plan(self, scope: Scope, work: Work, *, at: datetime) -> PassDone:
        """What a pass would do now, read in one snapshot."""
        ...

    async def carry_out(
        self, scope: Scope, work: Work, order: PassOrder, *, now: datetime
    ) -> PassDone:
        """In one transaction that holds the scope's turn: finds what is to be done, does it, and advances the revision by
        one; where there is nothing to do, the revision stays. Raises PlanChanged where that is not what was planned,
        RequestIdReused."""
        ...


class RunMaintenance:
    """A pass over a scope by the policy."""

    def __init__(self, store: LifecycleStore, policy: LifecyclePolicy, clock: Clock) -> None:
        self._store = store
        self._policy = policy
        self._clock = clock

    async def __call__(
        self, scope: Scope, request: RequestKey | None, plan: PlanRef | None, *, dry_run: bool
    ) -> PassDone:
        """A dry run only tells. Raises PlanChanged, RequestIdReused, StorageUnavailable."""
        now = self._clock.now()
        if dry_run:
            return await self._store.plan(scope, self._policy, at=now)
        order = PassOrder(request, plan)
        return await self._store.carry_out(scope, self._policy, order, now=now)


class PruneMemories:
    """A pass over a scope that removes."""

    def __init__(self, store: LifecycleStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        selector: MemorySelector,
        request: RequestKey | None,
        plan: PlanRef | None,
        *,
        dry_run: bool,
    ) -> PassDone:
        """A dry run only tells. Raises InvalidField for a selector that would take everything, PlanChanged,
        RequestIdReused, StorageUnavailable."""
        work = Selected(Action.REMOVE, selector.checked())
        now = self._clock.now()
        if dry_run:
            return await self._store.plan(scope, work, at=now)
        return await self._store.carry_out(scope, work, PassOrder(request, plan), now=now)


class ArchiveMemories:
    """A pass over a scope that archives."""

    def __init__(self, store: LifecycleStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        selector: MemorySelector,
        request: RequestKey | None,
        plan: PlanRef | None,
        *,
        dry_run: bool,
    ) -> PassDone:
        """A dry run only tells. Raises InvalidField for a selector that would take everything, PlanChanged,
        RequestIdReused, StorageUnavailable."""
        work = Selected(Action.ARCHIVE, selector.checked())
        now = self._clock.now()
        if dry_run:
            return await self._store.plan(scope, work, at=now)
        return await self._store.carry_out(scope, work, PassOrder(request, plan), now=now)
