"""Distillation without a request: spaces in which enough was said, or nothing for a while."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

from camillo_server.features.distillation.distilling import Distil, is_enabled
from camillo_server.features.distillation.proposal import MAX_PROPOSALS, DistillationTrigger
from camillo_server.features.distillation.reviews import Reviews
from camillo_server.features.distillation.selection import MAX_SENT
from camillo_server.features.distillation.store.distillations import DistillationStore, DueQuery
from camillo_server.kernel.clock import Clock, earlier
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.settings.lifecycle import DistillationSettings

Defer = Callable[[Sequence[Scope]], Awaitable[Sequence[Scope]]]


class DueScopes:
    """Jobs of distillation, one for each space. Every method raises StorageUnavailable."""

    def __init__(
        self,
        distil: Distil,
        reviews: Reviews,
        store: DistillationStore,
        settings: DistillationSettings,
        clock: Clock,
    ) -> None:
        self._distil = distil
        self._reviews = reviews
        self._store = store
        self._settings = settings
        self._clock = clock

    async def defer_everywhere(self, defer: Defer) -> None:
        """Defers for every space that is due, one tenant after the other."""
        for tenant_id in map(TenantId, self._settings.spaces):
            due = await self._store.due(tenant_id, None, self._query())
            scopes = [Scope(tenant_id, agent_id) for agent_id in due]
            await defer([scope for scope in scopes if is_enabled(self._settings, scope)])

    async def distil(self, scope: Scope) -> None:
        """Distils what is due, if this is still on; accepts what comes of it where nobody reviews. Raises
        DistillationUnderWay, QuotaExceeded, ModelUnavailable: what was sent before stays."""
        if not self._distil.is_on(scope):
            return
        await self._accept(scope)
        due = await self._store.due(scope.tenant_id, AgentId(scope.agent_id), self._query())
        turns = due.get(scope.agent_id, 0)
        trigger = DistillationTrigger.TURNS if turns >= self._settings.every_turns else DistillationTrigger.IDLE
        has_more = turns > 0
        while has_more:
            has_more = (await self._distil(scope, "", trigger)).has_more
            await self._accept(scope)

    async def _accept(self, scope: Scope) -> None:
        """Accepts all that waits, also of a process that was killed before it could."""
        while self._settings.review == "auto" and await self._reviews.accept_pending(scope, MAX_PROPOSALS):
            pass

    def _query(self) -> DueQuery:
        now = self._clock.now()
        return DueQuery(
            since=earlier(now, timedelta(days=self._settings.max_age_days)),
            idle_since=earlier(now, timedelta(minutes=self._settings.idle_minutes)),
            every_turns=self._settings.every_turns,
            max_sensitivity=MAX_SENT,
        )
