"""Jobs that embed the rows of a scope without a vector: of the serving model, or of the model that is to serve next."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from math import inf

from camillo_server.across.lifecycle.store.embedding_backlog import EmbeddingBacklog, WaitingMemory
from camillo_server.across.lifecycle.store.reembedding import ReembeddingBacklog, ReembeddingStore
from camillo_server.kernel.background import OneAhead
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.storage.database import Database
from camillo_server.storage.jobs.board import Defer, PendingScopes, defer_of_all_tenants

BATCH = 64
# Longer than a caller would wait.
BATCH_SECONDS = 30.0
# After so many failed batches an attempt ends: the provider is down.
MAX_FAILURES = 3
# Re-embedding a large scope takes hours: after so long it leaves the worker to other jobs.
SLICE_SECONDS = 20.0
POLL_SECONDS = 300.0

logger = logging.getLogger(__name__)


# Rows of a scope without a vector: of the serving model, or of the next one.
Backlog = EmbeddingBacklog | ReembeddingBacklog


class EmbedScope:
    """The work of the job of a scope. It may be interrupted and repeated at any point."""

    def __init__(self, backlog: Backlog, embedding: TextEmbedding, slice_seconds: float = inf) -> None:
        """An attempt ends after `slice_seconds`, and leaves the rest to another job."""
        self._backlog = backlog
        self._embedding = embedding
        self._slice_seconds = slice_seconds

    async def embed(self, scope: Scope, failed_attempts: int) -> bool:
        """Embeds the rows without a vector, and returns whether none is left. Raises EmbeddingUnavailable if batches
        failed.

        Each attempt sends half as many texts in a batch as the one before, and skips a batch that fails: so a text that
        the provider refuses, or a batch that takes too long, does not delay the other rows.
        """
        now = asyncio.get_running_loop().time
        size, ends = max(1, BATCH >> failed_attempts), now() + self._slice_seconds
        embedded, failures, is_complete = 0, 0, False
        last, waiting = None, list[WaitingMemory]()
        # While Postgres stores a batch, the next is read and embedded.
        async with OneAhead() as storing:
            while failures < MAX_FAILURES and now() < ends:
                waiting = await self._backlog.waiting(scope, last, size)
                if not waiting:
                    is_complete = not failures
                    break
                last = waiting[-1]
                # No transaction of this batch is open meanwhile.
                texts = [memory.text for memory in waiting]
                vectors = await self._embedding.vectors(texts, scope, BATCH_SECONDS)
                if vectors is None:
                    failures += 1
                    continue
                model_id = self._embedding.model_id
                await storing.run(self._backlog.store(scope, waiting, vectors, model_id))
                embedded += len(waiting)
        if is_complete:
            return True
        # Out of time is no failure: the pause before a retry would delay the rows after a refused text.
        is_cut_short = bool(embedded and waiting) and failures < MAX_FAILURES
        if failures and not is_cut_short:
            raise EmbeddingUnavailable(f"{failures} batches failed, {embedded} memories embedded")
        return False


class MissingVectors:
    """Defers a job for every scope that has a memory without a vector."""

    def __init__(self, database: Database, backlog: EmbeddingBacklog, pending: PendingScopes) -> None:
        """`pending` are the scopes that writers add after a commit."""
        self._database = database
        self._backlog = backlog
        self.pending = pending

    async def defer_everywhere(self, defer: Defer) -> None:
        await defer_of_all_tenants(self._database, self._backlog.scopes, defer)


class ReembedScope:
    """Embeds by the model that is to serve next, until every row of a scope has a vector. It may be interrupted and
    repeated at any point."""

    def __init__(
        self,
        database: Database,
        store: ReembeddingStore,
        embeddings: Mapping[str, TextEmbedding],
        clock: Clock,
    ) -> None:
        """`embeddings` by model, the serving one first."""
        self._clock = clock
        self._database = database
        self._store = store
        self._embeddings = embeddings
        self.pending = PendingScopes()

    async def reembed(self, scope: Scope, failed_attempts: int) -> None:
        """Embeds for SLICE_SECONDS, and defers a job for the rest. Raises EmbeddingUnavailable."""
        target = await self._store.target(scope)
        embedding = self._embeddings.get(target.model_id) if target else None
        if target is None or embedding is None:
            # Started by a server with other settings, which will defer it again.
            logger.info("model of a reembedding is not configured here")
            return
        is_served = target.model_id == next(iter(self._embeddings))
        backlog = self._store.backlog(target, is_served=is_served)
        work = EmbedScope(backlog, embedding, SLICE_SECONDS)
        if await work.embed(scope, failed_attempts):
            await self._store.finish(scope, target)
        else:
            self.pending.add(scope)

    async def defer_regularly(self, defer: Defer) -> None:
        """Defers everywhere every five minutes. No periodic task: each process defers for the models that it has."""
        while True:
            await self.defer_everywhere(defer)
            await asyncio.sleep(POLL_SECONDS)

    async def defer_everywhere(self, defer: Defer) -> None:
        """Defers for every scope that has a row without a vector of these models."""
        await defer_of_all_tenants(self._database, self._unfinished, defer)

    async def _unfinished(self, tenant_id: TenantId) -> Sequence[Scope]:
        scopes = await self._store.unfinished(tenant_id, [*self._embeddings], now=self._clock.now())
        if scopes:
            logger.info("rows without vectors of a model are embedded", extra={"scopes": len(scopes)})
        return scopes
