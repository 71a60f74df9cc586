"""The port that turns texts into vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import TenantId

# For whom a tool embeds that serves no tenant; nobody has no budget.
NOBODY = TenantId("")
# Amounts of money are whole billionths of a US dollar: a token costs a few tens of them.
NANO = 1_000_000_000


class EmbeddingUnavailable(Exception):
    """No vectors can be had now; what needs them goes on without."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Embedder(Protocol):
    """Turns texts into unit vectors of one model."""

    @property
    def model_id(self) -> str:
        """Names the model: vectors of different models are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of its vectors."""
        ...

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY
    ) -> NDArray[np.float32]:
        """Rows of unit length, one per text, in order: shape (len(texts), dimensions).

        A text without any feature gives a zero row. The tenant pays where vectors cost money. Raises
        EmbeddingUnavailable.
        """
        ...

    async def close(self) -> None:
        """Frees what it holds; afterwards it embeds no more."""
        ...


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


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """A unit vector of one model: float32, shape (dimensions,). An empty model id means the server's own model."""

    model_id: str
    values: NDArray[np.float32]
