"""What every call pays on its way: `python -m bench.decisions.call_overhead` (docs/adr/0008).

Interceptors of grpc.aio that only hand on, none to five of them, against the same echo; and one duration recorded by
the server's own arithmetic and by a histogram of the OpenTelemetry SDK.
"""

from __future__ import annotations

import asyncio
import sys
import time
import timeit
from collections.abc import Awaitable, Callable
from statistics import median as _median
from typing import TYPE_CHECKING, Any

import grpc
from camillo_server.telemetry.instruments import Instruments
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from bench.measure.client import channel_to, echo_call
from bench.measure.echo_server import add_echo
from bench.measure.timing import latencies_ms, percentile, taking_turns

COUNTS = (0, 1, 5)
ROUNDS = 16
CALLS_A_ROUND = 500
RECORDS = 100_000
METHOD = "/camillo.v1.MemoryService/Recall"

if TYPE_CHECKING:
    Handler = grpc.RpcMethodHandler[Any, Any]


class Through(grpc.aio.ServerInterceptor):
    """Wraps the handler, as one that does something has to, and does nothing."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        serve: Any = handler.unary_unary

        async def call(request: Any, context: Any) -> Any:
            return await serve(request, context)

        return grpc.unary_unary_rpc_method_handler(
            call,
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )


def main() -> int:
    """Prints both comparisons."""
    asyncio.run(_interceptors())
    _records()
    return 0


async def _interceptors() -> None:
    servers = {count: await _server(count) for count in COUNTS}
    channels = {count: channel_to(port) for count, (_, port) in servers.items()}
    calls = {str(count): echo_call(channel) for count, channel in channels.items()}
    medians: dict[str, list[float]] = {name: [] for name in calls}
    busy: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        await latencies_ms(call, CALLS_A_ROUND)
    for name in taking_turns(list(calls), ROUNDS):
        started = time.process_time()
        medians[name].append(percentile(await latencies_ms(calls[name], CALLS_A_ROUND), 50))
        busy[name].append((time.process_time() - started) * 1000 / CALLS_A_ROUND)
    for name in calls:
        print(
            f"{name} interceptors: p50 {_median(medians[name]):.3f} ms, {_ratio(medians, name):.2f} x; "
            f"CPU of both ends {_median(busy[name]):.3f} ms, {_ratio(busy, name):.2f} x"
        )
    for channel in channels.values():
        await channel.close()
    for server, _ in servers.values():
        await server.stop(None)


def _ratio(rounds: dict[str, list[float]], name: str) -> float:
    return _median([mine / none for mine, none in zip(rounds[name], rounds["0"], strict=True)])


async def _server(interceptors: int) -> tuple[grpc.aio.Server, int]:
    server = grpc.aio.server(interceptors=[Through() for _ in range(interceptors)])
    add_echo(server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, port


def _records() -> None:
    instruments = Instruments()
    meter = MeterProvider([InMemoryMetricReader()]).get_meter("measured")
    histogram = meter.create_histogram("duration", unit="s")
    attributes = {"method": METHOD, "code": "OK"}
    own = _microseconds(lambda: instruments.record_request(METHOD, "OK", 0.003))
    sdk = _microseconds(lambda: histogram.record(0.003, attributes))
    print(f"one record: own {own:.2f} us, SDK {sdk:.2f} us, {sdk / own:.0f} x")


def _microseconds(record: Callable[[], object]) -> float:
    return min(timeit.repeat(record, number=RECORDS, repeat=5)) / RECORDS * 1e6


if __name__ == "__main__":
    sys.exit(main())
