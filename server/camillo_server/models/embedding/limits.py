"""Limits of what models may cost: each tenant's for a day or a month, and those of one piece of work."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple, Self

from camillo_server.kernel.errors import QuotaExceeded
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.settings.settings import MemorySettings

# Amounts of money are whole billionths of a US dollar: a token costs a few tens of them.
NANO = 1_000_000_000

Unit = Literal["cents", "tokens"]


class Used(NamedTuple):
    """Amounts that one request has used, or may use at most."""

    input_tokens: int = 0
    output_tokens: int = 0
    nano_usd: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


NOTHING = Used()


class BudgetExhausted(EmbeddingUnavailable):
    """A budget does not pay for this request: the tenant's, which the next day or month may, or that of one piece of
    work.

    `period` is what the budget is for: day, month, or the name of a SpendLimit such as run or session. `quota` says
    the same to a caller, who is refused for it.
    """

    def __init__(self, period: str, unit: Unit = "cents", limit: int = 0, budget: str = "embedding_budget") -> None:
        super().__init__(f"the model budget of this {period} is used up ({unit})")
        self.period = period
        self.unit: Unit = unit
        self.quota = QuotaExceeded(f"{budget}_{unit}", limit)


@dataclass(frozen=True, slots=True)
class BudgetLimit:
    """The limit of each tenant for a day or a month, in UTC. None: without a limit in that unit."""

    nano_usd: int | None
    period: Literal["day", "month"]
    tokens: int | None = None

    @classmethod
    def of(cls, settings: MemorySettings) -> Self | None:
        """The limit that the settings name; None where they name none."""
        usd, tokens = settings.embedding_budget_usd, settings.embedding_budget_tokens
        if usd is None and tokens is None:
            return None
        return cls(None if usd is None else round(usd * NANO), settings.embedding_budget_period, tokens)

    def first_day(self, today: date) -> date:
        return today if self.period == "day" else today.replace(day=1)

    def exhausted(self, unit: Unit) -> BudgetExhausted:
        return BudgetExhausted(self.period, unit, _amount(unit, self.nano_usd, self.tokens))


@dataclass(slots=True)
class SpendLimit:
    """The most that one piece of work may cost, such as a run or the runs of a session; it also counts what that has
    cost. It lives in one process: work that goes on elsewhere begins with what it has used so far.

    Requests under way count with the most that they may cost, and those whose cost nobody learns stay at that.
    """

    # Names the work, as in "the model budget of this run".
    period: str
    # Names the budget in the error that a caller is told, with its unit behind it.
    budget: str = "model_budget"
    # None: without a limit in that unit.
    max_nano_usd: int | None = None
    max_tokens: int | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    nano_usd: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def hold(self, most: Used) -> None:
        """Counts what a request may cost at most. Raises BudgetExhausted, and then counts nothing."""
        if self.max_nano_usd is not None and self.nano_usd + most.nano_usd > self.max_nano_usd:
            raise self._exhausted("cents")
        if self.max_tokens is not None and self.tokens + most.tokens > self.max_tokens:
            raise self._exhausted("tokens")
        self._add(most, 1)

    def settle(self, held: Used, used: Used) -> None:
        """Replaces what was held by what was used."""
        self._add(held, -1)
        self._add(used, 1)

    def _exhausted(self, unit: Unit) -> BudgetExhausted:
        return BudgetExhausted(self.period, unit, _amount(unit, self.max_nano_usd, self.max_tokens), self.budget)

    def _add(self, used: Used, sign: int) -> None:
        self.input_tokens += sign * used.input_tokens
        self.output_tokens += sign * used.output_tokens
        self.nano_usd += sign * used.nano_usd


def _amount(unit: Unit, nano_usd: int | None, tokens: int | None) -> int:
    return round((nano_usd or 0) * 100 / NANO) if unit == "cents" else tokens or 0


def hold_all(limits: Sequence[SpendLimit], most: Used) -> None:
    """Holds the amount in all of them, or in none. Raises BudgetExhausted."""
    held = list[SpendLimit]()
    try:
        for limit in limits:
            limit.hold(most)
            held.append(limit)
    except BudgetExhausted:
        for limit in held:
            limit.settle(most, NOTHING)
        raise
