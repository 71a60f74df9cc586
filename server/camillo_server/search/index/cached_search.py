"""Recall answered from memory where the scope is warm, true and fresh enough; by Postgres everywhere else."""

from concurrent.futures import Executor
from functools import partial

from camillo_server.kernel.off_loop import fits_loop, off_loop
from camillo_server.kernel.revision import Freshness
from camillo_server.search.candidates import CandidatePool, CandidateQuery, MemorySearch
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.scope_caches import ScopeCaches

# Searching one row by a vector; by a text as well it takes twice to three times as long. In a thread a search takes 1.5
# to 2.5 times as long as on the loop, so that there it stays up to 30,000 rows:
# `python -m bench.decisions.event_loop search`.
ROW_MICROSECONDS = 1 / 30
ENCRYPTED_WAIT_SECONDS = 1.0


class CachedMemorySearch:
    """`MemorySearch` over the scopes in memory, in front of another."""

    def __init__(
        self, caches: ScopeCaches, behind: MemorySearch, model_id: str, pool: Executor
    ) -> None:
        self._caches = caches
        self._behind = behind
        self._model_id = model_id
        self._pool = pool

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        if query.vector is not None and query.vector.model_id != self._model_id:
            # No scope in memory can answer it, so none is loaded for it either.
            return await self._behind.candidates(query, freshness)
        resident = self._caches.use(query.scope)
        found = await self._from_memory(resident, query, freshness) if resident else None
        if found is not None:
            return found
        answer = await self._behind.candidates(query, freshness)
        # Afterwards, so that the caller who finds a scope cold does not wait for its loading too.
        if self._caches.budget.get(query.scope) is None:
            self._caches.request_load(query.scope)
            if answer.sealed_not_searched:
                # Which only memory can search: worth waiting for, where that is not long.
                return await self._when_loaded(query, freshness, answer)
        return answer

    async def _when_loaded(
        self, query: CandidateQuery, freshness: Freshness, meanwhile: CandidatePool
    ) -> CandidatePool:
        """The answer from memory if the scope comes in soon, else the one that there is."""
        await self._caches.wait_until_loaded(query.scope, ENCRYPTED_WAIT_SECONDS)
        resident = self._caches.budget.get(query.scope)
        found = await self._from_memory(resident, query, freshness) if resident else None
        return meanwhile if found is None else found

    async def _from_memory(
        self, resident: ResidentScope, query: CandidateQuery, freshness: Freshness
    ) -> CandidatePool | None:
        """None where the index cannot answer."""
        try:
            view = await resident.view_for(freshness)
            if view is None:
                return None
            cost = view.count * ROW_MICROSECONDS
            # Answers from memory are the hot path: without another coroutine where there is nothing to wait for.
            if fits_loop(cost):
                return find_candidates(view, query)
            return await off_loop(cost, partial(find_candidates, view, query), self._pool)
        except IndexFailed as error:
            self._caches.drop(query.scope, str(error))
            return None
