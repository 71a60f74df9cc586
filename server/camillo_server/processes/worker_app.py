"""The composition root of a process that only runs background jobs: no port, no calls."""

from camillo_server.artifacts.wiring import keyring
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.clock import SystemClock
from camillo_server.lifecycle.wiring import JobApp, JobParts, open_embeddings
from camillo_server.settings import Settings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.telemetry.startup import Telemetry


class WorkerApp:
    """Make it on the event loop that it runs on. Making one raises EmbeddingError, KeyringError."""

    def __init__(
        self,
        settings: Settings,
        database_url: str,
        telemetry: Telemetry,
    ) -> None:
        clock = SystemClock()
        # Whatever its servers do.
        jobs_enabled = {"jobs": settings.jobs.model_copy(update={"enabled": True})}
        settings = settings.model_copy(update=jobs_enabled)
        self._telemetry = telemetry
        self._database = Database(database_url, settings.database)
        self._notifier = ChangeNotifier(database_url)
        self.embeddings = open_embeddings(
            settings, self._database, clock, telemetry.instruments.record_embedding_failure
        )
        parts = JobParts(
            database=self._database,
            database_url=database_url,
            notifier=self._notifier,
            keyring=keyring(settings),
            embeddings=self.embeddings,
            clock=clock,
        )
        jobs = JobApp(settings, parts)
        self._jobs = jobs.background_jobs(
            ScopeWrites(self._database, self._notifier, jobs.missing_vectors.pending.add)
        )
        self._tasks = BackgroundTasks()

    async def start(self) -> None:
        """Begins to run jobs, as soon as the database can be reached."""
        await self._database.open()
        instruments = self._telemetry.instruments
        instruments.backlog = self._jobs.scopes_without_vectors
        instruments.jobs = self._jobs.figures
        # Servers keep scopes in memory, and must learn what changes here.
        self._tasks.run("publish changes", self._notifier.publish)
        self._jobs.start(self._tasks)

    async def stop(self) -> None:
        """Stops jobs, which are retried elsewhere, and closes. Safe at any point of a start that failed."""
        await self._tasks.stop()
        await self._jobs.close()
        await self.embeddings.close()
        await self._database.close()
