"""The port that keeps what a tenant spends on vectors within its budget."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from camillo_server.domain.embedder import EmbeddingUnavailable
from camillo_server.domain.ids import TenantId

# Amounts of money are whole billionths of a US dollar: a token costs a few tens of them.
NANO = 1_000_000_000


class BudgetExhausted(EmbeddingUnavailable):
    """The tenant's budget does not pay for these vectors; the next day or month may."""

    def __init__(self, period: str) -> None:
        super().__init__(f"the tenant's embedding budget of this {period} is used up")
        self.period = period


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money set aside for one request to a provider, before it is known what the request costs.

    One that is never settled counts as spent: after a crash nobody knows what the provider charged.
    """

    tenant_id: TenantId
    model_id: str
    day: date
    nano_usd: int


class EmbeddingBudget(Protocol):
    """The spending of each tenant and its limit. Amounts are billionths of a US dollar."""

    async def reserve(self, tenant_id: TenantId, model_id: str, nano_usd: int) -> Reservation:
        """Reserves the amount, whoever else asks at the same time. Raises BudgetExhausted, StorageUnavailable."""
        ...

    async def settle(self, reservation: Reservation, nano_usd: int, tokens: int) -> None:
        """Replaces the reserved amount by the amount spent. Raises StorageUnavailable."""
        ...
