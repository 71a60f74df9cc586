"""What a process holds in memory while something else goes on."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

SAMPLE_SECONDS = 0.02


class MemoryWatch:
    """Samples memory for as long as it is open, in MB."""

    def __init__(self, memory_mb: Callable[[], float]) -> None:
        self._memory_mb = memory_mb
        self.samples: list[float] = []

    @property
    def growth_mb(self) -> float:
        """From the first sample to the highest."""
        return max(self.samples) - self.samples[0]

    @property
    def settled_growth_mb(self) -> float:
        """From the end of the first tenth to the highest point after it."""
        settled = self.samples[len(self.samples) // 10 :]
        return max(settled) - settled[0]

    async def __aenter__(self) -> Self:
        self.samples.append(self._memory_mb())
        self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self.samples.append(self._memory_mb())

    async def _watch(self) -> None:
        while True:
            self.samples.append(self._memory_mb())
            await asyncio.sleep(SAMPLE_SECONDS)
