"""How long tests wait for what never comes, on this machine: every such wait is a multiple of `FACTOR`.

The factor is measured once in a run, before its workers start, and handed on to them. CAMILLO_TEST_PATIENCE=4 sets it.
"""

import asyncio
import os
import time
from collections.abc import Callable

VARIABLE = "CAMILLO_TEST_PATIENCE"
# Seconds that `_work` takes alone, on a core of 2023.
WORK_SECONDS = 0.085
MAX_FACTOR = 10.0


def _work() -> None:
    for _ in range(20):
        sum(number * number for number in range(100_000))


def _measured() -> float:
    """How many times slower this machine is now, what else runs there included; at least 1."""
    started = time.perf_counter()
    _work()
    return min(MAX_FACTOR, max(1.0, (time.perf_counter() - started) / WORK_SECONDS))


FACTOR = float(os.environ.setdefault(VARIABLE, f"{_measured():.1f}"))
# Waits end with what they wait for: this is for what never comes.
PATIENCE_SECONDS = 60.0 * FACTOR
# How long a server waits for a connection where Postgres is away: short, and enough while it is there on a busy
# machine.
CONNECT_SECONDS = FACTOR


async def until(holds: Callable[[], bool]) -> None:
    """Waits for what background work brings about."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


def takes_less(limit_seconds: float, work: Callable[[], object]) -> bool:
    """Whether one of three tries takes this thread less, for limits far above: other work seldom slows all."""
    return any(_seconds(work) < limit_seconds for _ in range(3))


def least_seconds(work: Callable[[], object]) -> float:
    """Least seconds of this thread for `work` in three tries."""
    return min(_seconds(work) for _ in range(3))


def _seconds(work: Callable[[], object]) -> float:
    started = time.thread_time()
    work()
    return time.thread_time() - started
