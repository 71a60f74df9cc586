"""Health and reflection answer anyone; a drain says so, lets calls finish and ends watches."""

import asyncio
from typing import Any

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.event_service_pb2 import WatchEventsRequest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import listed, remember
from tests.rpc.watching import Watch
from tests.server_fixtures import Server, StartServer, refusal, refused
from tests.storage.locking import scope_held, until_waiting

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICES = ("", "camillo.v1.MemoryService", "camillo.v1.AdminService")


async def health(server: Server, name: str = "") -> Any:
    stub = health_pb2_grpc.HealthStub(server.channel)
    return (await stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=PATIENCE_SECONDS)).status


async def test_every_service_is_healthy_without_a_credential(server: Server) -> None:
    for name in SERVICES:
        assert await health(server, name) == SERVING
    told = await refused(health(server, "unknown.Service"))
    assert told.code == grpc.StatusCode.NOT_FOUND


async def services_told(server: Server) -> set[str]:
    stub = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    answers = [answer async for answer in stub.ServerReflectionInfo(iter([request]), timeout=PATIENCE_SECONDS)]
    return {found.name for found in answers[0].list_services_response.service}


async def test_reflection_names_the_services_without_a_credential(server: Server) -> None:
    assert set(SERVICES[1:]) <= await services_told(server)


@pytest.mark.parametrize("settings", [{"reflection": False}, {"host": "0.0.0.0"}])  # noqa: S104
async def test_reflection_is_off_where_it_is_switched_off_and_for_other_machines(
    start_server: StartServer, settings: dict[str, object]
) -> None:
    server = await start_server(server=settings)
    stub = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    with pytest.raises(grpc.aio.AioRpcError) as error:
        # Without a message: grpc.aio forgets what it was told if the stream ends while it sends.
        await anext(aiter(stub.ServerReflectionInfo(iter([]), timeout=PATIENCE_SECONDS)))
    assert error.value.code() == grpc.StatusCode.UNIMPLEMENTED
    assert await health(server) == SERVING


@pytest.mark.own_server
async def test_a_drain_is_told_by_health_and_lets_calls_in_flight_finish(server: Server) -> None:
    stub = health_pb2_grpc.HealthStub(server.channel)
    watching = stub.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE_SECONDS)
    watched = aiter(watching)
    assert (await anext(watched)).status == SERVING
    with scope_held(server.database, "acme", "alice"):
        request = service.RememberRequest(memory=pb.NewMemory(content="in flight"))
        call = server.alice.begin(request)
        await until_waiting(server.database, 1)
        stopping = asyncio.create_task(server.app.stop())
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert (await anext(watched)).status == NOT_SERVING
        watching.cancel()
    assert (await call).memory.content == "in flight"
    await stopping
    told = await refused(server.alice(service.ListMemoriesRequest(), timeout=2))
    assert told.code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


async def test_a_watch_ends_with_the_word_to_connect_again(start_server: StartServer) -> None:
    server, other = await start_server(), await start_server()
    async with Watch(server.alice, from_beginning=True) as watch:
        await remember(server.alice, "before")
        token = (await watch.until("before"))[-1].resume_token
        await watch.until_caught_up()
        stopping = asyncio.create_task(server.app.stop())
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await watch.next()
        await stopping
    told = refusal(ended.value)
    assert (told.code, told.reason) == (grpc.StatusCode.UNAVAILABLE, "SERVER_DRAINING")
    assert told.retry_seconds
    async with Watch(other.alice, resume_token=token) as watch:
        await remember(other.alice, "after")
        assert "after" in [change.changed.content for change in await watch.until("after")]


@pytest.mark.own_server
async def test_a_watch_of_events_ends_so_too(server: Server) -> None:
    call = server.alice.begin(WatchEventsRequest(from_beginning=True), timeout=PATIENCE_SECONDS)
    answers = aiter(call)
    assert (await anext(answers)).change.resume_token
    stopping = asyncio.create_task(server.app.stop())
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        [answer async for answer in answers]
    assert refusal(ended.value).reason == "SERVER_DRAINING"
    await stopping


async def test_the_clients_watch_survives_a_restart(start_server: StartServer) -> None:
    """The client goes back to the same address, where another server is by then."""
    server = await start_server()
    port = int(server.address.rpartition(":")[2])
    async with server.client(server.keys.alice) as client:
        changes = client.watch(from_beginning=True)
        await client.remember("before")
        seen = [await anext(changes), await anext(changes)]
        await server.app.stop()
        again = await start_server(server={"port": port, "http_port": 0})
        await remember(again.alice, "after")
        async with asyncio.timeout(PATIENCE_SECONDS):
            while seen[-1].changed.content != "after":
                seen.append(await anext(changes))
        await changes.aclose()
    assert [c.changed.content for c in seen if c.changed.content].count("before") == 1
    assert sorted(await listed(again.alice)) == ["after", "before"]
