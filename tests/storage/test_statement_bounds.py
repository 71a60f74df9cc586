"""Bounds of the statements of every connection to Postgres that the server opens, and the few that have no bound."""

import ast
from collections.abc import Iterator
from pathlib import Path

import camillo_server
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.database import Database, Session
from camillo_server.storage.jobs.queue import JobQueue
from procrastinate import PsycopgConnector

from tests.postgres_fixtures import TestDatabase
from tests.python_sources import parsed

SERVER = Path(camillo_server.__file__).parent
OPENING = {
    "psycopg.connect",
    "psycopg.AsyncConnection.connect",
    "AsyncConnection.connect",
    "BoundedConnection.connect",
    "AsyncConnectionPool",
    "ConnectionPool",
    "QueueConnector",
    "sqlalchemy.create_engine",
}
# Every place that opens connections, and what ends a statement of one.
BOUNDS = {
    "storage/database.py": "the caller's deadline, or database.statement_timeout_seconds",
    "storage/jobs/queue.py": "database.statement_timeout_seconds",
    "storage/change_notifier.py": "the client waits 5 s for an answer",
    "storage/connection_pool.py": "30 s: what a start or a check asks (connect_briefly)",
    "cli/reencryption.py": "an hour, as the owner, beside servers that go on",
    "storage/vacuum.py": "an hour for each table; none for the index, which an interruption would leave invalid",
    # None, on purpose: they work for as long as they have to, under the eyes of an operator.
    "storage/migrate.py": "none; a lock of a table is waited for a second, a lock held while idle is let go after 60 s",
    "search/store/vector_index.py": "none: an index of millions of vectors",
    "cli/doctor/database.py": "none: it reads whole tables",
    "across/backup/store/snapshot.py": "none: one snapshot for as long as the copy of every table takes",
    "across/backup/store/target.py": "none: it fills whole tables",
    "storage/embedded/account.py": "none: over the socket of a Postgres that this process has just started",
}


def opened(path: Path) -> Iterator[str]:
    """The calls in a file that open connections."""
    for node in ast.walk(parsed(path.read_text())):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in OPENING:
            yield name


def test_every_connection_has_its_bound_in_this_list() -> None:
    found = {str(path.relative_to(SERVER)): names for path in SERVER.rglob("*.py") if (names := list(opened(path)))}
    assert found.keys() == BOUNDS.keys()


def test_no_other_file_lifts_a_time_out() -> None:
    lifting = ("statement_timeout = 0", "'statement_timeout', '0'")
    files = {
        str(path.relative_to(SERVER))
        for path in (*SERVER.rglob("*.py"), *SERVER.rglob("*.sql"))
        if any(each in path.read_text() for each in lifting)
    }
    assert files == {
        "across/backup/store/snapshot.sql",
        "search/store/vector_index.py",
        "storage/vacuum.py",
    }


async def test_work_without_a_deadline_is_bounded_in_the_pools_and_in_the_queue(
    database: TestDatabase,
) -> None:
    settings = DatabaseSettings(statement_timeout_seconds=10, idle_in_transaction_timeout_seconds=20.5)
    scope = Scope(TenantId("acme"), AgentId("alice"))
    shown = "select current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout')"

    async def ask(session: Session) -> tuple[object, ...]:
        assert session.answer_seconds == 15
        return await session.only_row(shown, {})

    for each in (settings, settings.for_background()):
        pool = Database(database.server_url, each)
        await pool.open()
        try:
            assert await pool.write(scope, ask) == ("10s", "20500ms")
        finally:
            await pool.close()
    queue = JobQueue(database.server_url, settings)
    await queue.open()
    try:
        connector = queue.app.connector
        assert isinstance(connector, PsycopgConnector)
        async with connector.pool.connection() as connection:
            cursor = await connection.execute(shown)
            assert await cursor.fetchone() == ("10s", "20500ms")
            assert connection.answer_seconds == 15  # type: ignore[attr-defined]
    finally:
        await queue.close()
