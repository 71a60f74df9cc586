"""Stores of bytes that fail, fill up and lose bytes, and Postgres gone in the middle: told plainly, over when they are
back."""

import asyncio
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import grpc
import pytest
from camillo.v1.artifact_service_pb2 import (
    DeleteArtifactRequest,
    ListArtifactsRequest,
    ReadArtifactRequest,
)
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.parts.object_parts import ObjectParts
from camillo_server.storage.parts.owned_store import owned_store

from tests.faults.artifact_buckets import Bucket, faulty_bucket
from tests.faults.artifact_uploads import OpenUpload, go_on, held, rows, until_rows
from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import MIB, put, read, upload
from tests.server_fixtures import Server, StartServer, refused
from tests.unit.artifacts.s3_server import s3_server
from tests.unit.identity.moving_clock import MovingClock

pytestmark = [pytest.mark.xdist_group("artifact_stores"), pytest.mark.timeout(110)]

HOURS = 3600
# Nothing of it can be compressed.
NOISE = random.Random(1).randbytes(3 * MIB + 5)  # noqa: S311


@pytest.fixture
def clock() -> MovingClock:
    """A clock at the time that the store puts on its objects."""
    clock = MovingClock()
    clock.moment = datetime.now(UTC)
    return clock


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with s3_server() as endpoint:
        yield endpoint


@pytest.fixture
def bucket(s3: str) -> Iterator[Bucket]:
    with faulty_bucket(s3) as bucket:
        yield bucket


@pytest.fixture
async def in_bucket(start_server: StartServer, bucket: Bucket) -> Server:
    """A server that keeps bytes in the bucket, under a prefix of its own."""
    url = f"s3://artifacts/{uuid4().hex}"
    return await start_server(artifacts=bucket.settings(store_url=url))


def outside(server: Server) -> ObjectParts:
    """The object store in which the server keeps its bytes."""
    parts = owned_store(server.app.kernel.settings, server.app.kernel.database)
    assert parts is not None
    return parts


async def stored(server: Server) -> int:
    """How many contents have bytes outside of Postgres."""
    return len(await outside(server).contents("acme"))


async def visible(server: Server) -> set[str]:
    listed = await server.alice(ListArtifactsRequest())
    return {artifact.artifact_id for artifact in listed.artifacts}


async def assert_only_what_is_visible_stays(server: Server) -> None:
    """A day later, after a collection."""
    server.clock.move(25 * HOURS)
    assert (await server.app.artifacts.collection()).lost == 0
    count = len(await visible(server))
    found = rows(server.database)
    assert (found["artifacts"], found["contents"], await stored(server)) == (count, count, count)


@pytest.mark.parametrize("fault", ["broken", "silent", "missing"])
async def test_a_bucket_that_fails_is_told_and_leaves_nothing_half_done(
    in_bucket: Server, bucket: Bucket, fault: str
) -> None:
    alice = in_bucket.alice
    there = (await put(alice, NOISE)).artifact.artifact_id
    # The second part of the upload meets it, later the first one.
    for spared in (1, 0):
        bucket.fail(fault, PUT=spared)
        refusal = await refused(put(alice, NOISE[: 2 * MIB + spared]))
        assert (refusal.code, refusal.reason) == (
            grpc.StatusCode.UNAVAILABLE,
            "BYTES_UNAVAILABLE",
        )
        assert refusal.retry_seconds
        assert await visible(in_bucket) == {there}
    refusal = await refused(read(alice, there))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "BYTES_UNAVAILABLE")
    assert refusal.retry_seconds
    assert {"PUT", "GET"} <= set(bucket.failed)
    bucket.heal()
    assert await read(alice, there) == NOISE
    after = (await put(alice, NOISE[: 2 * MIB])).artifact.artifact_id
    assert await read(alice, after) == NOISE[: 2 * MIB]
    # Contents that could not be removed while the bucket was away are condemned until then.
    assert rows(in_bucket.database)["contents"] > 2
    await assert_only_what_is_visible_stays(in_bucket)
    assert await visible(in_bucket) == {there, after}


async def test_a_bucket_that_fails_in_the_middle_of_a_read_gives_no_wrong_bytes(
    in_bucket: Server, bucket: Bucket
) -> None:
    artifact_id = (await put(in_bucket.alice, NOISE)).artifact.artifact_id
    bucket.fail("broken", GET=1)
    got = []

    async def reading() -> None:
        async for message in in_bucket.alice.begin(ReadArtifactRequest(artifact_id=artifact_id)):
            got.append(message.data)

    assert (await refused(reading())).reason == "BYTES_UNAVAILABLE"
    assert 0 < len(b"".join(got)) <= MIB
    assert NOISE.startswith(b"".join(got))


async def test_a_deletion_needs_no_bucket_and_the_bytes_go_when_it_is_back(in_bucket: Server, bucket: Bucket) -> None:
    artifact_id = (await put(in_bucket.alice, NOISE)).artifact.artifact_id
    bucket.fail("broken")
    deleted = await in_bucket.alice(DeleteArtifactRequest(artifact_id=artifact_id))
    assert not deleted.receipt.bytes_deleted
    assert not await visible(in_bucket)
    bucket.heal()
    assert await stored(in_bucket) == 1
    assert (await in_bucket.app.artifacts.collection()).contents == 1
    assert await stored(in_bucket) == 0


@pytest.mark.parametrize("place", ["bucket", "directory"])
async def test_bytes_deleted_behind_the_servers_back_are_told_as_lost(
    start_server: StartServer, bucket: Bucket, tmp_path: Path, place: str
) -> None:
    in_directory = {"store_url": (tmp_path / "parts").as_uri()}
    settings = in_directory if place == "directory" else bucket.settings()
    server = await start_server(artifacts=settings)
    lost = (await put(server.alice, NOISE)).artifact.artifact_id
    kept = (await put(server.alice, NOISE[:99])).artifact.artifact_id
    server.clock.move(1)
    assert (await server.app.artifacts.collection()).lost == 0
    for content in await outside(server).contents("acme"):
        if content.parts > 1:
            await outside(server).delete_content("acme", content.content_id)
    refusal = await refused(read(server.alice, lost))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.DATA_LOSS, "BYTES_LOST")
    assert refusal.retry_seconds is None
    assert await read(server.alice, kept) == NOISE[:99]
    assert (await server.app.artifacts.collection()).lost == 1
    # A lost artifact can be deleted, and stored again.
    await server.alice(DeleteArtifactRequest(artifact_id=lost))
    again = (await put(server.alice, NOISE)).artifact.artifact_id
    assert await read(server.alice, again) == NOISE
    server.clock.move(1)
    assert (await server.app.artifacts.collection()).lost == 0


async def test_a_directory_that_is_gone_is_unavailable_and_not_lost(start_server: StartServer, tmp_path: Path) -> None:
    directory, elsewhere = tmp_path / "parts", tmp_path / "elsewhere"
    server = await start_server(artifacts={"store_url": directory.as_uri()})
    there = (await put(server.alice, NOISE)).artifact.artifact_id
    directory.rename(elsewhere)
    for call in (read(server.alice, there), put(server.alice, b"other")):
        refusal = await refused(call)
        assert (refusal.reason, bool(refusal.retry_seconds)) == ("BYTES_UNAVAILABLE", True)
    assert not directory.exists()
    elsewhere.rename(directory)
    assert await read(server.alice, there) == NOISE
    await put(server.alice, b"other")
    await assert_only_what_is_visible_stays(server)


@pytest.mark.parametrize("place", ["postgres", "directory"])
async def test_an_upload_goes_on_when_postgres_is_back(
    postgres: EmbeddedPostgres,
    own_database: TestDatabase,
    start_server: StartServer,
    tmp_path: Path,
    place: str,
) -> None:
    artifacts = {"store_url": (tmp_path / "parts").as_uri()} if place == "directory" else {}
    server = await start_server(
        on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS}, artifacts=artifacts
    )
    upload_id = str(uuid4())
    messages = list(upload(NOISE, upload_id=upload_id))
    async with OpenUpload(server.alice) as going:
        going.send(messages[:9])
        await held(server.alice, upload_id, MIB)
        await asyncio.to_thread(postgres.stop)
        going.send(messages[9:])
        going.end()
        refusal = await refused(going.answer)
    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.UNAVAILABLE,
        "STORAGE_UNAVAILABLE",
    )
    assert refusal.retry_seconds
    await asyncio.to_thread(postgres.start)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await _is_away(server):
            pass
    assert not await visible(server)
    assert MIB <= await held(server.alice, upload_id, MIB) < len(NOISE)
    answer = await go_on(server.alice, NOISE, upload_id=upload_id)
    assert answer.artifact.sha256 == sha256(NOISE).digest()
    assert await read(server.alice, answer.artifact.artifact_id) == NOISE
    await until_rows(own_database, artifacts=1, contents=1, content_parts=4)


async def _is_away(server: Server) -> bool:
    try:
        await visible(server)
    except grpc.aio.AioRpcError as error:
        assert error.code() == grpc.StatusCode.UNAVAILABLE  # noqa: PT017
        return True
    return False
