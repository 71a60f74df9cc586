"""Clients that disappear, wait, or give up: nothing is kept for them, and nothing goes on for them."""

import asyncio
import random
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import psycopg
import pytest
from camillo.v1.artifact_service_pb2 import ReadArtifactRequest

from tests.faults.artifact_uploads import NOTHING, OpenUpload, go_on, held, rows, until_rows
from tests.faults.server_process import server_process
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import MIB, part_files, put, read, upload
from tests.server_fixtures import Caller, Server, StartServer, refused
from tests.tenant_keys import Keys

pytestmark = [pytest.mark.xdist_group("artifact_clients"), pytest.mark.timeout(110)]

HOURS = 3600
NOISE = random.Random(2).randbytes(3 * MIB + 5)  # noqa: S311
LARGE = random.Random(3).randbytes(64 * MIB)  # noqa: S311
READERS = 4
# Most memory of a waiting reader: three parts, the same again on their way, and what the channel reads ahead.
BYTES_PER_READER = 8 * MIB


@pytest.fixture(params=["in_postgres", "in_a_directory"])
async def server(request: pytest.FixtureRequest, start_server: StartServer, tmp_path: Path) -> Server:
    url = (tmp_path / "parts").as_uri()
    return await start_server(artifacts={"store_url": url} if request.param == "in_a_directory" else {})


def files(tmp_path: Path) -> int:
    return len(part_files(tmp_path / "parts"))


@pytest.mark.parametrize("goes", ["by a cancelled call", "with its connection"])
async def test_a_client_that_disappears_leaves_nothing(
    server: Server, database: TestDatabase, tmp_path: Path, goes: str
) -> None:
    channel = grpc.aio.insecure_channel(server.address)
    caller = Caller(channel, server.keys.alice, None)
    async with OpenUpload(caller) as going:
        going.send(list(upload(NOISE))[:-1])
        await until_rows(database, uploads=1, content_parts=2)
        if goes == "with its connection":
            await channel.close()
    await until_rows(database, **NOTHING)
    assert files(tmp_path) == 0
    await channel.close()


async def test_an_upload_with_an_id_is_kept_for_a_day(server: Server, database: TestDatabase, tmp_path: Path) -> None:
    upload_id = str(uuid4())
    async with OpenUpload(server.alice) as going:
        going.send(list(upload(NOISE, upload_id=upload_id))[:-1])
        await held(server.alice, upload_id, 2 * MIB)
    kept = rows(database)
    assert kept["content_parts"] >= 2
    server.clock.move(24 * HOURS - 1)
    assert (await server.app.artifacts.collection()).abandoned_uploads == 0
    assert rows(database) == kept
    server.clock.move(1)
    assert (await server.app.artifacts.collection()).abandoned_uploads == 1
    assert rows(database) == NOTHING
    assert files(tmp_path) == 0


async def test_a_stream_that_ends_early_is_gone_on_with(server: Server) -> None:
    """A connection that breaks may look to the server like a stream that ends early."""
    upload_id = str(uuid4())
    async with OpenUpload(server.alice) as going:
        going.send(list(upload(NOISE, upload_id=upload_id))[:-1])
        before = await held(server.alice, upload_id, MIB)
        going.end()
        assert (await refused(going.answer)).reason == "INVALID_FIELD"
    assert await held(server.alice, upload_id, before) >= MIB
    answer = await go_on(server.alice, NOISE, upload_id=upload_id)
    assert await read(server.alice, answer.artifact.artifact_id) == NOISE


async def test_a_reader_that_gives_up_ends_its_query(start_server: StartServer, database: TestDatabase) -> None:
    server = await start_server()
    artifact_id = (await put(server.alice, NOISE)).artifact.artifact_id
    request = ReadArtifactRequest(artifact_id=artifact_id)
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute("lock table camillo.content_parts in access exclusive mode")
        reading = server.alice.begin(request)
        next_message = asyncio.ensure_future(reading.read())
        await until_waiting(database, count=1)
        reading.cancel()
        await asyncio.wait([next_message])
        # The lock is held still: nothing but the caller's going can have ended the query.
        await until_waiting(database, count=0)
    assert await read(server.alice, artifact_id) == NOISE


async def until_waiting(database: TestDatabase, count: int) -> None:
    """Waits until so many queries wait for the parts of contents."""
    asked = (
        "select count(*) from pg_stat_activity where datname = %s and wait_event_type = 'Lock'"
        " and query like '%%content_parts%%'"
    )
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:

        def answer() -> object:
            return connection.execute(asked, (database.name,)).fetchone()

        async with asyncio.timeout(PATIENCE_SECONDS):
            while await asyncio.to_thread(answer) != (count,):
                pass


async def test_slow_readers_take_little_memory(database: TestDatabase, keys: Keys, tmp_path: Path) -> None:
    with server_process(tmp_path, database_url=database.server_url) as process:
        address = await process.ready()
        async with grpc.aio.insecure_channel(address) as channel:
            alice = Caller(channel, keys.alice, 60.0)
            artifact_id = (await put(alice, LARGE)).artifact.artifact_id
            assert await streamed(alice, artifact_id) == sha256(LARGE).digest()
            before = process.memory("VmRSS")
            process.forget_peak()
            slow = [alice.begin(ReadArtifactRequest(artifact_id=artifact_id)) for _ in range(READERS)]
            first = [(await each.read()).data for each in slow]
            # In the time that a reader who takes everything needs, they would have been sent everything.
            assert await streamed(alice, artifact_id) == sha256(LARGE).digest()
            grown = process.memory("VmHWM") - before
            assert grown < (READERS + 1) * BYTES_PER_READER, f"{grown / MIB:.0f} MiB"
            # They were being served all the while: each gets the rest.
            for call, data in zip(slow, first, strict=True):
                assert await rest_of(call, data) == sha256(LARGE).digest()


async def streamed(caller: Caller, artifact_id: str) -> bytes:
    return await rest_of(caller.begin(ReadArtifactRequest(artifact_id=artifact_id)), b"")


async def rest_of(call: Any, begun: bytes) -> bytes:
    """The SHA-256 of all, of which the beginning has been read."""
    digest = sha256(begun)
    while (message := await call.read()) is not grpc.aio.EOF:
        digest.update(message.data)
    return digest.digest()
