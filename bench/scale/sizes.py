"""What a recall costs and a scope takes, by how many memories it holds."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

import grpc

from bench.material.corpus import Corpus
from bench.measure.recall_rounds import latencies_within
from bench.measure.servers import AppServer
from bench.measure.timing import Call, Figure, percentile, taking_turns
from bench.recall.cache_facts import cache_facts
from bench.recall.calls import Recaller, by_vectors, connected, without_end
from bench.recall.stage import Stage
from bench.recall.warm import rate_and_cores
from bench.scale.options import ScaleOptions

QUERIES = 200


@dataclass(frozen=True, slots=True)
class Scope:
    """One that is in use; `bytes` is None where memory does not answer."""

    call: Call
    bytes: float | None


async def measure(stage: Stage, options: ScaleOptions) -> dict[str, Figure]:
    """For each size `rows.N.`, of every round: `recall_p50_ms` of one caller; `qps`, `core_ms` of the server and
    `client_ms` a recall of many callers; `scope_bytes` where memory answers."""
    for rows in options.sizes:
        stage.fill(_agent(rows), Corpus(rows))
    found: dict[str, list[float]] = {}
    with stage.other_server() as server:
        async with AsyncExitStack() as channels:
            channel = await channels.enter_async_context(connected(server.port))
            scopes = {
                str(rows): await _warmed(stage, options, server, channel, rows)
                for rows in options.sizes
            }
            for size in taking_turns(list(scopes), options.rounds):
                for name, value in (await costs(options, server, scopes[size].call)).items():
                    found.setdefault(f"rows.{size}.{name}", []).append(value)
    sizes = {f"rows.{size}.scope_bytes": scope.bytes for size, scope in scopes.items()}
    return {
        **{name: Figure(tuple(values)) for name, values in found.items()},
        **{name: Figure((value,)) for name, value in sizes.items() if value},
    }


async def costs(options: ScaleOptions, server: AppServer, call: Call) -> dict[str, float]:
    """Of one round."""
    latencies = await latencies_within(call, options.calls, options.call_seconds)
    rate, (client, own) = await rate_and_cores(
        [call] * options.callers, options.rate_seconds, server.process.cpu_seconds
    )
    return {
        "recall_p50_ms": percentile(latencies, 50),
        "qps": rate,
        "core_ms": 1000 * own / rate,
        "client_ms": 1000 * client / rate,
    }


async def _warmed(
    stage: Stage, options: ScaleOptions, server: AppServer, channel: grpc.aio.Channel, rows: int
) -> Scope:
    requests = by_vectors(_agent(rows), Corpus(rows).queries(QUERIES))
    recaller = Recaller(channel, server.secret, _agent(rows))
    rss_before = server.process.memory_mb()
    is_warm = await recaller.until_warm(requests[0], stage.warm_seconds) is not None
    grown = (server.process.memory_mb() - rss_before) * 2**20
    facts = await cache_facts(server, _agent(rows))
    call = recaller.recalls(without_end(requests))
    await latencies_within(call, options.calls, options.call_seconds)
    return Scope(call, (float(facts.bytes) if facts else grown) if is_warm else None)


def _agent(rows: int) -> str:
    return f"rows-{rows}"
