"""A Postgres of the drill's own, which it may kill, stop and start: servers reach it, and do not look after it."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from camillo_server.storage.embedded.account import DATABASE, SERVER, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.migrate import migrate

from bench.app_server import ensure_key
from bench.measure.servers import new_secret

EXIT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class OwnPostgres:
    """A running Postgres with the current schema, and a root key in it."""

    embedded: EmbeddedPostgres
    data_dir: Path
    secret: str

    @property
    def server_url(self) -> str:
        return self.embedded.server_url

    @property
    def superuser_url(self) -> str:
        """URL of the servers' database for the superuser, who sees the rows of every tenant."""
        return self.embedded.url(SUPERUSER, DATABASE)

    @property
    def postmaster(self) -> int:
        """The pid of the postmaster."""
        return int((self.data_dir / "postgres" / "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """SIGKILL of the postmaster: recovery at the next start."""
        os.kill(self.postmaster, signal.SIGKILL)

    def stop_fast(self) -> None:
        """Stops like `pg_ctl stop -m fast`: ends sessions, rolls their transactions back, and writes everything out."""
        os.kill(self.postmaster, signal.SIGINT)

    def start_again(self) -> None:
        """When it has ended; returns when it accepts connections."""
        assert self.embedded.has_died()
        self.embedded.start_again()


@contextmanager
def own_postgres(data_dir: Path) -> Iterator[OwnPostgres]:
    """Durable, as that of a server."""
    secret = new_secret()
    with EmbeddedPostgres(data_dir, durable=True) as embedded:
        migrate(embedded.owner_url, SERVER)
        ensure_key(embedded.url(SUPERUSER, DATABASE), secret)
        yield OwnPostgres(embedded, data_dir, secret)
