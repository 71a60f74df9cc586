"""A lent connection is bound to the scope of its work, and to no other, however that work ends."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from camillo_server.kernel.errors import DeadlineExceeded, StorageUnavailable
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.database import Database, Session
from camillo_server.storage.wire import MAX_PREPARED
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
    """A database with one connection, which every work has after the other."""
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


def as_agent(scope: Scope) -> list[tuple[str]]:
    return [(f"{scope.tenant_id}/{scope.agent_id}",)]


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
    """The connection is mostly the same one: short deadlines do not have Postgres start a process for each call."""
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


async def test_a_statement_alone_is_bound_to_its_scope_however_the_one_before_ended(
    one: Database,
) -> None:
    assert await one.rows(ALICE, SCOPE, {}) == AS_ALICE
    assert await one.read(BOB, scope_of) == AS_BOB
    assert await one.rows(ALICE, SCOPE, {}) == AS_ALICE
    for _ in range(2):
        with pytest.raises(pg.DivisionByZero):
            await one.rows(BOB, "select 1 / %(divisor)s::integer", {"divisor": 0})
        assert await one.rows(ALICE, SCOPE, {}) == AS_ALICE
        with pytest.raises(pg.DivisionByZero):
            await one.rows(ALICE, "select 1 / %(divisor)s::integer", {"divisor": 0})
        assert await one.rows(BOB, SCOPE, {}) == AS_BOB
    async with one.snapshot(BOB) as session:
        assert await scope_of(session) == AS_BOB


async def test_a_statement_alone_that_is_cancelled_at_any_moment_leaves_a_connection_that_works(
    one: Database, other: Database
) -> None:
    dice, backends, cancelled = random.Random(8), Counter[int](), 0  # noqa: S311
    for number in range(CANCELLATIONS):
        scope, stranger = ((ALICE, BOB), (BOB, ALICE))[number % 2]
        task = asyncio.create_task(one.rows(stranger, "select pg_sleep(0.002)", {}))
        # Moments between its beginning and its end, told by what another connection does meanwhile.
        for _ in range(dice.randrange(6)):
            await other.read(ALICE, backend_of)
        for _ in range(dice.randrange(12)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        cancelled += task.cancelled()
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await one.rows(scope, SCOPE, {}) == as_agent(scope)
        backends[await one.read(scope, backend_of)] += 1
    assert cancelled > CANCELLATIONS / 5
    assert len(backends) < CANCELLATIONS / 10


async def test_few_connections_serve_many_agents_each_as_itself(database: TestDatabase) -> None:
    """Whatever others do on them: work in transactions and alone, of which some fails, takes too long or is
    cancelled."""
    settings = DatabaseSettings(pool_min=1, pool_max=3, statement_timeout_seconds=0.2)
    pool = Database(database.server_url, settings)
    await pool.open()
    outcomes = Counter[str]()

    async def call(scope: Scope, dice: random.Random) -> None:
        if dice.random() < 0.5:
            found = await pool.rows(scope, SCOPE, {})
        else:
            found = await pool.transaction(scope, scope_of)
        assert found == as_agent(scope)
        outcomes["served"] += 1

    async def disturb(scope: Scope, dice: random.Random) -> None:
        sql = dice.choice(("select 1 / 0", "select pg_sleep(9)", "select pg_sleep(0.001)"))
        task = asyncio.create_task(pool.rows(scope, sql, {}))
        if dice.random() < 0.5:
            for _ in range(dice.randrange(20)):
                await asyncio.sleep(0)
            task.cancel()
        await asyncio.wait([task])
        error = None if task.cancelled() else task.exception()
        outcomes["cancelled" if task.cancelled() else type(error).__name__] += 1

    async def agent(number: int) -> None:
        scope, dice = Scope(ACME, AgentId(f"agent-{number}")), random.Random(number)  # noqa: S311
        for _ in range(40):
            try:
                await (disturb if dice.random() < 0.3 else call)(scope, dice)
            except (DeadlineExceeded, StorageUnavailable):
                # It waited for a connection for too long.
                outcomes["late"] += 1

    try:
        async with asyncio.timeout(PATIENCE_SECONDS * 3):
            await asyncio.gather(*map(agent, range(12)))
    finally:
        await pool.close()
    assert outcomes["served"] > 100
    assert all(outcomes[each] for each in ("DivisionByZero", "DeadlineExceeded", "cancelled"))


async def test_statements_are_kept_prepared_up_to_a_number_of_them(one: Database) -> None:
    count = "select count(*)::integer from pg_prepared_statements"
    for number in range(MAX_PREPARED + 50):
        sql = f"select {number} %% 7, %(text)s || '%%', %(text)s || %(number)s::text"
        parameters = {"text": "茶 🍵", "number": number}
        rows = await one.rows(ALICE, sql, parameters)
        assert rows == [(number % 7, "茶 🍵%", f"茶 🍵{number}")]
    [(prepared,)] = await one.rows(ALICE, count, {})
    assert MAX_PREPARED <= prepared <= MAX_PREPARED + 5


async def test_a_statement_that_was_never_run_is_prepared_also_where_it_fails(
    one: Database,
) -> None:
    """Its next run finds it there."""
    sql = "select 1 / %(divisor)s::integer"
    with pytest.raises(pg.DivisionByZero):
        await one.rows(ALICE, sql, {"divisor": 0})
    assert await one.rows(ALICE, sql, {"divisor": 1}) == [(1,)]
    count = "select count(*)::integer from pg_prepared_statements where statement like 'select 1 /%%'"
    assert await one.rows(ALICE, count, {}) == [(1,)]


async def test_statements_that_the_driver_drops_after_a_rollback_are_prepared_again(
    one: Database,
) -> None:
    """The driver tells by a method that is not of its public interface: this fails where another release has none."""
    sql = "select '茶', 7"
    kept = f"select count(*)::integer from pg_prepared_statements where statement = $${sql}$$"

    async def count(session: Session) -> list[tuple[int]]:
        return await session.rows(kept, {})

    async def roll_back(session: Session) -> None:
        async with session.transaction() as transaction:
            await session.execute("select 1", prepare=True)
            raise Rollback(transaction)

    assert await one.rows(ALICE, sql, {}) == [("茶", 7)]
    assert await one.read(ALICE, count) == [(1,)]
    await one.read(ALICE, roll_back)
    assert await one.read(ALICE, count) == [(0,)]
    assert await one.rows(ALICE, sql, {}) == [("茶", 7)]
    assert await one.read(ALICE, count) == [(1,)]


async def test_statements_sent_together_in_a_transaction_answer_each_and_end_with_it(one: Database) -> None:
    number, text = ("select %(n)s::int as number", {"n": 7}), ("select %(t)s::text as text", {"t": "茶"})

    async def kept(session: Session) -> list[object]:
        await session.execute("create temporary table kept (n int primary key)")
        answers = []
        for _ in range(2):
            # The second time all of them are prepared.
            first, none, last = await session.run_each(number, ("delete from kept", {}), text)
            answers += [first.records()[0].number, none.rows(), last.records()[0].text]
        await session.run_each(("insert into kept values (%(n)s)", {"n": 1}))
        return answers

    assert await one.transaction(ALICE, kept) == [7, [], "茶"] * 2

    async def failing(session: Session) -> None:
        insert = "insert into kept values (%(n)s)"
        await session.run_each((insert, {"n": 2}), (insert, {"n": 1}), (insert, {"n": 3}))

    with pytest.raises(pg.UniqueViolation):
        await one.transaction(ALICE, failing)
    assert await one.rows(ALICE, "select n from kept", {}) == [(1,)]
