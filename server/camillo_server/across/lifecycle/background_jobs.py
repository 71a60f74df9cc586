"""The background jobs of one process: it defers them, and runs them if it may.

Needs a database and what its tasks need, nothing of gRPC. procrastinate is imported in a thread at the first use, since
that takes about a tenth of a second.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from camillo_server.across.lifecycle.embed_scope import EmbedScope, MissingVectors, ReembedScope
from camillo_server.across.lifecycle.maintenance import MaintenanceJobs
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.settings.settings import DatabaseSettings, JobSettings
from camillo_server.storage.jobs.board import Defer
from camillo_server.telemetry.instruments import JobFigures

if TYPE_CHECKING:
    from camillo_server.storage.jobs.queue import JobWorker

# The names of tasks in the database, in figures and in logs. A released name never changes.
EMBED_SCOPE = "embed_scope"
FIND_MISSING_VECTORS = "find_missing_vectors"
MAINTAIN_SCOPE = "maintain_scope"
MAINTAIN_ALL = "maintain_all"
REEMBED_SCOPE = "reembed_scope"
VACUUM = "vacuum"
DISTILL_SCOPE = "distill_scope"
FIND_UNDISTILLED = "find_undistilled"

CHECK_SECONDS = 15.0
# A retry is due by the clock of Postgres: better a little late than too soon.
MARGIN_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class DistillJobs:
    """Distils a scope, and defers for those that are due. Where that is off, jobs of before end without doing
    anything."""

    distil: Callable[[Scope], Awaitable[None]]
    defer_everywhere: Callable[[Defer], Awaitable[None]]
    is_on: bool


@dataclass(frozen=True, slots=True)
class JobWork:
    """The work of each task. A process without the part of a task leaves its jobs to others."""

    embed: EmbedScope
    missing: MissingVectors
    reembed: ReembedScope | None = None
    maintenance: MaintenanceJobs | None = None
    distill: DistillJobs | None = None


class Alarm:
    """Calls back when retries are due, so that no process has to poll Postgres every second."""

    def __init__(self) -> None:
        self._is_due = asyncio.Event()

    def set(self, seconds: float) -> None:
        """Adds a time, so many seconds from now."""
        asyncio.get_running_loop().call_later(seconds, self._is_due.set)

    async def run(self, notify: Callable[[], Awaitable[object]]) -> None:
        """Calls `notify` until it is cancelled, once for all times that are due by then."""
        while True:
            await self._is_due.wait()
            self._is_due.clear()
            await notify()


class BackgroundJobs:
    """Start it when the database is open; close it when the tasks that it was given have ended."""

    def __init__(self, url: str, settings: JobSettings, work: JobWork, database: DatabaseSettings) -> None:
        """Connects by the bounds of `database`. Without `settings.enabled` it defers jobs, but runs none."""
        self._url = url
        self._settings = settings
        self._work = work
        self._database = database
        self._alarm = Alarm()
        self._opening = asyncio.Lock()
        self._open: JobWorker | None = None

    def start(self, tasks: BackgroundTasks) -> None:
        """Begins to defer jobs, and to run them if this process may."""
        missing, reembed = self._work.missing, self._work.reembed
        embed = partial(self._defer, EMBED_SCOPE)
        tasks.run("missing vectors", lambda: missing.pending.defer_for_ever(embed))
        if reembed is not None:
            embed_next = partial(self._defer, REEMBED_SCOPE)
            tasks.run("reembedding", lambda: reembed.pending.defer_for_ever(embed_next))
            if self._settings.enabled:
                tasks.run("reembedding, unfinished", lambda: reembed.defer_regularly(embed_next))
        if self._settings.enabled:
            tasks.run("jobs", self._run_worker)
            tasks.repeat("stalled jobs", self._check, CHECK_SECONDS)
            tasks.run("job alarm", lambda: self._alarm.run(self._wake))

    async def close(self) -> None:
        if self._open is not None:
            await self._open.queue.close()

    def figures(self) -> Sequence[JobFigures]:
        """The jobs of all processes, counted by task; empty in a process that runs none."""
        return self._open.figures if self._open else ()

    def scopes_without_vectors(self) -> int:
        """The number of scopes known to have memories without a vector."""
        deferred = [figures for figures in self.figures() if figures.task == EMBED_SCOPE]
        return len(self._work.missing.pending) + sum(
            figures.waiting + figures.running + figures.dead for figures in deferred
        )

    async def _defer(self, task: str, scopes: Sequence[Scope]) -> Sequence[Scope]:
        return await (await self._opened()).queue.defer(task, scopes)

    async def _run_worker(self) -> None:
        worker = await self._opened()
        # For scopes that were pending in a process that is gone. procrastinate itself defers a periodic task at a start
        # only if its last time passed unused.
        await worker.queue.defer_periodic(FIND_MISSING_VECTORS)
        await worker.run()

    def _set_alarm(self, retry_seconds: float) -> None:
        self._alarm.set(retry_seconds + MARGIN_SECONDS)

    async def _check(self) -> None:
        await (await self._opened()).check()

    async def _wake(self) -> None:
        await (await self._opened()).queue.wake()

    async def _opened(self) -> "JobWorker":
        async with self._opening:
            if self._open is None:
                worker = await off_loop(UNBOUNDED, self._worker)
                await worker.queue.open()
                self._open = worker
            return self._open

    def _worker(self) -> "JobWorker":
        from camillo_server.across.lifecycle.job_tasks import declare_tasks
        from camillo_server.storage.jobs.queue import JobQueue, JobWorker

        queue = JobQueue(self._url, self._database)
        declare_tasks(queue, self._settings, self._work, self._set_alarm)
        return JobWorker(queue, self._settings.concurrency)
