"""The connections that Postgres allows, and those that a server takes."""

import logging
from pathlib import Path

import psycopg
import pytest
from camillo_server.assembly.processes.connections import fit_pool, read_limits
from camillo_server.settings.sections import ServerSettings
from camillo_server.settings.settings import DatabaseSettings, Settings
from camillo_server.storage.database import NO_TENANT, Database
from camillo_server.storage.migrate import ServerRoleError

from tests.postgres_fixtures import TestDatabase

TWO_WORKERS = Settings(data_dir=Path("unused"), server=ServerSettings(workers=2))


def allow(database: TestDatabase, connections: int) -> None:
    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        superuser.execute(f"alter database {database.name} connection limit {connections}".encode())


def test_pools_are_as_large_as_set_where_postgres_has_room(database: TestDatabase) -> None:
    assert fit_pool(TWO_WORKERS, database.server_url) is TWO_WORKERS


def test_pools_shrink_to_what_postgres_allows(database: TestDatabase, caplog: pytest.LogCaptureFixture) -> None:
    allow(database, 19)
    with caplog.at_level(logging.WARNING):
        fitted = fit_pool(TWO_WORKERS, database.server_url)
    assert (fitted.database.pool_min, fitted.database.pool_max) == (2, 3)
    assert fitted.server == TWO_WORKERS.server
    assert "database.pool_max is 3 instead of 8: Postgres allows" in caplog.text


def test_a_start_without_connections_for_it_is_refused(database: TestDatabase) -> None:
    allow(database, 13)
    with pytest.raises(ServerRoleError, match=r"allows .* 13 connections, too few .* = 2"):
        fit_pool(TWO_WORKERS, database.server_url)


def test_what_other_programs_hold_is_counted(database: TestDatabase, caplog: pytest.LogCaptureFixture) -> None:
    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        before = read_limits(superuser)
        with psycopg.connect(database.superuser_url, application_name="camillo"):
            assert read_limits(superuser) == before
            with psycopg.connect(database.superuser_url, application_name="psql"):
                limits = read_limits(superuser)
    assert limits.held_by_others == before.held_by_others + 1
    assert limits.servers(limits.allowed) == 0 < limits.servers(1)


async def test_a_transaction_that_hangs_is_ended(database: TestDatabase) -> None:
    """A hanging transaction would keep the write lock of a scope, and old rows of the whole database."""
    pool = Database(database.server_url, DatabaseSettings(pool_min=1, pool_max=1))
    await pool.open()
    try:
        rows = await pool.rows(NO_TENANT, "show idle_in_transaction_session_timeout", {})
    finally:
        await pool.close()
    assert rows == [("1min",)]
