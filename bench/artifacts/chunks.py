"""The cost to OffloadOutput of the chunk by which an artifact is found."""

import asyncio
import time

from bench.artifacts.calls import MIB, ArtifactOptions, offload, with_first_line
from bench.material.logs import log_bytes
from bench.measure.client import Client, connected
from bench.measure.servers import VECTORS_GIVEN, AppServer, replica, temporary_directory
from bench.measure.timing import Call, Figure, Figures, latencies_ms, percentiles, rounds_of

UNFOUND = ("bench.artifacts.unfound_server",)
SIZES = {"1mib": MIB, "16kib": 16 * 1024}
WARM_UP = 20


def measure(options: ArtifactOptions, app: AppServer) -> Figures:
    """Per cent that OffloadOutput takes longer at the median by a server that stores chunks than by one that does not,
    on the same database, in turns."""
    with (
        temporary_directory() as directory,
        replica(app, VECTORS_GIVEN, directory / "unfound", program=UNFOUND) as without,
    ):
        return asyncio.run(_measure(options, app, without))


async def _measure(options: ArtifactOptions, app: AppServer, without: AppServer) -> Figures:
    figures: Figures = {}
    async with (
        connected(app.port, app.secret) as found,
        connected(without.port, app.secret) as unfound,
    ):
        for name, size in SIZES.items():
            log = log_bytes(size, seed=7)
            calls = {"found": _offloading(found, log), "unfound": _offloading(unfound, log)}
            for call in calls.values():
                await latencies_ms(call, WARM_UP)
            taken = await rounds_of(calls, options.chunk_rounds, options.offloads)
            p50 = {each: percentiles(rounds, 50) for each, rounds in taken.items()}
            ratio = p50["found"].over(p50["unfound"])
            percent = Figure(tuple(100 * (each - 1) for each in ratio.rounds))
            figures |= {
                f"offload_{name}_chunk_overhead": percent,
                f"offload_{name}_found_p50_ms": p50["found"],
            }
    return figures


def _offloading(client: Client, log: bytes) -> Call:
    async def call() -> None:
        # Each one new: equal contents are stored once.
        output = with_first_line(log, f"output {time.time_ns()}")
        answer = await offload(client, output)
        assert answer.HasField("artifact")

    return call
