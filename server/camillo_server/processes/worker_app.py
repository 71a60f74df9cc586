"""A process that only runs background jobs: no port, no calls."""

from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.clock import SystemClock
from camillo_server.lifecycle.wiring import WiredJobs
from camillo_server.settings import Settings
from camillo_server.telemetry.startup import Telemetry
from camillo_server.wiring import make_kernel


class WorkerApp:
    """Belongs to the event loop that runs when it is made. Making one raises EmbeddingError, KeyringError."""

    def __init__(self, settings: Settings, database_url: str, telemetry: Telemetry) -> None:
        # Whatever its servers do.
        jobs = settings.jobs.model_copy(update={"enabled": True})
        settings = settings.model_copy(update={"jobs": jobs})
        self.kernel = make_kernel(settings, database_url, telemetry, SystemClock())
        self._jobs = WiredJobs(self.kernel).background_jobs()
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
