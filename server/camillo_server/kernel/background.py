"""Background tasks: each started, watched and cancelled here; work for which its caller waits for a time only; tasks
that run side by side; and locks by key."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Hashable
from contextlib import asynccontextmanager
from contextvars import Context
from types import TracebackType
from typing import Any, Generic, Self, TypeVar
from weakref import WeakValueDictionary

from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.errors import DeadlineExceeded, DomainError
from camillo_server.kernel.ids import TenantId

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 10.0
# Longer than the two seconds that the worker of jobs takes to end well.
CLEAN_UP_SECONDS = 3.0


class BackgroundTasks:
    """Owns the tasks of one process. A task that fails is logged and started again, after a growing pause."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self._is_stopping = False

    def run(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Runs work that goes on for ever."""
        self._tasks.append(asyncio.create_task(self._keep_running(name, work), name=name))

    def repeat(self, name: str, work: Callable[[], Awaitable[object]], pause_seconds: float) -> None:
        """Runs work again and again, with a pause between."""

        async def forever() -> None:
            while not self._is_stopping:
                await asyncio.sleep(pause_seconds)
                await work()

        self.run(name, forever)

    async def stop(self) -> None:
        """Cancels every task and waits until they have ended; no work is begun again."""
        self._is_stopping = True
        pending = set(self._tasks)
        while pending:
            for task in pending:
                task.cancel()
            # Once is not always enough: asyncio.wait_for of Python 3.11, which libraries use, can lose a cancellation
            # that comes as what it waits for is done. Twice too soon would cut short what a task does to end well.
            _, pending = await asyncio.wait(pending, timeout=CLEAN_UP_SECONDS)
        self._tasks.clear()

    async def _keep_running(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        pause = FIRST_PAUSE_SECONDS
        while True:
            began = asyncio.get_running_loop().time()
            try:
                await work()
            except DomainError as error:
                # Postgres is away, say: known, passing, and told by every caller's answer too.
                logger.warning("background task waits", extra={"task": name, "cause": str(error)})
            except Exception:
                logger.exception("background task failed", extra={"task": name})
            # A task that ends here without being cancelled has lost its cancellation, or failed while it cleaned up.
            if self._is_stopping:
                return
            if asyncio.get_running_loop().time() - began > LONGEST_PAUSE_SECONDS:
                pause = FIRST_PAUSE_SECONDS
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


Task = asyncio.Task[None]


class LateWork:
    """Owns the tasks of such work, and bounds how much of it there is: of one tenant, and of all."""

    def __init__(self, max_of_tenant: int, max_of_all: int) -> None:
        self._max_of_tenant, self._max_of_all = max_of_tenant, max_of_all
        self._sizes: Counter[TenantId] = Counter()
        self._tasks: set[Task] = set()

    def start(self, work: Coroutine[None, None, None], tenant_id: TenantId, size: int) -> Task | None:
        """The work as a task of its own, in a context of its own; None where there is too much."""
        of_tenant = self._sizes[tenant_id] + size
        if of_tenant > self._max_of_tenant or self._sizes.total() + size > self._max_of_all:
            work.close()
            return None
        self._sizes[tenant_id] = of_tenant
        task = asyncio.get_running_loop().create_task(work, context=Context())
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._end(done, tenant_id, size))
        return task

    async def wait(self, tasks: Collection[Task], seconds: float) -> bool:
        """Whether all are done in time. A caller that goes away takes its tasks along: nobody asks for them again."""
        try:
            _, late = await asyncio.wait(tasks, timeout=max(0.0, seconds))
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            raise
        return not late

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _end(self, task: Task, tenant_id: TenantId, size: int) -> None:
        self._tasks.discard(task)
        self._sizes[tenant_id] -= size
        if not self._sizes[tenant_id]:
            del self._sizes[tenant_id]
        if not task.cancelled():
            # Somebody has asked for it, even if nobody waits any longer.
            task.exception()


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
            before.add_done_callback(retrieve_error)
        task = asyncio.create_task(work(before))
        task.add_done_callback(retrieve_error)
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
        self._running.add_done_callback(retrieve_error)

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


def retrieve_error(ended: asyncio.Future[None]) -> None:
    """Keeps asyncio from logging an error that nobody waits for any more, or that came behind one that was raised."""
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
