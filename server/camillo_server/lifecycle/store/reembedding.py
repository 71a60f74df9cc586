"""Vectors of the model that is to serve next: which scopes want them, which rows wait for theirs, and how far it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.crypto.keyring import Keyring
from camillo_server.embedding.embedder import Vector
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lifecycle.reembedding import Embedded
from camillo_server.lifecycle.store.embedding_backlog import (
    WaitingMemory,
    vector_columns,
    waiting_memories,
)
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("lifecycle/store/reembedding")
LAST_ID = UUID(int=2**128 - 1)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a scope waits for: vectors of this model for the rows that have changed behind `done_revision`; `revision` is
    how far it had come when that was read."""

    model_id: str
    done_revision: int
    revision: int


class PostgresReembedding:
    """`ReembeddingStore`. Every method raises StorageUnavailable."""

    def __init__(self, database: Database, keyring: Keyring, ring: Callable[[Scope], None]) -> None:
        """`ring` tells a scope's followers of a change."""
        self._database = database
        self._keyring = keyring
        self._ring = ring

    def backlog(self, wanted: Wanted, *, is_served: bool) -> "ReembeddingBacklog":
        """The rows that wait. `is_served`: this process answers by the wanted model, so that every row is told of."""
        return ReembeddingBacklog(self._database, self._keyring, wanted, self._ring, is_served)

    async def start(
        self, tenant_id: TenantId, agent_id: AgentId | None, model_id: str, *, now: datetime
    ) -> Sequence[Scope]:
        parameters = {
            "tenant_id": tenant_id,
            "agent_id": agent_id,
            "model_id": model_id,
            "now": now,
        }
        return await self._scopes(tenant_id, ["start"], parameters)

    async def unfinished(self, tenant_id: TenantId, model_ids: Sequence[str]) -> Sequence[Scope]:
        """The scopes of a tenant that want vectors of one of these models and may lack some."""
        parameters = {"tenant_id": tenant_id, "model_ids": list(model_ids)}
        return await self._scopes(tenant_id, ["add_new_scopes", "unfinished"], parameters)

    async def wanted(self, scope: Scope) -> Wanted | None:
        """What the scope waits for, if it ever did."""

        async def work(session: Session) -> Wanted | None:
            row = await session.row(SQL["wanted"], scope_parameters(scope))
            return Wanted(*row) if row else None

        return await self._database.read(scope.tenant_id, work)

    async def finish(self, scope: Scope, wanted: Wanted) -> None:
        """Every row that the scope had when that was read has its vector, as far as it can be read."""
        parameters = {
            **scope_parameters(scope),
            "model_id": wanted.model_id,
            "revision": wanted.revision,
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["finish"], parameters)

        await self._database.write(scope.tenant_id, work)

    async def embedded(
        self, tenant_id: TenantId, agent_id: AgentId | None, model_id: str, size: int
    ) -> Sequence[Embedded]:
        parameters = {
            "tenant_id": tenant_id,
            "agent_id": agent_id,
            "model_id": model_id,
            "size": size,
        }

        async def work(session: Session) -> Sequence[Embedded]:
            rows = await session.rows(SQL["embedded"], parameters)
            return [Embedded(AgentId(row[0]), *row[1:]) for row in rows]

        return await self._database.read(tenant_id, work)

    async def _scopes(
        self, tenant_id: TenantId, names: Sequence[str], parameters: dict[str, Any]
    ) -> Sequence[Scope]:
        """The scopes that the last of these statements names."""

        async def work(session: Session) -> Sequence[Scope]:
            for name in names[:-1]:
                await session.execute(SQL[name], parameters)
            rows = await session.rows(SQL[names[-1]], parameters)
            return [Scope(tenant_id, AgentId(row[0])) for row in rows]

        return await self._database.transaction(tenant_id, work)


@dataclass(frozen=True, slots=True)
class ReembeddingBacklog:
    """The rows of one scope that lack a vector of the wanted model, in the order in which they changed."""

    database: Database
    keyring: Keyring
    wanted: Wanted
    ring: Callable[[Scope], None]
    is_served: bool

    async def waiting(
        self, scope: Scope, after: WaitingMemory | None, size: int
    ) -> list[WaitingMemory]:
        """As PostgresEmbeddingBacklog."""
        place = (after.revision, after.memory_id) if after else (self.wanted.done_revision, LAST_ID)
        parameters = {
            **scope_parameters(scope),
            "model_id": self.wanted.model_id,
            "after_revision": place[0],
            "after_id": place[1],
            "size": size,
        }

        async def work(session: Session) -> list[WaitingMemory]:
            while rows := await session.rows(SQL["waiting"], parameters):
                if found := waiting_memories(scope, self.keyring, rows):
                    return found
                parameters["after_id"], parameters["after_revision"] = rows[-1][0], rows[-1][2]
            return []

        return await self.database.read(scope.tenant_id, work)

    async def store(
        self,
        scope: Scope,
        embedded: Sequence[WaitingMemory],
        vectors: Sequence[Vector | None],
        model_id: str,
    ) -> None:
        """Puts vectors beside those that serve; a row without any feature is marked as looked at. Raises KeyMissing."""
        parameters = {
            **scope_parameters(scope),
            **vector_columns(scope, self.keyring, embedded, vectors),
            "model_id": model_id,
            "is_served": self.is_served,
        }

        async def write(session: Session) -> bool:
            # Else a new version of a row could come in between, and keep the vector of its old content.
            turn = await session.row(SQL["take_turn"], parameters)
            if turn is None:
                return False
            stored = {**parameters, "started_revision": turn[0]}
            told = [row[0] for row in await session.rows(SQL["store"], stored)]
            if told:
                await session.execute(SQL["tell"], {**parameters, "memory_ids": told})
            return bool(told)

        if await self.database.transaction(scope.tenant_id, write):
            self.ring(scope)
