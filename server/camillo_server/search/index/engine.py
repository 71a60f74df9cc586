"""The retrieval engine as a whole: what it holds, what keeps it true, and the search that stands in front of Postgres."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from camillo_server.kernel.background import BackgroundTasks
from camillo_server.search.candidates import MemorySearch
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.index.cached_search import CachedMemorySearch
from camillo_server.search.index.dense import limit_threads
from camillo_server.search.index.scope_caches import ScopeCaches
from camillo_server.search.index.status import CachedIndexes
from camillo_server.search.store.scope_rows import ScopeRowsReader
from camillo_server.settings import RetrievalSettings
from camillo_server.telemetry.instruments import IndexUse, Instruments

CHECK_SECONDS = 1.0
SEARCH_THREADS = 2
CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")


class RetrievalEngine:
    """Scopes in memory for one process; with a budget of no bytes, it holds none and Postgres answers."""

    def __init__(self, reader: ScopeRowsReader, max_bytes: int, instruments: Instruments) -> None:
        limit_threads(1)
        self._reader = reader
        self._searching = ThreadPoolExecutor(SEARCH_THREADS, thread_name_prefix="search")
        # One, so that whatever is built, the other core is left to callers.
        self._building = ThreadPoolExecutor(1, thread_name_prefix="index")
        self.caches = ScopeCaches(reader, CacheBudget(max_bytes), self._building, instruments)

    def search(self, behind: MemorySearch) -> MemorySearch:
        """Answers from memory where it can, else asks the other."""
        if not self.caches.budget.max_bytes:
            return behind
        return CachedMemorySearch(self.caches, behind, self._reader.model_id, self._searching)

    def start(self, tasks: BackgroundTasks) -> None:
        """Begins to follow what others commit."""
        tasks.run("follow scopes in memory", self.caches.follow)
        tasks.repeat("check scopes in memory", self.caches.check, CHECK_SECONDS)

    @property
    def indexes(self) -> CachedIndexes:
        """The indexes in memory, for an operator to see."""
        return CachedIndexes(self.caches, self._reader, self._building)

    def use(self) -> IndexUse:
        """For the figures."""
        budget, counts = self.caches.budget, self.caches.counts
        return IndexUse(
            scopes=len(budget),
            bytes_held=budget.bytes_held,
            max_bytes=budget.max_bytes,
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
