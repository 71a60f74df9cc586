"""Makes vectors of the model that is to serve next, in slices of time, until every row has one."""

import asyncio
import logging
from collections.abc import Mapping

from camillo_server.domain.scope import Scope
from camillo_server.domain.text_embedding import TextEmbedding
from camillo_server.jobs.embed_scope import EmbedScope
from camillo_server.jobs.noticed_scopes import Defer, NoticedScopes, defer_in_parts
from camillo_server.storage.database import Database
from camillo_server.storage.reembedding import PostgresReembedding
from camillo_server.storage.tenants import all_tenant_ids

# A large scope takes hours: meanwhile other jobs have their turn.
SLICE_SECONDS = 20.0
LOOK_SECONDS = 300.0

logger = logging.getLogger(__name__)


class ReembedScope:
    """What the job of a scope does, and which scopes need one. May be interrupted and repeated at any point."""

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
        self.noticed = NoticedScopes()

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
            self.noticed.notice(scope)

    async def look_for_ever(self, defer: Defer) -> None:
        """Looks everywhere again and again. Each process does, since only it knows which models it can make."""
        while True:
            await self.look_everywhere(defer)
            await asyncio.sleep(LOOK_SECONDS)

    async def look_everywhere(self, defer: Defer) -> None:
        """Defers for every scope of every tenant in which a row has come that lacks its vector."""
        models = [*self._embeddings]
        for tenant_id in await all_tenant_ids(self._database):
            await defer_in_parts(defer, await self._store.unfinished(tenant_id, models))
