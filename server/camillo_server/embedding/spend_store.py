"""Spending of tenants on vectors, kept in Postgres: it outlives restarts and holds for all servers together."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, Self

from camillo_server.embedding.embedder import NANO, BudgetExhausted, Reservation
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import TenantId
from camillo_server.settings import MemorySettings
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import statements

SQL = statements("embedding/spend")


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


class PostgresEmbeddingSpend:
    """`EmbeddingBudget` on Postgres. Without a limit it only keeps account."""

    def __init__(self, database: Database, clock: Clock, limit: BudgetLimit | None) -> None:
        self._database = database
        self._clock = clock
        self._limit = limit

    async def reserve(self, tenant_id: TenantId, model_id: str, nano_usd: int) -> Reservation:
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

        if not await self._database.transaction(tenant_id, work):
            raise BudgetExhausted(limit.period)
        return Reservation(tenant_id, model_id, today, nano_usd)

    async def settle(self, reservation: Reservation, nano_usd: int, tokens: int) -> None:
        parameters = {
            "tenant_id": reservation.tenant_id,
            "day": reservation.day,
            "model_id": reservation.model_id,
            "change": nano_usd - reservation.nano_usd,
            "tokens": tokens,
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["settle"], parameters)

        await self._database.write(reservation.tenant_id, work)
