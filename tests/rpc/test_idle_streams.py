"""Streams whose caller takes or sends nothing: they hold nothing that others need, end with a reason, and go on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1 import artifact_service_pb2 as artifacts
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_client import AsyncCamillo
from google.protobuf.message import Message

from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.rpc.memories.test_import_export import exported
from tests.server_fixtures import Caller, Refusal, Server, StartServer, refusal, refused

MEMORIES, TEXT = 1_500, "窓より大きい ä " * 8
# Channel options with room for less than a message on the way to a caller that reads nothing, however fast it is.
NARROW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 64 * 1024))
IDLE_SECONDS = 0.5 * FACTOR
IN_TRANSACTION = """select count(*) from pg_stat_activity
    where state like 'idle in transaction%' and datname = current_database()"""


async def fill(server: Server) -> None:
    for first in range(0, MEMORIES, 500):
        drafts = [pb.NewMemory(content=f"{first + i} {TEXT}") for i in range(500)]
        await server.alice(service.BatchRememberRequest(memories=drafts))


@asynccontextmanager
async def narrow_channel(server: Server) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(server.address, NARROW) as channel:
        yield channel


async def then_nothing(message: Message) -> AsyncIterator[Message]:
    """A caller that sends one message, and has not ended."""
    yield message
    async with asyncio.timeout(PATIENCE_SECONDS):
        await asyncio.Event().wait()


async def idle_upload(caller: Caller, message: Message, method: str) -> Refusal:
    """How an upload ends that sends one message. It takes the idle seconds."""
    return await refused(caller.send(then_nothing(message), method))


async def read(call: Any) -> tuple[list[Any], Refusal | None]:
    """The rest of a stream, and how it failed; None if it did not."""
    taken: list[Any] = []
    try:
        async for answer in call:
            taken.append(answer)
    except grpc.aio.AioRpcError as error:
        return taken, refusal(error)
    return taken, None


@pytest.mark.own_server
async def test_unread_exports_keep_nobody_waiting(server: Server) -> None:
    await fill(server)
    async with narrow_channel(server) as channel:
        caller = Caller(channel, server.keys.reader, None)
        unread = [caller.begin(service.ExportMemoriesRequest()) for _ in range(10)]
        for call in unread:
            assert len((await anext(aiter(call))).memories) == 500
        assert len(await exported(server.alice)) == MEMORIES
        assert not any(call.done() for call in unread)
        with psycopg.connect(server.database.superuser_url) as connection:
            assert connection.execute(IN_TRANSACTION).fetchone() == (0,)


async def test_an_export_that_nobody_reads_ends_with_a_reason_and_goes_on(start_server: StartServer) -> None:
    server = await start_server(server={"stream_idle_seconds": IDLE_SECONDS})
    await fill(server)
    request, ids, ends = service.ExportMemoriesRequest(), list[str](), list[Refusal | None]()
    async with narrow_channel(server) as channel:
        caller = Caller(channel, server.keys.reader, None)
        while len(ids) < MEMORIES:
            call = caller.begin(request)
            parts = [await anext(aiter(call))]
            if not ends:
                # An upload that sends nothing is a clock that ends later.
                upload = service.ImportMemoriesRequest(memories=[pb.Memory(content="sent")])
                for _ in range(2):
                    failed = await idle_upload(server.rival, upload, "ImportMemories")
                    assert (failed.code, failed.reason) == (grpc.StatusCode.UNAVAILABLE, "STREAM_IDLE")
            more, end = await read(call)
            parts += more
            ids += [memory.memory_id for part in parts for memory in part.memories]
            request.page_token = parts[-1].next_page_token
            ends.append(end)
    first_end, *_, last_end = ends
    assert first_end is not None
    assert (first_end.reason, first_end.metadata) == ("STREAM_IDLE", {"seconds": f"{IDLE_SECONDS:g}"})
    assert first_end.retry_seconds is not None
    assert last_end is None
    assert len(set(ids)) == len(ids) == MEMORIES


async def test_the_client_goes_on_with_an_export_that_it_did_not_read(start_server: StartServer) -> None:
    server = await start_server(server={"stream_idle_seconds": IDLE_SECONDS})
    await fill(server)
    header = artifacts.PutArtifactRequest(header=artifacts.PutArtifactHeader())
    ids: list[str] = []
    async with narrow_channel(server) as channel, AsyncCamillo(channel, key=server.keys.reader) as client:
        async for memory in client.export():
            if not ids:
                for _ in range(2):
                    failed = await idle_upload(server.alice, header, "PutArtifact")
                    assert failed.reason == "STREAM_IDLE"
            ids.append(memory.memory_id)
    assert len(set(ids)) == len(ids) == MEMORIES


async def test_a_page_token_is_of_its_own_filter_alone(server: Server) -> None:
    drafts = [pb.NewMemory(content=f"{i}", tags=["a"]) for i in range(2)]
    await server.alice(service.BatchRememberRequest(memories=drafts))
    tagged = service.ExportMemoriesRequest(filter=pb.MemoryFilter(tags_any=["a"]))
    (part,), _ = await read(server.alice.begin(tagged))
    assert len(part.memories) == 2
    tagged.page_token = part.next_page_token
    assert await read(server.alice.begin(tagged)) == ([], None)
    _, failed = await read(server.alice.begin(service.ExportMemoriesRequest(page_token=part.next_page_token)))
    assert failed is not None
    assert failed.reason == "INVALID_PAGE_TOKEN"
