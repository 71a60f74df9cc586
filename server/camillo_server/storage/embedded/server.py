"""One embedded Postgres: started before the server accepts calls, stopped after it has drained."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Self
from urllib.parse import quote, urlencode

import psycopg

from camillo_server.storage.embedded.account import (
    DATABASE,
    OWNER,
    ROLES,
    SERVER,
    SUPERUSER,
    DataDirectoryNotWritable,
    EmbeddedPostgresError,
    PostgresStartFailed,
    account_for,
    binaries_for,
    let_pass,
    own_user_name,
    provision,
)
from camillo_server.storage.embedded.directory import (
    PORT,
    SOCKET_NAME,
    clear_leftovers,
    has_cluster,
    identity_of,
    lock_data_directory,
    publish_cluster,
    rotate_log,
    socket_directory,
    unfinished_cluster,
    write_authentication,
)
from camillo_server.storage.embedded.process import (
    Cluster,
    Postmaster,
    create_cluster,
    server_settings,
)

POLL_SECONDS = 0.005
TAIL_BYTES = 4096
logger = logging.getLogger(__name__)
LOOK_EVERY_SECONDS = 0.2
PAUSE_AFTER_FAILURE_SECONDS = 5.0


class EmbeddedPostgres:
    """Postgres with pgvector in a data directory, reachable over a Unix socket by this OS user alone.

    Blocking: start and stop it before and after the event loop, or in a thread. Any thread may start it.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        durable: bool = True,
        shared_buffers_mb: int = 128,
        max_connections: int = 100,
        start_timeout_seconds: float = 60.0,
        stop_timeout_seconds: float = 30.0,
    ) -> None:
        """`durable=False` is for tests: a power cut destroys the data. The start may include crash recovery."""
        self._directory = data_dir.expanduser().resolve()
        self._durable = durable
        self._shared_buffers_mb = shared_buffers_mb
        self._max_connections = max_connections
        self._start_timeout_seconds = start_timeout_seconds
        self._stop_timeout_seconds = stop_timeout_seconds
        self._lock: int | None = None
        self._sockets: Path | None = None
        self._postmaster: Postmaster | None = None

    @property
    def log_path(self) -> Path:
        return self._directory / "postgres.log"

    @property
    def owner_url(self) -> str:
        """The URL for migrations."""
        return self.url(OWNER, DATABASE)

    @property
    def server_url(self) -> str:
        """The URL for serving: row-level security applies."""
        return self.url(SERVER, DATABASE)

    @property
    def superuser_url(self) -> str:
        """The URL for what only a superuser can do, in the database `postgres`."""
        return self.url(SUPERUSER, "postgres")

    def url(self, role: str, database: str) -> str:
        """A libpq URL; only while started, since the socket's directory is chosen then."""
        if self._sockets is None:
            raise RuntimeError("the embedded Postgres is not started")
        where = urlencode({"host": str(self._sockets), "port": PORT}, quote_via=quote)
        return f"postgresql://{role}@/{database}?{where}"

    def start(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Returns when it accepts connections and the roles and the database exist; `meanwhile` is called while it
        starts.

        Raises EmbeddedPostgresError, and what `meanwhile` raises; nothing is left running then.
        """
        if self._lock is not None:
            return
        self._lock = lock_data_directory(self._directory)
        try:
            self.start_again(meanwhile)
        except BaseException:
            self.stop()
            raise

    def has_died(self) -> bool:
        """It was started, and has ended without `stop`."""
        return self._postmaster is not None and self._postmaster.has_exited(within_seconds=0)

    def start_again(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """After it has died; the directory stays ours. Raises EmbeddedPostgresError, and may be called again then."""
        try:
            self._start(meanwhile)
        except OSError as error:
            raise DataDirectoryNotWritable(self._directory, error) from error

    def stop(self) -> None:
        """Ends sessions, writes everything out, gives the directory back. Harmless if not started."""
        if self._postmaster is not None:
            self._postmaster.stop(self._stop_timeout_seconds)
            self._postmaster = None
        if self._sockets is not None:
            with suppress(OSError):  # not empty after a crash: the next start uses it again
                self._sockets.rmdir()
            self._sockets = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def _start(self, meanwhile: Callable[[], None]) -> None:
        identity = identity_of(self._directory)
        is_new = not has_cluster(self._directory / "postgres")
        cluster = self._prepared_cluster()
        clear_leftovers(cluster.directory, identity, self._stop_timeout_seconds)
        self._sockets = socket_directory(self._directory, identity, cluster.account)
        if cluster.account.is_other and (is_new or cluster.account.is_new):
            _warn_of_owner(cluster, self._sockets)
        # No one serves this directory now, so the socket's lock file is stale and its pid may be anyone's.
        (self._sockets / f"{SOCKET_NAME}.lock").unlink(missing_ok=True)
        rotate_log(self.log_path)
        settings = server_settings(
            identity,
            self._sockets,
            shared_buffers_mb=self._shared_buffers_mb,
            max_connections=self._max_connections,
            durable=self._durable,
        ) | write_authentication(self._directory, own_user_name(), ROLES)
        log_size = self.log_path.stat().st_size if self.log_path.exists() else 0
        self._postmaster = Postmaster(cluster, settings, self.log_path)
        meanwhile()
        self._wait_until_ready(self._postmaster, log_size)
        self._provision()

    def _prepared_cluster(self) -> Cluster:
        """The cluster in this directory, created if there is none yet."""
        directory = self._directory / "postgres"
        account = account_for(directory)
        cluster = Cluster(directory, binaries_for(account), account)
        if account.is_other:
            let_pass(self._directory, account)
        if not has_cluster(directory):
            unfinished = unfinished_cluster(self._directory, account)
            create_cluster(replace(cluster, directory=unfinished), durable=self._durable)
            publish_cluster(unfinished, directory)
        return cluster

    def _wait_until_ready(self, postmaster: Postmaster, log_size: int) -> None:
        deadline = time.monotonic() + self._start_timeout_seconds
        while not postmaster.is_ready():
            if postmaster.has_exited(within_seconds=POLL_SECONDS):
                raise PostgresStartFailed(self._last_log_line(log_size), f"see {self.log_path}")
            if time.monotonic() > deadline:
                raise PostgresStartFailed(
                    f"not ready after {self._start_timeout_seconds:g} s, last: {self._last_log_line(log_size)}",
                    "allow a longer start if it is recovering from a crash",
                )

    def _last_log_line(self, log_size: int) -> str:
        """The last fatal line of this start's log, else its last line."""
        with self.log_path.open("rb") as log_file:
            end = log_file.seek(0, 2)
            log_file.seek(max(log_size, end - TAIL_BYTES))
            lines = log_file.read().decode(errors="replace").strip().splitlines()
        fatal = [line for line in lines if "FATAL: " in line or "PANIC: " in line]
        return (fatal or lines or ["it said nothing"])[-1]

    def _provision(self) -> None:
        try:
            provision(self.superuser_url, self.url(SUPERUSER, DATABASE))
        except psycopg.Error as error:
            reason = " ".join(str(error).split())
            raise PostgresStartFailed(reason, f"see {self.log_path}") from error


def _warn_of_owner(cluster: Cluster, sockets: Path) -> None:
    """Says what of this machine belongs to another user than root from now on."""
    created = ", which was created for this," if cluster.account.is_new else ""
    logger.warning(
        "Postgres refuses to run as root: the system user %s%s runs it and owns %s and %s",
        cluster.account.name,
        created,
        cluster.directory,
        sockets,
    )


@contextmanager
def supervision(postgres: EmbeddedPostgres) -> Iterator[None]:
    """Starts Postgres again whenever it has died, for as long as the block runs. Callers see UNAVAILABLE meanwhile."""
    ending = threading.Event()
    thread = threading.Thread(target=_watch, args=(postgres, ending), name="postgres supervision", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()


def _watch(postgres: EmbeddedPostgres, ending: threading.Event) -> None:
    while not ending.wait(LOOK_EVERY_SECONDS):
        if not postgres.has_died():
            continue
        logger.error("the embedded Postgres has ended; starting it again")
        try:
            postgres.start_again()
        except Exception as error:
            # Nobody else would start it. Only what nobody foresaw is told with where it happened.
            known = isinstance(error, EmbeddedPostgresError)
            logger.error("the embedded Postgres did not start", extra={"cause": str(error)}, exc_info=not known)
            ending.wait(PAUSE_AFTER_FAILURE_SECONDS)
