"""Memories that were stored without a vector: found, read, and given one."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from camillo_server.domain.clock import Clock
from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.memory import Vector
from camillo_server.domain.scope import Scope
from camillo_server.storage.change_bell import PostgresChangeBell
from camillo_server.storage.database import Database, Session
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements

SQL = {
    **statements("embedding_backlog"),
    "next_revision": statements("memory_writes")["next_revision"],
}


@dataclass(frozen=True, slots=True)
class WaitingMemory:
    """What has to be embedded, and in which version it was read."""

    memory_id: UUID
    version: int
    content: str


class PostgresEmbeddingBacklog:
    """The backlog of each scope is its rows; nothing else remembers it."""

    def __init__(self, database: Database, bell: PostgresChangeBell, clock: Clock) -> None:
        self._database = database
        self._bell = bell
        self._clock = clock

    async def scopes(self, tenant_id: TenantId) -> list[Scope]:
        """The scopes of a tenant in which something waits."""

        async def work(session: Session) -> list[Scope]:
            rows = await session.rows(SQL["scopes_with_backlog"], {"tenant_id": tenant_id})
            return [Scope(tenant_id, AgentId(row[0])) for row in rows]

        return await self._database.read(tenant_id, work)

    async def waiting(self, scope: Scope, after: UUID, size: int) -> list[WaitingMemory]:
        """Up to so many memories that wait, in the order of their ids, from behind this one on."""
        parameters = {**scope_parameters(scope), "after": after, "size": size}

        async def work(session: Session) -> list[WaitingMemory]:
            rows = await session.rows(SQL["read_backlog"], parameters)
            return [WaitingMemory(*row) for row in rows]

        return await self._database.read(scope.tenant_id, work)

    async def store(
        self,
        scope: Scope,
        embedded: Sequence[WaitingMemory],
        vectors: Sequence[Vector | None],
        model_id: str,
    ) -> None:
        """Gives each memory its vector, if it still is in the version that was read, as one change of the scope."""
        key = scope_parameters(scope)
        turn = {**key, "added_memories": 0, "added_terms": 0, "now": self._clock.now()}
        parameters = {
            **key,
            "memory_ids": [memory.memory_id for memory in embedded],
            "versions": [memory.version for memory in embedded],
            "embeddings": [None if vector is None else vector.values for vector in vectors],
            "model_id": model_id,
        }

        async def write(session: Session) -> None:
            row = await session.only_row(SQL["next_revision"], turn)
            await session.execute(SQL["store_backlog_vectors"], {**parameters, "revision": row[0]})

        await self._database.transaction(scope.tenant_id, write)
        self._bell.ring(scope)
