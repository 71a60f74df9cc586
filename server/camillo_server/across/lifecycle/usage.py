"""GetUsage: the size of scopes, in Postgres and in this process."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.across.lifecycle.plan import LifecyclePolicy
from camillo_server.across.lifecycle.store.usage import ScopeContents, UsageStore
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.verification import CachedIndexes, IndexStatus


@dataclass(frozen=True, slots=True)
class ScopeUsage:
    """The contents of one scope, its bound, and its index; None where this process does not hold the scope."""

    contents: ScopeContents
    memory_quota: int
    index: IndexStatus | None


class GetUsage:
    """The usage of one scope, or of all scopes of a tenant. Both methods raise StorageUnavailable."""

    def __init__(self, store: UsageStore, indexes: CachedIndexes, policy: LifecyclePolicy, clock: Clock) -> None:
        self._store = store
        self._indexes = indexes
        self._policy = policy
        self._clock = clock

    async def of_scope(self, scope: Scope) -> ScopeUsage:
        """Zeros where there is no such scope."""
        return (await self._usage(scope.tenant_id, [scope.agent_id]))[0]

    async def of_tenant(self, tenant_id: TenantId, after: AgentId | None, size: int) -> Sequence[ScopeUsage]:
        """The usage of each scope in the order of the agents' ids, behind this one (None: from the first)."""
        return await self._usage(tenant_id, await self._store.agent_ids(tenant_id, after, size))

    async def _usage(self, tenant_id: TenantId, agent_ids: Sequence[AgentId]) -> Sequence[ScopeUsage]:
        contents = await self._store.contents(tenant_id, agent_ids, now=self._clock.now())
        quota, index_of = self._policy.memory_quota, self._indexes.of_scope
        return [ScopeUsage(each, quota, index_of(Scope(tenant_id, each.agent_id))) for each in contents]
