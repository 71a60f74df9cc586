"""Postgres' own programs: `initdb` creates a cluster, the postmaster serves it."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from camillo_server.storage.embedded.account import Account, PostgresStartFailed
from camillo_server.storage.embedded.directory import PORT

LINE_OF_STATUS = 7  # in postmaster.pid, counted from 0
# It takes a second or a few, most of them for the disk.
INITDB_TIMEOUT_SECONDS = 300.0
SIGQUIT_GRACE_SECONDS = 10.0  # the postmaster itself kills its children five seconds after SIGQUIT
LAUNCHER = Path(__file__).with_name("launch.py")
# A statement, its parameters, and the detail of an error carry users' texts, and so may an error's
# message (`invalid input syntax ...`). Errors go to the client alone; the log has the server's own life.
LOGGING = {
    "logging_collector": "off",  # stderr is the log file already
    "log_timezone": "UTC",
    "log_min_messages": "log",  # neither warnings nor errors of sessions; `fatal` and `panic` stay
    "log_error_verbosity": "terse",  # no detail, such as the values that broke a constraint
    "log_min_error_statement": "panic",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}
# The defaults, spelled out: what is acknowledged is on disk.
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
# For tests only: a power cut destroys the cluster.
VOLATILE = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


@dataclass(frozen=True, slots=True)
class Cluster:
    """The directory of the data, the programs that serve it, and the account that runs them."""

    directory: Path
    binaries: Path
    account: Account


def create_cluster(cluster: Cluster, *, durable: bool, timeout_seconds: float = INITDB_TIMEOUT_SECONDS) -> None:
    """Fills an empty directory with a new cluster; it is on disk when this returns, if durable. Raises
    PostgresStartFailed."""
    command = _launched(
        cluster,
        "initdb",
        f"--pgdata={cluster.directory}",
        "--username=postgres",
        "--encoding=UTF8",
        # Sorts and folds case alike on every machine, whatever locales that one has installed.
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        # Each start of ours brings its own rules; these are for someone who starts it by hand.
        "--auth-local=peer",
        "--auth-host=reject",
        *([] if durable else ["--no-sync"]),
    )
    try:
        finished = subprocess.run(  # noqa: S603 (the wheel's program, our arguments)
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=timeout_seconds,
            **_child_options(Path("/")),
        )
    except subprocess.TimeoutExpired as error:
        raise PostgresStartFailed(
            f"initdb has not ended after {timeout_seconds:g} s",
            f"see whether the disk of {cluster.directory.parent} answers and start again, nothing is lost",
        ) from error
    if finished.returncode != 0:
        lines = finished.stderr.strip().splitlines() or [f"initdb ended with {finished.returncode}"]
        raise PostgresStartFailed(lines[-1], "correct that and start again, nothing is lost")


class Postmaster:
    """A postmaster that is our child, in a session of its own, and (on Linux) stops when we die.

    The kernel sends the death signal when the *thread* that forked ends. So a thread of ours forks and
    then waits for the postmaster: it lives exactly as long, whichever thread asked for the start.
    """

    def __init__(self, cluster: Cluster, settings: Mapping[str, str], log_path: Path) -> None:
        self._pid_file = cluster.directory / "postmaster.pid"
        self._exited = threading.Event()
        spawned: Future[subprocess.Popen[bytes]] = Future()
        threading.Thread(
            target=self._run,
            args=(spawned, cluster, settings, log_path),
            name="postmaster",
            daemon=True,
        ).start()
        try:
            self._process = spawned.result()
        except (OSError, subprocess.SubprocessError) as error:
            raise PostgresStartFailed(str(error), "correct that and start again") from error

    def has_exited(self, within_seconds: float) -> bool:
        return self._exited.wait(within_seconds)

    def is_ready(self) -> bool:
        """Whether it accepts connections, by its own account."""
        try:
            lines = self._pid_file.read_text().splitlines()
        except FileNotFoundError:
            return False
        if len(lines) <= LINE_OF_STATUS or lines[0] != str(self._process.pid):
            return False
        return lines[LINE_OF_STATUS].strip() == "ready"

    def stop(self, timeout_seconds: float) -> None:
        """Ends sessions and writes a checkpoint; if that takes too long, leaves the rest to crash recovery.

        It does if a backend has just crashed: Postgres 18 never finishes a fast stop that it is asked for
        while it recovers from that.
        """
        for stop_signal, wait_seconds in (
            (signal.SIGINT, timeout_seconds),
            (signal.SIGQUIT, SIGQUIT_GRACE_SECONDS),
            (signal.SIGKILL, SIGQUIT_GRACE_SECONDS),
        ):
            self._process.send_signal(stop_signal)
            if self._exited.wait(wait_seconds):
                return

    def _run(
        self,
        spawned: Future[subprocess.Popen[bytes]],
        cluster: Cluster,
        settings: Mapping[str, str],
        log_path: Path,
    ) -> None:
        try:
            process = _spawn(cluster, settings, log_path)
        except BaseException as error:  # noqa: BLE001 (raised again in the thread that waits for it)
            spawned.set_exception(error)
            return
        spawned.set_result(process)
        process.wait()
        self._exited.set()


def _spawn(cluster: Cluster, settings: Mapping[str, str], log_path: Path) -> subprocess.Popen[bytes]:
    flags = [argument for name, value in settings.items() for argument in ("-c", f"{name}={value}")]
    with open(log_path, "ab", opener=_private_opener) as log_file:
        return subprocess.Popen(  # noqa: S603 (the wheel's program, our arguments)
            _launched(cluster, "postgres", "-D", cluster.directory, *flags),
            stdout=log_file,
            stderr=log_file,
            # Ctrl-C in a terminal then reaches Camillo alone, which drains before it stops Postgres.
            start_new_session=True,
            **_child_options(cluster.directory),
        )


def _private_opener(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _launched(cluster: Cluster, program: str, *arguments: object) -> list[str]:
    """The command that becomes a program of Postgres, through `launch.py`."""
    account = cluster.account
    command = [os.getpid(), account.uid, account.gid, cluster.binaries / program, *arguments]
    return [sys.executable, "-I", "-S", str(LAUNCHER), *map(str, command)]


def _child_options(directory: Path) -> dict[str, Any]:
    """Where (our own directory may be closed to the account), and without our PG* variables."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_"))}
    return {
        "cwd": directory,
        "env": environment | {"LC_ALL": "C"},
        "stdin": subprocess.DEVNULL,
    }


def server_settings(
    identity: str, sockets: Path, *, shared_buffers_mb: int, max_connections: int, durable: bool
) -> dict[str, str]:
    """Name to value, for the postmaster's command line."""
    quoted_sockets = '"' + str(sockets).replace('"', '""') + '"'  # the setting is a list
    return {
        "cluster_name": identity,  # in each process title: how a left-over process is recognised
        "listen_addresses": "",  # nothing on the network
        "port": str(PORT),
        "unix_socket_directories": quoted_sockets,
        "unix_socket_permissions": "0700",
        "timezone": "UTC",  # not the machine's
        "shared_buffers": f"{shared_buffers_mb}MB",
        "max_connections": str(max_connections),
        "maintenance_work_mem": "256MB",  # an HNSW index is built several times slower if it does not fit
        "autovacuum_work_mem": "64MB",  # else each of three workers may take the above
        "random_page_cost": "1.1",  # the data is in memory or on an SSD
        "jit": "off",  # compiling costs more than our short queries
        "max_parallel_workers_per_gather": "0",  # likewise starting workers; the cores serve other callers
        # A parallel HNSW build shares its memory through /dev/shm, of which a container has 64 MB.
        "max_parallel_maintenance_workers": "0",
        **LOGGING,
        **(DURABLE if durable else VOLATILE),
    }
