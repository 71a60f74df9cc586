"""Settings of a whole process: its threads, its parent, its signals."""

import asyncio
import ctypes
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from camillo_server.kernel.system import bound_freed_memory

# A twenty-fifth of the default. The event loop needs many short turns for one call, and waits this long for each of
# them while a thread computes in Python: beside contexts of 2,000 turns, another tenant's recall (p50) took 76 ms with
# five times as much, and 46 so: `python -m bench.fairness --only contexts`.
SWITCH_SECONDS = 0.0002
# Containers that were made and not freed, before young ones are looked through for garbage, and how often that is done
# before older ones are; 700, 10 and 10 by default. Looking took 60 microseconds of a call, of recalls by new texts and
# bundles in turn, which take some 4 milliseconds, and 11 so; and all that caches keep was looked through sooner, for 14
# milliseconds at a time. Looking through so many young ones takes 2.
GARBAGE_THRESHOLDS = (5_000, 20, 20)
PR_SET_PDEATHSIG = 1
MAX_SIGNALS_READ = 64
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def favour_the_event_loop() -> None:
    """Sets up a process that serves; holds for all of the process."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    bound_freed_memory()


@contextmanager
def loading_modules() -> Iterator[None]:
    """Collects no garbage while the block imports modules, which stay, and leaves them out of later collections:
    looking through them again and again is a seventh of the processor time of the imports of a server."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def spare_what_was_loaded() -> None:
    """Leaves what has been loaded so far, which stays, out of garbage collections: each full one stopped every thread
    for a tenth of a second. Call it when the process is about to serve."""
    gc.collect()
    gc.freeze()


def end_with_parent() -> None:
    """Asks the kernel for SIGTERM at the parent's death. On Linux; elsewhere the process then stays."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def on_stop_signals(call: Callable[[], None]) -> None:
    """Calls `call` in the running event loop at each SIGTERM and SIGINT, SIGINT only where it is not ignored.

    The handlers outlive the loop. `loop.add_signal_handler` restores the default when the loop closes, and one more
    signal would end the process before its Postgres has stopped.
    """
    # Open until the process ends. Without it, a signal that comes just before the loop waits would be seen late.
    wakeup, wakeup_writer = os.pipe()
    for end in (wakeup, wakeup_writer):
        os.set_blocking(end, False)

    def woken() -> None:
        for number in os.read(wakeup, MAX_SIGNALS_READ):
            if number in STOP_SIGNALS:
                call()

    asyncio.get_running_loop().add_reader(wakeup, woken)
    signal.set_wakeup_fd(wakeup_writer, warn_on_full_buffer=False)
    for number in STOP_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _ignore)


def _ignore(number: int, frame: FrameType | None) -> None:
    """Handles a signal of which the number in the wakeup pipe says enough."""


def ignore_stop_signals() -> None:
    """Ignores stop signals once a process has stopped serving: the ending interpreter restores the default handlers."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
