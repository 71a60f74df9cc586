"""The tasks that this server knows. A queue is named as its task."""

from collections.abc import Callable
from functools import partial

from procrastinate import JobContext

from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.scope import Scope
from camillo_server.jobs.backoff import Backoff
from camillo_server.jobs.maintenance import Maintenance
from camillo_server.jobs.queue import JobQueue
from camillo_server.jobs.reembed_scope import ReembedScope
from camillo_server.jobs.task_names import (
    EMBED_SCOPE,
    FIND_MISSING_VECTORS,
    MAINTAIN_ALL,
    MAINTAIN_SCOPE,
    REEMBED_SCOPE,
)
from camillo_server.jobs.work import JobWork
from camillo_server.settings import JobSettings

# How long a job that failed for good is left alone, and then given one more attempt each time.
DEAD_SECONDS = 3600.0
EVERY_FIVE_MINUTES = "*/5 * * * *"
# Behind what a caller waits for: a memory that is found by its words alone.
LESS_URGENT = -1


class Tasks:
    """Makes the tasks known to the queue, as far as this process can do their work."""

    def __init__(
        self,
        queue: JobQueue,
        settings: JobSettings,
        work: JobWork,
        on_retry: Callable[[float], None],
    ) -> None:
        """`on_retry` is told in how many seconds a job will be due again."""
        self._queue = queue
        self._work = work
        self._backoff = Backoff(
            settings.max_attempts,
            settings.first_retry_seconds,
            settings.longest_retry_seconds,
            on_retry,
        )
        # Of those that come again by themselves a failed one is not repeated.
        self._once = Backoff(max_attempts=1)

    def declare(self) -> None:
        """All of them."""
        self._declare_embedding()
        self._declare_search()
        if self._work.reembed is not None:
            self._declare_reembedding(self._work.reembed)
        if self._work.maintenance is not None:
            self._declare_maintenance(self._work.maintenance)

    def _declare_embedding(self) -> None:
        @self._queue.app.task(
            name=EMBED_SCOPE, queue=EMBED_SCOPE, pass_context=True, retry=self._backoff
        )
        async def embed_scope(context: JobContext, tenant_id: str, agent_id: str) -> None:
            failed_attempts = context.job.attempts
            await self._work.embed.embed(_scope(tenant_id, agent_id), failed_attempts)
            if failed_attempts:
                # The provider works again, so the others need not wait for their time.
                await self._queue.hurry(EMBED_SCOPE)

    def _declare_search(self) -> None:
        @self._queue.app.periodic(cron=EVERY_FIVE_MINUTES)
        @self._queue.app.task(
            name=FIND_MISSING_VECTORS,
            queue=FIND_MISSING_VECTORS,
            lock=FIND_MISSING_VECTORS,
            queueing_lock=FIND_MISSING_VECTORS,
            retry=self._once,
        )
        async def find_missing_vectors(timestamp: int) -> None:
            await self._work.missing.look_everywhere(partial(self._queue.defer, EMBED_SCOPE))
            await self._queue.revive(EMBED_SCOPE, DEAD_SECONDS)
            await self._queue.revive(REEMBED_SCOPE, DEAD_SECONDS)

    def _declare_reembedding(self, reembed: ReembedScope) -> None:
        @self._queue.app.task(
            name=REEMBED_SCOPE,
            queue=REEMBED_SCOPE,
            pass_context=True,
            priority=LESS_URGENT,
            retry=self._backoff,
        )
        async def reembed_scope(context: JobContext, tenant_id: str, agent_id: str) -> None:
            await reembed.reembed(_scope(tenant_id, agent_id), context.job.attempts)

    def _declare_maintenance(self, maintenance: Maintenance) -> None:
        @self._queue.app.task(
            name=MAINTAIN_SCOPE, queue=MAINTAIN_SCOPE, priority=LESS_URGENT, retry=self._backoff
        )
        async def maintain_scope(tenant_id: str, agent_id: str) -> None:
            await maintenance.maintain(_scope(tenant_id, agent_id))

        @self._queue.app.task(
            name=MAINTAIN_ALL,
            queue=MAINTAIN_ALL,
            lock=MAINTAIN_ALL,
            queueing_lock=MAINTAIN_ALL,
            retry=self._once,
        )
        async def maintain_all(timestamp: int) -> None:
            await maintenance.defer_everywhere(partial(self._queue.defer, MAINTAIN_SCOPE))
            await self._queue.revive(MAINTAIN_SCOPE, DEAD_SECONDS)

        if maintenance.cron is not None:
            self._queue.app.periodic(cron=maintenance.cron)(maintain_all)


def _scope(tenant_id: str, agent_id: str) -> Scope:
    return Scope(TenantId(tenant_id), AgentId(agent_id))
