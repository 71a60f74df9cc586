"""Parts of a large log: how soon they come, and how fast all of it is searched."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator

from camillo.v1 import artifact_pb2 as pb

from bench.artifacts.calls import ArtifactCalls, upload_stream
from bench.artifacts.options import MIB, ArtifactOptions
from bench.material.logs import log_bytes
from bench.measure.client import channel_to
from bench.measure.servers import AppServer
from bench.measure.timing import Figure, percentile

BLOCK_BYTES = 16 * MIB
NEEDLE = "the one needle in all the hay"
LINE = 5_000_000


def measure(options: ArtifactOptions, app: AppServer) -> dict[str, Figure]:
    """Milliseconds to the first message of a range, at the 95th percentile; MB/s of a search for a literal that is
    nowhere, and milliseconds to a first match in the first MiB."""
    return asyncio.run(_measure(options, app))


async def _measure(options: ArtifactOptions, app: AppServer) -> dict[str, Figure]:
    async with channel_to(app.port) as channel:
        calls = ArtifactCalls(channel, app.secret)
        large = await calls.put(upload_stream(_blocks(options.large_bytes, seed=3)))
        figures = await _ranges(calls, large, options)
        await calls.delete(large.artifact_id)
        log = await calls.put(upload_stream(_blocks(options.stream_bytes, seed=4)))
        figures |= await _search(calls, log, options)
        await calls.delete(log.artifact_id)
    return figures


def _blocks(size: int, seed: int) -> Iterator[bytes]:
    block = log_bytes(BLOCK_BYTES, seed)
    for number in range(size // BLOCK_BYTES):
        first = f"block {number} {NEEDLE if number == 0 else ''}\n".encode()
        yield first + block[len(first) :]


async def _ranges(
    calls: ArtifactCalls, large: pb.Artifact, options: ArtifactOptions
) -> dict[str, Figure]:
    chance = random.Random(5)
    line = min(LINE, large.line_count // 2)

    def middle() -> pb.ArtifactRange:
        start = large.size_bytes // 2 + chance.randint(0, 64 * MIB)
        start = min(start, large.size_bytes - 4_096)
        return pb.ArtifactRange(bytes=pb.ByteRange(start=start, end=start + 4_096))

    ranges: dict[str, Callable[[], pb.ArtifactRange]] = {
        "tail": lambda: pb.ArtifactRange(tail_lines=1),
        "line": lambda: pb.ArtifactRange(lines=pb.LineRange(first=line, last=line)),
        "range": middle,
    }
    taken: dict[str, list[float]] = {name: [] for name in ranges}
    for number in range(options.reads + 3):
        for name, wanted in ranges.items():
            stream = calls.read(large.artifact_id, wanted())
            milliseconds = await _first_ms(stream)
            if number >= 3:
                taken[name].append(milliseconds)
    return {
        f"{name}_{what}_ms": Figure((percentile(values, percent),))
        for name, values in taken.items()
        for what, percent in (("p50", 50), ("p95", 95))
    }


async def _first_ms(stream: AsyncIterator[object]) -> float:
    started = time.perf_counter()
    await anext(stream)
    milliseconds = (time.perf_counter() - started) * 1000
    async for _ in stream:
        pass
    return milliseconds


async def _search(
    calls: ArtifactCalls, log: pb.Artifact, options: ArtifactOptions
) -> dict[str, Figure]:
    rates, firsts = [], []
    for _ in range(options.rounds + 1):
        started = time.perf_counter()
        async for answer in calls.search(log.artifact_id, literal="no line has this"):
            assert not answer.matches
        rates.append(log.size_bytes / 1e6 / (time.perf_counter() - started))
        started = time.perf_counter()
        async for answer in calls.search(log.artifact_id, literal=NEEDLE):
            if answer.matches:
                firsts.append((time.perf_counter() - started) * 1000)
    # The first round reads what Postgres does not have in memory yet.
    return {
        "search_mb_s": Figure(tuple(rates[1:])),
        "search_first_ms": Figure(tuple(firsts[1:])),
    }
