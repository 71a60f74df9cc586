"""The history of the hits of an explained recall: the memories that they replaced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import Archived, MemoryFilter, Validity
from camillo_server.search.masking import mask_memory
from camillo_server.search.recall import RecallRules
from camillo_server.search.recall_query import RecallQuery
from camillo_server.search.store.recall_reads import Predecessors

MAX_HISTORY = 3
# The agent and the id of a memory.
HitId = tuple[AgentId, MemoryId]
Histories = Mapping[HitId, Sequence[Row]]


@dataclass(frozen=True, slots=True)
class HitHistory:
    """Looks up the memories that a recall's hits replaced, as far as the caller may see them."""

    predecessors: Predecessors
    rules: RecallRules
    clock: Clock

    async def __call__(self, query: RecallQuery, hits: Sequence[HitId]) -> Histories:
        """The histories of hits that replaced other memories; none while Postgres is away."""
        found: dict[HitId, Sequence[Row]] = {}
        # Each scope by the filter by which it was searched.
        filters = {query.scope: query.filter} | {each.scope: each.filter for each in query.beside}
        for scope, filter_ in filters.items():
            ids = [memory_id for agent_id, memory_id in hits if agent_id == scope.agent_id]
            for memory_id, memories in (await self._read(query, scope, filter_, ids)).items():
                shown = [self._shown(query, each) for each in memories[:MAX_HISTORY]]
                found[scope.agent_id, memory_id] = shown
        return found

    async def _read(
        self, query: RecallQuery, scope: Scope, filter_: MemoryFilter, ids: Sequence[MemoryId]
    ) -> Mapping[MemoryId, Sequence[Row]]:
        if not ids:
            return {}
        seen = _may_see(filter_.narrowed(self.rules.channels, query.channel))
        try:
            return await self.predecessors.of(scope, ids, seen, self.clock.now())
        except StorageUnavailable:
            return {}

    def _shown(self, query: RecallQuery, memory: Row) -> Row:
        if not query.masked:
            return memory
        return mask_memory(memory, self.rules.masking.rules_of(query.scope.tenant_id))


def _may_see(filter_: MemoryFilter) -> MemoryFilter:
    """Keeps the conditions that hide memories from the caller, and drops those that only narrow the search."""
    return replace(
        MemoryFilter(archived=Archived.INCLUDE, validity=Validity.ANY, sources=(Source.MEMORY,)),
        sensitivities=filter_.sensitivities,
        hidden_kinds=filter_.hidden_kinds,
        max_sensitivity=filter_.max_sensitivity,
        min_trust=filter_.min_trust,
    )
