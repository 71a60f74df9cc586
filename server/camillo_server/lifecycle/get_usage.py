"""GetUsage: the size of scopes, in Postgres and in this process."""

from collections.abc import Sequence

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lifecycle.plan import LifecyclePolicy
from camillo_server.lifecycle.store.usage import UsageStore
from camillo_server.lifecycle.usage import ScopeContents, ScopeUsage
from camillo_server.search.index.verification import CachedIndexes, IndexStatus


class GetUsage:
    """Of one scope, or of all scopes of a tenant. Both methods raise StorageUnavailable."""

    def __init__(
        self, store: UsageStore, indexes: CachedIndexes, policy: LifecyclePolicy, clock: Clock
    ) -> None:
        self._store = store
        self._indexes = indexes
        self._policy = policy
        self._clock = clock

    async def of_scope(self, scope: Scope) -> ScopeUsage:
        """Zeros where there is no such scope."""
        return (await self._usage(scope.tenant_id, [scope.agent_id]))[0]

    async def of_tenant(
        self, tenant_id: TenantId, after_agent: str | None, size: int
    ) -> Sequence[ScopeUsage]:
        """In the order of the agents' ids, behind this one (None: from the first)."""
        after = None if after_agent is None else AgentId(after_agent)
        return await self._usage(tenant_id, await self._store.agent_ids(tenant_id, after, size))

    async def _usage(
        self, tenant_id: TenantId, agent_ids: Sequence[AgentId]
    ) -> Sequence[ScopeUsage]:
        contents = await self._store.contents(tenant_id, agent_ids, now=self._clock.now())
        return [
            self._combined(each, self._indexes.of_scope(Scope(tenant_id, each.agent_id)))
            for each in contents
        ]

    def _combined(self, contents: ScopeContents, index: IndexStatus | None) -> ScopeUsage:
        memories = contents.memories
        return ScopeUsage(
            agent_id=contents.agent_id,
            stores=contents.stores,
            active_memories=memories.active,
            archived_memories=memories.archived,
            expired_memories=memories.expired,
            pinned_memories=memories.pinned,
            memory_quota=self._policy.memory_quota,
            oldest_at=memories.oldest_at,
            newest_at=memories.newest_at,
            is_in_memory=index is not None,
            memory_bytes=index.nbytes if index else 0,
        )
