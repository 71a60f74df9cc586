"""Archive: take what a selector means out of recall, and keep it."""

from camillo_server.domain.clock import Clock
from camillo_server.domain.lifecycle.plan import Action, MemorySelector, PassDone, PlanRef, Selected
from camillo_server.domain.lifecycle.ports import LifecycleStore, PassOrder
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


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
