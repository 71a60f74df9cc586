"""Work for which its caller waits for a time only: what is late goes on, for the next who asks."""

import asyncio
from collections import Counter
from collections.abc import Collection, Coroutine
from contextvars import Context

from camillo_server.kernel.ids import TenantId

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
