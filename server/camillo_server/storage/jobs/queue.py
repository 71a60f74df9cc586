"""The queue of background jobs and its worker: procrastinate on the server's Postgres, in a schema of its own.

Only this package knows procrastinate. All times are those of Postgres, which decides what is due.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any

import psycopg
from procrastinate import App, BaseConnector, JobContext, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager, get_channel_for_queues
from procrastinate.worker import Worker
from psycopg.rows import dict_row

from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope, current_job
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.connection_pool import (
    CONNECTION_LOST,
    BoundedConnection,
    ConnectionPool,
    bound_statements,
    domain_error,
)
from camillo_server.storage.statements import statements
from camillo_server.telemetry.instruments import JobFigures

logger = logging.getLogger(__name__)

SQL = statements("storage/jobs/sql/jobs")
# Whoever hangs while it defers keeps the lock for that from all others no longer than a scope's.
CONFIGURE_SESSION = """
select set_config('search_path', 'camillo_jobs', false), set_config('timezone', 'UTC', false),
    set_config('idle_in_transaction_session_timeout', %(idle_ms)s, false), set_config('statement_timeout', %(statement_ms)s, false)
"""  # noqa: E501
DEFER_LOCK = 0x6A6F6273  # any number that is always the same: "jobs"
# So few that nobody else waits long for the queue.
SCOPES_AT_ONCE = 1_000
DEAD_AT_ONCE = 1_000
# A new job wakes workers by NOTIFY, and a retry by the alarm. Polling finds jobs whose NOTIFY came before this process
# listened, as that of the job deferred at a start, and retries whose alarm ended with its process.
POLL_SECONDS = 5.0
HEARTBEAT_SECONDS = 10.0
SILENT_SECONDS = 30.0
# Jobs are fetched by priority, of which each urgency has so many: a tenant's jobs have one after the other, so that
# tenants take turns, however many jobs each has (start-time fair queuing).
TURNS = 1_000_000_000
# A stop need not wait longer for jobs: they are cancelled and retried.
GRACE_SECONDS = 2.0


class ProcessLost(Exception):
    """The process that ran the job has ended, or could not store how the job ended."""


class QueueConnector(PsycopgConnector):
    """procrastinate reads the name of a queueing lock from the details of its violation, which Postgres withholds from
    a role that is bound by a policy."""

    @asynccontextmanager
    async def _get_cursor(
        self, connection: psycopg.AsyncConnection[Any] | None = None
    ) -> AsyncIterator[psycopg.AsyncCursor[dict[str, Any]]]:
        async with super()._get_cursor(connection) as cursor:
            try:
                yield cursor
            except psycopg.errors.UniqueViolation as error:
                constraint = error.diag.constraint_name
                raise UniqueViolation(constraint_name=constraint, queueing_lock=None) from error


class JobQueue:
    """Defers, counts and retries jobs. Every method raises StorageUnavailable."""

    def __init__(self, url: str, settings: DatabaseSettings) -> None:
        # Its messages contain the arguments of jobs, which belong to tenants; Backoff logs failures without them.
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
        self._connector = QueueConnector(
            pool_factory=ConnectionPool,
            conninfo=url,
            # No connection before the first use.
            min_size=0,
            max_size=1,
            connection_class=BoundedConnection,
            configure=partial(_configure, settings),
            kwargs={"connect_timeout": 5},
            timeout=settings.connect_timeout_seconds,
            reconnect_timeout=1.0,
            name="camillo-jobs",
        )
        self.app = App(connector=self._connector)
        # By the urgency of tasks: the next turn of each tenant that this process deferred jobs of. Others count by
        # themselves.
        self._next_turns: dict[int, dict[TenantId, int]] = {}
        self.manager = self.app.job_manager = OutcomeManager(self._connector)

    async def open(self) -> None:
        """Opens the pool, without a connection."""
        await self.app.open_async()

    async def close(self) -> None:
        await self.app.close_async()

    async def defer(self, task: str, scopes: Sequence[Scope]) -> list[Scope]:
        """Adds one job for each scope, unless one waits, runs, or has failed for good.

        Returns the scopes whose job is running: what the caller wants done may have come too late for it.
        """
        running: list[Scope] = []
        for first in range(0, len(scopes), SCOPES_AT_ONCE):
            running += await self._defer(task, scopes[first : first + SCOPES_AT_ONCE])
        return running

    async def _defer(self, task: str, scopes: Sequence[Scope]) -> list[Scope]:
        by_lock = {lock_of(task, scope): scope for scope in scopes}
        async with storage_errors(), self._connection() as connection, connection.transaction():
            # procrastinate's queueing lock admits a second job while the first one runs, and a retry of the first then
            # violates it (its issues 1446 and 1543). So this looks for jobs in every state, one process at a time.
            await connection.execute(SQL["lock_deferring"], {"key": DEFER_LOCK})
            cursor = await connection.execute(SQL["known_locks"], {"locks": [*by_lock]})
            is_running: dict[str, bool] = dict(await cursor.fetchall())
            new = {lock: by_lock[lock] for lock in by_lock if lock not in is_running}
            if new:
                jobs = await self._jobs(task, new, connection)
                await self.manager.batch_defer_jobs_async(jobs, connection)
        return [by_lock[lock] for lock in is_running if is_running[lock]]

    async def defer_periodic(self, task: str) -> None:
        """Adds a job of a periodic task outside of its schedule, unless one waits."""
        async with storage_errors():
            with suppress(AlreadyEnqueued):
                await self.app.tasks[task].defer_async(timestamp=0)

    async def wake(self) -> None:
        """Makes the workers of all processes look for jobs now."""
        await self._execute("wake", channels=[*get_channel_for_queues(self.queues())])

    def queues(self) -> list[str]:
        """The queues of the declared tasks."""
        return sorted({task.queue for task in self.app.tasks.values()})

    async def retry_now(self, task: str) -> None:
        """Makes all waiting retries of the task due now."""
        await self._execute("retry_now", task=task)
        await self.wake()

    async def retry_dead(self, task: str, seconds: float) -> int:
        """Gives jobs that failed for good at least so long ago one more attempt. Returns how many."""
        retried = await self._execute("retry_dead", task=task, seconds=seconds, size=DEAD_AT_ONCE)
        if retried:
            await self.wake()
        return len(retried)

    async def retry_stalled(self, silent_seconds: float) -> int:
        """Retries the jobs of processes that have ended, or sent no heartbeat for so long. Returns how many.

        Each counts as a failed attempt, so that a job which kills its process ends as well.
        """
        async with storage_errors():
            jobs = await self.manager.get_stalled_jobs(seconds_since_heartbeat=silent_seconds)
        known = [job for job in jobs if job.task_name in self.app.tasks]
        for job in known:
            retry = self.app.tasks[job.task_name].get_retry_exception(ProcessLost("its process is lost"), job)
            if retry is None:
                await self._execute("fail_stalled", job_id=job.id)
            else:
                retry_at = retry.retry_decision.retry_at
                await self._execute("retry_stalled", job_id=job.id, retry_at=retry_at)
        return len(known)

    async def unregister_worker(self, worker_id: int) -> None:
        """Makes the jobs of that worker stalled."""
        async with storage_errors():
            await self.manager.unregister_worker(worker_id)

    async def succeeded(self, job: Job) -> None:
        """Removes earlier jobs of the same lock that failed for good."""
        await self._execute("remove_dead_predecessors", task=job.task_name, lock=job.lock, job_id=job.id)

    async def figures(self) -> list[JobFigures]:
        """The jobs of all processes, counted by task."""
        return [JobFigures(**row) for row in await self._execute("figures")]

    def _connection(self) -> AbstractAsyncContextManager[psycopg.AsyncConnection[Any]]:
        return self._connector.pool.connection()

    async def _execute(self, name: str, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a statement."""
        async with storage_errors(), self._connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(SQL[name], parameters)
            return await cursor.fetchall() if cursor.description else []

    async def _jobs(
        self, task: str, scopes: Mapping[str, Scope], connection: psycopg.AsyncConnection[Any]
    ) -> list[Job]:
        """The jobs of these scopes, by lock, each in its tenant's next turn."""
        urgency = self.app.tasks[task].priority
        bounds = {"first": urgency * TURNS, "last": (urgency - 1) * TURNS}
        cursor = await connection.execute(SQL["first_priority"], bounds)
        ((first,),) = await cursor.fetchall()
        now = 0 if first is None else bounds["first"] - first
        # All tenants begin anew if no job waits; a tenant without a waiting job begins level with those that have one.
        known = {} if first is None else self._next_turns.get(urgency, {})
        turns = {tenant_id: turn for tenant_id, turn in known.items() if turn > now}
        self._next_turns[urgency] = turns
        jobs = []
        for lock, scope in scopes.items():
            turn = turns.get(scope.tenant_id, now)
            turns[scope.tenant_id] = turn + 1
            priority = max(bounds["first"] - turn, bounds["last"] + 1)
            jobs.append(self._job(task, lock, scope, priority))
        return jobs

    def _job(self, task: str, lock: str, scope: Scope, priority: int) -> Job:
        arguments: dict[str, Any] = {"tenant_id": scope.tenant_id, "agent_id": scope.agent_id}
        configured = self.app.tasks[task].configure(
            lock=lock, queueing_lock=lock, task_kwargs=arguments, priority=priority
        )
        return configured.job


class JobWorker:
    """Runs procrastinate's worker. `figures` are those of the last `check`."""

    def __init__(self, queue: JobQueue, concurrency: int) -> None:
        self.queue = queue
        self.figures: list[JobFigures] = []
        self._concurrency = concurrency
        self._stop: Callable[[], None] = lambda: None
        self._unstored: set[int] = set()
        queue.manager.on_unstored = self._replace_worker

    async def run(self) -> None:
        """Runs until it is cancelled. Raises StorageUnavailable when Postgres is away: call it again then."""
        # The stopped worker could not unregister itself either while Postgres was away.
        for worker_id in [*self._unstored]:
            await self.queue.unregister_worker(worker_id)
            self._unstored.discard(worker_id)
        await self.check()
        try:
            await self._work()
        finally:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                # An error on the way to the stop must not hide that this was cancelled.
                raise asyncio.CancelledError
        raise StorageUnavailable

    async def check(self) -> None:
        """Retries stalled jobs and counts all."""
        if stalled := await self.queue.retry_stalled(SILENT_SECONDS):
            logger.warning("stalled jobs are retried", extra={"jobs": stalled})
        self.figures = await self.queue.figures()

    async def _work(self) -> None:
        async with storage_errors():
            await self.queue.app.run_worker_async(
                # One queue for each task: a server does not fetch jobs of tasks that it does not know.
                queues=self.queue.queues(),
                concurrency=self._concurrency,
                install_signal_handlers=False,
                delete_jobs="successful",
                fetch_job_polling_interval=POLL_SECONDS,
                update_heartbeat_interval=HEARTBEAT_SECONDS,
                stalled_worker_timeout=SILENT_SECONDS,
                shutdown_graceful_timeout=GRACE_SECONDS,
                worker_middleware=[self._around_job],
            )

    async def _around_job(self, call_next: Callable[[], Awaitable[Any]], context: JobContext, worker: Worker) -> Any:
        self._stop = worker.stop
        current_job.set(context.job.task_name)
        result = await call_next()
        await self.queue.succeeded(context.job)
        return result

    def _replace_worker(self, worker_id: int) -> None:
        """Stops a worker that could not store an outcome; its jobs count as stalled then."""
        self._unstored.add(worker_id)
        self._stop()


class OutcomeManager(JobManager):
    """Reports a job whose outcome could not be stored: procrastinate would leave it running for ever, with its lock."""

    def __init__(self, connector: BaseConnector) -> None:
        super().__init__(connector)
        self.on_unstored: Callable[[int], None] = lambda worker_id: None

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        with self._reporting(job):
            await super().finish_job(job, status, delete_job)

    async def retry_job(self, job: Job, *args: Any, **kwargs: Any) -> None:
        with self._reporting(job):
            await super().retry_job(job, *args, **kwargs)

    @contextmanager
    def _reporting(self, job: Job) -> Iterator[None]:
        try:
            yield
        except ConnectorException:
            logger.warning("job outcome not stored", extra={"task": job.task_name, "job_id": job.id})
            if job.worker_id is not None:
                self.on_unstored(job.worker_id)


def lock_of(task: str, scope: Scope) -> str:
    """The lock of the job of a task in a scope; different for different ids."""
    return f"{task} {json.dumps([scope.tenant_id, scope.agent_id])}"


@asynccontextmanager
async def storage_errors() -> AsyncIterator[None]:
    """Turns errors of the connection into domain errors; others pass."""
    try:
        yield
    except ConnectorException as error:
        cause = error.__cause__
        raise (domain_error(cause) if cause else None) or error from error
    except CONNECTION_LOST as error:
        raise domain_error(error) or error from error


async def _configure(settings: DatabaseSettings, connection: BoundedConnection) -> None:
    connection.answer_seconds = settings.statement_timeout_seconds + settings.answer_grace_seconds
    await connection.set_autocommit(True)
    await connection.execute(CONFIGURE_SESSION, bound_statements(settings))
