"""Measures how an event loop, options of gRPC and settings of the interpreter change a call:
`python -m bench.decisions.transport`.

Each variant is the real server with one thing changed and a database of its own; they take turns with the server as it is. The
figures are ratios to that server, round by round (docs/adr/calls.md). `uvloop` has to be installed for the variant of that name.
"""

import argparse
import asyncio
import gc
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack
from pathlib import Path

from camillo_server.processes import interpreter
from camillo_server.rpc import server as rpc_server

from bench import app_server as program
from bench.budget.calls import Sizes, calls_of, fill
from bench.material.texts import Texts
from bench.measure.client import Client, connected
from bench.measure.command import say
from bench.measure.servers import (
    DIMENSIONS,
    AppServer,
    app_server,
    embedding_by,
    temporary_directory,
)
from bench.measure.timing import Call, Rate, Rounds, calls_per_second, measure_rate, taking_turns

AS_IT_IS = "as_it_is"
CALLS = ("echo", "recall_vector", "remember")
CALLERS = 16
WARM_UP_SECONDS = 0.7
SIZES = Sizes(events=50, queries=100)


def _uvloop() -> None:
    import uvloop  # type: ignore[import-not-found,unused-ignore]

    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())


def _option(name: str, value: object) -> Callable[[], None]:
    """One option of the gRPC server more, or another value of it."""
    options = rpc_server._options

    def with_option(settings: object) -> list[tuple[str, object]]:
        return [*options(settings), (name, value)]  # type: ignore[arg-type]

    return lambda: setattr(rpc_server, "_options", with_option)


def _switch_seconds(seconds: float) -> Callable[[], None]:
    return lambda: setattr(interpreter, "SWITCH_SECONDS", seconds)


VARIANTS: Mapping[str, Callable[[], None]] = {
    AS_IT_IS: lambda: None,
    # The floor of what a comparison can show.
    "same_again": lambda: None,
    "uvloop": _uvloop,
    "throughput": _option("grpc.optimization_target", "throughput"),
    "latency": _option("grpc.optimization_target", "latency"),
    "write_buffer": _option("grpc.http2.write_buffer_size", 1024 * 1024),
    "bdp_probe": _option("grpc.http2.bdp_probe", 1),
    "no_compression": _option("grpc.compression_enabled_algorithms_bitset", 1),
    "tcp_read_chunk": _option("grpc.experimental.tcp_read_chunk_size", 65_536),
    "gc_off": gc.disable,
    "gc_rare": lambda: gc.set_threshold(50_000, 20, 20),
    "switch_5ms": _switch_seconds(0.005),
}


async def _measure(servers: Mapping[str, AppServer], rounds: int, seconds: float) -> Rounds:
    """Milliseconds of the server's processor, and calls a second, by call and variant."""
    found = Rounds()
    async with AsyncExitStack() as stack:
        clients = {
            name: await stack.enter_async_context(connected(app.port, app.secret))
            for name, app in servers.items()
        }
        for client in clients.values():
            await fill(client, SIZES)
        callers = {name: await _callers(client) for name, client in clients.items()}
        contenders = [(call, name) for call in CALLS for name in servers]
        for call, name in contenders:
            await calls_per_second(callers[name][call], WARM_UP_SECONDS)
        for number, (call, name) in enumerate(taking_turns(contenders, rounds)):
            if number % len(contenders) == 0:
                say(f"round {number // len(contenders) + 1} of {rounds}")
            cpu_seconds = servers[name].process.cpu_seconds
            rate: Rate = await measure_rate(callers[name][call], seconds, cpu_seconds)
            found.add({f"{call} {name} cpu": rate.server_ms, f"{call} {name} qps": rate.per_second})
    return found


async def _callers(client: Client) -> dict[str, list[Call]]:
    callers = [
        await calls_of(client, SIZES, iter(Texts(1_000 + number).queries(10)), number)
        for number in range(CALLERS)
    ]
    return {name: [caller[name] for caller in callers] for name in CALLS}


def _server(name: str, directory: Path) -> AbstractContextManager[AppServer]:
    program = ("bench.decisions.transport", "serve", name)
    return app_server(embedding_by(None, DIMENSIONS), directory / name, program=program)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.transport")
    parser.add_argument("--only", action="append", choices=[*VARIANTS], help="may be repeated")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0)
    given = parser.parse_args()
    names = [AS_IT_IS, *(name for name in given.only or VARIANTS if name != AS_IT_IS)]
    with ExitStack() as stack:
        directory = stack.enter_context(temporary_directory())
        servers = {name: stack.enter_context(_server(name, directory)) for name in names}
        figures = asyncio.run(_measure(servers, given.rounds, given.seconds)).figures()
    print(f"{'call':15}{'variant':16}{'CPU':>9}{'ratio':>8}{'calls/s':>9}{'ratio':>8}")
    for call in CALLS:
        for name in names:
            cpu, qps = figures[f"{call} {name} cpu"], figures[f"{call} {name} qps"]
            cpu_ratio = cpu.over(figures[f"{call} {AS_IT_IS} cpu"]).median
            qps_ratio = qps.over(figures[f"{call} {AS_IT_IS} qps"]).median
            print(
                f"{call:15}{name:16}{cpu.median:6.3f} ms{cpu_ratio:8.3f}{qps.median:9.0f}{qps_ratio:8.3f}"
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        VARIANTS[sys.argv[2]]()
        del sys.argv[1:3]
        program.main()
    else:
        main()
