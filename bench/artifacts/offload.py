"""OffloadOutput of a log of 1 MiB, durable, each one new."""

import asyncio
import time

from bench.artifacts.calls import ArtifactCalls
from bench.artifacts.options import MIB, ArtifactOptions
from bench.material.logs import log_bytes
from bench.measure.client import channel_to
from bench.measure.servers import AppServer
from bench.measure.timing import Figure, percentile

WARM_UP = 5


def measure(options: ArtifactOptions, app: AppServer) -> dict[str, Figure]:
    """Milliseconds."""
    return asyncio.run(_measure(options, app))


async def _measure(options: ArtifactOptions, app: AppServer) -> dict[str, Figure]:
    log = log_bytes(MIB, seed=6)
    taken = []
    async with channel_to(app.port) as channel:
        calls = ArtifactCalls(channel, app.secret)
        for number in range(options.offloads + WARM_UP):
            first = f"output {number} {time.time_ns()}\n".encode()
            started = time.perf_counter()
            answer = await calls.offload(first + log[len(first) :])
            taken.append((time.perf_counter() - started) * 1000)
            assert answer.HasField("artifact")
    return {
        "offload_1mib_p50_ms": Figure((percentile(taken[WARM_UP:], 50),)),
        "offload_1mib_p95_ms": Figure((percentile(taken[WARM_UP:], 95),)),
    }
