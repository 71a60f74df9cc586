"""Work that goes on while the next piece of it is made ready."""

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self


class OneAhead:
    """Runs one coroutine beside its caller. The next one waits for the one before, whose failure it raises.

    As a context manager: at a clean end the last one is waited for, else it is cancelled.
    """

    def __init__(self) -> None:
        self._running: asyncio.Task[None] | None = None

    async def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Begins the work when the work before has ended."""
        try:
            await self.settled()
        except BaseException:
            work.close()
            raise
        self._running = asyncio.create_task(work)
        self._running.add_done_callback(_seen)

    async def settled(self) -> None:
        """Waits for what runs, and raises what it failed with."""
        running, self._running = self._running, None
        if running is not None:
            try:
                await running
            except asyncio.CancelledError:
                running.cancel()
                raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            await self.settled()
        elif self._running is not None:
            self._running.cancel()
            await asyncio.wait([self._running])


def _seen(ended: asyncio.Task[None]) -> None:
    """A failure that nobody waits for any more, since another one came before it, is no news for the log."""
    if not ended.cancelled():
        ended.exception()
