"""What a process holds in memory."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

SAMPLE_SECONDS = 0.02


def memory_mb(pid: int) -> float:
    """Resident, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError("VmRSS")


def own_memory_mb() -> float:
    """Of this process."""
    return memory_mb(os.getpid())


class MemorySamples(list[float]):
    """Samples in MB, in order."""

    @property
    def growth_mb(self) -> float:
        """From the first sample to the highest."""
        return max(self) - self[0]

    @property
    def settled_growth_mb(self) -> float:
        """From the end of the first tenth to the highest point after it."""
        settled = self[len(self) // 10 :]
        return max(settled) - settled[0]


@asynccontextmanager
async def watched_memory(memory_mb: Callable[[], float]) -> AsyncIterator[MemorySamples]:
    """Samples for as long as the block runs, complete when it has ended."""
    samples = MemorySamples([memory_mb()])

    async def watch() -> None:
        while True:
            samples.append(memory_mb())
            await asyncio.sleep(SAMPLE_SECONDS)

    watching = asyncio.create_task(watch())
    try:
        yield samples
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        samples.append(memory_mb())
