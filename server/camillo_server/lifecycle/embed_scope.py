"""Embeds rows of a scope that wait for a vector: of the model that serves, or of the one that is to serve next."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from math import inf
from typing import Protocol

from camillo_server.embedding.embedder import EmbeddingUnavailable, Vector
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.kernel.scope import Scope
from camillo_server.lifecycle.job_scopes import Defer, PendingScopes, defer_of_all_tenants
from camillo_server.lifecycle.store.embedding_backlog import WaitingMemory
from camillo_server.lifecycle.store.reembedding import PostgresReembedding
from camillo_server.storage.database import Database

BATCH = 64
# Nobody waits for this work, so the provider may take its time.
BATCH_SECONDS = 30.0
# A provider that fails so often in one attempt is taken to be away.
MOST_FAILURES = 3
# Re-embedding a large scope takes hours: meanwhile other jobs have their turn.
SLICE_SECONDS = 20.0
POLL_SECONDS = 300.0

logger = logging.getLogger(__name__)


class Backlog(Protocol):
    """What waits, in an order of its own, and where its vectors go. Raises StorageUnavailable, KeyMissing."""

    async def waiting(
        self, scope: Scope, after: WaitingMemory | None, size: int
    ) -> list[WaitingMemory]:
        """Up to so many behind this one (None: from the first); none only where nothing is left."""
        ...

    async def store(
        self,
        scope: Scope,
        embedded: Sequence[WaitingMemory],
        vectors: Sequence[Vector | None],
        model_id: str,
    ) -> None: ...


class EmbedScope:
    """What the job of a scope does. May be interrupted and repeated at any point."""

    def __init__(
        self, backlog: Backlog, embedding: TextEmbedding, slice_seconds: float = inf
    ) -> None:
        """After so long one attempt leaves the rest to another job, so that others have their turn."""
        self._backlog = backlog
        self._embedding = embedding
        self._slice_seconds = slice_seconds

    async def embed(self, scope: Scope, failed_attempts: int) -> bool:
        """Embeds what waits. Returns whether nothing is left; raises EmbeddingUnavailable where that is because of the
        provider.

        Each attempt sends half as many texts at once, and passes over a batch that fails: one text that the
        provider refuses, or many that are too much for its time, do not keep the others waiting.
        """
        now = asyncio.get_running_loop().time
        size, ends = max(1, BATCH >> failed_attempts), now() + self._slice_seconds
        embedded, failures = 0, 0
        last, waiting = None, list[WaitingMemory]()
        while failures < MOST_FAILURES and now() < ends:
            waiting = await self._backlog.waiting(scope, last, size)
            if not waiting and not failures:
                return True
            if not waiting:
                break
            last = waiting[-1]
            if await self._embed_batch(scope, waiting):
                embedded += len(waiting)
            else:
                failures += 1
        # A job that only ran out of time has not failed: else one refused text would keep all behind it waiting.
        is_cut_short = bool(embedded and waiting) and failures < MOST_FAILURES
        if failures and not is_cut_short:
            raise EmbeddingUnavailable(f"{failures} batches failed, {embedded} memories embedded")
        return False

    async def _embed_batch(self, scope: Scope, waiting: Sequence[WaitingMemory]) -> bool:
        """Without a transaction open while the provider works. Returns whether it did."""
        texts = [memory.text for memory in waiting]
        vectors = await self._embedding.vectors(texts, scope.tenant_id, BATCH_SECONDS)
        if vectors is None:
            return False
        await self._backlog.store(scope, waiting, vectors, self._embedding.model_id)
        return True


class ReembedScope:
    """Makes vectors of the model that is to serve next, in slices of time, until every row of a scope has one. May be
    interrupted and repeated at any point."""

    def __init__(
        self,
        database: Database,
        store: PostgresReembedding,
        embeddings: Mapping[str, TextEmbedding],
    ) -> None:
        """`embeddings` by model, the one that serves here first."""
        self._database = database
        self._store = store
        self._embeddings = embeddings
        self.pending = PendingScopes()

    async def reembed(self, scope: Scope, failed_attempts: int) -> None:
        """Makes what is missing, for a while; a job for the rest is wanted then. Raises EmbeddingUnavailable."""
        wanted = await self._store.wanted(scope)
        embedding = self._embeddings.get(wanted.model_id) if wanted else None
        if wanted is None or embedding is None:
            # Asked for by a server with other settings, whose own look will defer it again.
            logger.info("model of a reembedding is not configured here")
            return
        is_served = wanted.model_id == next(iter(self._embeddings))
        backlog = self._store.backlog(wanted, is_served=is_served)
        work = EmbedScope(backlog, embedding, SLICE_SECONDS)
        if await work.embed(scope, failed_attempts):
            await self._store.finish(scope, wanted)
        else:
            self.pending.add(scope)

    async def defer_regularly(self, defer: Defer) -> None:
        """Looks everywhere again and again. Each process does, since only it knows which models it can make."""
        while True:
            await self.defer_everywhere(defer)
            await asyncio.sleep(POLL_SECONDS)

    async def defer_everywhere(self, defer: Defer) -> None:
        """Defers for every scope of every tenant in which a row has come that lacks its vector."""
        models = [*self._embeddings]
        await defer_of_all_tenants(
            self._database, lambda tenant_id: self._store.unfinished(tenant_id, models), defer
        )
