"""Calls that need no credential: they take little of the server, and keep it from nothing."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from camillo_server.doors.rpc import open_calls
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.patience import PATIENCE_SECONDS
from tests.server_fixtures import Server, StartServer, refused

pytestmark = pytest.mark.own_server

CHECK = "/grpc.health.v1.Health/Check"
# The server may send nothing before the client reads.
CLOSED_WINDOW = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 0)]
SERVING = health_pb2.HealthCheckResponse.SERVING


async def is_serving(channel: grpc.aio.Channel) -> bool:
    request = health_pb2.HealthCheckRequest()
    answer = await health_pb2_grpc.HealthStub(channel).Check(request, timeout=PATIENCE_SECONDS)
    return bool(answer.status == SERVING)


@pytest.mark.parametrize("size", [5_000, 1_000_000])
async def test_long_names_are_refused(server: Server, size: int) -> None:
    asked = health_pb2.HealthCheckRequest(service="x" * size)
    stub = health_pb2_grpc.HealthStub(server.channel)
    described = reflection_pb2.ServerReflectionRequest(file_by_filename="x" * size)
    reflection = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    for call in (
        stub.Check(asked, timeout=PATIENCE_SECONDS),
        anext(aiter(stub.Watch(asked, timeout=PATIENCE_SECONDS))),
        anext(aiter(reflection.ServerReflectionInfo(iter([described]), timeout=PATIENCE_SECONDS))),
    ):
        failed = await refused(call)
        assert (failed.code, failed.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("request",))
    assert await is_serving(server.channel)


async def test_requests_that_do_not_come_hold_up_those_of_their_address_for_some_time(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_calls, "RECEIVE_SECONDS", 0.2)

    async def nothing() -> AsyncIterator[bytes]:
        await asyncio.Event().wait()
        yield b""

    begin: Any = server.channel.stream_unary(CHECK)
    slow = [begin(nothing()) for _ in range(2 * open_calls.MAX_RECEIVING_OF_ADDRESS)]
    assert await is_serving(server.channel)
    for call in slow:
        assert await call.code() is grpc.StatusCode.DEADLINE_EXCEEDED


@pytest.mark.parametrize(("bound", "limit"), [("MAX_STREAMS_OF_ADDRESS", 3), ("MAX_STREAMS", 4)])
async def test_watches_of_health_are_counted(
    server: Server, monkeypatch: pytest.MonkeyPatch, bound: str, limit: int
) -> None:
    monkeypatch.setattr(open_calls, bound, limit)
    stub = health_pb2_grpc.HealthStub(server.channel)
    request = health_pb2.HealthCheckRequest()
    watches = [stub.Watch(request, timeout=PATIENCE_SECONDS) for _ in range(limit)]
    for each in watches:
        assert (await anext(aiter(each))).status == SERVING
    failed = await refused(anext(aiter(stub.Watch(request, timeout=PATIENCE_SECONDS))))
    assert (failed.code, failed.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")
    assert failed.metadata == {"limit": str(limit)}
    assert await is_serving(server.channel)
    watches.pop().cancel()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            again = stub.Watch(request, timeout=PATIENCE_SECONDS)
            try:
                assert (await anext(aiter(again))).status == SERVING
            except grpc.aio.AioRpcError:
                continue
            break


async def test_a_watcher_that_reads_nothing_does_not_keep_the_server_from_stopping(start_server: StartServer) -> None:
    server = await start_server(server={"drain_seconds": 0.0})
    async with grpc.aio.insecure_channel(server.address, CLOSED_WINDOW) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        unread = stub.Watch(health_pb2.HealthCheckRequest(service="camillo.v1.MemoryService"))
        assert await is_serving(channel)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await server.app.stop()
        unread.cancel()
