"""A worker: the database, the schema, then one process that only runs background jobs: no port, no calls."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from camillo_server.assembly.distillation_service import WiredDistillation
from camillo_server.assembly.kernel import make_kernel
from camillo_server.assembly.lifecycle_service import WiredJobs
from camillo_server.assembly.processes.connections import fit_pool
from camillo_server.assembly.processes.interpreter import on_stop_signals
from camillo_server.assembly.processes.serve import logged, open_database, prepare, run_to_end
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.settings.settings import Settings
from camillo_server.storage.migrate import require_current_schema, require_serving_role
from camillo_server.telemetry.tracing import Telemetry, start_telemetry

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Working:
    """A running worker. `next_model_id` is empty where no model is to serve next."""

    database: str
    embedder: str
    model_id: str
    next_model_id: str


class WorkerApp:
    """Belongs to the event loop that runs when it is made. Making one raises EmbeddingError, KeyringError."""

    def __init__(self, settings: Settings, database_url: str, telemetry: Telemetry) -> None:
        # Whatever its servers do.
        jobs = settings.jobs.model_copy(update={"enabled": True})
        settings = settings.model_copy(update={"jobs": jobs})
        self.kernel = make_kernel(settings, database_url, telemetry, SystemClock())
        self._jobs = WiredJobs(self.kernel, WiredDistillation(self.kernel).jobs).background
        self._tasks = BackgroundTasks()

    async def start(self) -> None:
        """Begins to run jobs, as soon as the database can be reached."""
        await self.kernel.database.open()
        instruments = self.kernel.telemetry.instruments
        instruments.backlog = self._jobs.scopes_without_vectors
        instruments.jobs = self._jobs.figures
        # Servers keep scopes in memory, and must learn what changes here.
        self._tasks.run("publish changes", self.kernel.notifier.publish)
        self._jobs.start(self._tasks)

    async def stop(self) -> None:
        """Stops jobs, which are retried elsewhere, and closes. Safe at any point of a start that failed."""
        await self._tasks.stop()
        await self._jobs.close()
        await self.kernel.providers.close()
        await self.kernel.database.close()


def work(settings: Settings, on_ready: Callable[[Working], None], running_url: str | None = None) -> int:
    """Runs jobs until SIGINT or SIGTERM; those that run then are retried elsewhere. Returns the exit code.

    `running_url` is that of an embedded database which a server runs. Raises StartError for what the operator can mend.
    """
    with logged(settings), _database(settings, running_url) as (url, shown):
        fitted = fit_pool(settings, url)
        return run_to_end(_work(fitted, url, lambda app: on_ready(_working(app, shown))))


@contextmanager
def _database(settings: Settings, running_url: str | None) -> Iterator[tuple[str, str]]:
    """The URL for the role that serves, and the database in words."""
    if running_url is not None:
        # Whoever runs it has migrated it.
        require_serving_role(running_url)
        require_current_schema(running_url)
        yield running_url, "embedded, of the running server"
        return
    with open_database(settings) as urls:
        prepare(settings, urls)
        yield urls.server_url, urls.shown


async def _work(settings: Settings, url: str, on_ready: Callable[[WorkerApp], None]) -> int:
    stopping = asyncio.Event()
    telemetry = start_telemetry(settings.telemetry)
    app = WorkerApp(settings, url, telemetry)
    try:
        try:
            await app.start()
            on_stop_signals(stopping.set)
            on_ready(app)
            await stopping.wait()
            logger.info("stopping; running jobs are retried elsewhere")
        finally:
            await app.stop()
    finally:
        await off_loop(UNBOUNDED, telemetry.stop)
    return 0


def _working(app: WorkerApp, shown: str) -> Working:
    providers = app.kernel.providers
    return Working(
        database=shown,
        embedder=providers.choice.reason,
        model_id=providers.serving.model_id,
        next_model_id=providers.next.model_id if providers.next else "",
    )
