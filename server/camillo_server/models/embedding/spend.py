"""Costs of requests to a provider: reserved before each out of the budgets, settled after it, and kept by operation,
model, space and day."""

import logging
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import ANY_AGENT, whole_tenant
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable
from camillo_server.models.embedding.limits import (
    NOTHING,
    BudgetLimit,
    SpendLimit,
    Used,
    hold_all,
)
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import statements

logger = logging.getLogger(__name__)

SQL = statements("models/embedding/spend")
# Tokens that models put around a text, by a wide margin.
EXTRA_TOKENS_PER_TEXT = 8

# The purposes for which a model is asked.
Operation = Literal["embedding", "reranking", "judging", "compaction", "distillation"]
# The weight of each space in a request that several share, such as the characters of its texts.
Shares = dict[AgentId, int]


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money and tokens set aside for one request to a provider, before it is known what the request costs.

    One that is never settled counts as spent: after a crash nobody knows what the provider charged.
    """

    tenant_id: TenantId
    model_id: str
    day: date
    nano_usd: int
    tokens: int = 0


@dataclass(slots=True)
class UsedTotals:
    """The requests of one operation to one model that were answered, and their sums."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    nano_usd: int = 0

    def add(self, used: Used) -> None:
        self.requests += 1
        self.input_tokens += used.input_tokens
        self.output_tokens += used.output_tokens
        self.nano_usd += used.nano_usd


@dataclass(frozen=True, slots=True)
class Spent:
    """Amounts that a tenant has spent in the period of its limit, and those that are reserved."""

    limit: BudgetLimit
    nano_usd: int
    tokens: int


class EmbeddingBudget:
    """The spending of each tenant on all models and its limit, kept in Postgres: it outlives restarts and holds for all
    servers together.

    Amounts are billionths of a US dollar. Without a limit it only keeps account.
    """

    def __init__(self, database: Database, clock: Clock, limit: BudgetLimit | None) -> None:
        self.limit = limit
        # Totals of this process by operation and model, for its metrics. Written on the event loop only.
        self.used: dict[tuple[str, str], UsedTotals] = {}
        self._database = database
        self._clock = clock

    async def reserve(self, tenant_id: TenantId, model_id: str, nano_usd: int, tokens: int = 0) -> Reservation:
        """Reserves the amounts, whoever else asks at the same time. Raises BudgetExhausted, StorageUnavailable."""
        today = self._clock.now().date()
        limit = self.limit
        if limit is None:
            return Reservation(tenant_id, model_id, today, 0)
        parameters = {
            "tenant_id": tenant_id,
            "day": today,
            "first_day": limit.first_day(today),
            "model_id": model_id,
            "nano_usd": nano_usd,
            "tokens": tokens,
            "limit_nano_usd": limit.nano_usd,
            "limit_tokens": limit.tokens,
        }

        async def work(session: Session) -> Any:
            # A statement of its own: the next one sees what was committed while this one waited.
            await session.execute(SQL["lock_budget"], parameters)
            return await session.row(SQL["reserve"], parameters)

        is_paid, is_within_tokens = await self._database.transaction(whole_tenant(tenant_id), work)
        if not is_paid:
            raise limit.exhausted("cents")
        if not is_within_tokens:
            raise limit.exhausted("tokens")
        return Reservation(tenant_id, model_id, today, nano_usd, tokens)

    async def settle(
        self, reservation: Reservation, used: Used, operation: Operation, shares: Shares | None = None
    ) -> None:
        """Replaces the reserved amounts by those used, and enters them for the operation and the spaces: one commit.
        Raises StorageUnavailable."""
        if used != NOTHING:
            self.used.setdefault((operation, reservation.model_id), UsedTotals()).add(used)
        entries = [] if used == NOTHING else divided(used, shares or {})
        parameters = {
            "tenant_id": reservation.tenant_id,
            "day": reservation.day,
            "model_id": reservation.model_id,
            "change": used.nano_usd - reservation.nano_usd,
            "tokens": used.tokens - reservation.tokens,
            "operation": operation,
            "agent_ids": [agent_id for agent_id, _ in entries],
            "requests": [int(not number) for number, _ in enumerate(entries)],
            "input_tokens": [each.input_tokens for _, each in entries],
            "output_tokens": [each.output_tokens for _, each in entries],
            "nano_usd": [each.nano_usd for _, each in entries],
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["settle"], parameters)

        await self._database.write(whole_tenant(reservation.tenant_id), work)

    async def spent(self, tenant_id: TenantId) -> "Spent | None":
        """The tenant's spending in the period of its limit; None without a limit. Raises StorageUnavailable."""
        limit, today = self.limit, self._clock.now().date()
        if limit is None:
            return None
        parameters = {"tenant_id": tenant_id, "first_day": limit.first_day(today), "day": today}
        rows = await self._database.rows(whole_tenant(tenant_id), SQL["spent"], parameters)
        return Spent(limit, int(rows[0][0]), int(rows[0][1]))


def divided(used: Used, shares: Shares) -> list[tuple[AgentId, Used]]:
    """The amounts by space, to the unit, the largest share first; without shares, they are the whole tenant's."""
    if len(shares) < 2:
        return [(next(iter(shares), ANY_AGENT), used)]
    left, weight, parts = used, sum(shares.values()), list[tuple[AgentId, Used]]()
    for agent_id, share in sorted(shares.items(), key=lambda item: (-item[1], item[0])):
        part = Used(*(amount * share // weight if weight else amount for amount in left))
        left, weight = Used(*(amount - taken for amount, taken in zip(left, part, strict=True))), weight - share
        parts.append((agent_id, part))
    return parts


@dataclass(slots=True)
class ProviderFigures:
    """The use of a provider by this process. Written on the event loop only, read from any thread."""

    # Requests by how they ended.
    calls: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    nano_usd: int = 0


@dataclass(frozen=True, slots=True)
class Price:
    """The prices of tokens; those of an answer are the same as those of a request unless given."""

    usd_per_million_tokens: float
    usd_per_million_output_tokens: float | None = None

    def nano_usd(self, tokens: int, output_tokens: int = 0) -> int:
        """The price of a request of `tokens` and its answer, rounded up."""
        output_price = self.usd_per_million_output_tokens
        if output_price is None:
            output_price = self.usd_per_million_tokens
        # Billionths for millionths; rounded first, as 0.02 has no exact form.
        exact = (tokens * self.usd_per_million_tokens + output_tokens * output_price) * 1_000
        return math.ceil(round(exact, 6))

    def used(self, tokens: int, output_tokens: int = 0) -> Used:
        return Used(tokens, output_tokens, self.nano_usd(tokens, output_tokens))


def max_tokens(texts: Sequence[str]) -> int:
    """An upper bound of the tokens in these texts for any model: none makes more of a text than its bytes."""
    return sum(len(text.encode("utf-8", "surrogatepass")) + EXTRA_TOKENS_PER_TEXT for text in texts)


@dataclass(frozen=True, slots=True)
class Payment:
    """Amounts held for one request, until it is charged or refunded; else they count as spent."""

    reservation: Reservation | None
    held: Used
    limits: Sequence[SpendLimit] = ()


class Billing:
    """Pays for the requests that one operation sends to one model. Without a budget, or for nobody, the tenant pays
    nothing; limits of the work hold all the same."""

    def __init__(
        self,
        model_id: str,
        operation: Operation,
        budget: EmbeddingBudget | None,
        figures: ProviderFigures,
    ) -> None:
        self._model_id = model_id
        self._operation: Operation = operation
        self._budget = budget
        self._figures = figures

    async def reserve(self, tenant_id: TenantId, most: Used, limits: Sequence[SpendLimit] = ()) -> Payment:
        """Holds what a request may use at most, in the limits and in the tenant's budget. Raises BudgetExhausted,
        EmbeddingUnavailable, and then holds nothing."""
        hold_all(limits, most)
        try:
            return Payment(await self._reserved(tenant_id, most), most, limits)
        except BaseException:
            for limit in limits:
                limit.settle(most, NOTHING)
            raise

    async def charge(self, payment: Payment, used: Used, shares: Shares | None = None) -> None:
        """Settles what an answered request has used, by space."""
        self._figures.tokens += used.tokens
        self._figures.nano_usd += used.nano_usd
        await self._settle(payment, used, shares)

    async def refund(self, payment: Payment) -> None:
        """Settles a request that the provider has refused, and does not charge."""
        await self._settle(payment, NOTHING, None)

    async def _reserved(self, tenant_id: TenantId, most: Used) -> Reservation | None:
        if self._budget is None or tenant_id == NOBODY:
            return None
        try:
            return await self._budget.reserve(tenant_id, self._model_id, most.nano_usd, most.tokens)
        except DomainError as error:
            raise EmbeddingUnavailable(f"the budget cannot be asked: {error}") from error

    async def _settle(self, payment: Payment, used: Used, shares: Shares | None) -> None:
        for limit in payment.limits:
            limit.settle(payment.held, used)
        if self._budget is None or payment.reservation is None:
            return
        try:
            await self._budget.settle(payment.reservation, used, self._operation, shares)
        except DomainError as error:
            # The answer is there. The reserved amount counts as spent, which is never too little.
            logger.warning("spend not settled", extra={"cause": str(error)})


def shares_of(agent_ids: Sequence[AgentId], texts: Sequence[str]) -> Shares:
    """The characters of each space's texts; `agent_ids` has the space of each text, one for all, or none."""
    if len(agent_ids) == 1:
        return {agent_ids[0]: 1}
    shares: Shares = {}
    for agent_id, text in zip(agent_ids, texts, strict=bool(agent_ids)):
        shares[agent_id] = shares.get(agent_id, 0) + len(text)
    return shares
