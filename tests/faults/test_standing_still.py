"""Processes stopped by SIGSTOP while they hold locks: others go on after a bound, and who goes on later does no
harm."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1.task_pb2 import NewTask
from camillo.v1.task_service_pb2 import UpsertTaskRequest
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage import migrate
from camillo_server.storage.database import Database, Session
from camillo_server.storage.jobs.queue import DEFER_LOCK, SQL, JobQueue
from procrastinate import PsycopgConnector

from tests.faults.server_process import ServerProcess, server_process
from tests.faults.test_maintenance_jobs import EVERY_MINUTE, count, until_jobs
from tests.faults.worker_process import worker_process
from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, remember
from tests.rpc.records import open_task, tasks
from tests.server_fixtures import Caller, Server, StartServer, refused
from tests.storage.lifecycle.job_rows import let_pass
from tests.storage.locking import scope_held, until_waiting

pytestmark = [pytest.mark.xdist_group("kill"), pytest.mark.timeout(110)]

IDLE_SECONDS = FACTOR
SHORT = {"idle_in_transaction_timeout_seconds": IDLE_SECONDS}
# Long enough to be seen from outside, on a busy machine, too.
SEEN = {"idle_in_transaction_timeout_seconds": 4 * FACTOR}
IDLE = (
    "select count(*) from pg_stat_activity where datname = current_database()"
    " and state = 'idle in transaction' and usename = 'camillo_server'"
)


async def until_idle_in_transaction(database: TestDatabase, sessions: int) -> None:
    """Waits until so many sessions of servers have a transaction open, and do nothing."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await asyncio.to_thread(count, database, IDLE) < sessions:
            pass


async def stopped_amid_write(database: TestDatabase, process: ServerProcess, begin: Callable[[], Any]) -> Any:
    """The call that `begin` began, whose server holds the scope's lock and stands still."""
    with scope_held(database, "acme", "alice"):
        call = begin()
        await until_waiting(database, 1)
        process.stand_still()
    await until_idle_in_transaction(database, 1)
    return call


@pytest.mark.own_server
async def test_a_server_that_stands_still_amid_a_write_keeps_its_scope_for_a_bound(
    server: Server, tmp_path: Path
) -> None:
    await open_task(server.alice, "before 之前")
    url = server.database.server_url
    with server_process(tmp_path, database_url=url, database=SEEN) as process:
        async with grpc.aio.insecure_channel(await process.ready()) as channel:
            stopped = Caller(channel, server.keys.alice, PATIENCE_SECONDS)
            request = UpsertTaskRequest(request_id="once", task=NewTask(title="stopped 停住"))
            call = await stopped_amid_write(server.database, process, lambda: asyncio.ensure_future(stopped(request)))
            # It waits for the lock, and has it once Postgres has ended the other session.
            await open_task(server.alice, "meanwhile 其间")
            assert sorted(await tasks(server.alice)) == ["before 之前", "meanwhile 其间"]
            process.go_on()
            refusal = await refused(call)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE")
            # Nothing of the write was kept, so its repeat counts as the first.
            assert len(await tasks(server.alice)) == 2
            first, repeat = await stopped(request), await stopped(request)
            assert first.task == repeat.task
            assert sorted(await tasks(server.alice)) == sorted(["before 之前", "meanwhile 其间", "stopped 停住"])
            assert sorted(await tasks(stopped)) == sorted(await tasks(server.alice))


async def test_maintenance_that_stands_still_is_done_once_by_another(start_server: StartServer, tmp_path: Path) -> None:
    idle = await start_server(jobs={"enabled": False})
    await remember(idle.alice, "a zebra that matters", importance=0.9)
    for number in range(20):
        await remember(idle.alice, f"hardly anything 斑马 {number}", importance=0.05)
    sections: dict[str, dict[str, Any]] = {"lifecycle": EVERY_MINUTE, "database": SEEN}
    url = idle.database.server_url
    with worker_process(tmp_path / "first", url, **sections) as first:
        with scope_held(idle.database, "acme", "alice"):
            await first.ready()
            await until_waiting(idle.database, 1)
            first.stand_still()
        await until_idle_in_transaction(idle.database, 1)
        # The scope is free again, though the worker has said nothing.
        await remember(idle.alice, "written meanwhile 其间", importance=0.9)
        let_pass(idle.database, 31.0)
        with worker_process(tmp_path / "second", url, **sections) as second:
            await second.ready()
            await until_jobs(idle.database, "maintain_scope", lambda rows: not rows or rows[0].status == "todo")
            let_pass(idle.database, 5.0)
            await until_jobs(idle.database, "maintain_scope", lambda rows: not rows)
            kept = ["a zebra that matters", "written meanwhile 其间"]
            assert sorted(await listed(idle.alice)) == kept
            first.go_on()
            # It has lost its transaction, and gives back a job that is another's by now.
            assert await first.terminate() == 0
            assert await second.terminate() == 0
    assert sorted(await listed(idle.alice)) == kept
    assert count(idle.database, "select count(*) from camillo.memories where archived") == 20
    assert count(idle.database, "select count(*) from camillo.memory_history") == 20


async def test_who_stands_still_while_it_defers_jobs_keeps_the_queue_for_a_bound(database: TestDatabase) -> None:
    settings = DatabaseSettings.model_validate(SHORT)
    still, other = (JobQueue(database.server_url, settings) for _ in range(2))
    await still.open()
    await other.open()

    async def stand_still() -> None:
        async with transaction_of(still) as connection:
            await connection.execute(SQL["lock_deferring"], {"key": DEFER_LOCK})
            async with transaction_of(other) as another:
                await another.execute(SQL["lock_deferring"], {"key": DEFER_LOCK})
            await connection.execute("select 1")

    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
                await stand_still()
        assert await still.figures() == []
    finally:
        await still.close()
        await other.close()


@asynccontextmanager
async def transaction_of(queue: JobQueue) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    """A transaction on a connection of the queue's own pool."""
    connector = queue.app.connector
    assert isinstance(connector, PsycopgConnector)
    async with connector.pool.connection() as connection, connection.transaction():
        yield connection


async def test_a_lock_of_quotas_is_kept_for_a_bound(database: TestDatabase) -> None:
    settings = DatabaseSettings.model_validate({**SHORT, "pool_max": 4})
    scope = Scope(TenantId("acme"), AgentId("alice"))
    lock = "select pg_advisory_xact_lock(hashtextextended('artifact_bytes/acme', 0))"
    still, other = (Database(database.server_url, settings) for _ in range(2))
    await still.open()
    await other.open()
    has_lock = asyncio.Event()

    async def stand_still(session: Session) -> None:
        async with session.transaction():
            await session.execute(lock)
            has_lock.set()
            await other.transaction(scope, take)
            await session.execute("select 1")

    async def take(session: Session) -> None:
        await session.execute(lock)

    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            # Told as what it is: it may be tried again.
            with pytest.raises(StorageUnavailable):
                await still.write(scope, stand_still)
        assert has_lock.is_set()
        await still.transaction(scope, take)
    finally:
        await still.close()
        await other.close()


def test_a_migration_that_stands_still_lets_go_of_its_lock(
    database: TestDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = f"'{IDLE_SECONDS}s'"
    monkeypatch.setattr(
        migrate,
        "IDLE_TIMEOUTS",
        f"set idle_session_timeout = {seconds}; set idle_in_transaction_session_timeout = {seconds}",
    )
    upgrade = migrate._upgrade_between_others
    waited: list[bool] = []

    def stand_still(connection: Any, version: str) -> None:
        if not waited:
            waited.append(True)
            # Another one, which waits for the lock that this one has.
            migrate.run_migrations(database.owner_url)
            connection.exec_driver_sql("select 1")
        upgrade(connection, version)

    monkeypatch.setattr(migrate, "_upgrade_between_others", stand_still)
    with pytest.raises(psycopg.errors.IdleSessionTimeout):
        migrate.run_migrations(database.owner_url)
    assert waited
    assert migrate.migrate(database.owner_url) == migrate.latest_version()
