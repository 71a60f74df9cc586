"""Work of which a part may overlap, and that ends in its order."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Self

Before = Awaitable[object] | None


class InOrder:
    """Runs two pieces of work at once, each of which is handed the end of the one before, to wait for where the order
    matters. A failure is raised by the next call, and by every piece behind.

    As a context manager: at a clean end all are waited for, else they are cancelled.
    """

    def __init__(self) -> None:
        self._running: list[asyncio.Task[None]] = []

    async def run(self, work: Callable[[Before], Coroutine[Any, Any, None]]) -> None:
        """Begins the work when the last but one has ended."""
        if len(self._running) == 2:
            await self._first()
        # Shielded, so that only the owner ends a task.
        before = asyncio.shield(self._running[-1]) if self._running else None
        if before is not None:
            before.add_done_callback(_seen)
        task = asyncio.create_task(work(before))
        task.add_done_callback(_seen)
        self._running.append(task)

    async def _first(self) -> None:
        first = self._running[0]
        await asyncio.wait([first])
        del self._running[0]
        first.result()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            while kind is None and self._running:
                await self._first()
        finally:
            for task in self._running:
                task.cancel()
            if self._running:
                await asyncio.wait(self._running)


def _seen(ended: asyncio.Future[None]) -> None:
    """A failure is told once; that others follow from it is no news for the log."""
    if not ended.cancelled():
        ended.exception()


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
        self._running.add_done_callback(_look_at)

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


def _look_at(ended: asyncio.Task[None]) -> None:
    """A failure that nobody waits for any more, since another one came before it, is no news for the log."""
    if not ended.cancelled():
        ended.exception()
