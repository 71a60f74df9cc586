"""The tasks, and when a failed job is retried. Each task has a queue of its name."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from functools import partial

from procrastinate import App, BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.exceptions import JobAborted
from procrastinate.jobs import Job

from camillo_server.across.lifecycle.background_jobs import (
    DISTILL_SCOPE,
    EMBED_SCOPE,
    FIND_MISSING_VECTORS,
    FIND_UNDISTILLED,
    MAINTAIN_ALL,
    MAINTAIN_SCOPE,
    REEMBED_SCOPE,
    VACUUM,
    DistillJobs,
    JobWork,
)
from camillo_server.across.lifecycle.maintenance import MaintenanceJobs
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.settings.settings import JobSettings
from camillo_server.storage.jobs.queue import JobQueue, ProcessLost

logger = logging.getLogger(__name__)

# A job that failed for good gets one more attempt after this time, again and again.
DEAD_SECONDS = 3600.0
EVERY_MINUTE = "* * * * *"
EVERY_FIVE_MINUTES = "*/5 * * * *"
# Below embedding: until then a new memory is found by its words alone.
LESS_URGENT = -1
# Factors of the pause, so that jobs which failed together are not retried together.
SPREAD = (0.8, 1.2)
# Known and passing: logged without a stack.
EXPECTED = (EmbeddingUnavailable, DomainError, ProcessLost)


class Backoff(BaseRetryStrategy):
    """Exponential backoff: each pause is twice the one before, up to a maximum.

    procrastinate's RetryStrategy has whole seconds, no maximum and no jitter, and counts the stop of a server as a
    failure.
    """

    def __init__(
        self,
        max_attempts: int,
        first_seconds: float = 1.0,
        longest_seconds: float = 900.0,
        on_retry: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        """`on_retry` is called with the seconds until the retry."""
        self._max_attempts = max_attempts
        self._first_seconds = first_seconds
        self._longest_seconds = longest_seconds
        self._on_retry = on_retry

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """When to try again; None where the job has failed for good."""
        # The jobs of a server that stops are due for others at once.
        if isinstance(exception, asyncio.CancelledError | JobAborted):
            return RetryDecision(retry_in={"seconds": 0})
        is_last = job.attempts + 1 >= self._max_attempts
        _log_failure(exception, job, is_last)
        if is_last:
            return None
        seconds = self._pause(job.attempts)
        self._on_retry(seconds)
        return RetryDecision(retry_in={"milliseconds": round(seconds * 1000)})

    def _pause(self, attempts: int) -> float:
        # The exponent is bounded so that no number of attempts overflows.
        pause = min(self._first_seconds * 2.0 ** min(attempts, 60), self._longest_seconds)
        return pause * random.uniform(*SPREAD)  # noqa: S311


def _log_failure(exception: BaseException, job: Job, is_last: bool) -> None:
    """Logs a failure without the arguments of the job, which belong to a tenant."""
    expected = isinstance(exception, EXPECTED)
    logger.log(
        logging.ERROR if is_last or not expected else logging.WARNING,
        "job failed for good" if is_last else "job failed, will be tried again",
        exc_info=None if expected else exception,
        extra={
            "task": job.task_name,
            "job_id": job.id,
            "attempt": job.attempts + 1,
            "cause": str(exception) or type(exception).__name__,
        },
    )


def declare_tasks(queue: JobQueue, settings: JobSettings, work: JobWork, on_retry: Callable[[float], None]) -> None:
    """Declares the tasks of which this process can do the work. `on_retry` is called with the seconds until a retry."""
    backoff = Backoff(
        settings.max_attempts,
        settings.first_retry_seconds,
        settings.longest_retry_seconds,
        on_retry,
    )
    _declare_embedding(queue, work, backoff)
    if work.maintenance is not None:
        _declare_maintenance(queue, work.maintenance, backoff)
    if work.distill is not None:
        _declare_distillation(queue, work.distill, backoff)


def _declare_embedding(queue: JobQueue, work: JobWork, backoff: Backoff) -> None:
    @queue.app.task(name=EMBED_SCOPE, queue=EMBED_SCOPE, pass_context=True, retry=backoff)
    async def embed_scope(context: JobContext, tenant_id: str, agent_id: str) -> None:
        await work.embed.embed(_scope(tenant_id, agent_id), context.job.attempts)
        if context.job.attempts:
            # The provider works again: other retries need not wait.
            await queue.retry_now(EMBED_SCOPE)

    async def find_missing_vectors(timestamp: int) -> None:
        await work.missing.defer_everywhere(partial(queue.defer, EMBED_SCOPE))
        await queue.retry_dead(EMBED_SCOPE, DEAD_SECONDS)
        await queue.retry_dead(REEMBED_SCOPE, DEAD_SECONDS)

    _declare_periodic(queue.app, FIND_MISSING_VECTORS, find_missing_vectors, EVERY_FIVE_MINUTES)
    if work.reembed is None:
        return
    reembed = work.reembed.reembed

    @queue.app.task(
        name=REEMBED_SCOPE,
        queue=REEMBED_SCOPE,
        pass_context=True,
        priority=LESS_URGENT,
        retry=backoff,
    )
    async def reembed_scope(context: JobContext, tenant_id: str, agent_id: str) -> None:
        await reembed(_scope(tenant_id, agent_id), context.job.attempts)


def _declare_maintenance(queue: JobQueue, maintenance: MaintenanceJobs, backoff: Backoff) -> None:
    @queue.app.task(name=MAINTAIN_SCOPE, queue=MAINTAIN_SCOPE, priority=LESS_URGENT, retry=backoff)
    async def maintain_scope(tenant_id: str, agent_id: str) -> None:
        await maintenance.maintain(_scope(tenant_id, agent_id))

    async def maintain_all(timestamp: int) -> None:
        await maintenance.defer_everywhere(partial(queue.defer, MAINTAIN_SCOPE))
        await queue.retry_dead(MAINTAIN_SCOPE, DEAD_SECONDS)

    _declare_periodic(queue.app, MAINTAIN_ALL, maintain_all, maintenance.cron)

    async def vacuum(timestamp: int) -> None:
        await maintenance.vacuum()

    _declare_periodic(queue.app, VACUUM, vacuum, maintenance.vacuum_cron)


def _declare_distillation(queue: JobQueue, distill: DistillJobs, backoff: Backoff) -> None:
    @queue.app.task(name=DISTILL_SCOPE, queue=DISTILL_SCOPE, priority=LESS_URGENT, retry=backoff)
    async def distill_scope(tenant_id: str, agent_id: str) -> None:
        await distill.distil(_scope(tenant_id, agent_id))

    async def find_undistilled(timestamp: int) -> None:
        await distill.defer_everywhere(partial(queue.defer, DISTILL_SCOPE))
        await queue.retry_dead(DISTILL_SCOPE, DEAD_SECONDS)

    cron = EVERY_MINUTE if distill.is_on else None
    _declare_periodic(queue.app, FIND_UNDISTILLED, find_undistilled, cron)


def _declare_periodic(app: App, name: str, work: Callable[[int], Awaitable[None]], cron: str | None) -> None:
    """Declares a task with a schedule, if `cron` names one. A failed job is not retried: the next one comes anyway."""
    task = app.task(name=name, queue=name, lock=name, queueing_lock=name, retry=Backoff(max_attempts=1))(work)
    if cron is not None:
        app.periodic(cron=cron)(task)


def _scope(tenant_id: str, agent_id: str) -> Scope:
    return Scope(TenantId(tenant_id), AgentId(agent_id))
