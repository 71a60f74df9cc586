"""The retrieval engine as a whole: what it holds, what keeps it true, and the search that stands in front of Postgres."""

import os
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.index.cached_search import CachedMemorySearch
from camillo_server.search.index.dense import limit_threads
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.scope_caches import CacheTimes, ScopeCaches
from camillo_server.search.index.verification import NeverStill, difference
from camillo_server.search.index_status import Agreement, HeldIndex
from camillo_server.search.recall import MemorySearch
from camillo_server.search.store.scope_rows import ScopeRowsReader
from camillo_server.settings import RetrievalSettings
from camillo_server.telemetry.instruments import IndexUse


class HeldIndexes:
    """Over the scopes in memory."""

    def __init__(self, caches: ScopeCaches, reader: ScopeRowsReader, pool: Executor) -> None:
        self._caches = caches
        self._reader = reader
        self._pool = pool

    def of_tenant(
        self, tenant_id: TenantId, after: AgentId | None, size: int
    ) -> Sequence[HeldIndex]:
        held = (each.resident for each in self._caches.budget)
        own = [each for each in held if each.scope.tenant_id == tenant_id]
        behind = [each for each in own if after is None or each.scope.agent_id > after]
        return [_told(each) for each in sorted(behind, key=lambda each: each.scope.agent_id)[:size]]

    def of_scope(self, scope: Scope) -> HeldIndex | None:
        resident = self._caches.budget.get(scope)
        return _told(resident) if resident else None

    async def compare(self, index: HeldIndex) -> HeldIndex | None:
        resident = self._caches.budget.get(index.scope)
        if resident is None:
            return None
        try:
            found = await difference(resident, self._reader, self._pool)
        except NeverStill:
            return replace(_told(resident), agreement=Agreement.NEVER_STILL)
        except IndexFailed as error:
            found = str(error)
        if found is None:
            return replace(_told(resident), agreement=Agreement.AGREES)
        # Another may have taken its place meanwhile.
        if self._caches.budget.get(index.scope) is resident:
            self._caches.drop(index.scope, f"it differs from Postgres: {found}")
        return replace(_told(resident), agreement=Agreement.DIFFERS, difference=found)


def _told(resident: ResidentScope) -> HeldIndex:
    view = resident.view
    scope: Scope = resident.scope
    return HeldIndex(scope, view.facts.revision, view.live_count, resident.index.nbytes)


CHECK_SECONDS = 1.0
SEARCH_THREADS = 2
CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")


class RetrievalEngine:
    """Scopes in memory for one process; with a budget of no bytes, it holds none and Postgres answers."""

    def __init__(self, reader: ScopeRowsReader, most_bytes: int, times: CacheTimes) -> None:
        limit_threads(1)
        self._reader = reader
        self._searching = ThreadPoolExecutor(SEARCH_THREADS, thread_name_prefix="search")
        # One, so that whatever is built, the other core is left to callers.
        self._building = ThreadPoolExecutor(1, thread_name_prefix="index")
        self.caches = ScopeCaches(reader, CacheBudget(most_bytes), self._building, times)

    def search(self, behind: MemorySearch) -> MemorySearch:
        """Answers from memory where it can, else asks the other."""
        if not self.caches.budget.most_bytes:
            return behind
        return CachedMemorySearch(self.caches, behind, self._reader.model_id, self._searching)

    def start(self, tasks: BackgroundTasks) -> None:
        """Begins to follow what others commit."""
        tasks.run("follow scopes in memory", self.caches.follow)
        tasks.repeat("check scopes in memory", self.caches.check, CHECK_SECONDS)

    @property
    def indexes(self) -> HeldIndexes:
        """What is held, for an operator to see."""
        return HeldIndexes(self.caches, self._reader, self._building)

    def use(self) -> IndexUse:
        """For the figures."""
        budget, counts = self.caches.budget, self.caches.counts
        return IndexUse(
            scopes=len(budget),
            bytes_held=budget.bytes_held,
            most_bytes=budget.most_bytes,
            hits=counts.hits,
            misses=counts.misses,
            loads=counts.loads,
            failures=counts.failures,
            evictions=budget.evictions,
        )

    async def close(self) -> None:
        """Ends what is under way."""
        await self.caches.close()
        for pool in (self._searching, self._building):
            pool.shutdown(wait=False, cancel_futures=True)


def cache_bytes(settings: RetrievalSettings, processes: int) -> int:
    """How much the scopes in memory of each process may take: by default a quarter of the memory that this machine, or
    container, has, divided among the processes."""
    if settings.cache_bytes is not None:
        return settings.cache_bytes
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    # No container, or none with a limit: no such file, or a word in it.
    with suppress(OSError, ValueError):
        memory = min(memory, int(CONTAINER_LIMIT.read_text()))
    return memory // 4 // processes
