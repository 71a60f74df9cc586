"""Worker processes on one port: how many recalls of one scope they answer together."""

from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack

import grpc

from bench.measure.client import OPTIONS
from bench.measure.recall_rounds import latencies_within
from bench.measure.servers import AppServer, worker_server
from bench.measure.timing import Call, Figure, taking_turns
from bench.recall.calls import Recaller, by_vectors, without_end
from bench.recall.stage import BESIDE, BESIDE_CORPUS, Stage
from bench.recall.warm import rate_and_cores
from bench.scale.options import ScaleOptions

QUERIES = 200
# For each connection, after the scope was loaded for the first time.
WARM_UP_CALLS = 50


async def measure(stage: Stage, options: ScaleOptions) -> dict[str, Figure]:
    """For each number of workers `workers.N.`, of every round: `qps`, and `server_ms` and `client_ms` of a core a
    recall."""
    found: dict[str, list[float]] = {}
    with ExitStack() as servers:
        async with AsyncExitStack() as channels:
            running = {}
            for workers in options.workers:
                directory = stage.directory / f"workers-{workers}"
                started = worker_server(stage.app, stage.options.embedding, directory, workers)
                server = servers.enter_context(started)
                calls = await _connected(stage, options, server, channels)
                running[str(workers)] = (server, calls)
            for name in taking_turns(list(running), options.rounds):
                for figure, value in (await _rates(options, *running[name])).items():
                    found.setdefault(f"workers.{name}.{figure}", []).append(value)
    return {name: Figure(tuple(values)) for name, values in found.items()}


async def _connected(
    stage: Stage, options: ScaleOptions, server: AppServer, channels: AsyncExitStack
) -> list[Call]:
    """A caller for each connection, after all workers that it may reach have the scope in memory."""
    requests = by_vectors(BESIDE, BESIDE_CORPUS.queries(QUERIES))
    calls = []
    for _ in range(options.connections):
        channel = await channels.enter_async_context(_own_connection(server.port))
        await channel.channel_ready()
        recaller = Recaller(channel, server.secret, BESIDE)
        await recaller.until_warm(requests[0], stage.warm_seconds)
        call = recaller.recalls(without_end(requests))
        await latencies_within(call, WARM_UP_CALLS, options.call_seconds)
        calls.append(call)
    return calls


async def _rates(
    options: ScaleOptions, server: AppServer, calls: Sequence[Call]
) -> dict[str, float]:
    callers = [*calls] * (options.callers // len(calls))
    rate, (client, own) = await rate_and_cores(
        callers, options.rate_seconds, server.process.cpu_seconds_with_workers
    )
    return {"qps": rate, "server_ms": 1000 * own / rate, "client_ms": 1000 * client / rate}


def _own_connection(port: int) -> grpc.aio.Channel:
    """Not shared with other channels to the same port: the kernel hands each to some worker."""
    options = [*OPTIONS, ("grpc.use_local_subchannel_pool", 1)]
    return grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options)
