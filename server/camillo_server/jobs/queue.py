"""The queue of background jobs: procrastinate on the server's Postgres, in a schema of its own.

Only this package knows procrastinate. All times are those of Postgres, which decides what is due.
"""

import json
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
from procrastinate import App, BaseConnector, PsycopgConnector
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager, get_channel_for_queues
from psycopg_pool import AsyncConnectionPool

from camillo_server.domain.scope import Scope
from camillo_server.jobs.backoff import ProcessLost
from camillo_server.storage.errors import CONNECTION_LOST, domain_error
from camillo_server.storage.statements import statements
from camillo_server.telemetry.metrics import JobFigures

logger = logging.getLogger(__name__)

SQL = statements("jobs", Path(__file__).parent / "sql")
DEFER_LOCK = 0x6A6F6273  # any number that is always the same: "jobs"
DEAD_AT_ONCE = 1_000


class JobQueue:
    """Defers jobs, finds what became of them, and gives lost ones back. Raises StorageUnavailable throughout."""

    def __init__(self, url: str, wait_seconds: float) -> None:
        # Its messages name the arguments of jobs; what there is to tell is told by Backoff.
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
        self._pool = AsyncConnectionPool(
            url,
            min_size=0,
            max_size=1,
            open=False,
            configure=_configure,
            check=AsyncConnectionPool.check_connection,
            kwargs={"connect_timeout": 5},
            timeout=wait_seconds,
            reconnect_timeout=1.0,
            name="camillo-jobs",
        )
        self.app = App(connector=PsycopgConnector())
        self.manager = KeenManager(self.app.connector)
        self.app.job_manager = self.manager

    async def open(self) -> None:
        """Begins without a connection; the first use makes it."""
        await self._pool.open(wait=False)
        await self.app.connector.open_async(self._pool)

    async def close(self) -> None:
        await self._pool.close()

    async def defer(self, task: str, scopes: Sequence[Scope]) -> list[Scope]:
        """One job of the task for each scope, unless there is one that waits, runs, or has failed for good.

        Returns the scopes whose job is running: it may have looked before what it is wanted for came about.
        """
        by_lock = {lock_of(task, scope): scope for scope in scopes}
        async with self._alone() as connection:
            known = await _known(connection, list(by_lock))
            jobs = [self._job(task, by_lock[lock]) for lock in by_lock if lock not in known]
            if jobs:
                await self.manager.batch_defer_jobs_async(jobs, connection)
        return [by_lock[lock] for lock, states in known.items() if "doing" in states]

    async def defer_single(self, task: str, **arguments: str | int) -> None:
        """A job of a task that is not for one scope, unless one waits already."""
        job = (
            self.app.tasks[task]
            .configure(lock=task, queueing_lock=task, task_kwargs=dict(arguments))
            .job
        )
        async with self._alone() as connection:
            if "todo" not in (await _known(connection, [task]))[task]:
                await self.manager.batch_defer_jobs_async([job], connection)

    async def wake(self) -> None:
        """Has the workers of every process look at once."""
        channels = list(get_channel_for_queues(self.queues()))
        await self._execute("wake", channels=channels)

    def queues(self) -> list[str]:
        """The queues of the tasks that are known here."""
        return sorted({task.queue for task in self.app.tasks.values()})

    async def hurry(self, task: str) -> None:
        """What waits for its retry is due now."""
        await self._execute("hurry", task=task)
        await self.wake()

    async def revive(self, task: str, seconds: float) -> int:
        """One more attempt for jobs that failed for good at least so long ago. Returns how many."""
        async with storage_errors():
            rows = await self.app.connector.execute_query_all_async(
                SQL["dead_since"], task=task, seconds=seconds, size=DEAD_AT_ONCE
            )
            for row in rows:
                await _unless_another_was_quicker(
                    self.manager.retry_job_by_id_async(row["id"], retry_at=row["now"])
                )
        if rows:
            await self.wake()
        return len(rows)

    async def take_up_lost(self, silent_seconds: float) -> int:
        """Gives back what runs in no process any more: one that has ended, or been silent for so long."""
        async with storage_errors():
            jobs = await self.manager.get_stalled_jobs(seconds_since_heartbeat=silent_seconds)
            known = [job for job in jobs if job.task_name in self.app.tasks]
            for job in known:
                await self._give_back(job)
        return len(known)

    async def forget_worker(self, worker_id: int) -> None:
        """What that worker ran is lost from here on."""
        async with storage_errors():
            await self.manager.unregister_worker(worker_id)

    async def succeeded(self, job: Job) -> None:
        """What failed for good before it, of the same kind, is made good."""
        if job.lock is not None:
            await self._execute(
                "remove_dead_predecessors", task=job.task_name, lock=job.lock, job_id=job.id
            )

    async def figures(self) -> list[JobFigures]:
        """How many jobs of each task there are."""
        async with storage_errors(), self._pool.connection() as connection:
            cursor = await connection.execute(SQL["figures"])
            return [JobFigures(*row) for row in await cursor.fetchall()]

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        """A transaction in which no other process defers.

        procrastinate's queueing lock lets a second job be deferred while the first one runs, and then the first one
        cannot be put back for a retry.
        """
        async with (
            storage_errors(),
            self._pool.connection() as connection,
            connection.transaction(),
        ):
            await connection.execute(SQL["take_turn"], {"key": DEFER_LOCK})
            yield connection

    async def _execute(self, name: str, **parameters: Any) -> None:
        async with storage_errors():
            await self.app.connector.execute_query_async(SQL[name], **parameters)

    def _job(self, task: str, scope: Scope) -> Job:
        lock = lock_of(task, scope)
        deferrer = self.app.tasks[task].configure(
            lock=lock,
            queueing_lock=lock,
            task_kwargs={"tenant_id": scope.tenant_id, "agent_id": scope.agent_id},
        )
        return deferrer.job

    async def _give_back(self, job: Job) -> None:
        assert job.id is not None  # noqa: S101
        retry = self.app.tasks[job.task_name].get_retry_exception(ProcessLost("lost"), job)
        if retry is None or retry.retry_decision.retry_at is None:
            failing = self.manager.finish_job_by_id_async(job.id, Status.FAILED, delete_job=False)
            await _unless_another_was_quicker(failing)
            return
        try:
            await _unless_another_was_quicker(
                self.manager.retry_job_by_id_async(job.id, retry.retry_decision.retry_at)
            )
        except UniqueViolation:
            # Its successor waits already.
            removing = self.manager.finish_job_by_id_async(job.id, Status.FAILED, delete_job=True)
            await _unless_another_was_quicker(removing)


class KeenManager(JobManager):
    """Tells of a job whose outcome could not be stored: it would seem to run for ever, and keep its lock."""

    def __init__(self, connector: BaseConnector) -> None:
        super().__init__(connector)
        self.on_unstored: Callable[[int], None] = lambda worker_id: None

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        try:
            await super().finish_job(job, status, delete_job)
        except ConnectorException:
            self._tell(job)

    async def retry_job(self, job: Job, *args: Any, **kwargs: Any) -> None:
        try:
            await super().retry_job(job, *args, **kwargs)
        except ConnectorException:
            self._tell(job)

    def _tell(self, job: Job) -> None:
        logger.warning("job outcome not stored", extra={"task": job.task_name, "job_id": job.id})
        if job.worker_id is not None:
            self.on_unstored(job.worker_id)


async def _known(
    connection: psycopg.AsyncConnection[Any], locks: Sequence[str]
) -> dict[str, set[str]]:
    """The states of the jobs with these locks that wait, run or have failed for good."""
    states: dict[str, set[str]] = defaultdict(set)
    cursor = await connection.execute(SQL["known_locks"], {"locks": locks})
    for lock, state in await cursor.fetchall():
        states[lock].add(state)
    return states


def lock_of(task: str, scope: Scope) -> str:
    """Names a task in a scope, for the locks of its jobs; no two pairs of ids give the same name."""
    return f"{task} {json.dumps([scope.tenant_id, scope.agent_id])}"


@asynccontextmanager
async def storage_errors() -> AsyncIterator[None]:
    """Errors of the connection leave as domain errors, others as they are."""
    try:
        yield
    except ConnectorException as error:
        cause = error.__cause__
        raise (domain_error(cause) if cause else None) or error from error
    except CONNECTION_LOST as error:
        raise domain_error(error) or error from error


async def _unless_another_was_quicker(change: Any) -> None:
    """Another process may have given the same job back in the meantime: procrastinate's function refuses then."""
    try:
        await change
    except ConnectorException as error:
        if not isinstance(error.__cause__, psycopg.errors.RaiseException):
            raise


async def _configure(connection: psycopg.AsyncConnection[Any]) -> None:
    await connection.set_autocommit(True)
    await connection.execute("set search_path to camillo_jobs")
    await connection.execute("set statement_timeout to '30s'")
    await connection.execute("set timezone to 'UTC'")
