"""Costs of requests to a provider: reserved before each out of the tenant's budget, settled after it, and counted."""

import logging
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, Self

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import whole_tenant
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable
from camillo_server.settings.settings import MemorySettings
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import statements

logger = logging.getLogger(__name__)

SQL = statements("models/embedding/spend")
# Amounts of money are whole billionths of a US dollar: a token costs a few tens of them.
NANO = 1_000_000_000
# Tokens that models put around a text, by a wide margin.
EXTRA_TOKENS_PER_TEXT = 8


class BudgetExhausted(EmbeddingUnavailable):
    """The tenant's budget does not pay for these vectors; the next day or month may."""

    def __init__(self, period: str) -> None:
        super().__init__(f"the tenant's embedding budget of this {period} is used up")


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money set aside for one request to a provider, before it is known what the request costs.

    One that is never settled counts as spent: after a crash nobody knows what the provider charged.
    """

    tenant_id: TenantId
    model_id: str
    day: date
    nano_usd: int


@dataclass(frozen=True, slots=True)
class BudgetLimit:
    """The limit of each tenant for a day or a month, in UTC."""

    nano_usd: int
    period: Literal["day", "month"]

    @classmethod
    def of(cls, settings: MemorySettings) -> Self | None:
        """The limit that the settings name; None where they name none."""
        if settings.embedding_budget_usd is None:
            return None
        return cls(round(settings.embedding_budget_usd * NANO), settings.embedding_budget_period)

    def first_day(self, today: date) -> date:
        return today if self.period == "day" else today.replace(day=1)


class EmbeddingBudget:
    """The spending of each tenant and its limit, kept in Postgres: it outlives restarts and holds for all servers
    together.

    Amounts are billionths of a US dollar. Without a limit it only keeps account.
    """

    def __init__(self, database: Database, clock: Clock, limit: BudgetLimit | None) -> None:
        self._database = database
        self._clock = clock
        self._limit = limit

    async def reserve(self, tenant_id: TenantId, model_id: str, nano_usd: int) -> Reservation:
        """Reserves the amount, whoever else asks at the same time. Raises BudgetExhausted, StorageUnavailable."""
        today = self._clock.now().date()
        limit = self._limit
        if limit is None:
            return Reservation(tenant_id, model_id, today, 0)
        parameters = {
            "tenant_id": tenant_id,
            "day": today,
            "first_day": limit.first_day(today),
            "model_id": model_id,
            "nano_usd": nano_usd,
            "limit_nano_usd": limit.nano_usd,
        }

        async def work(session: Session) -> bool:
            # A statement of its own: the next one sees what was committed while this one waited.
            await session.execute(SQL["lock_budget"], parameters)
            return await session.row(SQL["reserve"], parameters) is not None

        if not await self._database.transaction(whole_tenant(tenant_id), work):
            raise BudgetExhausted(limit.period)
        return Reservation(tenant_id, model_id, today, nano_usd)

    async def settle(self, reservation: Reservation, nano_usd: int, tokens: int) -> None:
        """Replaces the reserved amount by the amount spent. Raises StorageUnavailable."""
        parameters = {
            "tenant_id": reservation.tenant_id,
            "day": reservation.day,
            "model_id": reservation.model_id,
            "change": nano_usd - reservation.nano_usd,
            "tokens": tokens,
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["settle"], parameters)

        await self._database.write(whole_tenant(reservation.tenant_id), work)


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

    async def reserve(self, tenant_id: TenantId, texts: Sequence[str], answer_tokens: int = 0) -> Reservation | None:
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
            # The vectors are there. The reserved amount counts as spent, which is never too little.
            logger.warning("spend not settled", extra={"cause": str(error)})
