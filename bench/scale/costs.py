"""Cost of a recall and size of a scope, by its number of memories; and the rates of several workers on one port."""

from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass

import grpc

from bench.material.corpus import Corpus
from bench.measure.client import OPTIONS, Client, connected
from bench.measure.servers import AppServer, replica
from bench.measure.timing import (
    Call,
    Figure,
    Figures,
    Rounds,
    latencies_ms,
    measure_rate,
    percentile,
    taking_turns,
)
from bench.recall.calls import Recaller, by_vectors, cache_facts
from bench.recall.stage import BESIDE, BESIDE_CORPUS, Stage

QUERIES = 200
# For each connection to workers, after the scope was loaded for the first time.
WARM_UP_CALLS = 50


@dataclass(frozen=True, slots=True)
class ScaleOptions:
    """A full run, with lexical vectors; `quick()` is one that only shows that everything works.

    `resident` scopes of `scope_rows` memories each are in use at a time; the last number is how many there are.
    Budgets are shares of what all of them would take.
    """

    sizes: tuple[int, ...] = (1_000, 3_000, 10_000, 30_000, 100_000)
    rounds: int = 5
    calls: int = 400
    call_seconds: float = 4.0
    rate_seconds: float = 2.0
    callers: int = 16
    scope_rows: int = 50
    resident: tuple[int, ...] = (10, 100, 1_000, 10_000)
    exponents: tuple[float, ...] = (0.8, 1.1)
    budget_shares: tuple[float, ...] = (0.05, 0.2)
    zipf_warm_up_calls: int = 6_000
    zipf_calls: int = 6_000
    workers: tuple[int, ...] = (1, 2)
    connections: int = 8

    @classmethod
    def quick(cls) -> "ScaleOptions":
        return cls(
            sizes=(200, 500, 1_000),
            rounds=1,
            calls=30,
            call_seconds=1.0,
            rate_seconds=0.3,
            scope_rows=20,
            resident=(5, 50),
            exponents=(1.0,),
            budget_shares=(0.2,),
            zipf_warm_up_calls=100,
            zipf_calls=100,
            workers=(2,),
            connections=2,
        )

    @property
    def scopes(self) -> int:
        return self.resident[-1]


@dataclass(frozen=True, slots=True)
class Scope:
    """One that is in use; `bytes` is None where memory does not answer."""

    call: Call
    bytes: float | None


async def measure_sizes(stage: Stage, options: ScaleOptions) -> Figures:
    """Figures of each size, `rows.N.`, in every round: `recall_p50_ms` of one caller; `qps`, `core_ms` of the server
    and `client_ms` a recall of many callers; `scope_bytes` where memory answers."""
    for rows in options.sizes:
        stage.fill(_agent(rows), Corpus(rows))
    found = Rounds()
    with stage.other_server() as server:
        async with connected(server.port, server.secret) as client:
            scopes = {rows: await _warmed(stage, options, server, client, rows) for rows in options.sizes}
            for rows in taking_turns(list(scopes), options.rounds):
                costs = await measure_costs(options, server, scopes[rows].call)
                found.add({f"rows.{rows}.{name}": value for name, value in costs.items()})
    sizes = {f"rows.{rows}.scope_bytes": scope.bytes for rows, scope in scopes.items()}
    return found.figures() | {name: Figure((value,)) for name, value in sizes.items() if value is not None}


async def measure_costs(options: ScaleOptions, server: AppServer, call: Call) -> dict[str, float]:
    """Measures one round."""
    latencies = await latencies_ms(call, options.calls, options.call_seconds)
    callers = [call] * options.callers
    rate = await measure_rate(callers, options.rate_seconds, server.process.cpu_seconds)
    return {
        "recall_p50_ms": percentile(latencies, 50),
        "qps": rate.per_second,
        "core_ms": rate.server_ms,
        "client_ms": rate.client_ms,
    }


async def _warmed(stage: Stage, options: ScaleOptions, server: AppServer, client: Client, rows: int) -> Scope:
    requests = by_vectors(_agent(rows), Corpus(rows).queries(QUERIES))
    recaller = Recaller(client, _agent(rows))
    rss_before = server.process.memory_mb()
    is_warm = await recaller.until_warm(requests[0], stage.warm_seconds) is not None
    grown = (server.process.memory_mb() - rss_before) * 2**20
    facts = await cache_facts(client, _agent(rows))
    call = recaller.recalls(requests)
    await latencies_ms(call, options.calls, options.call_seconds)
    size = float(facts.bytes) if facts else grown
    return Scope(call, size if is_warm and size else None)


def _agent(rows: int) -> str:
    return f"rows-{rows}"


async def measure_workers(stage: Stage, options: ScaleOptions) -> Figures:
    """Figures of each number of workers, `workers.N.`, in every round: `qps`, and `server_ms` and `client_ms` of a core
    a recall."""
    found = Rounds()
    with ExitStack() as servers:
        async with AsyncExitStack() as channels:
            running: dict[int, tuple[AppServer, list[Call]]] = {}
            for workers in options.workers:
                directory = stage.directory / f"workers-{workers}"
                embedding = stage.options.embedding
                started = replica(stage.app, embedding, directory, workers=workers)
                server = servers.enter_context(started)
                running[workers] = server, await _callers(stage, options, server, channels)
            for workers in taking_turns(list(running), options.rounds):
                server, calls = running[workers]
                callers = [*calls] * (options.callers // len(calls))
                cpu_seconds = server.process.cpu_seconds_with_workers
                rate = await measure_rate(callers, options.rate_seconds, cpu_seconds)
                found.add(
                    {
                        f"workers.{workers}.qps": rate.per_second,
                        f"workers.{workers}.server_ms": rate.server_ms,
                        f"workers.{workers}.client_ms": rate.client_ms,
                    }
                )
    return found.figures()


async def _callers(stage: Stage, options: ScaleOptions, server: AppServer, channels: AsyncExitStack) -> list[Call]:
    """One for each connection, after all workers that it may reach have the scope in memory."""
    requests = by_vectors(BESIDE, BESIDE_CORPUS.queries(QUERIES))
    calls = []
    for _ in range(options.connections):
        channel = await channels.enter_async_context(_own_connection(server.port))
        await channel.channel_ready()
        recaller = Recaller(Client(channel, server.secret), BESIDE)
        await recaller.until_warm(requests[0], stage.warm_seconds)
        call = recaller.recalls(requests)
        await latencies_ms(call, WARM_UP_CALLS, options.call_seconds)
        calls.append(call)
    return calls


def _own_connection(port: int) -> grpc.aio.Channel:
    """A channel that shares no connection with others to the same port: the kernel hands each to some worker."""
    options = [*OPTIONS, ("grpc.use_local_subchannel_pool", 1)]
    return grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options)
