"""Parts of a large log: how soon they come, and how fast all of it is searched; and a log of 1 MiB offloaded."""

import asyncio
import random
import time
from collections.abc import AsyncIterator

from camillo.v1 import artifact_pb2 as pb

from bench.artifacts.calls import (
    BLOCK_BYTES,
    MIB,
    ArtifactOptions,
    delete,
    log_blocks,
    offload,
    put,
    read,
    search,
    with_first_line,
)
from bench.material.logs import log_bytes
from bench.measure.client import Client, connected
from bench.measure.servers import AppServer
from bench.measure.timing import Figures, Rounds, p50_and_p95

NEEDLE = "the one needle in all the hay"
LINE = 5_000_000
WARM_UP_READS, WARM_UP_OFFLOADS = 3, 5


def measure(options: ArtifactOptions, app: AppServer) -> Figures:
    """Milliseconds to the first message of a range, at the 95th percentile; MB/s of a search for a literal that is
    nowhere, and milliseconds to a first match in the first MiB."""
    return asyncio.run(_measure(options, app))


async def _measure(options: ArtifactOptions, app: AppServer) -> Figures:
    async with connected(app.port, app.secret) as client:
        large = await put(client, log_blocks(log_bytes(BLOCK_BYTES, seed=3), options.large_bytes, ""))
        figures = await _ranges(client, large, options)
        await delete(client, large.artifact_id)
        log = await put(client, log_blocks(log_bytes(BLOCK_BYTES, seed=4), options.stream_bytes, NEEDLE, ""))
        figures |= await _search(client, log, options)
        await delete(client, log.artifact_id)
    return figures


async def _ranges(client: Client, large: pb.Artifact, options: ArtifactOptions) -> Figures:
    chance = random.Random(5)
    line = min(LINE, large.line_count // 2)

    def middle() -> pb.ByteRange:
        start = large.size_bytes // 2 + chance.randint(0, 64 * MIB)
        start = min(start, large.size_bytes - 4_096)
        return pb.ByteRange(start=start, end=start + 4_096)

    taken = Rounds()
    for number in range(options.reads + WARM_UP_READS):
        ranges = {
            "tail": pb.ArtifactRange(tail_lines=1),
            "line": pb.ArtifactRange(lines=pb.LineRange(first=line, last=line)),
            "range": pb.ArtifactRange(bytes=middle()),
        }
        for name, wanted in ranges.items():
            milliseconds = await _first_ms(read(client, large.artifact_id, wanted))
            if number >= WARM_UP_READS:
                taken.add({name: milliseconds})
    return {key: figure for name, values in taken.items() for key, figure in p50_and_p95(name, values).items()}


async def _first_ms(stream: AsyncIterator[object]) -> float:
    started, messages = time.perf_counter(), aiter(stream)
    await anext(messages)
    milliseconds = (time.perf_counter() - started) * 1000
    async for _ in messages:
        pass
    return milliseconds


async def _search(client: Client, log: pb.Artifact, options: ArtifactOptions) -> Figures:
    found = Rounds()
    for number in range(options.rounds + 1):
        started = time.perf_counter()
        async for answer in search(client, log.artifact_id, "no line has this"):
            assert not answer.matches
        rate = log.size_bytes / 1e6 / (time.perf_counter() - started)
        first_ms = 0.0
        started = time.perf_counter()
        async for answer in search(client, log.artifact_id, NEEDLE):
            if answer.matches:
                first_ms = (time.perf_counter() - started) * 1000
        # The first round reads what Postgres does not have in memory yet.
        if number:
            found.add({"search_mb_s": rate, "search_first_ms": first_ms})
    return found.figures()


def measure_offload(options: ArtifactOptions, app: AppServer) -> Figures:
    """Milliseconds of OffloadOutput of a log of 1 MiB, durable, each one new."""
    return asyncio.run(_offloads(options, app))


async def _offloads(options: ArtifactOptions, app: AppServer) -> Figures:
    log, taken = log_bytes(MIB, seed=6), []
    async with connected(app.port, app.secret) as client:
        for number in range(options.offloads + WARM_UP_OFFLOADS):
            output = with_first_line(log, f"output {number} {time.time_ns()}")
            started = time.perf_counter()
            answer = await offload(client, output)
            taken.append((time.perf_counter() - started) * 1000)
            assert answer.HasField("artifact")
    return p50_and_p95("offload_1mib", taken[WARM_UP_OFFLOADS:])
