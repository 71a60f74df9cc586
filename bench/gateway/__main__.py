"""What calls by HTTP cost beside those by gRPC, of one server: `python -m bench.gateway --json` (see bench/README.md)."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench.artifacts.calls import AGENT, delete, read
from bench.gateway.http_caller import http_caller
from bench.material.texts import Texts
from bench.measure.client import Material, connected, recall_call, remember_call
from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.servers import (
    VECTORS_GIVEN,
    AppServer,
    app_server,
    temporary_directory,
    watched_memory,
)
from bench.measure.timing import (
    Call,
    Figure,
    Figures,
    Rounds,
    latencies_ms,
    percentiles,
    rounds_of,
    taking_turns,
)
from tests.mesh.ports import free_port

GATEWAY = Benchmark(
    "gateway",
    __doc__,
    keys=("http_over_grpc", "http_download_over_grpc", "http_rss_mb"),
    goals=(
        Goal("recall by HTTP, p50 / by gRPC", "http_over_grpc", most=1.5, unit="x"),
        Goal("256 MiB read by HTTP / by gRPC", "http_download_over_grpc", least=0.5, unit="x"),
        Goal("memory of the server meanwhile", "http_rss_mb", most=64, unit="MB"),
    ),
    parts=("recall", "download"),
)
RECALL_PATH = "/v1/memories:recall"
WARM_UP = 60


@dataclass(frozen=True, slots=True)
class GatewayOptions:
    """How much is measured: rounds that take turns, calls in each, memories in the scope, bytes of the artifact."""

    rounds: int = 9
    calls_a_round: int = 300
    memories: int = 1_000
    bytes: int = 256 * 1024 * 1024


QUICK = GatewayOptions(rounds=2, calls_a_round=20, memories=100, bytes=8 * 1024 * 1024)


@dataclass(frozen=True, slots=True)
class Doors:
    """A server, and its port for HTTP."""

    app: AppServer
    http_port: int


async def _recall(options: GatewayOptions, doors: Doors) -> Figures:
    """The same recalls by vector, one caller, in turns."""
    texts = Texts(seed=5)
    queries = texts.sentences(64)
    async with (
        connected(doors.app.port, doors.app.secret) as client,
        http_caller(doors.http_port, doors.app.secret) as http,
    ):
        remember = remember_call(client, Material.with_vectors(), AGENT)
        for _ in range(options.memories):
            await remember()
        asked = itertools.cycle(queries)

        def by_http() -> Any:
            return http.post(RECALL_PATH, {"agentId": AGENT, "text": next(asked), "limit": 5})

        calls: dict[str, Call] = {"grpc": recall_call(client, queries, AGENT), "http": by_http}
        for call in calls.values():
            await latencies_ms(call, WARM_UP)
        rounds = await rounds_of(calls, options.rounds, options.calls_a_round)
    p50 = {name: percentiles(found, 50) for name, found in rounds.items()}
    return {
        "http_over_grpc": p50["http"].over(p50["grpc"]),
        **{f"recall_{name}_p50_ms": figure for name, figure in p50.items()},
    }


async def _download(options: GatewayOptions, doors: Doors) -> Figures:
    """The same artifact read by each, in turns."""
    found = Rounds()
    async with (
        connected(doors.app.port, doors.app.secret) as client,
        http_caller(doors.http_port, doors.app.secret) as http,
    ):
        block = b"".join(b"%07d\n" % number for number in range(32 * 1024))
        stored = await http.put(f"/v1/artifacts/upload?agent_id={AGENT}", options.bytes, block)
        artifact_id = stored["artifact"]["artifactId"]
        path = f"/v1/artifacts/{artifact_id}/content?agent_id={AGENT}"

        async def by_grpc() -> None:
            async for _ in read(client, artifact_id):
                pass

        readers: dict[str, Call] = {"grpc": by_grpc, "http": lambda: http.read_all(path)}
        for reader in readers.values():
            await reader()
        async with watched_memory(doors.app.process.memory_mb) as memory:
            for name in taking_turns([*readers], max(2, options.rounds // 2)):
                [milliseconds] = await latencies_ms(readers[name], 1)
                found.add({f"download_{name}_mb_s": options.bytes / 1e3 / milliseconds})
        await delete(client, artifact_id)
    figures = found.figures()
    ratio = figures["download_http_mb_s"].over(figures["download_grpc_mb_s"])
    return {
        **figures,
        "http_download_over_grpc": ratio,
        "http_rss_mb": Figure((memory.growth_mb,)),
    }


PARTS: dict[str, Callable[[GatewayOptions, Doors], Any]] = {
    "recall": _recall,
    "download": _download,
}


def measure(options: GatewayOptions, parts: Sequence[str]) -> Figures:
    """Those parts, one after the other, on one server."""
    figures: Figures = {}
    port = free_port()
    with (
        temporary_directory() as directory,
        app_server(VECTORS_GIVEN, directory / "data", settings={"server.http_port": port}) as app,
    ):
        for name in parts:
            say(name)
            figures |= asyncio.run(PARTS[name](options, Doors(app, port)))
    return figures


def main() -> None:
    given = parse(GATEWAY.parser())
    options = QUICK if given.quick else GatewayOptions()
    GATEWAY.finish(given, measure(options, given.only or [*PARTS]))


if __name__ == "__main__":
    main()
