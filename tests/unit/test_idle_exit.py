"""A server decides that nobody needs it any more."""

import fcntl
import os
from pathlib import Path

from camillo_server.assembly.processes.local_server import CALLERS, IdleExit, Use


class Served:
    """A server's use, and the time, as a test sets them."""

    def __init__(self) -> None:
        self.use = Use(0, 0)
        self.seconds = 0.0


def test_it_is_idle_when_calls_and_programs_have_been_gone_for_long_enough(tmp_path: Path) -> None:
    served = Served()
    idle = IdleExit(tmp_path, 100, lambda: served.use, lambda: served.seconds)

    def is_due_after(seconds: float) -> bool:
        served.seconds += seconds
        return idle.is_due()

    assert not is_due_after(0)
    assert not is_due_after(99)
    # A call has come and gone since the last look.
    served.use = Use(1, 0)
    assert not is_due_after(500)
    # A stream goes on.
    served.use = Use(2, 1)
    assert not is_due_after(500)
    served.use = Use(2, 0)
    assert not is_due_after(99)
    caller = shared_lock(tmp_path)
    assert caller is not None
    assert not is_due_after(500)
    os.close(caller)
    assert not is_due_after(99)
    assert is_due_after(1)
    # From then on, no program takes it for a server that runs.
    assert shared_lock(tmp_path) is None


def test_it_looks_often_enough(tmp_path: Path) -> None:
    looks = [IdleExit(tmp_path, seconds, lambda: Use(0, 0)).look_seconds for seconds in (0.4, 600)]
    assert looks == [0.1, 5.0]


def shared_lock(directory: Path) -> int | None:
    """The lock of a program that goes on using the server; None where the server keeps it out."""
    descriptor = os.open(directory / CALLERS, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor
