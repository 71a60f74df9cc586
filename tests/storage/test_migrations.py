"""Migrations: from nothing, again, at once, refused; and with no more rights than they need."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.storage.embedded import EmbeddedPostgres
from camillo_server.storage.embedded.roles import OWNER, SERVER, SUPERUSER
from camillo_server.storage.migrate import (
    SchemaTooNew,
    VectorExtensionMissing,
    latest_version,
    migrate,
)
from psycopg import sql

from tests.postgres_fixtures import TestDatabase, numbers
from tests.rpc.memories import listed, recall, remember
from tests.server_fixtures import StartServer


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
        yield TestDatabase(
            owner_url=embedded_postgres.url(OWNER, name),
            server_url=embedded_postgres.url(SERVER, name),
            superuser_url=embedded_postgres.url(SUPERUSER, name),
            name=name,
        )
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
        assert connection.execute("select count(*) from camillo.database_identity").fetchone() == (
            1,
        )


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


async def test_the_least_rights_are_enough(
    empty_database: TestDatabase, start_server: StartServer
) -> None:
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


async def test_one_role_may_own_and_serve(
    empty_database: TestDatabase, start_server: StartServer
) -> None:
    """Where the operator has one role only; the policies are forced, so they bind it as well."""
    grant(empty_database, "connect, create, temporary", OWNER)
    migrate(empty_database.owner_url)
    started = await start_server(on=replace(empty_database, server_url=empty_database.owner_url))
    await remember(started.alice, "mine")
    await remember(started.rival, "theirs", agent_id="alice")
    assert await listed(started.alice) == ["mine"]
    with psycopg.connect(empty_database.owner_url) as connection:
        assert connection.execute("select count(*) from camillo.memories").fetchone() == (0,)
