"""What a Postgres leaves behind when its Camillo was killed: processes still stopping, a stale pid file."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from camillo_server.storage.embedded.errors import PostgresStartFailed

POLL_SECONDS = 0.02


def clear_leftovers(postgres_directory: Path, identity: str, timeout_seconds: float) -> None:
    """Waits until nothing of an earlier postmaster runs, helping it to stop, and removes its pid file.

    Only safe under the lock of the data directory. The pid file must go because Postgres takes any live
    process with that pid for a postmaster, and in a container each start hands out the same few pids. It
    may go because nothing runs: otherwise it would still guard against backends without a postmaster.
    """
    pid_file = postgres_directory / "postmaster.pid"
    if not pid_file.exists():
        return
    _stop_postmaster(pid_file, identity)
    if not _all_gone(identity, timeout_seconds):
        for pid in _processes_of(identity):
            _signal(pid, signal.SIGQUIT)
        if not _all_gone(identity, timeout_seconds):
            pids = ", ".join(map(str, _processes_of(identity)))
            raise PostgresStartFailed(f"an earlier Postgres still runs as process {pids}", "end it")
    pid_file.unlink(missing_ok=True)


def _stop_postmaster(pid_file: Path, identity: str) -> None:
    recorded = pid_file.read_text().partition("\n")[0]
    for pid in _processes_of(identity):
        if str(pid) == recorded:
            _signal(pid, signal.SIGINT)


def _all_gone(identity: str, timeout_seconds: float) -> bool:
    deadline = time.monotonic() + timeout_seconds
    never = threading.Event()
    while _processes_of(identity):
        if time.monotonic() > deadline:
            return False
        never.wait(POLL_SECONDS)
    return True


def _processes_of(identity: str) -> list[int]:
    """Postmaster and backends of one cluster: all carry its `cluster_name` in their command line."""
    lines = _command_lines_linux() if sys.platform == "linux" else _command_lines()
    # Up to the first NUL is the program or, in a backend, the title that it gave itself.
    return [
        pid
        for pid, command in lines
        if "postgres" in command.partition("\0")[0] and identity in command
    ]


def _command_lines_linux() -> Iterator[tuple[int, str]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                yield int(entry.name), (entry / "cmdline").read_bytes().decode(errors="replace")


def _command_lines() -> Iterator[tuple[int, str]]:
    listing = subprocess.run(
        ["/bin/ps", "-axo", "pid=,command="], capture_output=True, text=True, check=True
    )
    for line in listing.stdout.splitlines():
        pid, _, command = line.strip().partition(" ")
        yield int(pid), command


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)
