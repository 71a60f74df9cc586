"""Runs calls of the artifact service in processes that are killed, and looks at what is left."""

import asyncio
import base64
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.artifact_service_pb2 import ListArtifactsRequest
from camillo_server.features.artifacts.store.collector import CollectionCounts
from google.protobuf.message import Message
from psycopg.conninfo import make_conninfo

from tests.faults.artifact_uploads import rows
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.server_fixtures import Server

DOOMED = "doomed"
MAX_STEPS = 200


@dataclass(frozen=True, slots=True)
class Run:
    """Outcome of a call: the step before which it was killed, or its answer; and how many steps it had taken."""

    killed_before: str
    answer: bytes | None
    steps: int


class DoomedProcess:
    """Makes calls that may be killed on the way."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def call(self, at: Mapping[str, Any], method: str, requests: Iterable[Message], kill_before: int) -> Run:
        """Returns when the process that made it is gone."""
        assert self._process.stdin is not None
        packed = [base64.b64encode(each.SerializeToString()).decode() for each in requests]
        asked = {**at, "method": method, "requests": packed, "kill_before": kill_before}
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        told = await self._line()
        assert "exit" not in told, "the call failed"
        ended = (await self._line())["exit"]
        assert ended == (0 if "answer" in told else -signal.SIGKILL)
        answer = base64.b64decode(told["answer"]) if "answer" in told else None
        return Run(told.get("killed_before", ""), answer, told["steps"])

    async def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        told: dict[str, Any] = json.loads(await self._process.stdout.readline())
        return told


@asynccontextmanager
async def doomed_process() -> AsyncIterator[DoomedProcess]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.artifact_child"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        cwd=Path(__file__).parents[2],
    )
    try:
        yield DoomedProcess(process)
    finally:
        process.kill()
        await process.communicate()


async def until_disconnected(database: TestDatabase) -> None:
    """Waits until Postgres has rolled back the work of dead processes."""
    asked = "select count(*) from pg_stat_activity where application_name = %s and datname = %s"
    async with (
        asyncio.timeout(PATIENCE_SECONDS),
        await psycopg.AsyncConnection.connect(database.superuser_url, autocommit=True) as connection,
    ):
        while True:
            cursor = await connection.execute(asked, (DOOMED, database.name))
            if await cursor.fetchone() == (0,):
                return


@dataclass(frozen=True, slots=True)
class Stage:
    """A process to be killed, and a server beside it on the same database and the same directory, if any."""

    doomed: DoomedProcess
    server: Server
    directory: Path | None

    async def call(self, method: str, requests: Iterable[Message], kill_before: int) -> Run:
        """Returns when the process that made it is gone, and Postgres has noticed."""
        database, store = self.server.database, self.server.app.kernel.settings
        at = {
            "url": make_conninfo(database.server_url, application_name=DOOMED),
            "settings": {"data_dir": str(store.data_dir), "artifacts": store.artifacts.model_dump(exclude_unset=True)},
        }
        run = await self.doomed.call(at, method, requests, kill_before)
        await until_disconnected(database)
        return run

    def state(self) -> dict[str, int]:
        """How many rows there are in Postgres, and files outside of it."""
        found = self.directory.rglob("*") if self.directory else ()
        return {**rows(self.server.database), "files": sum(path.is_file() for path in found)}

    async def artifacts(self, name: str) -> Sequence[Artifact]:
        """Visible artifacts of this name."""
        listed = await self.server.alice(ListArtifactsRequest(page_size=1000))
        return [artifact for artifact in listed.artifacts if artifact.name == name]

    async def collected_after_a_day(self) -> CollectionCounts:
        """Counts of a garbage collection that runs 25 hours from now."""
        clock = self.server.clock
        before = clock.moment
        clock.move(timedelta(hours=25).total_seconds())
        try:
            return await self.server.app.artifacts.collection()
        finally:
            clock.moment = before
