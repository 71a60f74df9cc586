"""A process that only works on jobs: no port, no calls. Its provider never answers, so that a job of it runs until it
is killed."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.faults.server_process import python_process

PROGRAM = """
import asyncio, sys
import numpy as np
from numpy.typing import NDArray
from camillo_server.storage.jobs.board import PendingScopes
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.clock import SystemClock
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.models.embedding.lexical import RandomEmbedder
from camillo_server.across.lifecycle.background_jobs import BackgroundJobs, JobWork
from camillo_server.across.lifecycle.embed_scope import EmbedScope, MissingVectors
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.settings.settings import DatabaseSettings, JobSettings
from camillo_server.storage.database import Database
from camillo_server.across.lifecycle.store.embedding_backlog import EmbeddingBacklog

class Silent(RandomEmbedder):
    async def embed(self, *asked):
        print("embedding", flush=True)
        await asyncio.Event().wait()

async def main(url):
    database = Database(url, DatabaseSettings(pool_min=0, pool_max=2, connect_timeout_seconds=5))
    await database.open()
    backlog = EmbeddingBacklog(database, ChangeNotifier(url), SystemClock())
    embedding = TextEmbedding(Silent(16), 60.0, lambda reason: None)
    missing = MissingVectors(database, backlog, PendingScopes())
    work = JobWork(EmbedScope(backlog, embedding), missing)
    BackgroundJobs(url, JobSettings(), work, DatabaseSettings()).start(BackgroundTasks())
    await asyncio.Event().wait()

asyncio.run(main(sys.argv[1]))
"""


class JobProcess:
    """A started process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    async def until_embedding(self) -> None:
        """Waits until a job of the process has called the provider."""
        assert self._process.stdout is not None
        line = await asyncio.to_thread(self._process.stdout.readline)
        assert line == "embedding\n", "the process ended before it had a job"

    async def kill(self) -> None:
        """SIGKILL: nothing is given back, nothing is said."""
        self._process.kill()
        await asyncio.to_thread(self._process.wait)


@contextmanager
def job_process(database_url: str) -> Iterator[JobProcess]:
    with python_process("-c", PROGRAM, database_url) as process:
        yield JobProcess(process)
