"""Embedding as a best effort: a provider that fails or is slow never fails a write or a recall."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from camillo_server.domain.embedder import Embedder, EmbeddingUnavailable
from camillo_server.domain.memory import Vector

logger = logging.getLogger(__name__)


class TextEmbedding:
    """Turns texts into vectors within a time, or tells that it could not."""

    def __init__(
        self, embedder: Embedder, timeout_seconds: float, on_failure: Callable[[str], None]
    ) -> None:
        """`on_failure` is told the kind of each failure, for the figures."""
        self._embedder = embedder
        self._timeout_seconds = timeout_seconds
        self._on_failure = on_failure

    @property
    def model_id(self) -> str:
        """The model whose vectors this makes."""
        return self._embedder.model_id

    @property
    def dimensions(self) -> int:
        """The length of its vectors."""
        return self._embedder.dimensions

    async def close(self) -> None:
        """Ends the provider's work."""
        await self._embedder.close()

    def named(self, vector: Vector) -> Vector:
        """The vector, taken to be of this model where it names none."""
        return vector if vector.model_id else Vector(self.model_id, vector.values)

    async def vectors(self, texts: Sequence[str]) -> list[Vector | None] | None:
        """A vector for each text (None for a text without any feature), or None if the provider failed."""
        try:
            async with asyncio.timeout(self._timeout_seconds):
                rows = await self._embedder.embed(texts)
        except (EmbeddingUnavailable, TimeoutError) as error:
            self._on_failure(type(error).__name__)
            logger.warning("embedding failed", extra={"cause": str(error) or type(error).__name__})
            return None
        return [Vector(self.model_id, row) if row.any() else None for row in rows]

    async def vector(self, text: str) -> Vector | None:
        """The vector of one text; None if it has no feature or the provider failed."""
        vectors = await self.vectors([text])
        return vectors[0] if vectors else None
