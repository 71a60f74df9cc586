"""Files of Postgres that are damaged while it is stopped."""

import shutil
from pathlib import Path

import psycopg
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.postgres_fixtures import TestDatabase

PAGE_BYTES = 8192
GARBAGE = b"\xa5" * 512


class DamagedFile:
    """The file of a relation, with garbage at the beginning of each of its pages."""

    def __init__(self, postgres: EmbeddedPostgres, database: TestDatabase, relation: str) -> None:
        self._postgres = postgres
        with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
            superuser.execute("checkpoint")
            found = superuser.execute(
                "select current_setting('data_directory'), pg_relation_filepath(%s::regclass)", (relation,)
            ).fetchone()
        assert found is not None
        self._path = Path(found[0]) / found[1]
        self._kept = self._path.with_name(f"{self._path.name}.kept")

    def damage(self) -> None:
        """Postgres is restarted for it."""
        self._postgres.stop()
        shutil.copy2(self._path, self._kept)
        with self._path.open("r+b") as file:
            for offset in range(0, self._path.stat().st_size, PAGE_BYTES):
                file.seek(offset)
                file.write(GARBAGE)
        self._postgres.start()

    def restore(self) -> None:
        """Puts back what was there, as a backup does. Nothing may have been written to it since."""
        self._postgres.stop()
        # Into the same file, which keeps its owner.
        self._path.write_bytes(self._kept.read_bytes())
        self._postgres.start()
