"""A Postgres of the test's own, so that it can be taken away."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from camillo_server.storage.embedded.roles import DATABASE, OWNER, SERVER, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.migrate import migrate

from tests.postgres_fixtures import TestDatabase


@pytest.fixture
def postgres(data_directory: Path) -> Iterator[EmbeddedPostgres]:
    """One of the test's own, to be stopped."""
    with EmbeddedPostgres(data_directory, durable=False) as postgres:
        yield postgres


@pytest.fixture
def own_database(postgres: EmbeddedPostgres) -> TestDatabase:
    migrate(postgres.owner_url, server_role=SERVER)
    owner, server, superuser = (postgres.url(r, DATABASE) for r in (OWNER, SERVER, SUPERUSER))
    return TestDatabase(owner, server, superuser, DATABASE)
