"""A Postgres to measure on: embedded, with fsync on as in service, migrated, removed afterwards."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.database import Database
from camillo_server.storage.embedded.account import DATABASE, SERVER, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.migrate import migrate

from bench.app_server import TENANT

DIMENSIONS = 384
MODEL = "bench"
SCOPE = Scope(TenantId(TENANT), AgentId("alice"))


@contextmanager
def scratch_postgres() -> Iterator[EmbeddedPostgres]:
    """Runs as long as the block does; the tenant of `SCOPE` is there."""
    directory = Path(tempfile.mkdtemp(prefix="camillo-decision-"))
    try:
        with EmbeddedPostgres(directory / "data") as postgres:
            migrate(postgres.owner_url, server_role=SERVER)
            with superuser_of(postgres) as superuser:
                superuser.execute("insert into tenants values (%s, '', now())", [TENANT])
            yield postgres
    finally:
        shutil.rmtree(directory)


@contextmanager
def superuser_of(postgres: EmbeddedPostgres) -> Iterator[psycopg.Connection[Any]]:
    """A connection that runs scripts of several statements with parameters."""
    with psycopg.connect(
        postgres.url(SUPERUSER, DATABASE), autocommit=True, cursor_factory=psycopg.ClientCursor
    ) as superuser:
        superuser.execute("set search_path to camillo, public")
        yield superuser


@asynccontextmanager
async def opened_database(url: str, connections: int = 1) -> AsyncIterator[Database]:
    settings = DatabaseSettings(pool_min=1, pool_max=connections, connect_timeout_seconds=5)
    database = Database(url, settings)
    await database.open()
    yield database
    await database.close()
