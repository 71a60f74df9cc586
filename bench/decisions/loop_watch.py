"""How long an event loop was held up, as seen by a task that is always ready to run."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class LoopWatch:
    """The longest time between two turns of the task."""

    longest_ms: float = 0.0


@asynccontextmanager
async def watched_loop() -> AsyncIterator[LoopWatch]:
    """Watches for as long as the block runs; meanwhile the loop is as busy as that of a server under load."""
    watch = LoopWatch()
    watching = asyncio.create_task(_watch(watch))
    await asyncio.sleep(0)
    try:
        yield watch
        # For what came last.
        await asyncio.sleep(0)
    finally:
        watching.cancel()


async def _watch(watch: LoopWatch) -> None:
    last = time.perf_counter()
    while True:
        await asyncio.sleep(0)
        now = time.perf_counter()
        watch.longest_ms = max(watch.longest_ms, (now - last) * 1000)
        last = now
