"""The floor: methods that compute nothing, alone on a bare server or inside the real one.

`python -m bench.measure.echo_server` is the bare one: grpc.aio without an interceptor, without a credential.
"""

import asyncio
import json
import signal
from collections.abc import AsyncIterator

import grpc

SERVICE = "camillo.bench.Echo"
METHOD = f"/{SERVICE}/Echo"
KEEP = f"/{SERVICE}/Keep"
ANSWER = f"/{SERVICE}/Answer"
TAKE = f"/{SERVICE}/Take"
GIVE = f"/{SERVICE}/Give"

STREAM_MESSAGE = bytes(range(256)) * 1024
"""What a stream is made of: 256 KiB."""


def add_echo(server: grpc.aio.Server) -> None:
    """Registers methods that take and return bytes; what interceptors the server has apply to them.

    `Echo` answers with the bytes it got. `Keep` keeps them, and `Answer` answers any request with what was kept last:
    the echo of a call whose answer has another size than its request. `Take` takes a stream, `Give` gives one of as
    many messages as it is asked for. The server parses and builds no message.
    """
    kept = _Kept()
    methods = {"Echo": _echo, "Keep": kept.keep, "Answer": kept.answer}
    handlers = {
        name: grpc.unary_unary_rpc_method_handler(method, request_deserializer=_as_it_is, response_serializer=_as_it_is)
        for name, method in methods.items()
    }
    handlers["Take"] = grpc.stream_unary_rpc_method_handler(
        _take, request_deserializer=_as_it_is, response_serializer=_as_it_is
    )
    handlers["Give"] = grpc.unary_stream_rpc_method_handler(
        _give, request_deserializer=_as_it_is, response_serializer=_as_it_is
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))


async def until_told_to_stop() -> None:
    """Returns at SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


class _Kept:
    """An answer for later."""

    def __init__(self) -> None:
        self._answer = b""

    async def keep(self, request: bytes, context: object) -> bytes:
        self._answer = request
        return b""

    async def answer(self, request: bytes, context: object) -> bytes:
        return self._answer


async def _echo(request: bytes, context: object) -> bytes:
    return request


async def _take(requests: AsyncIterator[bytes], context: object) -> bytes:
    length = 0
    async for request in requests:
        length += len(request)
    return str(length).encode()


async def _give(request: bytes, context: object) -> AsyncIterator[bytes]:
    for _ in range(int(request)):
        yield STREAM_MESSAGE


def _as_it_is(data: bytes) -> bytes:
    return data


async def _serve() -> None:
    server = grpc.aio.server()
    add_echo(server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(json.dumps({"port": port}), flush=True)
    await until_told_to_stop()
    await server.stop(None)


if __name__ == "__main__":
    asyncio.run(_serve())
