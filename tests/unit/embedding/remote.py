"""Parts that tests of the remote provider share: money, pauses and seconds that are the test's own."""

from collections.abc import Callable
from datetime import date

from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import TenantId
from camillo_server.models.embedding.litellm import LiteLLMEmbedder
from camillo_server.models.embedding.spend import BudgetExhausted, Reservation

ACME = TenantId("acme")

Make = Callable[..., LiteLLMEmbedder]


class Ledger:
    """A budget in memory: what is set aside and spent, and how often it was asked."""

    def __init__(self, limit: int) -> None:
        self.limit, self.spent, self.tokens = limit, 0, 0
        self.is_away = False

    async def reserve(self, tenant_id: TenantId, model_id: str, nano_usd: int) -> Reservation:
        if self.is_away:
            raise StorageUnavailable
        if self.spent + nano_usd > self.limit:
            raise BudgetExhausted("day")
        self.spent += nano_usd
        return Reservation(tenant_id, model_id, date(2026, 1, 1), nano_usd)

    async def settle(self, reservation: Reservation, nano_usd: int, tokens: int) -> None:
        if self.is_away:
            raise StorageUnavailable
        self.spent += nano_usd - reservation.nano_usd
        self.tokens += tokens


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
