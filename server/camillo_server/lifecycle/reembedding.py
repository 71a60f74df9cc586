"""StartReembedding and GetReembedding: vectors of the model that is to serve next, beside those that serve now."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NoNextModel
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lifecycle.store.reembedding import Embedded, ReembeddingStore

MAX_SCOPES = 1_000


@dataclass(frozen=True, slots=True)
class Models:
    """The model that answers, and the one that is to answer next, if there is one."""

    serving_id: str
    next_id: str | None


@dataclass(frozen=True, slots=True)
class ReembeddingProgress:
    """The number of rows of a scope that have a vector of `model_id`. `started_at` is None where nobody has started it."""

    agent_id: AgentId
    model_id: str
    serving_model_id: str
    embedded: int
    rows: int
    started_at: datetime | None

    @property
    def is_complete(self) -> bool:
        """Every row has a vector, or no text that yields one."""
        return self.embedded == self.rows


class Reembedding:
    """Both methods return one progress for each scope of the tenant if no scope is named, at most 1,000; they raise
    StorageUnavailable."""

    def __init__(
        self,
        store: ReembeddingStore,
        models: Models,
        clock: Clock,
        on_started: Callable[[Scope], None],
    ) -> None:
        """`on_started` is called with each scope that needs a job."""
        self._store = store
        self._models = models
        self._clock = clock
        self._on_started = on_started

    async def start(
        self, tenant_id: TenantId, scope: Scope | None
    ) -> Sequence[ReembeddingProgress]:
        """Has jobs embed every row with the next model; a repeat embeds what is missing, and nothing twice. Raises
        NoNextModel."""
        model_id = self._models.next_id
        if model_id is None:
            raise NoNextModel
        now = self._clock.now()
        for each in await self._store.start(tenant_id, _agent(scope), model_id, now=now):
            self._on_started(each)
        return await self.progress(tenant_id, scope)

    async def progress(
        self, tenant_id: TenantId, scope: Scope | None
    ) -> Sequence[ReembeddingProgress]:
        """Counts the vectors of the next model; without one, those of the serving model."""
        serving_id = self._models.serving_id
        model_id = self._models.next_id or serving_id
        found = await self._store.embedded(tenant_id, _agent(scope), model_id, MAX_SCOPES)
        if scope is not None and not found:
            found = [Embedded(scope.agent_id, 0, 0, None)]
        return [
            ReembeddingProgress(
                each.agent_id, model_id, serving_id, each.embedded, each.rows, each.started_at
            )
            for each in found
        ]


def _agent(scope: Scope | None) -> AgentId | None:
    return None if scope is None else scope.agent_id
