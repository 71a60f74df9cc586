"""Background tasks: each started, watched and cancelled here; and work for which its caller waits for a time only."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextvars import Context

from camillo_server.kernel.errors import DomainError
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
