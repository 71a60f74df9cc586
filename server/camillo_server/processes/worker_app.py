"""A process that only works on jobs: no port, no calls, nothing of how they are answered."""

from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.clock import Clock, SystemClock
from camillo_server.lifecycle.wiring import WiredJobs
from camillo_server.settings import Settings
from camillo_server.telemetry.startup import Telemetry
from camillo_server.wiring import make_kernel


class WorkerApp:
    """Belongs to the event loop that runs when it is made. Making one raises EmbeddingError, KeyringError."""

    def __init__(
        self,
        settings: Settings,
        database_url: str,
        telemetry: Telemetry,
        *,
        clock: Clock | None = None,
    ) -> None:
        self.kernel = make_kernel(
            _working(settings), database_url, telemetry, clock or SystemClock()
        )
        self._jobs = WiredJobs(self.kernel).background_jobs()
        self._tasks = BackgroundTasks()

    async def start(self) -> None:
        """Works when it returns, or as soon as the database can be reached."""
        await self.kernel.database.open()
        instruments = self.kernel.telemetry.instruments
        instruments.backlog = self._jobs.scopes_without_vectors
        instruments.jobs = self._jobs.figures
        # The servers hold scopes in memory, and have to hear of what is changed here.
        self._tasks.run("publish changes", self.kernel.notifier.publish)
        self._jobs.start(self._tasks)

    async def stop(self) -> None:
        """Gives back what is under way, and closes. Safe at any point of a start that failed."""
        await self._tasks.stop()
        await self._jobs.close()
        await self.kernel.providers.close()
        await self.kernel.database.close()


def _working(settings: Settings) -> Settings:
    """The settings of a process that works on jobs, whatever its servers do."""
    jobs = settings.jobs.model_copy(update={"enabled": True})
    return settings.model_copy(update={"jobs": jobs})
