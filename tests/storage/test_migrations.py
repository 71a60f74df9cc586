"""Migrations: from nothing, again, at once, refused; and with no more rights than they need."""

import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from alembic import command
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.storage.embedded.account import OWNER, SERVER, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.migrate import (
    SchemaTooNew,
    SchemaTooOld,
    TableLocked,
    VectorExtensionMissing,
    grant_rows,
    latest_version,
    migrate,
    require_current_schema,
    run_migrations,
)
from camillo_server.storage.migrations import jobs_schema
from psycopg import sql

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase, numbers
from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import StartServer
from tests.storage.next_migrations import know_next_migrations


@pytest.fixture
def empty_database(embedded_postgres: EmbeddedPostgres) -> Iterator[TestDatabase]:
    """A database with the extension, in which neither role has any right."""
    name = f"empty_{next(numbers)}"
    identifier = sql.Identifier(name)
    with psycopg.connect(embedded_postgres.superuser_url, autocommit=True) as superuser:
        superuser.execute(sql.SQL("create database {}").format(identifier))
        superuser.execute(sql.SQL("revoke all on database {} from public").format(identifier))
        with psycopg.connect(embedded_postgres.url(SUPERUSER, name)) as inside:
            inside.execute("create extension vector")
        yield TestDatabase.of(embedded_postgres, name)
        superuser.execute(sql.SQL("drop database {} with (force)").format(identifier))


def grant(database: TestDatabase, rights: str, role: str) -> None:
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute(f"grant {rights} on database {database.name} to {role}")


def tables(database: TestDatabase) -> set[str]:
    with psycopg.connect(database.superuser_url) as connection:
        rows = connection.execute(
            "select table_name::text from information_schema.tables where table_schema = 'camillo'"
        )
        return {row[0] for row in rows}


def test_from_nothing_and_then_again(empty_database: TestDatabase) -> None:
    url = empty_database.superuser_url
    assert tables(empty_database) == set()
    assert migrate(url) == latest_version()
    made = tables(empty_database)
    assert {"memories", "scopes", "schema_version"} <= made
    assert migrate(url) == latest_version()
    assert tables(empty_database) == made


def test_several_at_once_take_turns(empty_database: TestDatabase) -> None:
    outcomes: list[object] = []

    def work() -> None:
        try:
            outcomes.append(migrate(empty_database.superuser_url))
        except Exception as error:  # noqa: BLE001 (told below)
            outcomes.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert outcomes == [latest_version()] * 4
    with psycopg.connect(empty_database.superuser_url) as connection:
        assert connection.execute("select count(*) from camillo.database_identity").fetchone() == (1,)


def test_two_that_grant_rights_at_once_take_turns(database: TestDatabase) -> None:
    outcomes: list[object] = []

    def work() -> None:
        try:
            with psycopg.connect(database.owner_url) as second:
                grant_rows(second, SERVER)
                outcomes.append("granted")
        except psycopg.Error as error:
            outcomes.append(error)

    with (
        psycopg.connect(database.owner_url) as first,
        psycopg.connect(database.superuser_url, autocommit=True) as observer,
        first.transaction(),
    ):
        grant_rows(first, SERVER)
        thread = threading.Thread(target=work)
        thread.start()
        waiting = "select count(*) from pg_locks l join pg_database d on d.datname = current_database()"
        waiting += " join pg_stat_activity a on a.pid = l.pid and a.datid = d.oid where not l.granted"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while observer.execute(waiting.encode()).fetchone() == (0,):
            assert time.monotonic() < deadline, "the second one never waited"
    thread.join(PATIENCE_SECONDS)
    assert outcomes == ["granted"]


def test_others_go_on_reading_while_a_migration_waits_for_a_table(
    database: TestDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A migration that waits for a lock would hold up everybody who comes behind it."""
    know_next_migrations(tmp_path, monkeypatch)
    monkeypatch.setattr("camillo_server.storage.migrate.LOCK_TIMEOUT", "set lock_timeout = '50ms'")
    monkeypatch.setattr("camillo_server.storage.migrate.LOCK_PAUSE", "select pg_sleep(0.05)")
    long_read = "select count(*) from camillo.api_keys"
    migrated: list[str] = []
    with (
        psycopg.connect(database.superuser_url) as long,
        psycopg.connect(database.superuser_url, autocommit=True) as short,
    ):
        short.execute(f"set statement_timeout = '{PATIENCE_SECONDS}s'".encode())
        long.execute(long_read)
        migration = threading.Thread(target=lambda: migrated.append(migrate(database.owner_url)))
        migration.start()
        wait_for_lock_on(short, "api_keys")
        for _ in range(20):
            short.execute(long_read)  # would wait for the end of the long transaction
        assert not migrated
        long.commit()
        migration.join(PATIENCE_SECONDS)
    assert migrated == [latest_version()]


def test_a_table_that_is_held_too_long_is_told(
    database: TestDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_next_migrations(tmp_path, monkeypatch)
    monkeypatch.setattr("camillo_server.storage.migrate.LOCK_TIMEOUT", "set lock_timeout = '50ms'")
    monkeypatch.setattr("camillo_server.storage.migrate.LOCK_ATTEMPTS", 2)
    monkeypatch.setattr("camillo_server.storage.migrate.LOCK_PAUSE", "select 1")
    with psycopg.connect(database.superuser_url) as long:
        long.execute("select count(*) from camillo.api_keys")
        with pytest.raises(TableLocked, match="pg_stat_activity"):
            migrate(database.owner_url)
    assert migrate(database.owner_url) == latest_version()


def wait_for_lock_on(connection: psycopg.Connection, table: str) -> None:
    waiting = "select count(*) from pg_locks where not granted and relation = %s::regclass"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while connection.execute(waiting, (f"camillo.{table}",)).fetchone() == (0,):
        assert time.monotonic() < deadline, "the migration never waited"


def test_a_newer_schema_is_refused_by_name_and_left_alone(database: TestDatabase) -> None:
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute("update camillo.schema_version set version_num = '9999'")
    before = tables(database)
    with pytest.raises(SchemaTooNew, match="9999"):
        migrate(database.owner_url, SERVER)
    assert tables(database) == before


def test_a_missing_extension_is_told_with_what_to_do(empty_database: TestDatabase) -> None:
    with psycopg.connect(empty_database.superuser_url, autocommit=True) as superuser:
        superuser.execute("drop extension vector")
    with pytest.raises(VectorExtensionMissing, match="create extension vector"):
        migrate(empty_database.superuser_url)
    assert tables(empty_database) == set()


async def test_the_least_rights_are_enough(empty_database: TestDatabase, start_server: StartServer) -> None:
    """The owner may connect and create its schema; the server may connect and stage rows, and owns nothing."""
    grant(empty_database, "connect, create", OWNER)
    grant(empty_database, "connect, temporary", SERVER)
    migrate(empty_database.owner_url, SERVER)
    started = await start_server(on=empty_database)
    await remember(started.alice, "with few rights")
    hits = (await recall(started.alice, "rights")).hits
    assert [hit.memory.content for hit in hits] == ["with few rights"]
    batch = service.BatchRememberRequest(memories=[pb.NewMemory(content="staged")])
    assert (await started.alice(batch)).results[0].memory.content == "staged"


async def test_one_role_may_own_and_serve(empty_database: TestDatabase, start_server: StartServer) -> None:
    """The operator may have one role only; the policies are forced, so they bind it as well."""
    grant(empty_database, "connect, create, temporary", OWNER)
    migrate(empty_database.owner_url)
    started = await start_server(on=replace(empty_database, server_url=empty_database.owner_url))
    await remember(started.alice, "mine")
    await remember(started.rival, "theirs", agent_id="alice")
    assert await listed(started.alice) == ["mine"]
    with psycopg.connect(empty_database.owner_url) as connection:
        assert connection.execute("select count(*) from camillo.memories").fetchone() == (0,)


def job_tables(database: TestDatabase) -> set[str]:
    with psycopg.connect(database.superuser_url) as connection:
        rows = connection.execute(
            "select table_name::text from information_schema.tables where table_schema = 'camillo_jobs'"
        )
        return {row[0] for row in rows}


async def test_the_version_before_is_upgraded_with_what_is_in_it_and_taken_back(
    empty_database: TestDatabase, start_server: StartServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant(empty_database, "connect, create", OWNER)
    grant(empty_database, "connect, temporary", SERVER)
    before = migrate(empty_database.owner_url, SERVER)
    started = await start_server(on=empty_database)
    await remember(started.alice, "kept")
    await started.app.stop()
    know_next_migrations(tmp_path, monkeypatch)
    with pytest.raises(SchemaTooOld, match=before):
        require_current_schema(empty_database.server_url)

    assert migrate(empty_database.owner_url, SERVER) == latest_version() == "9002"
    assert noted(empty_database) == 1
    started = await start_server(on=empty_database)
    assert await listed(started.alice) == ["kept"]
    await started.app.stop()

    to, back = command.upgrade, command.downgrade
    monkeypatch.setattr(command, "upgrade", lambda config, _: back(config, before))
    run_migrations(empty_database.owner_url)
    with pytest.raises(psycopg.errors.UndefinedColumn):
        noted(empty_database)
    monkeypatch.setattr(command, "upgrade", to)
    migrate(empty_database.owner_url, SERVER)
    started = await start_server(on=empty_database)
    assert await listed(started.alice) == ["kept"]
    with psycopg.connect(empty_database.superuser_url) as connection:
        counted = connection.execute("select sum(memory_bytes) from camillo.scopes").fetchone()
    assert counted == (len("kept"),)


def noted(database: TestDatabase) -> int:
    """How many rows the next migrations filled in."""
    with psycopg.connect(database.superuser_url) as connection:
        rows = connection.execute("select 1 from camillo.memories where is_noted").fetchall()
    return len(rows)


@pytest.fixture
def newer_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """procrastinate as if it had grown two migrations."""
    folder = tmp_path / "sql"
    shutil.copytree(jobs_schema._sql_directory(), folder)
    for name, table in (("98.00.00_01_pre_one", "one"), ("98.00.00_50_post_two", "two")):
        (folder / "migrations" / f"{name}.sql").write_text(
            f"create table procrastinate_{table} as select 100 % 7 as n;"
            f"create function procrastinate_{table}() returns void language sql as $$ select $$;"
        )
    monkeypatch.setattr(jobs_schema, "_sql_directory", lambda: folder)
    jobs_schema.package_migrations.cache_clear()
    yield
    jobs_schema.package_migrations.cache_clear()


def test_a_newer_procrastinate_brings_its_tables_with_the_next_migration(
    database: TestDatabase, request: pytest.FixtureRequest
) -> None:
    require_current_schema(database.server_url)
    before = job_tables(database)
    request.getfixturevalue("newer_package")
    with pytest.raises(SchemaTooOld, match="procrastinate"):
        require_current_schema(database.server_url)
    for _ in range(2):
        assert migrate(database.owner_url, SERVER) == latest_version()
    assert job_tables(database) - before == {"procrastinate_one", "procrastinate_two"}
    require_current_schema(database.server_url)
    with psycopg.connect(database.server_url) as server:
        assert server.execute("select n from camillo_jobs.procrastinate_two").fetchone() == (2,)


def test_an_older_procrastinate_is_content_with_newer_tables(database: TestDatabase) -> None:
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute("update camillo_jobs.last_migration set name = '98.00.00_01_pre_one.sql'")
    assert migrate(database.owner_url, SERVER) == latest_version()
    require_current_schema(database.server_url)
