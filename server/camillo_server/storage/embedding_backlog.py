"""Memories that were stored without a vector: found, read, and given one."""

from collections.abc import Sequence
from uuid import UUID

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.clock import Clock
from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.memory import Vector
from camillo_server.domain.scope import Scope
from camillo_server.storage.change_bell import PostgresChangeBell
from camillo_server.storage.database import Database, Session
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.sealed_rows import NO_KEYS
from camillo_server.storage.statements import statements
from camillo_server.storage.waiting_memories import (
    WaitingMemory,
    vector_columns,
    waiting_memories,
)

SQL = {
    **statements("embedding_backlog"),
    "next_revision": statements("memory_writes")["next_revision"],
}
BEFORE_ALL = UUID(int=0)


class PostgresEmbeddingBacklog:
    """The backlog of each scope is its rows; nothing else remembers it."""

    def __init__(
        self,
        database: Database,
        bell: PostgresChangeBell,
        clock: Clock,
        keyring: Keyring = NO_KEYS,
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._bell = bell
        self._clock = clock

    async def scopes(self, tenant_id: TenantId) -> list[Scope]:
        """The scopes of a tenant in which something waits."""

        async def work(session: Session) -> list[Scope]:
            rows = await session.rows(SQL["scopes_with_backlog"], {"tenant_id": tenant_id})
            return [Scope(tenant_id, AgentId(row[0])) for row in rows]

        return await self._database.read(tenant_id, work)

    async def waiting(
        self, scope: Scope, after: WaitingMemory | None, size: int
    ) -> list[WaitingMemory]:
        """Up to so many memories and chunks that wait, in the order of their ids, from behind this one on; not those whose
        key is missing. None only where nothing is left."""
        parameters = {
            **scope_parameters(scope),
            "after": after.memory_id if after else BEFORE_ALL,
            "size": size,
        }

        async def work(session: Session) -> list[WaitingMemory]:
            while rows := await session.rows(SQL["read_backlog"], parameters):
                if found := waiting_memories(scope, self._keyring, rows):
                    return found
                parameters["after"] = rows[-1][0]
            return []

        return await self._database.read(scope.tenant_id, work)

    async def store(
        self,
        scope: Scope,
        embedded: Sequence[WaitingMemory],
        vectors: Sequence[Vector | None],
        model_id: str,
    ) -> None:
        """Gives each memory its vector, if it still is in the version that was read, as one change of the scope. Raises
        KeyMissing."""
        key = scope_parameters(scope)
        turn = {**key, "added_memories": 0, "added_terms": 0, "now": self._clock.now()}
        columns = vector_columns(scope, self._keyring, embedded, vectors)
        parameters = {**key, **columns, "model_id": model_id}

        async def write(session: Session) -> None:
            row = await session.only_row(SQL["next_revision"], turn)
            await session.execute(SQL["store_backlog_vectors"], {**parameters, "revision": row[0]})

        await self._database.transaction(scope.tenant_id, write)
        self._bell.ring(scope)
