"""Measures reading a request after the credential: `python -m bench.decisions.request_bodies` (docs/adr/0043).

A handler that takes a message, which gRPC reads before it, is compared with one that takes a stream and reads it
itself. For a batch of 1,000 memories it also measures the look at its bytes, the count of its fields, and parsing.
"""

import asyncio
import time
import timeit
from collections.abc import Callable
from functools import partial
from typing import Any

import grpc
import numpy as np
from camillo.v1.memory_service_pb2 import BatchRememberRequest
from camillo_server.rpc.request_bodies import MAX_FIELDS, SMALL_BYTES, count_fields

from bench.measure.client import channel_to
from bench.measure.timing import Rounds, latencies_ms, taking_turns

ROUNDS = 16
CALLS_A_ROUND = 500
MEMORY = {"content": "Ada prefers tea to coffee. " * 20, "tags": ["tea", "ada"], "session_id": "s"}


def main() -> None:
    asyncio.run(_handlers())
    _batch()


async def _handlers() -> None:
    """Both kinds of handler in rounds that take turns, client and server in this process."""
    server = grpc.aio.server()
    handlers: dict[str, Any] = {
        "message": grpc.unary_unary_rpc_method_handler(_of_message),
        "stream": grpc.stream_unary_rpc_method_handler(_of_stream),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    busy = Rounds()
    async with channel_to(port) as channel:
        calls: dict[str, Any] = {name: channel.unary_unary(f"/bench/{name}") for name in handlers}
        for name in taking_turns(list(calls), ROUNDS):
            started = time.process_time()
            await latencies_ms(partial(calls[name], b"x"), CALLS_A_ROUND)
            busy.add({name: (time.process_time() - started) * 1000 / CALLS_A_ROUND})
    await server.stop(None)
    cpu = busy.figures()
    for name in handlers:
        ratio = cpu[name].over(cpu["message"]).median
        print(f"{name}: CPU of both ends {cpu[name].median:.3f} ms, {ratio:.2f} x")


async def _of_message(request: bytes, context: object) -> bytes:
    return request


async def _of_stream(_: object, context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
    body: bytes = await context.read()
    return body


def _batch() -> None:
    body = BatchRememberRequest(memories=[MEMORY] * 1_000).SerializeToString()
    described = BatchRememberRequest.DESCRIPTOR
    look = _ms(lambda: np.count_nonzero(np.frombuffer(body, np.uint8) < SMALL_BYTES))
    count = _ms(lambda: count_fields(body, described, MAX_FIELDS))
    parse = _ms(lambda: BatchRememberRequest.FromString(body))
    fields = count_fields(body, described, MAX_FIELDS)
    print(
        f"a batch of {len(body) // 1024} KiB: look {look:.2f} ms, "
        f"count of {fields} fields {count:.1f} ms, parse {parse:.2f} ms"
    )


def _ms(work: Callable[[], object]) -> float:
    return min(timeit.repeat(work, number=5, repeat=5)) / 5 * 1000


if __name__ == "__main__":
    main()
