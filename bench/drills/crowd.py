"""A server with 10,000 idle connections, 500 watches and 64 slow readers: eight others go on as before, and its memory
is bounded."""

import asyncio
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from google.protobuf.message import Message

from bench.artifacts.calls import BLOCK_BYTES, MIB, put
from bench.drills.crowd_members import WATCHED, Size
from bench.drills.drill import Drill, DrillReport
from bench.drills.own_postgres import OwnPostgres, own_postgres
from bench.lifecycle.writer import SCRIPTS
from bench.measure.client import Client, connected
from bench.measure.servers import (
    ROOT,
    VECTORS_GIVEN,
    AppServer,
    server_on,
    temporary_directory,
    watched_memory,
)
from bench.measure.timing import percentile

LONG, SHORT = Size(10_000, 500, 64), Size(500, 50, 8)
ARTIFACT_BYTES, SHORT_ARTIFACT_BYTES = 256 * MIB, 32 * MIB
CALLERS, PAUSE_SECONDS = 8, 0.1
PHASE_SECONDS, SHORT_PHASE_SECONDS = 30.0, 5.0
CALL_SECONDS = 5.0
MAX_RATIO = 2.0
# Descriptors that a process needs for all else.
FILES_ASIDE = 1_000
# Memory that gRPC keeps for a connection (its transport, endpoint and read buffer), for a stream with its task, and
# for a reader (a few messages of 256 KiB between the disk and its window); and memory that eight callers move.
CONNECTION_MB, WATCH_MB, READER_MB, ASIDE_MB = 64 / 1024, 128 / 1024, 4.0, 64.0


def bound_mb(size: Size) -> float:
    """The most that a server may hold above what it held before these came."""
    crowd = size.connections * CONNECTION_MB + size.watches * WATCH_MB + size.readers * READER_MB
    return crowd + ASIDE_MB


def that_fits(size: Size, files: int) -> Size:
    """Fewer connections where a process may not open so many files."""
    most = files - FILES_ASIDE - size.watches - size.readers
    return Size(min(size.connections, most), size.watches, size.readers)


@dataclass(slots=True)
class Phase:
    """The calls of eight callers: they pause between two calls, and so leave the server idle at times."""

    took_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    hung: list[str] = field(default_factory=list)

    async def run(self, client: Client, name: str, seconds: float) -> None:
        end = time.monotonic() + seconds
        async with asyncio.TaskGroup() as tasks:
            for number in range(CALLERS):
                tasks.create_task(self._caller(client, f"{name}-{number}", end))

    async def _caller(self, client: Client, name: str, end: float) -> None:
        agent_id = f"caller-{name.rpartition('-')[2]}"
        for turn in itertools.count():
            if time.monotonic() > end:
                return
            text = f"{name}.{turn} {SCRIPTS[turn % len(SCRIPTS)]}"
            remember = service.RememberRequest(
                request_id=f"{name}.{turn}", agent_id=agent_id, memory=pb.NewMemory(content=text)
            )
            for request in (remember, service.RecallRequest(agent_id=agent_id, text=text, limit=5)):
                await self._timed(client, request)
                await asyncio.sleep(PAUSE_SECONDS)

    async def _timed(self, client: Client, request: Message) -> None:
        kind, began = type(request).__name__.removesuffix("Request").lower(), time.perf_counter()
        try:
            await client(request, CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() != grpc.StatusCode.DEADLINE_EXCEEDED:
                raise
            self.hung.append(f"{kind} of {request}")
        self.took_ms[kind].append((time.perf_counter() - began) * 1000)


@asynccontextmanager
async def crowd_of(server: AppServer, size: Size, artifact_id: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The process of a crowd that has begun to come."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bench.drills.crowd_members", str(server.port), server.secret),
        *(*map(str, astuple(size)), artifact_id),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _line(process: asyncio.subprocess.Process) -> dict[str, Any]:
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise RuntimeError("the crowd broke")
    told: dict[str, Any] = json.loads(line)
    return told


def run(short: bool) -> DrillReport:
    wanted = SHORT if short else LONG
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        with temporary_directory() as directory, own_postgres(directory / "data") as postgres:
            return _run(postgres, directory, wanted, that_fits(wanted, hard), short)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _run(postgres: OwnPostgres, directory: Path, wanted: Size, size: Size, short: bool) -> DrillReport:
    report = DrillReport("crowd")
    report.figures |= {"connections_wanted": wanted.connections, "connections": size.connections}
    settings = {
        "server.max_connections": size.connections + size.watches + size.readers + FILES_ASIDE,
        "server.max_streams": 4 * (size.watches + size.readers),
    }
    url, key = postgres.server_url, postgres.secret
    with server_on(url, key, VECTORS_GIVEN, directory / "server", settings) as server:
        asyncio.run(_drill(report, server, size, short))
    return report


async def _drill(report: DrillReport, server: AppServer, size: Size, short: bool) -> None:
    seconds = SHORT_PHASE_SECONDS if short else PHASE_SECONDS
    warm, before, during = Phase(), Phase(), Phase()
    report.figures["memory_start_mb"] = server.process.memory_mb()
    async with connected(server.port, server.secret) as client:
        artifact = await put(client, _blocks(SHORT_ARTIFACT_BYTES if short else ARTIFACT_BYTES))
        await warm.run(client, "warm", seconds / 3)
        await before.run(client, "before", seconds)
        await client.remember(WATCHED, "what every watch begins with")
        held_mb = server.process.memory_mb()
        async with (
            watched_memory(server.process.memory_mb) as samples,
            crowd_of(server, size, artifact.artifact_id) as crowd,
        ):
            began = time.monotonic()
            stood = Size(**await _line(crowd))
            report.figures["coming_s"] = time.monotonic() - began
            await during.run(client, "during", seconds)
            report.figures["memory_with_crowd_mb"] = server.process.memory_mb()
            await client.remember(WATCHED, "what every watch is told")
            assert crowd.stdin is not None
            crowd.stdin.write(b"\n")
            ended = await _line(crowd)
    _judge_crowd(report, size, stood, ended)
    _judge_memory(report, size, held_mb, max(samples))
    report.found("hung", [*before.hung, *during.hung])
    _judge_latencies(report, before, during, is_judged=not short)


def _blocks(size: int) -> Iterator[bytes]:
    dice = random.Random(size)
    return (dice.randbytes(BLOCK_BYTES) for _ in range(size // BLOCK_BYTES))


def _judge_crowd(report: DrillReport, size: Size, stood: Size, ended: dict[str, Any]) -> None:
    report.expect(stood == size, f"of {size} came {stood}")
    report.expect(ended["open"] == size.connections, f"connections were closed: {ended['open']}")
    report.found("hung", ["a watch that was not told"] * (size.watches - ended["told"]))
    report.expect(not ended["errors"], f"{len(ended['errors'])} errors: {ended['errors'][:3]}")
    report.figures |= {"watches": stood.watches, "readers": stood.readers}
    report.figures["slow_messages"] = ended["messages"]


def _judge_memory(report: DrillReport, size: Size, held_mb: float, peak_mb: float) -> None:
    grown, bound = peak_mb - held_mb, bound_mb(size)
    report.figures |= {"memory_before_mb": held_mb, "memory_peak_mb": peak_mb}
    report.figures |= {"memory_grown_mb": grown, "memory_bound_mb": bound}
    report.expect(grown <= bound, f"memory grew by {grown:.0f} MB, by more than {bound:.0f} MB")


def _judge_latencies(report: DrillReport, before: Phase, during: Phase, *, is_judged: bool) -> None:
    """A few seconds of a short run show no percentile that could be judged."""
    for kind in ("recall", "remember"):
        then, now = (percentile(phase.took_ms[kind], 95) for phase in (before, during))
        ratio = now / then
        report.figures |= {
            f"{kind}_before_p95_ms": then,
            f"{kind}_during_p95_ms": now,
            f"{kind}_ratio": ratio,
        }
        if is_judged:
            told = f"p95 of {kind}: {ratio:.1f} times what it was before"
            report.expect(ratio <= MAX_RATIO, told)


DRILL = Drill(
    "crowd",
    "10,000 idle connections, 500 watches and 64 slow readers beside eight callers",
    run,
)
