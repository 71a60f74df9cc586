"""Embedding as a best effort: a provider that fails or is slow never fails a write or a recall."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from camillo_server.embedding.embedder import Embedder, EmbeddingUnavailable, Vector
from camillo_server.embedding.query_vectors import QueryCacheUse, QueryVectors
from camillo_server.kernel.ids import TenantId

logger = logging.getLogger(__name__)


class TextEmbedding:
    """Turns texts into vectors within a time limit, or returns None."""

    def __init__(
        self,
        embedder: Embedder,
        timeout_seconds: float,
        on_failure: Callable[[str], None],
        cached_queries: int = 0,
    ) -> None:
        """`on_failure` receives the kind of each failure; `cached_queries` is how many query vectors are cached."""
        self._embedder = embedder
        self._timeout_seconds = timeout_seconds
        self._on_failure = on_failure
        self._queries = QueryVectors(embedder, cached_queries)

    @property
    def model_id(self) -> str:
        """The model whose vectors this makes."""
        return self._embedder.model_id

    @property
    def dimensions(self) -> int:
        """The length of its vectors."""
        return self._embedder.dimensions

    @property
    def query_cache(self) -> QueryCacheUse:
        """Hits and misses of the cache of query vectors."""
        return self._queries.use

    async def close(self) -> None:
        """Ends the provider's work."""
        await self._embedder.close()

    def named(self, vector: Vector) -> Vector:
        """The vector, taken to be of this model where it names none."""
        return vector if vector.model_id else Vector(self.model_id, vector.values)

    async def vectors(
        self,
        texts: Sequence[str],
        tenant_id: TenantId,
        timeout_seconds: float | None = None,
    ) -> list[Vector | None] | None:
        """A vector for each text (None for a text without any feature), or None if the provider failed.

        The tenant pays for them where they cost money. Nobody waits for work in the background, which may name a
        longer time-out than the configured one.
        """
        try:
            async with asyncio.timeout(timeout_seconds or self._timeout_seconds):
                rows = await self._embedder.embed(texts, tenant_id)
        except (EmbeddingUnavailable, TimeoutError) as error:
            self._failed(error)
            return None
        return [Vector(self.model_id, row) if row.any() else None for row in rows]

    async def vector(self, text: str, tenant_id: TenantId) -> Vector | None:
        """The vector of one text that is stored; None if it has no feature or the provider failed."""
        vectors = await self.vectors([text], tenant_id)
        return vectors[0] if vectors else None

    async def query_vector(self, text: str, tenant_id: TenantId) -> Vector | None:
        """The vector of a query, at once if it was asked for lately; None as of `vector`."""
        cached = self._queries.cached(text, tenant_id)
        if cached is not None:
            return cached[0]
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await self._queries.embed(text, tenant_id)
        except (EmbeddingUnavailable, TimeoutError) as error:
            self._failed(error)
            return None

    def _failed(self, error: Exception) -> None:
        self._on_failure(type(error).__name__)
        logger.warning("embedding failed", extra={"cause": str(error) or type(error).__name__})
