"""Passes over a scope: maintenance by the policy, and what callers prune and archive."""

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lifecycle.plan import (
    Action,
    LifecyclePolicy,
    MemorySelector,
    PassDone,
    PassOrder,
    PlanRef,
    Selected,
    Work,
)
from camillo_server.lifecycle.store.passes import PassStore


class Maintenance:
    """A dry run only plans, and changes nothing. Every method raises PlanChanged, RequestIdReused and
    StorageUnavailable."""

    def __init__(self, store: PassStore, policy: LifecyclePolicy, clock: Clock) -> None:
        self._store = store
        self._policy = policy
        self._clock = clock

    async def maintain(
        self, scope: Scope, request: RequestKey | None, plan: PlanRef | None, *, dry_run: bool
    ) -> PassDone:
        """Archives and removes memories by the policy."""
        return await self._run(scope, self._policy, PassOrder(request, plan), dry_run=dry_run)

    async def prune(
        self,
        scope: Scope,
        selector: MemorySelector,
        request: RequestKey | None,
        plan: PlanRef | None,
        *,
        dry_run: bool,
    ) -> PassDone:
        """Removes the selected memories. Raises InvalidField for a selector that would take everything."""
        work = Selected(Action.REMOVE, selector.checked())
        return await self._run(scope, work, PassOrder(request, plan), dry_run=dry_run)

    async def archive(
        self,
        scope: Scope,
        selector: MemorySelector,
        request: RequestKey | None,
        plan: PlanRef | None,
        *,
        dry_run: bool,
    ) -> PassDone:
        """Archives the selected memories. Raises InvalidField for a selector that would take everything."""
        work = Selected(Action.ARCHIVE, selector.checked())
        return await self._run(scope, work, PassOrder(request, plan), dry_run=dry_run)

    async def _run(self, scope: Scope, work: Work, order: PassOrder, *, dry_run: bool) -> PassDone:
        now = self._clock.now()
        if dry_run:
            return await self._store.plan(scope, work, at=now)
        return await self._store.carry_out(scope, work, order, now=now)
