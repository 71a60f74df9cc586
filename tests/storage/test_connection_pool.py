"""Callers that are cancelled at any moment leave the pool as it was, and are cancelled."""

import asyncio
import random
from contextlib import suppress

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.connection_pool import ConnectionPool
from camillo_server.storage.database import Database, Session
from psycopg import AsyncConnection

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase

CONNECTIONS = 4
CALLERS = 24
CALLS = 6_000
# Each has its own tenant, as one may not have all connections at once.
SCOPES = [Scope(TenantId(f"tenant-{i}"), AgentId("alice")) for i in range(CONNECTIONS)]
# Passes of the event loop, in which a connection goes from one caller to the next.
PASSES = 12


async def pass_often(times: int) -> None:
    for _ in range(times):
        await asyncio.sleep(0)


async def test_no_connection_is_lost_or_lent_twice(database: TestDatabase) -> None:
    settings = DatabaseSettings(pool_min=1, pool_max=CONNECTIONS, connect_timeout_seconds=PATIENCE_SECONDS)
    pool = Database(database.server_url, settings)
    await pool.open()
    todo = iter(range(CALLS))
    luck = random.Random(1)  # noqa: S311
    cancelled = 0

    async def call_and_cancel() -> None:
        nonlocal cancelled
        for i in todo:
            call = asyncio.create_task(pool.rows(SCOPES[i % CONNECTIONS], "select 1", {}))
            await pass_often(luck.choice((0, 1, 2, 3, 4, 5, 6, 8, 10, 20, 40)))
            call.cancel()
            if luck.random() < 0.3:
                await asyncio.sleep(0)
                call.cancel()
            with suppress(asyncio.CancelledError):
                await call
            cancelled += call.cancelled()

    every_one_is_lent = asyncio.Barrier(CONNECTIONS)

    async def meet(session: Session) -> int:
        [(backend,)] = await session.rows("select pg_backend_pid()", {})
        await every_one_is_lent.wait()
        return int(backend)

    try:
        await asyncio.gather(*(call_and_cancel() for _ in range(CALLERS)))
        assert 0 < cancelled < CALLS
        async with asyncio.timeout(PATIENCE_SECONDS):
            backends = await asyncio.gather(*(pool.read(scope, meet) for scope in SCOPES))
    finally:
        await pool.close()
    assert len({*backends}) == CONNECTIONS


async def test_a_cancellation_that_comes_with_a_connection_is_not_forgotten(database: TestDatabase) -> None:
    pool = ConnectionPool[AsyncConnection](database.server_url, min_size=1, max_size=1, open=False)
    came_first = []
    async with pool:
        for passes in range(PASSES):
            lent = await pool.getconn()
            waiting = asyncio.create_task(pool.getconn())
            await pass_often(PASSES)
            returning = asyncio.create_task(pool.putconn(lent))
            await pass_often(passes)
            is_accepted = waiting.cancel()
            await asyncio.wait([waiting, returning])
            assert waiting.cancelled() == is_accepted, passes
            came_first.append(is_accepted)
            if not is_accepted:
                await pool.putconn(waiting.result())
    # Before and after the connection was there.
    assert {*came_first} == {True, False}


async def test_a_return_that_is_cancelled_still_serves_who_waits(database: TestDatabase) -> None:
    pool = ConnectionPool[AsyncConnection](database.server_url, min_size=1, max_size=1, open=False)
    async with pool:
        for passes in range(1, PASSES):
            lent = await pool.getconn()
            # The return finds the waiting caller just as it begins to wait.
            waiting = asyncio.create_task(pool.getconn(timeout=PATIENCE_SECONDS))
            returning = asyncio.create_task(pool.putconn(lent))
            await pass_often(passes)
            returning.cancel()
            await asyncio.wait([returning])
            assert await waiting is lent, passes
            await pool.putconn(lent)


async def test_a_return_that_is_cancelled_rolls_back_first(database: TestDatabase) -> None:
    pool = ConnectionPool[AsyncConnection](database.server_url, min_size=1, max_size=1, open=False)
    async with pool:
        lent = await pool.getconn()
        cursor = await lent.execute("select set_config('camillo.tenant', 'acme', false)")
        assert await cursor.fetchall() == [("acme",)]
        returning = asyncio.create_task(pool.putconn(lent))
        await asyncio.sleep(0)
        assert returning.cancel()
        await asyncio.wait([returning])
        assert returning.cancelled()
        async with pool.connection() as again:
            assert again is lent
            cursor = await again.execute("select current_setting('camillo.tenant', true)")
            assert await cursor.fetchall() != [("acme",)]
