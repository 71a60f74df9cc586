"""RunMaintenance: archive what nobody needs any more, remove what was hidden for long."""

from camillo_server.domain.clock import Clock
from camillo_server.domain.lifecycle.plan import PassDone, PlanRef
from camillo_server.domain.lifecycle.policy import LifecyclePolicy
from camillo_server.domain.lifecycle.ports import LifecycleStore, PassOrder
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


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
