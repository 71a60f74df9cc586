"""Embeds the memories of a scope that were stored without a vector."""

from collections.abc import Sequence
from uuid import UUID

from camillo_server.domain.embedder import EmbeddingUnavailable
from camillo_server.domain.scope import Scope
from camillo_server.domain.text_embedding import TextEmbedding
from camillo_server.storage.embedding_backlog import PostgresEmbeddingBacklog, WaitingMemory

BATCH = 64
# Nobody waits for this work, so the provider may take its time.
BATCH_SECONDS = 30.0
# A provider that fails so often in one attempt is taken to be away.
MOST_FAILURES = 3
BEFORE_ALL = UUID(int=0)


class EmbedScope:
    """What the job of a scope does. May be interrupted and repeated at any point."""

    def __init__(self, backlog: PostgresEmbeddingBacklog, embedding: TextEmbedding) -> None:
        self._backlog = backlog
        self._embedding = embedding

    async def embed(self, scope: Scope, failed_attempts: int) -> int:
        """Embeds what waits, in the order of ids. Returns how many; raises EmbeddingUnavailable where some are left.

        Each attempt sends half as many texts at once, and passes over a batch that fails: one text that the
        provider refuses, or many that are too much for its time, do not keep the others waiting.
        """
        size = max(1, BATCH >> failed_attempts)
        embedded, failures = 0, 0
        last = BEFORE_ALL
        while failures < MOST_FAILURES:
            waiting = await self._backlog.waiting(scope, last, size)
            if not waiting:
                break
            last = waiting[-1].memory_id
            if await self._embed_batch(scope, waiting):
                embedded += len(waiting)
            else:
                failures += 1
        if failures:
            raise EmbeddingUnavailable(f"{failures} batches failed, {embedded} memories embedded")
        return embedded

    async def _embed_batch(self, scope: Scope, waiting: Sequence[WaitingMemory]) -> bool:
        """Without a transaction open while the provider works. Returns whether it did."""
        texts = [memory.text for memory in waiting]
        vectors = await self._embedding.vectors(texts, scope.tenant_id, BATCH_SECONDS)
        if vectors is None:
            return False
        await self._backlog.store(scope, waiting, vectors, self._embedding.model_id)
        return True
