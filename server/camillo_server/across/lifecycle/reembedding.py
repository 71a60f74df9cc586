"""StartReembedding and GetReembedding: vectors of the model that is to serve next, beside those that serve now."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from camillo_server.across.lifecycle.store.reembedding import Embedded, ReembeddingStore
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NoNextModel
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope

MAX_SCOPES = 1_000


@dataclass(frozen=True, slots=True)
class Models:
    """The model that answers, and the one that is to answer next, if there is one."""

    serving_id: str
    next_id: str | None

    @property
    def counted_id(self) -> str:
        """The model whose vectors are counted: the next one, and without one the serving one."""
        return self.next_id or self.serving_id


class Reembedding:
    """Both methods return the progress of one scope, or of each scope of the tenant where no agent is named, at most
    1,000; they raise StorageUnavailable."""

    def __init__(
        self,
        store: ReembeddingStore,
        models: Models,
        clock: Clock,
        on_started: Callable[[Scope], None],
    ) -> None:
        """`on_started` is called with each scope that needs a job."""
        self._store = store
        self.models = models
        self._clock = clock
        self._on_started = on_started

    async def start(self, tenant_id: TenantId, agent_id: AgentId | None) -> Sequence[Embedded]:
        """Has jobs embed every row with the next model; a repeat embeds what is missing, and nothing twice. Raises
        NoNextModel."""
        model_id = self.models.next_id
        if model_id is None:
            raise NoNextModel
        now = self._clock.now()
        for scope in await self._store.start(tenant_id, agent_id, model_id, now=now):
            self._on_started(scope)
        return await self.progress(tenant_id, agent_id)

    async def progress(self, tenant_id: TenantId, agent_id: AgentId | None) -> Sequence[Embedded]:
        """Counts the vectors of the next model; without one, those of the serving model."""
        model_id = self.models.counted_id
        found = await self._store.embedded(tenant_id, agent_id, model_id, MAX_SCOPES)
        if agent_id is not None and not found:
            return [Embedded(agent_id, 0, 0, None)]
        return found
