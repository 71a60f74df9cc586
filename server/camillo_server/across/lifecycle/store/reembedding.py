"""Vectors of the model that is to serve next: the scopes that need them, the rows that lack them, and the progress."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.across.lifecycle.store.embedding_backlog import (
    WaitingMemory,
    read_waiting,
    vector_columns,
)
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.models.embedding.embedder import Vector
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.written_requests import enter

SQL = statements("across/lifecycle/store/reembedding")
LAST_ID = UUID(int=2**128 - 1)


@dataclass(frozen=True, slots=True)
class Embedded:
    """How many rows of a scope have a vector of one model. `started_at` is None where nobody has asked for it."""

    agent_id: AgentId
    embedded: int
    rows: int
    started_at: datetime | None

    @property
    def is_complete(self) -> bool:
        """Every row has a vector, or no text that yields one."""
        return self.embedded == self.rows


@dataclass(frozen=True, slots=True)
class ReembeddingTarget:
    """The model of which a scope needs vectors, for the rows that have changed behind `done_revision`; `revision` is
    that of the scope when this was read."""

    model_id: str
    done_revision: int
    revision: int


class ReembeddingStore:
    """Stores which scopes need vectors of the next model. An `agent_id` of None stands for every scope of the tenant.
    Every method raises StorageUnavailable."""

    def __init__(self, database: Database, keyring: Keyring, notify: Callable[[Scope], None]) -> None:
        """`notify` tells the followers of a scope of a change."""
        self._database = database
        self._keyring = keyring
        self._notify = notify

    def backlog(self, target: ReembeddingTarget, *, is_served: bool) -> "ReembeddingBacklog":
        """The rows that wait. `is_served`: this process answers by that model, so that followers are notified of every
        row."""
        return ReembeddingBacklog(self._database, self._keyring, target, self._notify, is_served)

    async def start(
        self, tenant_id: TenantId, agent_id: AgentId | None, model_id: str, *, now: datetime
    ) -> Sequence[Scope]:
        """Requires vectors of this model from now on, also for what is stored later. Returns the scopes that exist."""
        parameters = {
            "tenant_id": tenant_id,
            "agent_id": agent_id,
            "model_id": model_id,
            "now": now,
        }
        scope = Scope(tenant_id, agent_id or AgentId(""))

        async def work(session: Session) -> Sequence[Scope]:
            rows = await session.rows(SQL["start"], parameters)
            await enter(session, scope, None, now, {"scopes": len(rows)})
            return [Scope(tenant_id, AgentId(agent_id)) for (agent_id,) in rows]

        return await self._database.transaction(whole_tenant(tenant_id), work)

    async def unfinished(self, tenant_id: TenantId, model_ids: Sequence[str], *, now: datetime) -> Sequence[Scope]:
        """The scopes of a tenant that need vectors of one of these models, the serving one first, and may lack some;
        those to which the serving one was added need its vectors from now on."""
        parameters = {
            "tenant_id": tenant_id,
            "model_ids": list(model_ids),
            "serving_id": model_ids[0],
            "now": now,
        }
        names = ["start_of_added_model", "add_new_scopes", "unfinished"]
        return await self._scopes(tenant_id, names, parameters)

    async def target(self, scope: Scope) -> ReembeddingTarget | None:
        """The target of the scope's reembedding; None where nobody has started one."""

        async def work(session: Session) -> ReembeddingTarget | None:
            row = await session.row(SQL["target"], scope_parameters(scope))
            return ReembeddingTarget(*row) if row else None

        return await self._database.read(scope, work)

    async def finish(self, scope: Scope, target: ReembeddingTarget) -> None:
        """Records that every readable row has its vector which the scope had when the target was read."""
        parameters = {
            **scope_parameters(scope),
            "model_id": target.model_id,
            "revision": target.revision,
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["finish"], parameters)

        await self._database.write(scope, work)

    async def embedded(
        self, tenant_id: TenantId, agent_id: AgentId | None, model_id: str, size: int
    ) -> Sequence[Embedded]:
        """The figures of at most `size` scopes, in the order of the agents' ids."""
        parameters = {
            "tenant_id": tenant_id,
            "agent_id": agent_id,
            "model_id": model_id,
            "size": size,
        }

        rows = await self._database.rows(whole_tenant(tenant_id), SQL["embedded"], parameters)
        return [Embedded(AgentId(agent_id), *figures) for agent_id, *figures in rows]

    async def _scopes(self, tenant_id: TenantId, names: Sequence[str], parameters: dict[str, Any]) -> Sequence[Scope]:
        """The scopes that the last of these statements names."""

        async def work(session: Session) -> Sequence[Scope]:
            for name in names[:-1]:
                await session.execute(SQL[name], parameters)
            rows = await session.rows(SQL[names[-1]], parameters)
            return [Scope(tenant_id, AgentId(agent_id)) for (agent_id,) in rows]

        return await self._database.transaction(whole_tenant(tenant_id), work)


@dataclass(frozen=True, slots=True)
class ReembeddingBacklog:
    """The rows of one scope that lack a vector of the target model, in the order in which they changed."""

    database: Database
    keyring: Keyring
    target: ReembeddingTarget
    notify: Callable[[Scope], None]
    is_served: bool

    async def waiting(self, scope: Scope, after: WaitingMemory | None, size: int) -> list[WaitingMemory]:
        """Up to `size` rows behind `after` (None: from the first); empty only if none is left. Raises
        StorageUnavailable."""
        parameters = {
            **scope_parameters(scope),
            "model_id": self.target.model_id,
            "after_revision": after.revision if after else self.target.done_revision,
            "after_id": after.memory_id if after else LAST_ID,
            "size": size,
        }

        async def work(session: Session) -> list[WaitingMemory]:
            return await read_waiting(session, scope, self.keyring, SQL["waiting"], parameters)

        return await self.database.read(scope, work)

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
            lock = await session.row(SQL["lock_target"], parameters)
            if lock is None:
                return False
            (started_revision,) = lock
            stored = {**parameters, "started_revision": started_revision}
            changed = [memory_id for (memory_id,) in await session.rows(SQL["store"], stored)]
            if changed:
                await session.execute(SQL["advance_revision"], {**parameters, "memory_ids": changed})
            return bool(changed)

        if await self.database.transaction(scope, write):
            self.notify(scope)
