"""A Postgres to measure on: embedded, with fsync on as in service, migrated, removed afterwards; and rows for it."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from camillo_server.embedding.embedder import Vector
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId, time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import MemoryDraft, NewRow
from camillo_server.memories.store.writer import MemoryWriter
from camillo_server.settings import DatabaseSettings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.embedded.roles import DATABASE, SERVER, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.migrate import migrate
from camillo_server.storage.scope_writes import ScopeWrites

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


def writer_on(database: Database, url: str) -> MemoryWriter:
    return MemoryWriter(ScopeWrites(database, ChangeNotifier(url)))


def new_row(text: str, seed: int, **fields: Any) -> NewRow:
    """A memory of `SCOPE` with a vector in a random direction."""
    now = datetime.now(UTC)
    values = np.random.default_rng(seed).standard_normal(DIMENSIONS, dtype=np.float32)
    vector = Vector(MODEL, values / np.linalg.norm(values))
    draft = MemoryDraft(content=text, vector=vector, **fields)
    return NewRow(draft.memory(SCOPE.agent_id, MemoryId(time_ordered_uuid(now)), now), vector)
