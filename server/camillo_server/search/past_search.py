"""Searches what was known at a moment: rows that have not changed since, and versions that were replaced since.

The versions replaced since are few as a rule, and no index holds them: one is built of them for the call
(docs/adr/time.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow
from camillo_server.search.candidates import (
    CandidatePool,
    CandidateQuery,
    MemorySearch,
    TermStatistics,
)
from camillo_server.search.collection import combine, counted
from camillo_server.search.index.candidate_search import find_candidates, search_cost
from camillo_server.search.index.scope_index import IndexBuilder
from camillo_server.search.index.view import IndexView
from camillo_server.search.store.past_versions import PastVersions
from camillo_server.search.store.scope_rows import ScopeFacts, to_columns
from camillo_server.search.timed_search import without

# Texts that say something else now, and have no vector any more. More of them are found by their words alone.
MAX_EMBEDDED = 256


@dataclass(frozen=True, slots=True)
class PastSearch:
    """`MemorySearch` as of a moment, for one recall; its queries' filters let nothing through that was stored or changed after it.

    Terms weigh as they do in the scope as it is now. A version that has been replaced is no neighbour of others of its session.
    """

    search: MemorySearch
    versions: PastVersions
    embedding: TextEmbedding
    known_at: datetime
    # The views by scope and model; None if nothing has been replaced.
    _views: dict[tuple[Scope, str], IndexView | None] = field(default_factory=dict)

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """Raises StorageUnavailable, RevisionBehind, QuotaExceeded, KeyMissing, BytesLost."""
        query, freshness = await counted(self.search, query, freshness)
        pool = await self.search.candidates(query, freshness)
        key = query.scope, query.model_id
        if key not in self._views:
            # Afterwards: what is replaced meanwhile is found twice, and not missed.
            self._views[key] = await self._view(query)
        view = self._views[key]
        if view is None:
            return pool
        find = partial(find_candidates, view, query)
        past = await off_loop(search_cost(view, query), find)
        return combine([pool, without(past, pool)])

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        """The statistics of the scope as it is now. Raises StorageUnavailable, RevisionBehind."""
        return await self.search.statistics(query, freshness)

    async def _view(self, query: CandidateQuery) -> IndexView | None:
        scope = query.scope
        rows = await self.versions.of(scope, self.known_at, query.now, query.model_id)
        if not rows:
            return None
        if query.model_id == self.embedding.model_id:
            rows = await self._embedded(rows, scope)
        characters = sum(len(row.memory.content) for row in rows)
        cost = 4 * (characters + len(rows) * ROW)
        dimensions = len(query.vector.values) if query.vector else 1
        build = partial(_index_of, rows, scope.agent_id, query.model_id, dimensions)
        return await off_loop(cost, build)

    async def _embedded(self, rows: Sequence[NewRow], scope: Scope) -> Sequence[NewRow]:
        """The rows with vectors, as far as they have none and are not too many."""
        bare = [index for index, row in enumerate(rows) if row.vector is None][:MAX_EMBEDDED]
        if not bare:
            return rows
        texts = [rows[index].text() for index in bare]
        vectors = await self.embedding.vectors(texts, scope.tenant_id)
        made = dict(zip(bare, vectors or (), strict=False))
        return [row.with_vector(made[i]) if i in made else row for i, row in enumerate(rows)]


def _index_of(rows: Sequence[NewRow], agent_id: AgentId, model_id: str, dimensions: int) -> IndexView:
    columns = to_columns(rows, 0, model_id, dimensions)
    builder = IndexBuilder(dimensions, len(rows))
    builder.add(columns)
    terms = int(columns.fixed["term_count"].sum())
    return builder.build(agent_id, model_id, ScopeFacts(0, len(rows), terms)).view
