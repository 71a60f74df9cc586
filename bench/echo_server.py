"""The floor: a method that answers with the bytes it got, alone on a bare server or inside the real one.

`python -m bench.echo_server` is the bare one: grpc.aio without an interceptor, without a credential.
"""

import asyncio
import json
import signal

import grpc

SERVICE = "camillo.bench.Echo"
METHOD = f"/{SERVICE}/Echo"


def add_echo(server: grpc.aio.Server) -> None:
    """Registers a method that takes and returns bytes; what interceptors the server has apply to it.

    No message is parsed or built on either side.
    """
    handler = grpc.unary_unary_rpc_method_handler(
        _echo, request_deserializer=_as_it_is, response_serializer=_as_it_is
    )
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, {"Echo": handler}),)
    )


async def until_told_to_stop() -> None:
    """Returns at SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


async def _echo(request: bytes, context: object) -> bytes:
    return request


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
