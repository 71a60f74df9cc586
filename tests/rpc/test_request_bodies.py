"""Bodies of requests: nobody's before the credential is known, each within a time, and no more than there is room
for."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.event_service_pb2 import RecordEventRequest
from google.protobuf.struct_pb2 import Value

from tests.rpc.memories.calls import listed, remember
from tests.server_fixtures import Server, StartServer, refused
from tests.storage.locking import scope_held, until_waiting

RECALL = "/camillo.v1.MemoryService/Recall"
EXPORT = "/camillo.v1.MemoryService/ExportMemories"
LARGE = service.BatchRememberRequest(memories=[{"content": "漢字 👋🏽 " * 100}] * 200)


async def nothing(until: asyncio.Event) -> AsyncIterator[bytes]:
    """A body that does not come."""
    await until.wait()
    yield b""


@pytest.mark.parametrize("method", [RECALL, EXPORT])
async def test_the_credential_is_asked_for_before_the_body(server: Server, method: str) -> None:
    release = asyncio.Event()
    begin: Any = server.channel.stream_stream(method)
    call = begin(nothing(release), timeout=30)
    assert await call.code() is grpc.StatusCode.UNAUTHENTICATED
    call = begin(nothing(release), metadata=server.alice.metadata, timeout=30)
    release.set()
    assert await call.code() is not grpc.StatusCode.UNAUTHENTICATED


async def test_a_body_that_does_not_come_is_not_waited_for(start_server: StartServer) -> None:
    server = await start_server(server={"default_deadline_seconds": 0.2, "max_in_flight": 1})
    call: Any = server.channel.stream_unary(RECALL)
    failed = await refused(call(nothing(asyncio.Event()), metadata=server.alice.metadata))
    assert (failed.code, failed.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
    assert await listed(server.alice) == []


async def test_who_sends_slowly_keeps_nobody_waiting(start_server: StartServer) -> None:
    server = await start_server(server={"max_in_flight": 1, "max_streams": 1})
    begin: list[Any] = [server.channel.stream_stream(method) for method in (RECALL, EXPORT) * 3]
    slow = [each(nothing(asyncio.Event()), metadata=server.alice.metadata, timeout=30) for each in begin]
    await remember(server.alice, "שלום 👋🏽")
    assert await listed(server.alice) == ["שלום 👋🏽"]
    exported = [each async for each in server.alice.begin(service.ExportMemoriesRequest())]
    assert len(exported) == 1
    for call in slow:
        assert not call.done()
        call.cancel()


async def test_a_call_without_a_message_is_a_bad_argument(server: Server) -> None:
    call: Any = server.channel.stream_unary(RECALL)
    failed = await refused(call(iter(()), metadata=server.alice.metadata, timeout=30))
    assert (failed.code, failed.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("request",))


async def test_bytes_that_are_no_message_are_a_bad_argument(server: Server) -> None:
    call: Any = server.channel.unary_unary(RECALL)
    failed = await refused(call(b"\x12\x02\xff\xfe", metadata=server.alice.metadata, timeout=30))
    assert (failed.code, failed.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("request",))


async def test_large_bodies_have_room_as_far_as_there_is_some(start_server: StartServer) -> None:
    size = LARGE.ByteSize()
    server = await start_server(server={"max_bytes_in_flight": 2 * size})
    with scope_held(server.database, "acme", "alice"), scope_held(server.database, "rival", ""):
        # One alone has room though it is more than a tenant's share; another tenant's has what is left.
        held = [server.alice.begin(LARGE), server.rival.begin(LARGE)]
        await until_waiting(server.database, 2)
        for caller in (server.alice, server.rival):
            failed = await refused(caller(LARGE))
            assert (failed.code, failed.reason, failed.metadata) == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "OVERLOADED",
                {"limit": str(size // 2)},
            )
            assert failed.retry_seconds == 1
        # Small requests are not counted.
        assert await listed(server.admin, agent_id="bob") == []
    for call in held:
        assert len((await call).results) == 200
    # They are forgotten when their calls end, also those that fail.
    for _ in range(3):
        assert (await refused(server.reader(LARGE))).code is grpc.StatusCode.PERMISSION_DENIED
        await server.alice(LARGE)


async def test_messages_of_uploads_are_counted_too(start_server: StartServer) -> None:
    server = await start_server(server={"max_bytes_in_flight": LARGE.ByteSize()})
    imported = service.ImportMemoriesRequest(
        agent_id="alice", memories=[{"content": each.content} for each in LARGE.memories]
    )
    with scope_held(server.database, "acme", "alice"):
        upload = asyncio.ensure_future(server.admin.send([imported]))
        await until_waiting(server.database, 1)
        failed = await refused(server.alice(LARGE))
        assert (failed.code, failed.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")
    await upload
    assert len((await server.alice(LARGE)).results) == 200


async def test_many_small_fields_are_counted_before_they_are_parsed(server: Server) -> None:
    """1.2 MB that would take 80 MiB; a tenth of that is recorded."""
    request = RecordEventRequest(event={"session_id": "s", "actor": {"type": 1, "id": "a"}, "kind": 1})
    values = request.event.json.fields["many"].list_value.values
    values.extend([Value(bool_value=True)] * 40_000)
    await server.alice(request)
    values.extend([Value(bool_value=True)] * 400_000)
    failed = await refused(server.alice(request))
    assert (failed.code, failed.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("request",))
    assert "must have at most 400000 fields" in failed.message


async def test_the_server_serves_on(server: Server) -> None:
    await remember(server.alice, "after all that")
    assert await listed(server.alice) == ["after all that"]
