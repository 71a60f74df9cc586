"""The jobs of one process: deferred by it, and worked on if it may.

Needs a database and what its tasks need, nothing of how calls are answered. procrastinate is imported by a thread once
there is something to do, since it takes about a tenth of a second.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from camillo_server.background import BackgroundTasks
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.scope import Scope
from camillo_server.jobs.embed_scope import EmbedScope, ReembedScope
from camillo_server.jobs.scopes import Maintenance, MissingVectors
from camillo_server.settings import JobSettings
from camillo_server.telemetry.metrics import JobFigures

if TYPE_CHECKING:
    from camillo_server.jobs.worker import JobWorker

# What jobs are called in the database, in figures and in logs. A name once released stays.
EMBED_SCOPE = "embed_scope"
FIND_MISSING_VECTORS = "find_missing_vectors"
MAINTAIN_SCOPE = "maintain_scope"
MAINTAIN_ALL = "maintain_all"
REEMBED_SCOPE = "reembed_scope"

TEND_SECONDS = 15.0
# A retry is due by the clock of Postgres: rather a little later than too soon.
ALARM_MARGIN_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class JobWork:
    """What a process can do of the jobs: a task whose part is missing is left to others."""

    embed: EmbedScope
    missing: MissingVectors
    reembed: ReembedScope | None = None
    maintenance: Maintenance | None = None


class Alarm:
    """Rings when retries are due, so that no process has to ask Postgres every second. Belongs to one event loop."""

    def __init__(self) -> None:
        self._is_due = asyncio.Event()

    def set(self, seconds: float) -> None:
        """To ring so many seconds from now."""
        asyncio.get_running_loop().call_later(seconds, self._is_due.set)

    async def run(self, ring: Callable[[], Awaitable[object]]) -> None:
        """Rings for as long as it runs, once for all that is due by then."""
        while True:
            await self._is_due.wait()
            self._is_due.clear()
            await ring()


class BackgroundJobs:
    """Started once the database is open; it ends with the tasks it is given, and `close` comes after that."""

    def __init__(self, url: str, settings: JobSettings, work: JobWork, wait_seconds: float) -> None:
        """`wait_seconds`: how long a use of the queue waits for a connection. It defers, whatever `settings.enabled`."""
        self._url = url
        self._settings = settings
        self._work = work
        self._wait_seconds = wait_seconds
        self._alarm = Alarm()
        self._opening = asyncio.Lock()
        self._open: JobWorker | None = None

    def start(self, tasks: BackgroundTasks) -> None:
        """Begins to defer, and to work if this process may."""
        missing, reembed = self._work.missing, self._work.reembed
        defer = partial(self._defer, EMBED_SCOPE)
        tasks.run("missing vectors", lambda: missing.noticed.defer_for_ever(defer))
        if reembed is not None:
            defer_again = partial(self._defer, REEMBED_SCOPE)
            tasks.run("reembedding", lambda: reembed.noticed.defer_for_ever(defer_again))
            if self._settings.enabled:
                tasks.run("reembedding, unfinished", lambda: reembed.look_for_ever(defer_again))
        if self._settings.enabled:
            tasks.run("jobs", self._run_worker)
            tasks.repeat("lost jobs", self._tend, TEND_SECONDS)
            tasks.run("job alarm", lambda: self._alarm.run(self._wake))

    async def close(self) -> None:
        """Frees the connection, after the tasks have ended."""
        if self._open is not None:
            await self._open.queue.close()

    def figures(self) -> Sequence[JobFigures]:
        """How many jobs of each task there are, in all processes together; nothing where none are worked on."""
        return self._open.figures if self._open else ()

    def scopes_without_vectors(self) -> int:
        """How many scopes are known to have memories that wait for their vector."""
        deferred = [figures for figures in self.figures() if figures.task == EMBED_SCOPE]
        return len(self._work.missing.noticed) + sum(
            figures.waiting + figures.running + figures.dead for figures in deferred
        )

    async def _defer(self, task: str, scopes: Sequence[Scope]) -> Sequence[Scope]:
        return await (await self._opened()).queue.defer(task, scopes)

    async def _run_worker(self) -> None:
        worker = await self._opened()
        # What was left behind, by this server before it stopped or by one that is gone. procrastinate's own deferrer
        # of periodic tasks does nothing at a start where another process had the last turn.
        await worker.queue.defer_periodic(FIND_MISSING_VECTORS)
        await worker.run()

    async def _tend(self) -> None:
        await (await self._opened()).tend()

    async def _wake(self) -> None:
        await asyncio.sleep(ALARM_MARGIN_SECONDS)
        await (await self._opened()).queue.wake()

    async def _opened(self) -> "JobWorker":
        async with self._opening:
            if self._open is None:
                worker = await off_loop(UNBOUNDED, self._worker)
                await worker.queue.open()
                self._open = worker
            return self._open

    def _worker(self) -> "JobWorker":
        from camillo_server.jobs.queue import JobQueue
        from camillo_server.jobs.tasks import declare_tasks
        from camillo_server.jobs.worker import JobWorker

        queue = JobQueue(self._url, self._wait_seconds)
        declare_tasks(queue, self._settings, self._work, self._alarm.set)
        return JobWorker(queue, self._settings.concurrency)
