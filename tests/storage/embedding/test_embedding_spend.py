"""The account of what vectors cost: it never goes over the limit, however many ask at once, and outlives a restart."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import psycopg
import pytest
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.models.embedding.limits import NOTHING, BudgetExhausted, BudgetLimit, Used
from camillo_server.models.embedding.spend import EmbeddingBudget, Operation, Reservation, Shares
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.database import Database

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.tenant_keys import create_tenant
from tests.unit.identity.moving_clock import MovingClock

ACME, RIVAL = TenantId("acme"), TenantId("rival")
MODEL = "litellm-test-16"


class Servers:
    """Servers on one database, each with a pool of its own."""

    def __init__(self, database: TestDatabase, clock: MovingClock) -> None:
        self._database = database
        self._clock = clock
        self.opened: list[Database] = []

    async def start(self, limit: BudgetLimit | None) -> EmbeddingBudget:
        database = Database(
            self._database.server_url,
            DatabaseSettings(pool_min=1, pool_max=4, connect_timeout_seconds=PATIENCE_SECONDS),
        )
        await database.open()
        self.opened.append(database)
        return EmbeddingBudget(database, self._clock, limit)

    def rows(self, tenant_id: str = "acme") -> list[tuple[object, ...]]:
        with psycopg.connect(self._database.superuser_url) as connection:
            return connection.execute(
                "select day::text, model_id, nano_usd, tokens from camillo.embedding_spend"
                " where tenant_id = %s order by day, model_id",
                (tenant_id,),
            ).fetchall()

    def entries(self, tenant_id: str = "acme") -> list[tuple[object, ...]]:
        with psycopg.connect(self._database.superuser_url) as connection:
            return connection.execute(
                "select agent_id, operation, model_id, requests, input_tokens, output_tokens, nano_usd"
                " from camillo.token_usage where tenant_id = %s order by 1, 2, 3",
                (tenant_id,),
            ).fetchall()


@pytest.fixture
async def servers(database: TestDatabase, clock: MovingClock) -> AsyncIterator[Servers]:
    for tenant_id in (ACME, RIVAL):
        create_tenant(database, tenant_id, clock.now())
    running = Servers(database, clock)
    yield running
    for opened in running.opened:
        await opened.close()


async def reserved(spend: EmbeddingBudget, amount: int, tenant: TenantId = ACME) -> bool:
    try:
        await spend.reserve(tenant, MODEL, amount)
    except BudgetExhausted:
        return False
    return True


def at(clock: MovingClock, *moment: int) -> None:
    year, month, day, hour = moment
    clock.move((datetime(year, month, day, hour, tzinfo=UTC) - clock.now()).total_seconds())


async def test_what_is_set_aside_counts_until_it_is_settled(servers: Servers, clock: MovingClock) -> None:
    spend = await servers.start(BudgetLimit(100, "day"))
    first = await spend.reserve(ACME, MODEL, 80)
    assert first == Reservation(ACME, MODEL, clock.now().date(), 80)
    assert not await reserved(spend, 21)
    await spend.settle(first, Used(7, 0, 30), "embedding")
    assert await reserved(spend, 70)
    assert not await reserved(spend, 1)
    assert servers.rows() == [(str(clock.now().date()), MODEL, 100, 7)]


async def test_two_servers_with_many_callers_never_go_over_the_limit(servers: Servers) -> None:
    limit = BudgetLimit(100, "day")
    one, two = await servers.start(limit), await servers.start(limit)
    answers = await asyncio.gather(*(reserved(spend, 7) for _ in range(20) for spend in (one, two)))
    assert sum(answers) == 14
    assert [row[2] for row in servers.rows()] == [98]


async def test_the_account_outlives_a_restart(servers: Servers) -> None:
    limit = BudgetLimit(100, "day")
    assert await reserved(await servers.start(limit), 90)
    after = await servers.start(limit)
    assert not await reserved(after, 11)
    assert await reserved(after, 10)


async def test_a_tenant_does_not_pay_for_another(servers: Servers) -> None:
    spend = await servers.start(BudgetLimit(100, "day"))
    assert await reserved(spend, 100, ACME)
    assert not await reserved(spend, 1, ACME)
    assert await reserved(spend, 100, RIVAL)


async def test_models_share_one_budget(servers: Servers) -> None:
    spend = await servers.start(BudgetLimit(100, "day"))
    await spend.reserve(ACME, "another", 60)
    assert not await reserved(spend, 41)
    assert await reserved(spend, 40)


async def test_a_day_ends_at_midnight_utc(servers: Servers, clock: MovingClock) -> None:
    spend = await servers.start(BudgetLimit(100, "day"))
    at(clock, 2031, 1, 31, 23)
    assert await reserved(spend, 100)
    assert not await reserved(spend, 1)
    at(clock, 2031, 2, 1, 0)
    assert await reserved(spend, 100)


async def test_a_month_is_the_sum_of_its_days(servers: Servers, clock: MovingClock) -> None:
    spend = await servers.start(BudgetLimit(100, "month"))
    for day in (1, 15, 31):
        at(clock, 2031, 1, day, 12)
        assert await reserved(spend, 33)
    assert not await reserved(spend, 2)
    at(clock, 2031, 2, 1, 0)
    assert await reserved(spend, 100)
    assert len(servers.rows()) == 4


async def test_what_was_begun_before_midnight_is_settled_on_its_day(servers: Servers, clock: MovingClock) -> None:
    spend = await servers.start(BudgetLimit(100, "day"))
    at(clock, 2031, 1, 1, 23)
    begun = await spend.reserve(ACME, MODEL, 50)
    at(clock, 2031, 1, 2, 0)
    await spend.settle(begun, Used(3, 0, 20), "embedding")
    assert servers.rows() == [("2031-01-01", MODEL, 20, 3)]


async def test_without_a_limit_the_account_is_kept_all_the_same(servers: Servers) -> None:
    spend = await servers.start(None)
    for _ in range(2):
        await spend.settle(await spend.reserve(ACME, MODEL, 10**15), Used(1, 1, 40), "judging")
    assert [row[2:] for row in servers.rows()] == [(80, 4)]


async def test_sixteen_callers_stay_within_the_tokens_of_a_day(servers: Servers) -> None:
    spend = await servers.start(BudgetLimit(None, "day", tokens=50))

    async def asked() -> bool:
        try:
            await spend.reserve(ACME, MODEL, 10**12, 7)
        except BudgetExhausted as error:
            return (error.period, error.unit) != ("day", "tokens")
        return True

    assert sum(await asyncio.gather(*(asked() for _ in range(16)))) == 7
    assert [row[3] for row in servers.rows()] == [49]


async def test_reserved_tokens_are_replaced_by_those_used(servers: Servers) -> None:
    spend = await servers.start(BudgetLimit(10**9, "day", tokens=50))
    await spend.settle(await spend.reserve(ACME, MODEL, 40, 50), Used(3, 2, 10), "judging")
    assert [row[2:] for row in servers.rows()] == [(10, 5)]
    with pytest.raises(BudgetExhausted, match=r"this day is used up \(tokens\)"):
        await spend.reserve(ACME, MODEL, 1, 46)
    await spend.reserve(ACME, MODEL, 1, 45)


async def test_a_budget_of_zero_pays_for_what_costs_nothing_alone(servers: Servers) -> None:
    spend = await servers.start(BudgetLimit(0, "day"))
    assert not await reserved(spend, 1)
    assert await reserved(spend, 0)


async def test_each_operation_and_space_has_its_own_account(servers: Servers) -> None:
    spend = await servers.start(None)
    ana, shop, shared = AgentId("users/ana"), AgentId("projects/shop"), AgentId("")
    asked: list[tuple[Operation, Used, Shares, TenantId]] = [
        ("judging", Used(10, 5, 100), {ana: 1}, ACME),
        ("judging", Used(1, 1, 7), {ana: 1}, ACME),
        ("embedding", Used(10, 0, 101), {shop: 30, ana: 10, shared: 60}, ACME),
        ("embedding", Used(4, 0, 4), {}, ACME),
        ("reranking", Used(nano_usd=9), {ana: 1}, RIVAL),
    ]
    for operation, used, shares, tenant in asked:
        await spend.settle(await spend.reserve(tenant, MODEL, 0), used, operation, shares)
    assert servers.entries() == [
        ("", "embedding", MODEL, 1, 6, 0, 60),
        ("*", "embedding", MODEL, 1, 4, 0, 4),
        ("projects/shop", "embedding", MODEL, 0, 3, 0, 30),
        ("users/ana", "embedding", MODEL, 0, 1, 0, 11),
        ("users/ana", "judging", MODEL, 2, 11, 6, 107),
    ]
    assert servers.entries("rival") == [("users/ana", "reranking", MODEL, 1, 0, 0, 9)]
    assert [row[2] for row in servers.rows()] == [100 + 7 + 101 + 4]


async def test_a_request_that_is_refused_is_in_no_account(servers: Servers) -> None:
    spend = await servers.start(BudgetLimit(100, "day"))
    await spend.settle(await spend.reserve(ACME, MODEL, 80), NOTHING, "judging", {AgentId("users/ana"): 1})
    assert servers.entries() == []
    await spend.settle(await spend.reserve(ACME, MODEL, 80), Used(1, 0, 1), "judging", {AgentId("users/ana"): 1})
    assert len(servers.entries()) == 1
