"""The jobs of one process: deferred by it, and worked on if it may.

Needs a database and what its tasks need, nothing of how calls are answered. procrastinate is imported by a thread once
there is something to do, since it takes about a tenth of a second.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from camillo_server.background import BackgroundTasks
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.scope import Scope
from camillo_server.jobs.alarm import Alarm
from camillo_server.jobs.task_names import EMBED_SCOPE, FIND_MISSING_VECTORS, REEMBED_SCOPE
from camillo_server.jobs.work import JobWork
from camillo_server.settings import JobSettings
from camillo_server.telemetry.metrics import JobFigures

if TYPE_CHECKING:
    from camillo_server.jobs.opening import OpenJobs

# A retry is due by the clock of Postgres: rather a little later than too soon.
ALARM_MARGIN_SECONDS = 0.05


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
        self._open: OpenJobs | None = None

    def start(self, tasks: BackgroundTasks) -> None:
        """Begins to defer, and to work if this process may."""
        missing, reembed = self._work.missing, self._work.reembed
        tasks.run(
            "missing vectors", lambda: missing.noticed.tell(partial(self._defer, EMBED_SCOPE))
        )
        if reembed is not None:
            defer = partial(self._defer, REEMBED_SCOPE)
            tasks.run("reembedding", lambda: reembed.noticed.tell(defer))
            if self._settings.enabled:
                tasks.run("reembedding, unfinished", lambda: reembed.look_for_ever(defer))
        if self._settings.enabled:
            tasks.run("jobs", self._run_worker)
            tasks.run("lost jobs", self._tend)
            tasks.run("job alarm", lambda: self._alarm.run(self._wake))

    async def close(self) -> None:
        """Frees the connection, after the tasks have ended."""
        if self._open is not None:
            await self._open.queue.close()

    def figures(self) -> Sequence[JobFigures]:
        """How many jobs of each task there are, in all processes together; nothing where none are worked on."""
        return self._open.worker.figures if self._open else ()

    def scopes_without_vectors(self) -> int:
        """How many scopes are known to have memories that wait for their vector."""
        deferred = [figures for figures in self.figures() if figures.task == EMBED_SCOPE]
        return len(self._work.missing.noticed) + sum(
            figures.waiting + figures.running + figures.dead for figures in deferred
        )

    async def _defer(self, task: str, scopes: Sequence[Scope]) -> Sequence[Scope]:
        return await (await self._opened()).queue.defer(task, scopes)

    async def _run_worker(self) -> None:
        jobs = await self._opened()
        # What was left behind, by this server before it stopped or by one that is gone.
        await jobs.queue.defer_single(FIND_MISSING_VECTORS, timestamp=0)
        await jobs.worker.run()

    async def _tend(self) -> None:
        await (await self._opened()).worker.tend_for_ever()

    async def _wake(self) -> None:
        await asyncio.sleep(ALARM_MARGIN_SECONDS)
        await (await self._opened()).queue.wake()

    async def _opened(self) -> "OpenJobs":
        async with self._opening:
            if self._open is None:
                module = await off_loop(
                    UNBOUNDED, lambda: import_module("camillo_server.jobs.opening")
                )
                jobs: OpenJobs = module.OpenJobs(
                    self._url, self._settings, self._work, self._wait_seconds, self._alarm
                )
                await jobs.queue.open()
                self._open = jobs
            return self._open
