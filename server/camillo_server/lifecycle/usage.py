"""GetUsage: what scopes take, in Postgres and in this process."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lifecycle.plan import LifecyclePolicy
from camillo_server.search.index.status import CachedIndexes, IndexStatus


@dataclass(frozen=True, slots=True)
class StoreUsage:
    """Rows of one store, and bytes of their contents before the database adds or saves any."""

    store: str
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class MemoryFigures:
    """How many memories there are of each sort, and when the oldest and the newest were stored."""

    active: int = 0
    archived: int = 0
    expired: int = 0
    pinned: int = 0
    oldest_at: datetime | None = None
    newest_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ScopeContents:
    """Stores that are not empty, in the order of their names."""

    agent_id: AgentId
    stores: Sequence[StoreUsage]
    memories: MemoryFigures


class UsageReader(Protocol):
    """Counts what scopes hold. Raises StorageUnavailable."""

    async def contents(
        self, tenant_id: TenantId, agent_ids: Sequence[AgentId], *, now: datetime
    ) -> Sequence[ScopeContents]:
        """Of these scopes, in the order given; empty ones among them."""
        ...

    async def agent_ids(
        self, tenant_id: TenantId, after: AgentId | None, size: int
    ) -> Sequence[AgentId]:
        """The agents of a tenant that have a scope, in order, behind this one (None: from the first); the empty one is that
        of the shared scope."""
        ...


@dataclass(frozen=True, slots=True)
class ScopeUsage:
    """What one scope takes; `memory_bytes` in this process, 0 where it does not hold the scope."""

    agent_id: AgentId
    stores: Sequence[StoreUsage]
    active_memories: int
    archived_memories: int
    expired_memories: int
    pinned_memories: int
    memory_quota: int
    oldest_at: datetime | None
    newest_at: datetime | None
    is_in_memory: bool
    memory_bytes: int


class GetUsage:
    """Of one scope, or of all scopes of a tenant. Both methods raise StorageUnavailable."""

    def __init__(
        self, reader: UsageReader, indexes: CachedIndexes, policy: LifecyclePolicy, clock: Clock
    ) -> None:
        self._reader = reader
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
        return await self._usage(tenant_id, await self._reader.agent_ids(tenant_id, after, size))

    async def _usage(
        self, tenant_id: TenantId, agent_ids: Sequence[AgentId]
    ) -> Sequence[ScopeUsage]:
        contents = await self._reader.contents(tenant_id, agent_ids, now=self._clock.now())
        return [
            self._told(each, self._indexes.of_scope(Scope(tenant_id, each.agent_id)))
            for each in contents
        ]

    def _told(self, contents: ScopeContents, held: IndexStatus | None) -> ScopeUsage:
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
            is_in_memory=held is not None,
            memory_bytes=held.nbytes if held else 0,
        )
