"""A lent connection is bound to the scope of its work, and to no other, however that work ends."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.settings import DatabaseSettings
from camillo_server.storage.database import Database, Session
from psycopg import Rollback
from psycopg import errors as pg

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase

ACME = TenantId("acme")
ALICE, BOB = Scope(ACME, AgentId("alice")), Scope(ACME, AgentId("bøb 茶"))
SCOPE = "select current_setting('camillo.tenant') || '/' || current_setting('camillo.agent')"
AS_ALICE, AS_BOB = [("acme/alice",)], [("acme/bøb 茶",)]
CANCELLATIONS = 300


@asynccontextmanager
async def one_connection(database: TestDatabase) -> AsyncIterator[Database]:
    """Which every work has after the other."""
    pool = Database(database.server_url, DatabaseSettings(pool_min=1, pool_max=1))
    await pool.open()
    try:
        yield pool
    finally:
        await pool.close()


@pytest.fixture
async def one(database: TestDatabase) -> AsyncIterator[Database]:
    async with one_connection(database) as pool:
        yield pool


@pytest.fixture
async def other(database: TestDatabase) -> AsyncIterator[Database]:
    async with one_connection(database) as pool:
        yield pool


async def scope_of(session: Session) -> list[tuple[str]]:
    return await session.rows(SCOPE, {})


async def backend_of(session: Session) -> int:
    [(pid,)] = await session.rows("select pg_backend_pid()", {})
    return int(pid)


async def test_a_rollback_leaves_no_other_scope(one: Database) -> None:
    async def work(session: Session) -> list[tuple[str]]:
        async with session.transaction() as transaction:
            assert await scope_of(session) == AS_BOB
            raise Rollback(transaction)
        return await scope_of(session)

    assert await one.read(ALICE, scope_of) == AS_ALICE
    assert await one.write(BOB, work) == AS_BOB
    async with one.snapshot(ALICE) as session:
        assert await scope_of(session) == AS_ALICE


async def test_a_statement_that_fails_leaves_no_other_scope(one: Database) -> None:
    async def work(session: Session) -> list[tuple[str]]:
        with pytest.raises(pg.DivisionByZero):
            await session.rows("select 1 / 0", {})
        return await scope_of(session)

    async def fail(session: Session) -> None:
        await session.execute("select 1 / 0")

    assert await one.read(ALICE, scope_of) == AS_ALICE
    assert await one.read(BOB, work) == AS_BOB
    with pytest.raises(pg.DivisionByZero):
        await one.read(ALICE, fail)
    assert await one.read(BOB, scope_of) == AS_BOB


async def test_work_that_is_cancelled_at_any_moment_leaves_a_connection_that_works(
    one: Database, other: Database
) -> None:
    """And mostly the same one: clients with short deadlines do not have Postgres start a process for each call."""
    dice, backends, cancelled = random.Random(7), Counter[int](), 0  # noqa: S311

    async def work(session: Session) -> None:
        async with session.transaction():
            await session.execute("select 1")
        await session.execute("select pg_sleep(0.001)")

    for number in range(CANCELLATIONS):
        scope, expected = ((ALICE, AS_ALICE), (BOB, AS_BOB))[number % 2]
        task = asyncio.create_task(one.write((BOB, ALICE)[number % 2], work))
        # Moments between its beginning and its end, told by what another connection does meanwhile.
        for _ in range(dice.randrange(20)):
            await other.read(ALICE, backend_of)
        for _ in range(dice.randrange(20)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        cancelled += task.cancelled()
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await one.read(scope, scope_of) == expected
        backends[await one.read(scope, backend_of)] += 1
    assert cancelled > CANCELLATIONS / 5
    assert len(backends) < CANCELLATIONS / 10
