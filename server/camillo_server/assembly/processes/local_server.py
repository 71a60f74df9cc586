"""Tells the programs of this user where a server with an embedded database answers, and ends it when none needs it.

Two files in the data directory, which the programs read in the client's module `local_server`:

server.json  where the server answers; it holds an exclusive lock on the file for as long as it lives
callers      each program that goes on using the server holds a shared lock on it
"""

import fcntl
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ANNOUNCEMENT, CALLERS = "server.json", "callers"
LOOKS = 4
LONGEST_LOOK_SECONDS = 5.0


class Announcement:
    """The file that says where the server answers. One process at a time has the data directory, and so this file."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._descriptor: int | None = None

    def publish(self, address: str, url: str, *, has_tls: bool) -> None:
        """Says it to this user alone. The file appears whole and locked. Raises OSError."""
        values = {
            "address": address,
            "url": url,
            "tls": has_tls,
            "pid": os.getpid(),
            "version": version("camillo-server"),
        }
        unfinished = self._directory / f"{ANNOUNCEMENT}.new"
        unfinished.unlink(missing_ok=True)
        descriptor = _opened(unfinished)
        try:
            os.write(descriptor, f"{json.dumps(values)}\n".encode())
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            unfinished.rename(self._directory / ANNOUNCEMENT)
        except OSError:
            os.close(descriptor)
            raise
        self._descriptor = descriptor

    def withdraw(self) -> None:
        """Removes it, before the server takes no more calls. Harmless if there is none."""
        if self._descriptor is not None:
            (self._directory / ANNOUNCEMENT).unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None


@dataclass(frozen=True, slots=True)
class Use:
    """How much a server is used: how many calls have come, and how many are under way."""

    arrived: int
    under_way: int


class IdleExit:
    """Says that nobody has needed the server for so many seconds; from then on, no program takes it for one that
    runs."""

    def __init__(
        self, directory: Path, seconds: float, use: Callable[[], Use], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = directory / CALLERS
        self._seconds = seconds
        self._use, self._now = use, now
        self._arrived = -1
        self._since = now()
        # Held from the decision to the end of the process.
        self._lock: int | None = None

    @property
    def look_seconds(self) -> float:
        """How long to wait between two looks."""
        return min(LONGEST_LOOK_SECONDS, self._seconds / LOOKS)

    def is_due(self) -> bool:
        """Whether it is to end now. Raises OSError."""
        use = self._use()
        has_calls = use.under_way or use.arrived != self._arrived
        self._arrived = use.arrived
        if has_calls or self._has_callers():
            self._since = self._now()
            return False
        return self._now() - self._since >= self._seconds and self._lock_callers_out()

    def _has_callers(self) -> bool:
        descriptor = self._try_to_lock()
        if descriptor is not None:
            os.close(descriptor)
        return descriptor is None

    def _lock_callers_out(self) -> bool:
        self._lock = self._lock or self._try_to_lock()
        return self._lock is not None

    def _try_to_lock(self) -> int | None:
        descriptor = _opened(self._path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        return descriptor


def _opened(path: Path) -> int:
    flags: Any = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.open(path, flags, 0o600)
