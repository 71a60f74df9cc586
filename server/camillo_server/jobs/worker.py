"""Runs jobs in this process, beside its other work; restarted after every outage."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from procrastinate import JobContext
from procrastinate.worker import Worker

from camillo_server.jobs.queue import JobQueue, storage_errors
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.telemetry.instruments import JobFigures

logger = logging.getLogger(__name__)

# A new job wakes workers by NOTIFY, and a retry by the alarm. Polling finds jobs whose NOTIFY came before this process
# listened, as that of the job deferred at a start, and retries whose alarm ended with its process.
POLL_SECONDS = 5.0
HEARTBEAT_SECONDS = 10.0
SILENT_SECONDS = 30.0
# A stop need not wait longer for jobs: they are cancelled and retried.
GRACE_SECONDS = 2.0


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

    async def _around_job(
        self, call_next: Callable[[], Awaitable[Any]], context: JobContext, worker: Worker
    ) -> Any:
        self._stop = worker.stop
        result = await call_next()
        await self.queue.succeeded(context.job)
        return result

    def _replace_worker(self, worker_id: int) -> None:
        """Stops a worker that could not store an outcome; its jobs count as stalled then."""
        self._unstored.add(worker_id)
        self._stop()
