"""A Postgres to measure on: embedded, with fsync on as in service, migrated, removed afterwards."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from camillo_server.storage.embedded import EmbeddedPostgres
from camillo_server.storage.embedded.roles import SERVER
from camillo_server.storage.migrate import migrate


@contextmanager
def scratch_postgres() -> Iterator[EmbeddedPostgres]:
    """Runs as long as the block does."""
    directory = Path(tempfile.mkdtemp(prefix="camillo-decision-"))
    try:
        with EmbeddedPostgres(directory / "data") as postgres:
            migrate(postgres.owner_url, server_role=SERVER)
            yield postgres
    finally:
        shutil.rmtree(directory)
