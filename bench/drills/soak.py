"""Half of the load that a server can take, for hours: it holds no more in the end than when it was warm.

Callers store a bounded number of rows, since more rows are no leak: each empties its agent after so many rounds.
"""

import asyncio
import itertools
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path

import grpc
import psycopg
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import event_pb2 as events
from camillo.v1 import event_service_pb2 as event_service
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import snapshot_service_pb2 as snapshots
from google.protobuf.message import Message

from bench.drills.drill import Drill, DrillReport
from bench.drills.own_postgres import OwnPostgres, own_postgres
from bench.drills.slopes import HOUR, Flat, settled, slope
from bench.lifecycle.writer import SCRIPTS
from bench.measure.client import Client, connected
from bench.measure.servers import VECTORS_GIVEN, AppServer, server_on, temporary_directory

HOURS_VARIABLE = "CAMILLO_DRILL_HOURS"
SECONDS, SHORT_SECONDS = 100.0, 15.0
MEASURING_SECONDS, SHORT_MEASURING_SECONDS = 10.0, 3.0
CALLERS, SAMPLES = 8, 60
# Rounds of a caller between two times that it empties its agent.
ROUNDS = 25
CALL_SECONDS = 10.0
MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Sample:
    """The figures of a server at one moment."""

    memory_mb: float
    threads: float
    files: float
    connections: float
    data_mb: float
    spool_mb: float


# Python's allocator and Postgres' caches of a connection go up and down, pools grow and shrink within their limits.
BOUNDS = {
    "memory_mb": Flat(per_hour=8, noise=24),
    "threads": Flat(per_hour=1, noise=4),
    "files": Flat(per_hour=2, noise=16),
    "connections": Flat(per_hour=1, noise=8),
    "data_mb": Flat(per_hour=1, noise=4),
    "spool_mb": Flat(per_hour=0.5, noise=1),
}


class Watched:
    """A server whose holdings are sampled from outside."""

    def __init__(self, server: AppServer, data_dir: Path, superuser_url: str) -> None:
        self._server = server
        self._data_dir = data_dir
        self._superuser_url = superuser_url

    def sample(self) -> Sample:
        of_process = Path(f"/proc/{self._server.process.pid}")
        return Sample(
            self._server.process.memory_mb(),
            len([*(of_process / "task").iterdir()]),
            len([*(of_process / "fd").iterdir()]),
            self._connections(),
            _megabytes(self._data_dir),
            _megabytes(self._data_dir / "spool"),
        )

    def _connections(self) -> int:
        with psycopg.connect(self._superuser_url) as connection:
            query = "SELECT count(*) FROM pg_stat_activity WHERE client_port IS NOT NULL AND pid <> pg_backend_pid()"
            row = connection.execute(query).fetchone()
        assert row is not None
        return int(row[0])


def _megabytes(directory: Path) -> float:
    """Megabytes of the files in it; a file may go meanwhile."""
    total = 0
    for root, _, names in os.walk(directory):
        for name in names:
            try:
                total += (Path(root) / name).stat().st_size
            except FileNotFoundError:
                continue
    return total / MB


@dataclass(slots=True)
class Load:
    """Eight callers; with an interval, each begins its next call no sooner than that after the last."""

    client: Client
    calls: int = 0
    hung: list[str] = field(default_factory=list)

    async def run(self, name: str, seconds: float, interval: float = 0.0) -> None:
        end = time.monotonic() + seconds
        async with asyncio.TaskGroup() as tasks:
            for number in range(CALLERS):
                requests = requests_of(f"caller-{number}", name)
                tasks.create_task(self._caller(requests, end, interval))

    async def _caller(self, requests: Iterator[Message], end: float, interval: float) -> None:
        due = time.monotonic()
        while (now := time.monotonic()) < end:
            await asyncio.sleep(max(0.0, due - now))
            # A late call is not made up for: that would be more than half of the load.
            due = max(due, now) + interval
            request = next(requests)
            try:
                await self.client(request, CALL_SECONDS)
            except grpc.aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.DEADLINE_EXCEEDED:
                    raise
                self.hung.append(type(request).__name__)
            self.calls += 1


def requests_of(agent_id: str, name: str) -> Iterator[Message]:
    """Yields requests without end: remember, recall, record and bundle in turn, and empty the agent now and then."""
    actor = actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="ada")
    for number in itertools.count(1):
        text = f"{name} {number} {SCRIPTS[number % len(SCRIPTS)]}"
        yield service.RememberRequest(agent_id=agent_id, memory=pb.NewMemory(content=text))
        yield service.RecallRequest(agent_id=agent_id, text=text, limit=5)
        event = events.NewEvent(session_id="soak", actor=actor, text=text)
        yield event_service.RecordEventRequest(agent_id=agent_id, event=event)
        yield snapshots.BuildBundleRequest(agent_id=agent_id, query_text=text)
        if number % ROUNDS == 0:
            yield lifecycle.ResetRequest(agent_id=agent_id, confirm=agent_id)


def run(short: bool) -> DrillReport:
    with temporary_directory() as directory, own_postgres(directory / "data") as postgres:
        return _run(postgres, directory / "server", short)


def _run(postgres: OwnPostgres, data_dir: Path, short: bool) -> DrillReport:
    report = DrillReport("soak")
    url, key = postgres.server_url, postgres.secret
    with server_on(url, key, VECTORS_GIVEN, data_dir) as server:
        asyncio.run(_drill(report, server, Watched(server, data_dir, postgres.superuser_url), short))
    return report


async def _drill(report: DrillReport, server: AppServer, watched: Watched, short: bool) -> None:
    measuring = SHORT_MEASURING_SECONDS if short else MEASURING_SECONDS
    stated = os.environ.get(HOURS_VARIABLE)
    seconds = float(stated) * HOUR if stated else SHORT_SECONDS if short else SECONDS
    async with connected(server.port, server.secret) as client:
        full, half = Load(client), Load(client)
        await full.run("full", measuring)
        interval = 2 * CALLERS * measuring / full.calls
        sampling = asyncio.create_task(_samples(watched, seconds))
        await half.run("half", seconds, interval)
        samples = await sampling
    report.found("hung", [*full.hung, *half.hung])
    report.figures |= {"hours": seconds / HOUR, "calls": half.calls}
    report.figures["full_per_s"] = full.calls / measuring
    report.figures["half_per_s"] = half.calls / seconds
    judge(report, samples)


async def _samples(watched: Watched, seconds: float) -> list[tuple[float, Sample]]:
    """Samples, each with its moment."""
    samples = []
    for _ in range(SAMPLES):
        await asyncio.sleep(seconds / SAMPLES)
        samples.append((time.monotonic(), await asyncio.to_thread(watched.sample)))
    return samples


def judge(report: DrillReport, samples: list[tuple[float, Sample]]) -> None:
    """A problem for everything that is not flat after the warm-up."""
    start = settled([moment for moment, _ in samples])
    moments = [moment for moment, _ in samples[start:]]
    for each in fields(Sample):
        values = [float(getattr(sample, each.name)) for _, sample in samples[start:]]
        per_hour = slope(moments, values) * HOUR
        bound = BOUNDS[each.name].bound(moments[-1] - moments[0])
        report.figures |= {each.name: values[-1], f"{each.name}_per_hour": per_hour}
        report.expect(
            per_hour <= bound,
            f"{each.name} grows by {per_hour:.1f} an hour, by more than {bound:.1f}",
        )


DRILL = Drill("soak", "half of the load that a server can take, for as long as --hours says", run)
