"""The server of this user on this machine: found by what it says in its data directory, or started there.

One server answers all programs of a user. Programs that wait for it, or use it, know of each other by locks, which the
kernel releases however a process ends:

server.json  where the server answers; it holds an exclusive lock on the file for as long as it lives
callers      a shared lock is held by each program that uses the server, an exclusive one by a server that is leaving
             because nobody does
starting     held by the program that starts the server
lock         held by the process that has the data directory
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
import threading
import time
import weakref
from dataclasses import dataclass
from pathlib import Path

from camillo_client.caller_warnings import warn_caller
from camillo_client.local_process import LOG, PORT_TAKEN, LocalServerError, ServerProcess, ports_for
from camillo_client.target import VERSION

ANNOUNCEMENT, CALLERS, STARTING, HOLDER = "server.json", "callers", "starting", "lock"
START_SECONDS = 60.0
POLL_SECONDS = 0.005
MAX_ANNOUNCEMENT_BYTES = 4096


class LocalServerVersion(UserWarning):
    """The local server that runs is of another version than this client."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that lives, as it describes itself. `url` is its address by HTTP; empty if it has none."""

    address: str
    url: str = ""
    has_tls: bool = False
    pid: int = 0
    version: str = ""


class LocalServer:
    """A server that does not end for want of callers as long as this is open."""

    def __init__(self, directory: Path, running: RunningServer, lock: int) -> None:
        self.directory = directory
        self.running = running
        # A file object would warn where a client is not closed.
        self._release = weakref.finalize(self, os.close, lock)

    def close(self) -> None:
        """Lets the server end when it has no other caller. Safe to call again."""
        self._release()

    def revive(self, seconds: float) -> bool:
        """Whether a server answers at its address, which is started if it has died. Blocks for so many seconds at
        most."""
        try:
            found = find_or_start(self.directory, seconds)
        except LocalServerError:
            return False
        found.close()
        return found.running.address == self.running.address


def running_server(directory: Path) -> RunningServer | None:
    """The server that has this data directory and lives; None if there is none. Raises LocalServerError."""
    found, is_alive = _announced(directory)
    return found if is_alive else None


def find_or_start(directory: Path, seconds: float = START_SECONDS) -> LocalServer:
    """The server that has this data directory, which is started if none lives. Programs that ask at once start one.

    Blocks for so many seconds at most. Raises LocalServerError; warns of a server of another version.
    """
    directory = directory.expanduser().absolute()
    start = _Start(directory, seconds)
    try:
        running = start.wait()
        if running.has_tls:
            raise LocalServerError(
                f"the server at {running.address} speaks TLS: connect to it by its address, with tls"
            )
    except BaseException:
        start.close(keeps_lock=False)
        raise
    start.close(keeps_lock=True)
    _warn_of_version(running)
    return LocalServer(directory, running, start.caller_lock)


class _Start:
    """One wait for a server."""

    def __init__(self, directory: Path, seconds: float) -> None:
        self._directory = directory
        self._seconds = seconds
        self.caller_lock = -1
        self._start_lock = -1
        self._process: ServerProcess | None = None
        # Another program may take the port between our look and the server's start.
        self._takes_any_port = False

    def wait(self) -> RunningServer:
        _make_private(self._directory)
        deadline = time.monotonic() + self._seconds
        never = threading.Event()
        while True:
            if self.caller_lock < 0:
                self.caller_lock = _locked(self._directory / CALLERS, fcntl.LOCK_SH)
            # A server that leaves for want of callers keeps them out.
            if self.caller_lock >= 0 and (running := running_server(self._directory)):
                return running
            self._take_a_step()
            if time.monotonic() > deadline:
                raise LocalServerError(
                    f"no server was ready after {self._seconds:g} s in {self._directory}: see {LOG} there"
                )
            never.wait(POLL_SECONDS)

    def close(self, *, keeps_lock: bool) -> None:
        if self._start_lock >= 0:
            os.close(self._start_lock)
        if self.caller_lock >= 0 and not keeps_lock:
            os.close(self.caller_lock)
        if self._process is not None:
            self._process.leave()

    def _take_a_step(self) -> None:
        if self._process is not None:
            if not self._process.has_ended():
                return
            if not self._is_in_use():
                reason = self._process.last_line()
                if self._takes_any_port or PORT_TAKEN not in reason:
                    raise LocalServerError(f"the server did not start: {reason}")
                self._takes_any_port = True
            # Else somebody was faster, without asking for the lock.
            self._process = None
        if self.caller_lock < 0 or self._is_in_use():
            return
        if self._start_lock < 0:
            self._start_lock = _locked(self._directory / STARTING, fcntl.LOCK_EX)
            # Who had it before has started one meanwhile.
            return
        before, _ = _announced(self._directory)
        ports = ports_for(before.address if before else "", os.environ)
        self._process = ServerProcess(self._directory, ["--port=0"] if self._takes_any_port else ports)

    def _is_in_use(self) -> bool:
        """Whether a process has the data directory: a server that starts, or stops."""
        lock = _locked(self._directory / HOLDER, fcntl.LOCK_SH)
        if lock >= 0:
            os.close(lock)
        return lock < 0


def _announced(directory: Path) -> tuple[RunningServer | None, bool]:
    """The last server as it described itself, and whether it lives."""
    path = directory / ANNOUNCEMENT
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None, False
    except OSError as error:
        raise LocalServerError(f"{path} cannot be read: {error.strerror}") from error
    try:
        _require_own(path, os.fstat(descriptor))
        is_alive = not _can_lock(descriptor, fcntl.LOCK_SH)
        return _parsed(os.read(descriptor, MAX_ANNOUNCEMENT_BYTES)), is_alive
    finally:
        os.close(descriptor)


def _parsed(content: bytes) -> RunningServer | None:
    try:
        told = json.loads(content)
        return RunningServer(
            str(told["address"]),
            str(told.get("url", "")),
            bool(told.get("tls")),
            int(told.get("pid", 0)),
            str(told.get("version", "")),
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _make_private(directory: Path) -> None:
    """Makes the directory where there is none. Raises LocalServerError."""
    try:
        # As root, the user that runs Postgres has to pass through to its own part, and sees nothing else.
        directory.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
        if not os.access(directory, os.W_OK):
            raise PermissionError(None, "Permission denied")
        status = directory.stat()
    except OSError as error:
        raise LocalServerError(
            f"the data directory {directory} cannot be written to ({error.strerror}): "
            "set CAMILLO_DATA_DIR, or give data_dir, a directory on a disk of this machine"
        ) from error
    _require_own(directory, status)


def _require_own(path: Path, status: os.stat_result) -> None:
    """Whoever else owns it could name an address of his own, to be sent the key."""
    if status.st_uid != os.geteuid():
        raise LocalServerError(f"{path} belongs to another user")
    if stat.S_ISREG(status.st_mode) and status.st_mode & 0o022:
        raise LocalServerError(f"{path} can be written by other users")


def _locked(path: Path, kind: int) -> int:
    """A descriptor that holds a lock on the file; -1 where another process has one that excludes it."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise LocalServerError(f"{path} cannot be opened: {error.strerror}") from error
    if _can_lock(descriptor, kind):
        return descriptor
    os.close(descriptor)
    return -1


def _can_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _warn_of_version(running: RunningServer) -> None:
    if running.version == VERSION:
        return
    what = f"the server that runs, process {running.pid}, is Camillo {running.version or 'of an unknown version'}"
    is_newer = _numbers(running.version) > _numbers(VERSION)
    remedy = (
        "upgrade camillo-client in this environment"
        if is_newer
        else f"it may not know what this client asks for: end it (kill {running.pid}), and the next call starts the "
        "one that is installed here"
    )
    warn_caller(LocalServerVersion(f"{what}, this client {VERSION}: {remedy}"))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())
