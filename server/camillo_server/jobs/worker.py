"""Works on jobs in this process, beside whatever else it does: started again after every outage."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from procrastinate import JobContext
from procrastinate.worker import Worker

from camillo_server.domain.errors import StorageUnavailable
from camillo_server.jobs.queue import JobQueue, storage_errors
from camillo_server.telemetry.metrics import JobFigures

logger = logging.getLogger(__name__)

# New jobs are told by NOTIFY and retries by the alarm; this finds what was told to a process that has gone, or before
# this one had begun to listen, as happens to the job that the first one at a start defers.
LOOK_SECONDS = 5.0
HEARTBEAT_SECONDS = 10.0
SILENT_SECONDS = 30.0
# A job that is cut short is given back and done again: a stop need not wait for it.
GRACE_SECONDS = 2.0


class JobWorker:
    """One of procrastinate's workers after the other. `figures` are those of the last `tend`."""

    def __init__(self, queue: JobQueue, concurrency: int) -> None:
        self.queue = queue
        self.figures: list[JobFigures] = []
        self._concurrency = concurrency
        self._stop: Callable[[], None] = lambda: None
        self._unstored: set[int] = set()
        queue.manager.on_unstored = self._replace_worker

    async def run(self) -> None:
        """Works until it is cancelled. Raises StorageUnavailable when Postgres is away; run it again then."""
        # Had it unregistered itself, its jobs would be lost already: that, too, takes a connection.
        for worker_id in [*self._unstored]:
            await self.queue.forget_worker(worker_id)
            self._unstored.discard(worker_id)
        await self.tend()
        try:
            await self._work()
        finally:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                # What it fails with while it stops must not stand in for being cancelled.
                raise asyncio.CancelledError
        raise StorageUnavailable

    async def tend(self) -> None:
        """Takes up lost jobs and counts all."""
        if lost := await self.queue.take_up_lost(SILENT_SECONDS):
            logger.warning("lost jobs taken up", extra={"jobs": lost})
        self.figures = await self.queue.figures()

    async def _work(self) -> None:
        async with storage_errors():
            await self.queue.app.run_worker_async(
                # Queues are named as their tasks, so that no job comes to a server that does not know its task.
                queues=self.queue.queues(),
                concurrency=self._concurrency,
                install_signal_handlers=False,
                delete_jobs="successful",
                fetch_job_polling_interval=LOOK_SECONDS,
                update_heartbeat_interval=HEARTBEAT_SECONDS,
                stalled_worker_timeout=SILENT_SECONDS,
                shutdown_graceful_timeout=GRACE_SECONDS,
                worker_middleware=[self._around_job],
            )

    async def _around_job(
        self, call_next: Callable[[], Awaitable[Any]], context: JobContext, worker: Worker
    ) -> Any:
        self._stop = worker.stop
        result = await call_next()
        await self.queue.succeeded(context.job)
        return result

    def _replace_worker(self, worker_id: int) -> None:
        """Of a worker that could not store an outcome, all jobs are lost."""
        self._unstored.add(worker_id)
        self._stop()
