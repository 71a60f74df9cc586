"""Works on jobs in this process, beside whatever else it does: started again after every outage."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from procrastinate import JobContext

from camillo_server.domain.errors import StorageUnavailable
from camillo_server.jobs.queue import JobQueue, storage_errors
from camillo_server.telemetry.metrics import JobFigures

logger = logging.getLogger(__name__)

# New jobs are told by NOTIFY and retries by the alarm; this finds what was told to a process that has gone, or before
# this one had begun to listen, as happens to the job that the first one at a start defers.
LOOK_SECONDS = 5.0
HEARTBEAT_SECONDS = 10.0
SILENT_SECONDS = 30.0
TEND_SECONDS = 15.0
# A job that is cut short is given back and done again: a stop need not wait for it.
GRACE_SECONDS = 2.0


class JobWorker:
    """One of procrastinate's workers after the other. `figures` are as old as `TEND_SECONDS`."""

    def __init__(self, queue: JobQueue, concurrency: int) -> None:
        self.figures: list[JobFigures] = []
        self._queue = queue
        self._concurrency = concurrency
        self._unstored: set[int] = set()
        self._has_unstored = asyncio.Event()
        queue.manager.on_unstored = self._notice_unstored

    async def run(self) -> None:
        """Works until it is cancelled. Raises StorageUnavailable when Postgres is away; run it again then."""
        await self._forget_unstored()
        await self.tend()
        worker = asyncio.create_task(self._work(), name="job worker")
        unstored = asyncio.create_task(self._has_unstored.wait(), name="unstored outcome")
        try:
            await asyncio.wait({worker, unstored}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            unstored.cancel()
            worker.cancel()
            # Not awaited: what it fails with while it stops must not stand in for being cancelled.
            await asyncio.wait({worker})
            error = None if worker.cancelled() else worker.exception()
        raise error or StorageUnavailable

    async def tend_for_ever(self) -> None:
        """Takes up lost jobs and counts all, again and again."""
        while True:
            await asyncio.sleep(TEND_SECONDS)
            await self.tend()

    async def tend(self) -> None:
        """Takes up lost jobs and counts all."""
        if lost := await self._queue.take_up_lost(SILENT_SECONDS):
            logger.warning("lost jobs taken up", extra={"jobs": lost})
        self.figures = await self._queue.figures()

    async def _work(self) -> None:
        async with storage_errors():
            await self._queue.app.run_worker_async(
                # Queues are named as their tasks, so that no job comes to a server that does not know its task.
                queues=self._queue.queues(),
                concurrency=self._concurrency,
                install_signal_handlers=False,
                delete_jobs="successful",
                fetch_job_polling_interval=LOOK_SECONDS,
                update_heartbeat_interval=HEARTBEAT_SECONDS,
                stalled_worker_timeout=SILENT_SECONDS,
                shutdown_graceful_timeout=GRACE_SECONDS,
                worker_middleware=[self._with_success],
            )

    async def _with_success(
        self, call_next: Callable[[], Awaitable[Any]], context: JobContext, worker: object
    ) -> Any:
        result = await call_next()
        await self._queue.succeeded(context.job)
        return result

    def _notice_unstored(self, worker_id: int) -> None:
        self._unstored.add(worker_id)
        self._has_unstored.set()

    async def _forget_unstored(self) -> None:
        for worker_id in list(self._unstored):
            await self._queue.forget_worker(worker_id)
            self._unstored.discard(worker_id)
        self._has_unstored.clear()
