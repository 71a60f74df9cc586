"""Costs of requests to a provider: reserved before each, settled after it, and counted."""

import logging
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from camillo_server.embedding.embedder import (
    NOBODY,
    EmbeddingBudget,
    EmbeddingUnavailable,
    Reservation,
)
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import TenantId

logger = logging.getLogger(__name__)

# What models put around a text, by a wide margin.
EXTRA_TOKENS_PER_TEXT = 8


@dataclass(slots=True)
class ProviderFigures:
    """The use of a provider by this process. Written on the event loop only, read from any thread."""

    # Requests by how they ended.
    calls: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    nano_usd: int = 0


@dataclass(frozen=True, slots=True)
class Price:
    """The price of tokens."""

    usd_per_million_tokens: float

    def nano_usd(self, tokens: int) -> int:
        """Rounded up."""
        # Billionths for millionths; rounded first, as 0.02 has no exact form.
        return math.ceil(round(tokens * self.usd_per_million_tokens * 1_000, 6))


def max_tokens(texts: Sequence[str]) -> int:
    """An upper bound of the tokens in these texts for any model: none makes more of a text than its bytes."""
    return sum(len(text.encode("utf-8", "surrogatepass")) + EXTRA_TOKENS_PER_TEXT for text in texts)


class Billing:
    """Pays for the requests of one model. Without a budget, or for nobody, it only counts."""

    def __init__(
        self,
        model_id: str,
        price: Price,
        budget: EmbeddingBudget | None,
        figures: ProviderFigures,
    ) -> None:
        self._model_id = model_id
        self._price = price
        self._budget = budget
        self._figures = figures

    async def reserve(
        self, tenant_id: TenantId, texts: Sequence[str], answer_tokens: int = 0
    ) -> Reservation | None:
        """Reserves what the texts, and an answer of so many tokens, may cost at most. Raises BudgetExhausted,
        EmbeddingUnavailable."""
        if self._budget is None or tenant_id == NOBODY:
            return None
        most = self._price.nano_usd(max_tokens(texts) + answer_tokens)
        try:
            return await self._budget.reserve(tenant_id, self._model_id, most)
        except DomainError as error:
            raise EmbeddingUnavailable(f"the budget cannot be asked: {error}") from error

    async def charge(self, reservation: Reservation | None, tokens: int) -> None:
        """Settles what an answered request has used."""
        spent = self._price.nano_usd(tokens)
        self._figures.tokens += tokens
        self._figures.nano_usd += spent
        await self._settle(reservation, spent, tokens)

    async def refund(self, reservation: Reservation | None) -> None:
        """Settles a request that the provider has refused, and does not charge."""
        await self._settle(reservation, 0, 0)

    async def _settle(self, reservation: Reservation | None, spent: int, tokens: int) -> None:
        if self._budget is None or reservation is None:
            return
        try:
            await self._budget.settle(reservation, spent, tokens)
        except DomainError as error:
            # The vectors are there. What was set aside counts as spent, which is never too little.
            logger.warning("spend not settled", extra={"cause": str(error)})
