"""Real Postgres for tests: one embedded server per xdist worker, one database per test.

A database is cloned from a migrated template, so a test may write what it likes and run beside any other.
"""

import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import psycopg
import pytest
from camillo_server.storage.embedded.account import DATABASE, OWNER, SERVER, SUPERUSER, restrict_to_our_roles
from camillo_server.storage.embedded.server import EmbeddedPostgres
from psycopg import sql

numbers = itertools.count(1)

MEMORY = Path("/dev/shm")  # noqa: S108
ROOM_BYTES = 2 << 30


@dataclass(frozen=True, slots=True)
class TestDatabase:
    """A migrated database of a test's own, seen by each role."""

    __test__: ClassVar[bool] = False  # not a class of tests

    owner_url: str
    server_url: str
    superuser_url: str
    name: str

    @classmethod
    def of(cls, postgres: EmbeddedPostgres, name: str = DATABASE) -> "TestDatabase":
        owner, server, superuser = (postgres.url(role, name) for role in (OWNER, SERVER, SUPERUSER))
        return cls(owner, server, superuser, name)


def memory_directory() -> Path | None:
    """The directory whose files are in memory, if it has room: cloning and dropping a database mostly writes files."""
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM_BYTES
    return MEMORY if roomy and os.access(MEMORY, os.W_OK) else None


@pytest.fixture(scope="session")
def postgres_directory() -> Iterator[Path]:
    """A directory that the user that runs Postgres may pass through, with a path short enough for a socket.

    Not `tmp_path`: for root, pytest closes that again to other users whenever another session starts.
    """
    directory = Path(tempfile.mkdtemp(prefix="camillo-test-", dir=memory_directory()))
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def data_directory(postgres_directory: Path) -> Iterator[Path]:
    """A directory in which a test may start a Postgres of its own; it does not exist yet."""
    directory = postgres_directory / f"data-{next(numbers)}"
    yield directory
    if directory.is_dir():
        shutil.rmtree(directory)


@pytest.fixture(scope="session")
def embedded_postgres(postgres_directory: Path) -> Iterator[EmbeddedPostgres]:
    """A running server: empty but for the roles and an empty database."""
    with EmbeddedPostgres(postgres_directory / "session", durable=False) as postgres:
        yield postgres


@pytest.fixture(scope="session")
def migration() -> Callable[[str], object]:
    """Migration of the template to the current schema, given the owner's URL. Override it for another schema."""
    from camillo_server.storage.migrate import migrate

    return lambda owner_url: migrate(owner_url, server_role=SERVER)


@pytest.fixture(scope="session")
def template_database(embedded_postgres: EmbeddedPostgres, migration: Callable[[str], object]) -> str:
    """The name of a migrated database that nobody is connected to."""
    migration(embedded_postgres.owner_url)
    return DATABASE


@pytest.fixture(scope="session")
def superuser(embedded_postgres: EmbeddedPostgres) -> Iterator[psycopg.Connection]:
    """A connection to no test's database, for all that come and go: each of its own would take as long as a small
    test."""
    with psycopg.connect(embedded_postgres.superuser_url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def drop(embedded_postgres: EmbeddedPostgres) -> Iterator[Callable[[str], None]]:
    """Drops a database beside the tests that follow: Postgres waits a tenth of a second for whoever is connected."""
    dropped: list[Future[None]] = []
    with psycopg.connect(embedded_postgres.superuser_url, autocommit=True) as superuser, ThreadPoolExecutor(1) as pool:
        yield lambda name: dropped.append(pool.submit(drop_database, superuser, name))
    for each in dropped:
        each.result()


@pytest.fixture(scope="session")
def clone(embedded_postgres: EmbeddedPostgres, superuser: psycopg.Connection) -> Callable[[str], TestDatabase]:
    """Copies a database that nobody is connected to. `drop` the copy."""

    def clone(template: str) -> TestDatabase:
        name = f"test_{os.getpid()}_{next(numbers)}"
        clone_database(superuser, template, name)
        return TestDatabase.of(embedded_postgres, name)

    return clone


@pytest.fixture
def database(
    request: pytest.FixtureRequest,
    clone: Callable[[str], TestDatabase],
    template_database: str,
    drop: Callable[[str], None],
) -> Iterator[TestDatabase]:
    """A migrated, empty database, or one with the `keys` of a test that has any; dropped afterwards, whoever is still
    connected."""
    has_keys = not {"keys", "server"}.isdisjoint(request.fixturenames)
    database = clone(request.getfixturevalue("keyed_template").name if has_keys else template_database)
    yield database
    drop(database.name)


def drop_database(superuser: psycopg.Connection, name: str) -> None:
    superuser.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def clone_database(superuser: psycopg.Connection, template: str, name: str) -> None:
    """Copies a database with its contents and, unlike Postgres by itself, its access rights."""
    superuser.execute(
        # Copying files is the quicker strategy for a small template on a server that does not sync.
        sql.SQL("create database {} template {} owner {} strategy file_copy").format(
            sql.Identifier(name), sql.Identifier(template), sql.Identifier(OWNER)
        )
    )
    restrict_to_our_roles(superuser, name)
