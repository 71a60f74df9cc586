"""What hits of an explained recall took the place of: their history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.memories.memory import Memory
from camillo_server.memories.memory_filter import Archived, MemoryFilter, Validity
from camillo_server.search.masking import mask_memory
from camillo_server.search.recall import RecallRules
from camillo_server.search.recall_query import RecallQuery
from camillo_server.search.store.predecessors import Predecessors

MAX_HISTORY = 3
# The agent and the id of a memory.
HitId = tuple[AgentId, MemoryId]
Histories = Mapping[HitId, Sequence[Memory]]


@dataclass(frozen=True, slots=True)
class HitHistory:
    """Looks up what the caller of a recall may see of what its hits took the place of."""

    predecessors: Predecessors
    rules: RecallRules
    clock: Clock

    async def __call__(self, query: RecallQuery, hits: Sequence[HitId]) -> Histories:
        """Of hits that took others' places; none while Postgres is away."""
        found: dict[HitId, Sequence[Memory]] = {}
        for scope in dict.fromkeys((query.scope, shared_scope(query.scope))):
            ids = [memory_id for agent_id, memory_id in hits if agent_id == scope.agent_id]
            for memory_id, memories in (await self._read(query, scope, ids)).items():
                shown = [self._shown(query, each) for each in memories[:MAX_HISTORY]]
                found[scope.agent_id, memory_id] = shown
        return found

    async def _read(
        self, query: RecallQuery, scope: Scope, ids: Sequence[MemoryId]
    ) -> Mapping[MemoryId, Sequence[Memory]]:
        if not ids:
            return {}
        is_shared = query.shared is not None and scope != query.scope
        filter_ = query.shared.filter if is_shared and query.shared else query.filter
        seen = _may_see(filter_.narrowed(self.rules.channels, query.channel))
        try:
            return await self.predecessors.of(scope, ids, seen, self.clock.now())
        except StorageUnavailable:
            return {}

    def _shown(self, query: RecallQuery, memory: Memory) -> Memory:
        if not query.masked:
            return memory
        return mask_memory(memory, self.rules.masking.rules_of(query.scope.tenant_id))


def _may_see(filter_: MemoryFilter) -> MemoryFilter:
    """What the filter hides from its caller stays hidden; what it merely looks for does not matter."""
    return replace(
        MemoryFilter(archived=Archived.INCLUDE, validity=Validity.ANY, sources=(Source.MEMORY,)),
        sensitivities=filter_.sensitivities,
        hidden_kinds=filter_.hidden_kinds,
        max_sensitivity=filter_.max_sensitivity,
        min_trust=filter_.min_trust,
    )
