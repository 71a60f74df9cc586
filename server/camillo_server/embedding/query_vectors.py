"""Vectors of queries: cached, and made once for all who ask the same at the same time."""

import asyncio
import sys
from collections import OrderedDict
from contextvars import Context
from dataclasses import dataclass, field

from camillo_server.embedding.embedder import Embedder, Vector
from camillo_server.kernel.ids import TenantId

MAX_BYTES = 64 * 1024 * 1024
# Of an entry beside its text and the values of its vector: key, vector, array and places in two tables.
ENTRY_BYTES = 500

# The tenant belongs to it: how long an answer takes must not tell what another tenant has asked.
Key = tuple[str, TenantId, str]


@dataclass(slots=True)
class QueryCacheUse:
    """Hits and misses of the cache, and its size. Read from any thread."""

    hits: int = 0
    # Waited for the vector that another caller had already asked for.
    joined: int = 0
    misses: int = 0
    entries: int = 0
    size_bytes: int = 0


@dataclass(slots=True)
class _Flight:
    """One text on its way through the provider, and how many wait for it."""

    task: asyncio.Task[Vector | None]
    waiting: int = 0


@dataclass(slots=True)
class QueryVectors:
    """Keeps the vectors asked for last, as many as fit both bounds; with 0 entries none."""

    embedder: Embedder
    max_entries: int
    max_bytes: int = MAX_BYTES
    use: QueryCacheUse = field(default_factory=QueryCacheUse)
    _cache: OrderedDict[Key, tuple[Vector | None, int]] = field(default_factory=OrderedDict)
    _flights: dict[Key, _Flight] = field(default_factory=dict)

    def cached(self, text: str, tenant_id: TenantId) -> tuple[Vector | None] | None:
        """The vector (None for a text without any feature) in a tuple, or None where it has to be made."""
        key = (self.embedder.model_id, tenant_id, text)
        found = self._cache.get(key)
        if found is None:
            return None
        self._cache.move_to_end(key)
        self.use.hits += 1
        return (found[0],)

    async def embed(self, text: str, tenant_id: TenantId) -> Vector | None:
        """The vector from the provider. A caller that goes away leaves the others' vector on its way; the last one
        takes it along. Raises EmbeddingUnavailable."""
        key = (self.embedder.model_id, tenant_id, text)
        flight = self._flights.get(key)
        if flight is None:
            self.use.misses += 1
            flight = self._flights[key] = self._start(key)
        else:
            self.use.joined += 1
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                flight.task.cancel()
                self._end(key, flight.task)

    def _start(self, key: Key) -> _Flight:
        # In a context of its own: the deadline of the caller who came first is not that of the others.
        task = asyncio.get_running_loop().create_task(self._make(key), context=Context())
        task.add_done_callback(lambda done: self._end(key, done))
        return _Flight(task)

    def _end(self, key: Key, task: asyncio.Task[Vector | None]) -> None:
        flight = self._flights.get(key)
        if flight is not None and flight.task is task:
            del self._flights[key]

    async def _make(self, key: Key) -> Vector | None:
        model_id, tenant_id, text = key
        (row,) = await self.embedder.embed([text], tenant_id)
        vector = None
        if row.any():
            # A copy, so that it does not keep the others of its batch in memory; and nobody may change it.
            row = row.copy()
            row.flags.writeable = False
            vector = Vector(model_id, row)
        self._store(key, vector)
        return vector

    def _store(self, key: Key, vector: Vector | None) -> None:
        size = ENTRY_BYTES + sys.getsizeof(key[2]) + (vector.values.nbytes if vector else 0)
        if not self.max_entries or size > self.max_bytes:
            return
        replaced = self._cache.pop(key, None)
        self.use.size_bytes += size - (replaced[1] if replaced else 0)
        self._cache[key] = (vector, size)
        while len(self._cache) > self.max_entries or self.use.size_bytes > self.max_bytes:
            _, (_, freed) = self._cache.popitem(last=False)
            self.use.size_bytes -= freed
        self.use.entries = len(self._cache)
