"""Parts that tests of the remote provider share: money, pauses and seconds that are the test's own."""

from collections.abc import Callable
from datetime import date

from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.limits import BudgetExhausted, Unit, Used
from camillo_server.models.embedding.litellm import LiteLLMEmbedder
from camillo_server.models.embedding.spend import Operation, Reservation, Shares, divided

ACME = TenantId("acme")
# A space of its own, in which the tests of models ask.
SPACE = Scope(ACME, AgentId("users/ana"))

Make = Callable[..., LiteLLMEmbedder]


class Ledger:
    """A budget in memory: what is set aside and spent, and how often it was asked."""

    def __init__(self, limit: int) -> None:
        self.limit, self.spent, self.tokens = limit, 0, 0
        # Amounts entered for each operation and space.
        self.entries: list[tuple[Operation, AgentId, Used]] = []
        self.is_away = False
        self.exhausted: Unit | None = None

    async def reserve(self, tenant_id: TenantId, model_id: str, nano_usd: int, tokens: int = 0) -> Reservation:
        if self.is_away:
            raise StorageUnavailable
        if self.exhausted:
            raise BudgetExhausted("day", self.exhausted, 500)
        if self.spent + nano_usd > self.limit:
            raise BudgetExhausted("day", limit=7)
        self.spent += nano_usd
        return Reservation(tenant_id, model_id, date(2026, 1, 1), nano_usd)

    async def settle(
        self, reservation: Reservation, used: Used, operation: Operation, shares: Shares | None = None
    ) -> None:
        if self.is_away:
            raise StorageUnavailable
        self.spent += used.nano_usd - reservation.nano_usd
        self.tokens += used.tokens
        self.entries += [(operation, agent_id, each) for agent_id, each in divided(used, shares or {})]


class Pauses:
    """Notes pauses instead of making them."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


class Monotonic:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def state(embedder: LiteLLMEmbedder) -> str:
    return embedder.breaker_state.value
