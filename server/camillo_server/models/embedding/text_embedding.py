"""Embedding as a best effort: a provider that fails or is slow never fails a write or a recall."""

import asyncio
import logging
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass, field

import numpy as np

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.index_terms import MAX_WHOLE_CHARACTERS
from camillo_server.lib.text.query_parts import terms_of_query
from camillo_server.models.embedding.embedder import (
    Embedder,
    EmbeddingUnavailable,
    Vector,
)
from camillo_server.models.embedding.lexical import LexicalEmbedder
from camillo_server.models.embedding.prefixes import NO_PREFIXES, Prefixes
from camillo_server.telemetry.instruments import QueryCacheUse

MAX_BYTES = 64 * 1024 * 1024
# Bytes of an entry beside its text and the values of its vector: key, vector, array and slots in two tables.
ENTRY_BYTES = 500

# The tenant belongs to it: how long an answer takes must not tell what another tenant has asked.
Key = tuple[str, TenantId, str]

logger = logging.getLogger(__name__)


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
    prefix: str = ""
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

    async def embed_alone(self, text: str, scope: Scope) -> Vector | None:
        """The vector from the provider, for this caller alone. Raises EmbeddingUnavailable."""
        self.use.misses += 1
        return await self._make((self.embedder.model_id, scope.tenant_id, text), scope.agent_id)

    async def embed(self, text: str, scope: Scope) -> Vector | None:
        """The vector from the provider, made once for all who ask at the same time, and paid for the space of the first
        one. A caller that goes away leaves the others' vector on its way; the last one takes it along. Raises
        EmbeddingUnavailable."""
        key = (self.embedder.model_id, scope.tenant_id, text)
        flight = self._flights.get(key)
        if flight is None:
            self.use.misses += 1
            flight = self._flights[key] = self._start(key, scope.agent_id)
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

    def _start(self, key: Key, agent_id: AgentId) -> _Flight:
        # In a context of its own: the deadline of the caller who came first is not that of the others.
        task = asyncio.get_running_loop().create_task(self._make(key, agent_id), context=Context())
        task.add_done_callback(lambda done: self._end(key, done))
        return _Flight(task)

    def _end(self, key: Key, task: asyncio.Task[Vector | None]) -> None:
        flight = self._flights.get(key)
        if flight is not None and flight.task is task:
            del self._flights[key]

    async def _make(self, key: Key, agent_id: AgentId) -> Vector | None:
        model_id, tenant_id, text = key
        if isinstance(self.embedder, LexicalEmbedder) and not self.prefix and len(text) <= MAX_WHOLE_CHARACTERS:
            # By its words the query is searched, too.
            row = await self.embedder.embed_query(terms_of_query(text))
        else:
            (row,) = await self.embedder.embed([self.prefix + text], tenant_id, (agent_id,))
        vector = None
        if np.logical_or.reduce(row):
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


class TextEmbedding:
    """Turns texts into vectors of one model within a time limit, or returns None."""

    def __init__(
        self,
        embedder: Embedder,
        timeout_seconds: float,
        on_failure: Callable[[str], None],
        cached_queries: int = 0,
        is_immediate: bool = False,
        prefixes: Prefixes = NO_PREFIXES,
    ) -> None:
        """`on_failure` receives the kind of each failure; `cached_queries` is how many query vectors are cached;
        `is_immediate`: the embedder computes on the event loop, so that nothing is waited for; `prefixes` go before
        each text."""
        self.model_id = embedder.model_id
        self.dimensions = embedder.dimensions
        self._embedder = embedder
        self._timeout_seconds = timeout_seconds
        self._on_failure = on_failure
        self._is_immediate = is_immediate
        self._queries = QueryVectors(embedder, cached_queries, prefix=prefixes.query)
        self._document_prefix = prefixes.document
        self.query_cache = self._queries.use

    async def close(self) -> None:
        await self._embedder.close()

    def named(self, vector: Vector) -> Vector:
        """The vector, taken to be of this model where it names none."""
        return vector if vector.model_id else Vector(self.model_id, vector.values)

    async def vectors(
        self,
        texts: Sequence[str],
        scope: Scope,
        timeout_seconds: float | None = None,
    ) -> list[Vector | None] | None:
        """A vector for each text (None for a text without any feature), or None if the provider failed.

        The tenant pays for them where they cost money, for this space. Nobody waits for work in the background, which
        may name a longer time-out than the configured one.
        """
        if self._document_prefix:
            texts = [self._document_prefix + text for text in texts]
        try:
            async with asyncio.timeout(timeout_seconds or self._timeout_seconds):
                rows = await self._embedder.embed(texts, scope.tenant_id, (scope.agent_id,))
        except (EmbeddingUnavailable, TimeoutError) as error:
            self._failed(error)
            return None
        return [Vector(self.model_id, row) if row.any() else None for row in rows]

    async def vector(self, text: str, scope: Scope) -> Vector | None:
        """The vector of one text that is stored; None if it has no feature or the provider failed."""
        vectors = await self.vectors([text], scope)
        return vectors[0] if vectors else None

    async def query_vector(self, text: str, scope: Scope) -> Vector | None:
        """The vector of a query, at once if it was asked for lately; None as of `vector`."""
        cached = self._queries.cached(text, scope.tenant_id)
        if cached is not None:
            return cached[0]
        try:
            if self._is_immediate:
                # A task for all who wait, and a time limit, would cost as much as the vector.
                return await self._queries.embed_alone(text, scope)
            async with asyncio.timeout(self._timeout_seconds):
                return await self._queries.embed(text, scope)
        except (EmbeddingUnavailable, TimeoutError) as error:
            self._failed(error)
            return None

    async def vectors_of_terms(
        self, texts: Sequence[str], terms: Sequence[Mapping[str, int]], scope: Scope
    ) -> list[Vector | None] | None:
        """The same as `vectors` of texts whose terms are counted: the lexical embedder counts none anew."""
        embedder, is_whole = self._embedder, max(map(len, texts)) <= MAX_WHOLE_CHARACTERS
        if not isinstance(embedder, LexicalEmbedder) or self._document_prefix or not is_whole:
            return await self.vectors(texts, scope)
        rows = await embedder.embed_terms(terms)
        return [Vector(self.model_id, row) if row.any() else None for row in rows]

    def _failed(self, error: Exception) -> None:
        self._on_failure(type(error).__name__)
        logger.warning("embedding failed", extra={"cause": str(error) or type(error).__name__})
