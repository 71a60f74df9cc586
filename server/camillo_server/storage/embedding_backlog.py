"""Memories that were stored without a vector: embedded afterwards, in the background."""

import logging
from datetime import datetime

from camillo_server.domain.clock import Clock
from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.scope import Scope
from camillo_server.domain.text_embedding import TextEmbedding
from camillo_server.storage.change_bell import PostgresChangeBell
from camillo_server.storage.database import Database, Session
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements
from camillo_server.storage.tenants import all_tenant_ids

SQL = {
    **statements("embedding_backlog"),
    "next_revision": statements("memory_writes")["next_revision"],
}
BATCH = 64

logger = logging.getLogger(__name__)


class EmbeddingBacklog:
    """Finds memories without a vector and gives them one."""

    def __init__(
        self, database: Database, embedding: TextEmbedding, bell: PostgresChangeBell, clock: Clock
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._bell = bell
        self._clock = clock
        self._noticed: set[Scope] = set()

    def notice(self, scope: Scope) -> None:
        """Something was stored in the scope without a vector."""
        self._noticed.add(scope)

    async def work_off(self) -> int:
        """Embeds what was noticed, until nothing waits or the provider fails. Returns how many."""
        done = 0
        for scope in list(self._noticed):
            done += await self._embed_scope(scope)
        return done

    async def look_everywhere(self) -> None:
        """Notices what was left behind, by this server before it stopped or by one that is gone."""
        for tenant_id in await all_tenant_ids(self._database):
            self._noticed.update(await self._scopes(tenant_id))

    def waiting_scopes(self) -> int:
        """How many scopes are known to have memories without a vector."""
        return len(self._noticed)

    async def _embed_scope(self, scope: Scope) -> int:
        done = 0
        # Before it is empty, so that what is noticed meanwhile is not lost; back if the provider fails.
        self._noticed.discard(scope)
        try:
            while (embedded := await self._embed_batch(scope)) > 0:
                done += embedded
        except BaseException:
            self._noticed.add(scope)
            raise
        if embedded < 0:
            self._noticed.add(scope)
        return done

    async def _scopes(self, tenant_id: TenantId) -> list[Scope]:
        async def work(session: Session) -> list[Scope]:
            rows = await session.rows(SQL["scopes_with_backlog"], {"tenant_id": tenant_id})
            return [Scope(tenant_id, AgentId(row[0])) for row in rows]

        return await self._database.read(tenant_id, work)

    async def _embed_batch(self, scope: Scope) -> int:
        """Embeds up to 64 memories of a scope, without a transaction open while the provider works. Returns how
        many; -1 if the provider failed."""

        async def read(session: Session) -> list[tuple[object, ...]]:
            return await session.rows(
                SQL["read_backlog"], {**scope_parameters(scope), "size": BATCH}
            )

        waiting = await self._database.read(scope.tenant_id, read)
        if not waiting:
            return 0
        vectors = await self._embedding.vectors([str(row[2]) for row in waiting])
        if vectors is None:
            return -1
        parameters = {
            **scope_parameters(scope),
            "memory_ids": [row[0] for row in waiting],
            "versions": [row[1] for row in waiting],
            "embeddings": [None if vector is None else vector.values for vector in vectors],
            "model_id": self._embedding.model_id,
        }
        await self._store(scope, parameters, self._clock.now())
        self._bell.ring(scope)
        return len(waiting)

    async def _store(self, scope: Scope, parameters: dict[str, object], now: datetime) -> None:
        async def write(session: Session) -> None:
            key = {**scope_parameters(scope), "added_memories": 0, "added_terms": 0, "now": now}
            turn = await session.only_row(SQL["next_revision"], key)
            await session.execute(SQL["store_backlog_vectors"], {**parameters, "revision": turn[0]})

        await self._database.transaction(scope.tenant_id, write)
