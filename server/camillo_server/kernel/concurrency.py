"""Coroutines that run beside their caller, one or two at a time, and end in order; locks by key."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Generic, Self, TypeVar
from weakref import WeakValueDictionary

from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.errors import DeadlineExceeded

MAX_LOCK_WAIT_SECONDS = 30.0
Before = Awaitable[object] | None
K = TypeVar("K", bound=Hashable)


@asynccontextmanager
async def task_group() -> AsyncIterator[asyncio.TaskGroup]:
    """Tasks that end with this context: where one fails, the others are cancelled, and its error is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


class InOrder:
    """Runs two coroutines at once. Each is given an awaitable of the end of the one before, to wait where order
    matters. An error is raised by the next `run`, and by that awaitable in every coroutine behind.

    A context manager: waits for all at a clean end, and cancels them otherwise.
    """

    def __init__(self) -> None:
        self._running: list[asyncio.Task[None]] = []

    async def run(self, work: Callable[[Before], Coroutine[Any, Any, None]]) -> None:
        """Starts the coroutine when the last but one has ended."""
        if len(self._running) == 2:
            await self._first()
        # Shielded, so that only the owner ends a task.
        before = asyncio.shield(self._running[-1]) if self._running else None
        if before is not None:
            before.add_done_callback(_retrieve_error)
        task = asyncio.create_task(work(before))
        task.add_done_callback(_retrieve_error)
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


class OneAhead:
    """Runs one coroutine beside its caller.

    A context manager: waits for the last one at a clean end, and cancels it otherwise.
    """

    def __init__(self) -> None:
        self._running: asyncio.Task[None] | None = None

    async def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Starts the coroutine when the one before has ended. Raises the error of that one."""
        try:
            await self.settled()
        except BaseException:
            work.close()
            raise
        self._running = asyncio.create_task(work)
        self._running.add_done_callback(_retrieve_error)

    async def settled(self) -> None:
        """Waits for the running coroutine, and raises its error."""
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


def _retrieve_error(ended: asyncio.Future[None]) -> None:
    """Keeps asyncio from logging an error that another one, raised to the caller, came before."""
    if not ended.cancelled():
        ended.exception()


class KeyedLocks(Generic[K]):
    """Locks by key. `at_once` callers may hold the lock of a key at a time, in the order in which they came."""

    def __init__(self, at_once: int = 1) -> None:
        self._at_once = at_once
        # A lock is dropped with its last holder.
        self._locks: WeakValueDictionary[K, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def hold(self, key: K) -> AsyncIterator[None]:
        """Raises DeadlineExceeded where the caller's time is up before it gets the lock."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Semaphore(self._at_once)
        # A time-out costs more than a lock that is free.
        if lock.locked():
            await _wait_for(lock)
        else:
            await lock.acquire()
        try:
            yield
        finally:
            lock.release()


async def _wait_for(lock: asyncio.Semaphore) -> None:
    try:
        async with asyncio.timeout(remaining_seconds(MAX_LOCK_WAIT_SECONDS)):
            await lock.acquire()
    except TimeoutError:
        raise DeadlineExceeded from None
