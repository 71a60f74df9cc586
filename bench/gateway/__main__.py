"""Measures the cost of calls by HTTP and MCP beside gRPC, and the time that hooks take of a person:
`python -m bench.gateway --json` (see bench/README.md)."""

import asyncio
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from bench.artifacts.calls import AGENT, delete, read
from bench.gateway import hooks
from bench.gateway.http_caller import http_caller
from bench.gateway.mcp_messages import MCP_HEADERS, message, o200k_counter, tool_call
from bench.gateway.mcp_process import cold_starts, crowd_starts, warm_starts
from bench.gateway.oracle import oracle
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
from tests.ports import free_port

GATEWAY = Benchmark(
    "gateway",
    __doc__,
    keys=(
        "http_over_grpc",
        "mcp_extra_ms",
        "mcp_start_warm_ms",
        "mcp_start_cold_ms",
        "hook_p95_ms",
        "tools_list_tokens",
        "bindings_equal",
        "http_download_over_grpc",
        "http_rss_mb",
    ),
    goals=(
        Goal("recall by HTTP, p50 / by gRPC", "http_over_grpc", most=1.5, unit="x"),
        Goal("recall by MCP over HTTP, p50 beyond gRPC's", "mcp_extra_ms", most=3, unit="ms"),
        Goal("camillo mcp until it lists, a server runs", "mcp_start_warm_ms", most=400, unit="ms"),
        Goal("the same, nothing runs", "mcp_start_cold_ms", most=2_500, unit="ms"),
        Goal("prompt hook, whole process, p95", "hook_p95_ms", most=150, unit="ms"),
        Goal("tools/list", "tools_list_tokens", most=1_500, unit="tokens"),
        Goal("bindings that Envoy answers the same", "bindings_equal", least=1),
        Goal("256 MiB read by HTTP / by gRPC", "http_download_over_grpc", least=0.5, unit="x"),
        Goal("memory of the server meanwhile", "http_rss_mb", most=64, unit="MB"),
    ),
    parts=("recall", "download", "start", "hooks", "tools", "bindings"),
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
class Ports:
    """A server, and its port for HTTP."""

    app: AppServer
    http_port: int


async def _recall(options: GatewayOptions, ports: Ports) -> Figures:
    """Measures the same recalls by vector, one caller, in turns."""
    texts = Texts(seed=5)
    queries = texts.sentences(64)
    async with (
        connected(ports.app.port, ports.app.secret) as client,
        http_caller(ports.http_port, ports.app.secret) as http,
    ):
        remember = remember_call(client, Material.with_vectors(), AGENT)
        for _ in range(options.memories):
            await remember()
        asked = itertools.cycle(queries)

        def by_http() -> Any:
            return http.post(RECALL_PATH, {"agentId": AGENT, "text": next(asked), "limit": 5})

        def by_mcp() -> Any:
            named = {"query": next(asked), "limit": 5}
            return http.post(f"/mcp/{AGENT}", tool_call("recall", named), MCP_HEADERS)

        calls: dict[str, Call] = {
            "grpc": recall_call(client, queries, AGENT),
            "http": by_http,
            "mcp": by_mcp,
        }
        for call in calls.values():
            await latencies_ms(call, WARM_UP)
        rounds = await rounds_of(calls, options.rounds, options.calls_a_round)
    p50 = {name: percentiles(found, 50) for name, found in rounds.items()}
    pairs = zip(p50["mcp"].rounds, p50["grpc"].rounds, strict=True)
    return {
        "http_over_grpc": p50["http"].over(p50["grpc"]),
        "mcp_extra_ms": Figure(tuple(by_mcp - by_grpc for by_mcp, by_grpc in pairs)),
        **{f"recall_{name}_p50_ms": figure for name, figure in p50.items()},
    }


async def _download(options: GatewayOptions, ports: Ports) -> Figures:
    """Measures reads of the same artifact by each protocol, in turns."""
    found = Rounds()
    async with (
        connected(ports.app.port, ports.app.secret) as client,
        http_caller(ports.http_port, ports.app.secret) as http,
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
        async with watched_memory(ports.app.process.memory_mb) as memory:
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


async def _start(options: GatewayOptions, ports: Ports) -> Figures:
    """`camillo mcp` as a client starts it. A cold one listens at the default port, which has to be free."""
    address = f"127.0.0.1:{ports.app.port}"
    figures = await asyncio.to_thread(warm_starts, options.rounds, address, ports.app.secret)
    figures |= await asyncio.to_thread(crowd_starts, 3, address, ports.app.secret)
    with temporary_directory() as directory:
        fresh = [directory / str(number) for number in range(max(2, options.rounds // 3))]
        return figures | await asyncio.to_thread(cold_starts, fresh)


async def _hooks(options: GatewayOptions, ports: Ports) -> Figures:
    """Measures hooks on a server of their own."""
    figures = await asyncio.to_thread(hooks.measure, 4 * options.rounds)
    return {name: Figure((value,)) for name, value in figures.items()}


async def _tools(options: GatewayOptions, ports: Ports) -> Figures:
    """The answer to `tools/list` of the standard profile, by the vocabulary o200k_base."""
    async with http_caller(ports.http_port, ports.app.secret) as http:
        answer = await http.post("/mcp", message("tools/list", {}), MCP_HEADERS)
    whole = json.dumps(answer["result"], ensure_ascii=False, separators=(",", ":"))
    return {"tools_list_tokens": Figure((float(o200k_counter().count(whole)),))}


async def _bindings(options: GatewayOptions, ports: Ports) -> Figures:
    """The share of the oracle's tests that pass: each asks for one binding here and through Envoy. Nothing without
    Envoy."""
    if find_spec("envoy") is None:
        return {}
    passed, failed = await asyncio.to_thread(oracle)
    return {"bindings_equal": Figure((passed / (passed + failed),))}


PARTS: dict[str, Callable[[GatewayOptions, Ports], Any]] = {
    "recall": _recall,
    "download": _download,
    "start": _start,
    "hooks": _hooks,
    "tools": _tools,
    "bindings": _bindings,
}


def measure(options: GatewayOptions, parts: Sequence[str]) -> Figures:
    """Measures these parts, one after the other, on one server."""
    figures: Figures = {}
    port = free_port()
    with (
        temporary_directory() as directory,
        app_server(VECTORS_GIVEN, directory / "data", settings={"server.http_port": port}) as app,
    ):
        for name in parts:
            say(name)
            figures |= asyncio.run(PARTS[name](options, Ports(app, port)))
    return figures


def main() -> None:
    given = parse(GATEWAY.parser())
    options = QUICK if given.quick else GatewayOptions()
    GATEWAY.finish(given, measure(options, given.only or [*PARTS]))


if __name__ == "__main__":
    main()
