"""StartReembedding and GetReembedding: vectors of the model that is to serve next, beside those that serve now."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NoNextModel
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope

MOST_TOLD = 1_000


@dataclass(frozen=True, slots=True)
class Models:
    """The model that answers, and the one that is to answer next, if there is one."""

    serving_id: str
    next_id: str | None


@dataclass(frozen=True, slots=True)
class Reembedding:
    """How many rows of a scope have a vector of `model_id`. `started_at` is None where nobody has asked for them."""

    agent_id: AgentId
    model_id: str
    serving_model_id: str
    embedded: int
    rows: int
    started_at: datetime | None

    @property
    def is_complete(self) -> bool:
        """Every row has one, or nothing in it that a vector could be made from."""
        return self.embedded == self.rows


@dataclass(frozen=True, slots=True)
class Embedded:
    """What a store knows of the vectors of one model in a scope."""

    agent_id: AgentId
    embedded: int
    rows: int
    started_at: datetime | None


class ReembeddingStore(Protocol):
    """Keeps what was asked for. An `agent_id` of None stands for every scope of the tenant. Raises StorageUnavailable."""

    async def start(
        self, tenant_id: TenantId, agent_id: AgentId | None, model_id: str, *, now: datetime
    ) -> Sequence[Scope]:
        """Wants vectors of this model from here on, also for what is stored later. Returns the scopes that there are."""
        ...

    async def embedded(
        self, tenant_id: TenantId, agent_id: AgentId | None, model_id: str, size: int
    ) -> Sequence[Embedded]:
        """In the order of the agents' ids, at most `size`."""
        ...


class GetReembedding:
    """Tells how far the vectors of the next model have come; without one, those of the serving model."""

    def __init__(self, store: ReembeddingStore, models: Models) -> None:
        self._store = store
        self._models = models

    async def __call__(self, tenant_id: TenantId, scope: Scope | None) -> Sequence[Reembedding]:
        """One for each scope of the tenant if no scope is named, at most 1,000. Raises StorageUnavailable."""
        serving_id = self._models.serving_id
        model_id = self._models.next_id or serving_id
        found = await self._store.embedded(tenant_id, _agent(scope), model_id, MOST_TOLD)
        if scope is not None and not found:
            found = [Embedded(scope.agent_id, 0, 0, None)]
        return [
            Reembedding(
                each.agent_id, model_id, serving_id, each.embedded, each.rows, each.started_at
            )
            for each in found
        ]


class StartReembedding:
    """Has the vectors made, by jobs. Doing so again makes what is missing and nothing twice."""

    def __init__(
        self,
        store: ReembeddingStore,
        models: Models,
        clock: Clock,
        on_started: Callable[[Scope], None],
    ) -> None:
        """`on_started` is told each scope, and sees to it that a job begins."""
        self._store = store
        self._models = models
        self._clock = clock
        self._on_started = on_started

    async def __call__(self, tenant_id: TenantId, scope: Scope | None) -> Sequence[Reembedding]:
        """As GetReembedding. Raises NoNextModel, StorageUnavailable."""
        model_id = self._models.next_id
        if model_id is None:
            raise NoNextModel
        agent_id = _agent(scope)
        now = self._clock.now()
        for each in await self._store.start(tenant_id, agent_id, model_id, now=now):
            self._on_started(each)
        return await GetReembedding(self._store, self._models)(tenant_id, scope)


def _agent(scope: Scope | None) -> AgentId | None:
    return None if scope is None else scope.agent_id
