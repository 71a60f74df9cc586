"""Rings when the next retry is due, so that nothing has to look for it every second."""

import asyncio
import heapq
from collections.abc import Awaitable, Callable


class Alarm:
    """Belongs to the event loop that runs when it is first set."""

    def __init__(self) -> None:
        self._due: list[float] = []
        self._changed = asyncio.Event()

    def set(self, seconds: float) -> None:
        """To ring so many seconds from now."""
        heapq.heappush(self._due, asyncio.get_running_loop().time() + seconds)
        self._changed.set()

    async def run(self, ring: Callable[[], Awaitable[object]]) -> None:
        """Rings for as long as it runs, once for all that is due by then."""
        while True:
            await self._until_due()
            await ring()

    async def _until_due(self) -> None:
        now = asyncio.get_running_loop().time
        while not self._due or self._due[0] > now():
            self._changed.clear()
            try:
                async with asyncio.timeout_at(self._due[0] if self._due else None):
                    await self._changed.wait()
            except TimeoutError:
                break
        while self._due and self._due[0] <= now():
            heapq.heappop(self._due)
