"""Measures what every call pays on its way: `python -m bench.decisions.call_overhead` (docs/adr/0008).

Interceptors of grpc.aio that only hand on, none to five of them, against the same echo; and one duration recorded by
the server's own arithmetic and by a histogram of the OpenTelemetry SDK.
"""

from __future__ import annotations

import asyncio
import time
import timeit
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import grpc
from camillo_server.telemetry.instruments import Instruments
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from bench.measure.client import channel_to, echo_call
from bench.measure.echo_server import add_echo
from bench.measure.timing import Rounds, latencies_ms, percentile, taking_turns

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


def main() -> None:
    asyncio.run(_interceptors())
    _records()


async def _interceptors() -> None:
    """Each number of interceptors in rounds that take turns."""
    async with AsyncExitStack() as stack:
        calls = {str(count): echo_call(await _channel(stack, count)) for count in COUNTS}
        medians, busy = Rounds(), Rounds()
        for call in calls.values():
            await latencies_ms(call, CALLS_A_ROUND)
        for name in taking_turns(list(calls), ROUNDS):
            started = time.process_time()
            medians.add({name: percentile(await latencies_ms(calls[name], CALLS_A_ROUND), 50)})
            busy.add({name: (time.process_time() - started) * 1000 / CALLS_A_ROUND})
    p50, cpu = medians.figures(), busy.figures()
    for name in calls:
        print(
            f"{name} interceptors: p50 {p50[name].median:.3f} ms, "
            f"{p50[name].over(p50['0']).median:.2f} x; CPU of both ends {cpu[name].median:.3f} ms, "
            f"{cpu[name].over(cpu['0']).median:.2f} x"
        )


async def _channel(stack: AsyncExitStack, interceptors: int) -> grpc.aio.Channel:
    """A channel to an echo server with so many interceptors in this process."""
    server = grpc.aio.server(interceptors=[Through() for _ in range(interceptors)])
    add_echo(server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    stack.push_async_callback(server.stop, None)
    return await stack.enter_async_context(channel_to(port))


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
    main()
