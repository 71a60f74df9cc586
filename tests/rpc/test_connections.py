"""Connections: so many at once, each only for some time, which clients do not notice."""

import asyncio

import grpc
from camillo.v1 import memory_service_pb2 as service

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import remember
from tests.rpc.watching import Watch
from tests.server_fixtures import Caller, Server, StartServer, refused

# Else channels to one address share a connection.
OWN_CONNECTION = [("grpc.use_local_subchannel_pool", 1)]


async def test_connections_beyond_the_limit_are_closed(start_server: StartServer) -> None:
    server = await start_server(server={"max_connections": 2})
    await remember(server.alice, "the first")
    second, third = (grpc.aio.insecure_channel(server.address, OWN_CONNECTION) for _ in range(2))
    async with third:
        async with second:
            await remember(Caller(second, server.keys.alice, PATIENCE_SECONDS), "the second")
            caller = Caller(third, server.keys.alice, PATIENCE_SECONDS)
            failed = await refused(caller(service.ListMemoriesRequest()))
            assert failed.code is grpc.StatusCode.UNAVAILABLE
        call = caller._method("ListMemories")
        answer = await call(
            service.ListMemoriesRequest(), metadata=caller.metadata, timeout=PATIENCE_SECONDS, wait_for_ready=True
        )
    assert len(answer.memories) == 2


async def end_of_watch(server: Server) -> grpc.aio.AioRpcError:
    """How a watch ends that its caller does not renew."""
    async with Watch(server.alice, from_beginning=True) as watch:
        try:
            while True:
                await watch.next()
        except grpc.aio.AioRpcError as error:
            return error


async def test_a_connection_ends_and_the_clients_watch_goes_on(start_server: StartServer) -> None:
    server = await start_server(server={"max_connection_age_seconds": 0.2, "max_connection_grace_seconds": 0.1})
    async with server.client(server.keys.alice) as client:
        changes = client.watch(from_beginning=True)
        await client.remember("before")
        assert (await anext(changes)).changed.content in ("", "before")
        for _ in range(2):
            ended = await end_of_watch(server)
            assert (ended.code(), ended.details()) == (grpc.StatusCode.UNAVAILABLE, "max connection age")
        await client.remember("אחרי 🔌")
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await anext(changes)).changed.content != "אחרי 🔌":
                pass
        await changes.aclose()
