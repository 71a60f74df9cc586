"""The retrieval engine: the scopes in memory, what keeps them up to date, and the search that reads them first."""

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.off_loop import fits_loop, off_loop
from camillo_server.kernel.writes import Freshness
from camillo_server.search.candidates import (
    CandidatePool,
    CandidateQuery,
    MemorySearch,
    ScopeSearch,
    TermStatistics,
)
from camillo_server.search.collection import searched_apart
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.index.candidate_search import (
    find_candidates,
    find_together,
    search_cost,
    term_statistics,
    words_cost,
)
from camillo_server.search.index.faiss_calls import IndexFailed, limit_threads
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.row_grouping import RowGrouping
from camillo_server.search.index.scope_caches import ScopeCaches
from camillo_server.search.index.verification import CachedIndexes
from camillo_server.search.store.row_groups import RowGroupStore
from camillo_server.search.store.scope_rows import ScopeRowsReader
from camillo_server.settings.settings import RetrievalSettings
from camillo_server.telemetry.instruments import IndexUse, Instruments

CHECK_SECONDS = 1.0
# Scopes that are in memory for a shorter time are not packed into row groups.
GROUPING_SECONDS = 60.0
ENCRYPTED_WAIT_SECONDS = 1.0
# A search by Postgres takes from a load as much as it would gain by not waiting. Less of it for a caller in a hurry,
# who needs time for Postgres' answer too.
LOAD_WAIT_SECONDS, LOAD_WAIT_SHARE = 0.5, 0.25
CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")


class CachedMemorySearch:
    """`MemorySearch` over the scopes in memory; another search answers for the rest."""

    def __init__(
        self,
        caches: ScopeCaches,
        fallback: MemorySearch,
        model_id: str,
        is_cut_off: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_cut_off`: Postgres has been away for so long that scopes in memory may be too old."""
        self._caches = caches
        self._fallback = fallback
        self._model_id = model_id
        self._is_cut_off = is_cut_off

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """The candidates, from memory if the scope is there, true and fresh enough. Raises as the fallback does."""
        if query.vector is not None and query.vector.model_id != self._model_id:
            # No scope in memory has vectors of another model, so none is loaded for it either.
            return await self._fallback.candidates(query, freshness)
        resident = None
        if not self._is_cut_off():
            resident = self._caches.use(query.scope)
            if resident is None and self._caches.is_loaded_soon(query.scope):
                seconds = min(LOAD_WAIT_SECONDS, LOAD_WAIT_SHARE * remaining_seconds(math.inf))
                resident = await self._caches.wait_until_loaded(query.scope, seconds)
        cached = await self._from_memory(resident, query, freshness) if resident else None
        if cached is not None:
            return cached
        answer = await self._fallback.candidates(query, freshness)
        # Afterwards, so that the caller who finds a scope cold does not wait for its loading too.
        if self._caches.budget.get(query.scope) is None:
            self._caches.request_load(query.scope)
            if answer.encrypted_not_searched:
                # Encrypted rows are searched in memory only: worth a short wait.
                resident = await self._caches.wait_until_loaded(query.scope, ENCRYPTED_WAIT_SECONDS)
                cached = await self._from_memory(resident, query, freshness) if resident else None
        return answer if cached is None else cached

    async def together(self, scopes: Sequence[ScopeSearch]) -> CandidatePool:
        """The candidates of several scopes, by one search of those that are in memory, true and fresh enough. Raises as
        the fallback does."""
        vector = scopes[0].query.vector
        if (vector is not None and vector.model_id != self._model_id) or self._is_cut_off():
            return await searched_apart(self, scopes)
        held = [self._caches.budget.get(each.query.scope) for each in scopes]
        residents = [each for each in held if each is not None]
        if len(residents) < len(scopes):
            warm = [number for number, each in enumerate(held) if each is not None]
            return await searched_apart(self, scopes, together=warm)
        pool = await self._from_all(residents, scopes)
        return await searched_apart(self, scopes) if pool is None else pool

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        """The statistics, from memory if the scope is there and fresh enough. Raises as the fallback does."""
        resident = None if self._is_cut_off() else self._caches.budget.get(query.scope)
        try:
            snapshot = await resident.snapshot_for(freshness) if resident else None
        except IndexFailed as error:
            self._caches.drop(query.scope, str(error))
            snapshot = None
        if snapshot is None:
            return await self._fallback.statistics(query, freshness)
        return await off_loop(words_cost(snapshot), partial(term_statistics, snapshot, query))

    async def _from_all(
        self, residents: Sequence[ResidentScope], scopes: Sequence[ScopeSearch]
    ) -> CandidatePool | None:
        """The candidates from the indexes of all these scopes; None if one of them cannot answer."""
        try:
            demanded = await self._caches.at_revisions(residents, [each.freshness for each in scopes])
            found = [await each.snapshot_for(freshness) for each, freshness in zip(residents, demanded, strict=True)]
            snapshots = [each for each in found if each is not None]
            is_held = [self._caches.use(each.scope) is each for each in residents]
            if not all(is_held) or len(snapshots) < len(scopes):
                return None
            queries = [each.query for each in scopes]
            cost = sum(map(search_cost, snapshots, queries))
            return await off_loop(cost, partial(find_together, snapshots, queries))
        except IndexFailed:
            # A search of each finds out which one it is, and drops that.
            return None

    async def _from_memory(
        self, resident: ResidentScope, query: CandidateQuery, freshness: Freshness
    ) -> CandidatePool | None:
        """The candidates from the index; None if it cannot answer."""
        try:
            snapshot = await resident.snapshot_for(freshness)
            # Dropped meanwhile, where Postgres has gone on from an earlier state.
            if snapshot is None or self._caches.budget.get(query.scope) is not resident:
                return None
            cost = search_cost(snapshot, query)
            # The hot path: no further coroutine where there is nothing to wait for.
            if fits_loop(cost):
                return find_candidates(snapshot, query)
            return await off_loop(cost, partial(find_candidates, snapshot, query))
        except IndexFailed as error:
            self._caches.drop(query.scope, str(error))
            return None


class RetrievalEngine:
    """The scopes in memory of one process; with a budget of 0 bytes it loads none, and Postgres answers."""

    def __init__(
        self, reader: ScopeRowsReader, max_bytes: int, instruments: Instruments, *, groups_rows: bool = True
    ) -> None:
        """`groups_rows`: large scopes are packed into row groups, and read from these."""
        limit_threads(1)
        self._reader = reader
        # One thread, so that building an index leaves the other core to callers.
        self._build_pool = ThreadPoolExecutor(1, thread_name_prefix="index")
        budget, store = CacheBudget(max_bytes), RowGroupStore(reader) if groups_rows else None
        self.caches = ScopeCaches(reader, budget, self._build_pool, instruments, store)
        self.grouping = RowGrouping(reader, store, budget, self._build_pool) if store else None
        self.indexes = CachedIndexes(self.caches, reader, self._build_pool)

    def search(self, fallback: MemorySearch, is_cut_off: Callable[[], bool]) -> MemorySearch:
        """A search that answers from memory where it can, and asks the other one where it cannot."""
        if not self.caches.budget.max_bytes:
            return fallback
        return CachedMemorySearch(self.caches, fallback, self._reader.model_id, is_cut_off)

    def start(self, tasks: BackgroundTasks) -> None:
        """Starts to follow the commits of other processes."""
        tasks.run("follow scopes in memory", self.caches.follow)
        tasks.repeat("check scopes in memory", self.caches.check, CHECK_SECONDS)
        if self.grouping is not None:
            tasks.repeat("pack rows of large scopes", self.grouping.run, GROUPING_SECONDS)

    def use(self) -> IndexUse:
        caches, budget = self.caches, self.caches.budget
        return IndexUse(
            scopes=len(budget),
            bytes_held=budget.bytes_held,
            max_bytes=budget.max_bytes,
            hits=caches.hits,
            misses=caches.misses,
            loads=caches.loads,
            failures=caches.failures,
            evictions=budget.evictions,
        )

    async def close(self) -> None:
        await self.caches.close()
        self._build_pool.shutdown(wait=False, cancel_futures=True)


def cache_bytes(settings: RetrievalSettings, processes: int) -> int:
    """Bytes for the scopes in memory of each process: by default a quarter of the memory of this machine or container,
    divided among the processes."""
    if settings.cache_bytes is not None:
        return settings.cache_bytes
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    # Outside a container there is no such file; without a limit it holds a word.
    with suppress(OSError, ValueError):
        memory = min(memory, int(CONTAINER_LIMIT.read_text()))
    return memory // 4 // processes
