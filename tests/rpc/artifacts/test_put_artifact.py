"""PutArtifact: what is stored is what was sent, whole, once, and under the names and sums that it has."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from hashlib import sha256
from typing import Any
from uuid import uuid4

import grpc
import psycopg
import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1.artifact_service_pb2 import (
    ArtifactBytes,
    DeleteArtifactRequest,
    GetArtifactRequest,
    GetUploadRequest,
    ListArtifactsRequest,
    PutArtifactFinish,
    PutArtifactHeader,
    PutArtifactRequest,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import MESSAGE_BYTES, MIB, put, put_text, read, upload
from tests.server_fixtures import Server, StartServer, refusal, refused

LOG = "".join(f"строка {i}: 構建 🔧 ok é\n" for i in range(60_000)).encode()


def rows(database: TestDatabase) -> dict[str, int]:
    """How many rows there are of what an artifact is made of."""
    with psycopg.connect(database.superuser_url) as connection:
        return {
            table: connection.execute(f"select count(*) from camillo.{table}").fetchone()[0]  # type: ignore[index]
            for table in ("artifacts", "contents", "content_parts")
        }


@pytest.mark.parametrize("size", [1, 7, MESSAGE_BYTES, MIB - 1, MIB, MIB + 1, 2 * MIB, 3 * MIB + 12_345])
async def test_what_is_read_is_what_was_sent(server: Server, size: int) -> None:
    data = (LOG * (size // len(LOG) + 1))[:size]
    answer = await put(server.alice, data, name="build.log", size_bytes=size)
    assert answer.artifact.size_bytes == size
    assert answer.artifact.sha256 == sha256(data).digest()
    assert await read(server.alice, answer.artifact.artifact_id) == data


async def test_the_answer_says_what_the_content_is(server: Server) -> None:
    artifact = await put_text(
        server.alice,
        "one\ntwo\nthree",
        name="notes.txt",
        tool="shell",
        command="cat notes.txt",
        exit_code=0,
        session_id="s1",
        tags=["a", "b", "a"],
        source_refs=["event-1"],
        metadata={"host": "ci"},
        pinned=True,
    )
    assert (artifact.line_count, artifact.encoding, artifact.version) == (3, "utf-8", 1)
    assert (artifact.tool, artifact.exit_code, artifact.session_id) == ("shell", 0, "s1")
    assert (list(artifact.tags), list(artifact.source_refs)) == (["a", "b"], ["event-1"])
    assert (artifact.metadata["host"], artifact.pinned) == ("ci", True)
    assert (artifact.agent_id, artifact.created_by_agent_id) == ("alice", "alice")
    assert artifact.memory_ref.startswith(f"[MemoryRef: {artifact.artifact_id} - ")
    got = await server.alice(GetArtifactRequest(artifact_id=artifact.memory_ref))
    assert got.artifact == artifact
    assert got.preview.head.startswith("one")


@pytest.mark.parametrize(
    ("data", "encoding", "line_count"),
    [
        (b"\x00\x01\x02\xff" * 10, "", None),
        ("naïve café\nüber".encode("windows-1252"), "windows-1252", 2),
        ("﻿Grüße".encode("utf-16"), "utf-16", None),
        ("كود\n代码\n".encode(), "utf-8", 2),
        (b"\n", "utf-8", 1),
    ],
)
async def test_text_is_known_by_its_bytes(server: Server, data: bytes, encoding: str, line_count: int | None) -> None:
    artifact = (await put(server.alice, data)).artifact
    assert artifact.encoding == encoding
    assert artifact.HasField("line_count") == (line_count is not None)
    assert artifact.line_count == (line_count or 0)


async def test_a_receipt_does_not_tell_whether_another_agent_has_the_same(server: Server) -> None:
    texts = ("bob has this", "nobody has this", "everybody has this")
    mine = [await put_text(server.alice, text) for text in texts]
    bobs = await put_text(server.admin, texts[0], agent_id="bob")
    await put_text(server.admin, texts[2], agent_id="bob", is_shared=True)
    receipts = [(await server.alice(DeleteArtifactRequest(artifact_id=each.artifact_id))).receipt for each in mine]
    assert [receipt.bytes_deleted for receipt in receipts] == [True, True, False]
    assert list(receipts[0].stores) == list(receipts[1].stores) != list(receipts[2].stores)
    assert await read(server.admin, bobs.artifact_id, agent_id="bob") == texts[0].encode()


async def test_identical_content_is_stored_once_and_goes_with_the_last_artifact(
    server: Server, database: TestDatabase
) -> None:
    first = await put_text(server.alice, "the same content", name="a")
    second = await put_text(server.admin, "the same content", name="b", agent_id="bob")
    assert rows(database) == {"artifacts": 2, "contents": 1, "content_parts": 1}
    one = await server.admin(DeleteArtifactRequest(artifact_id=first.artifact_id, agent_id="alice"))
    assert not one.receipt.bytes_deleted
    assert await read(server.admin, second.artifact_id, agent_id="bob") == b"the same content"
    last = await server.admin(DeleteArtifactRequest(artifact_id=second.artifact_id, agent_id="bob"))
    assert last.receipt.bytes_deleted
    assert {each.store: each.rows for each in last.receipt.stores} == {
        "artifacts": 1,
        "content_parts": 1,
        "contents": 1,
    }
    assert rows(database) == {"artifacts": 0, "contents": 0, "content_parts": 0}


async def test_tenants_share_no_content(server: Server, database: TestDatabase) -> None:
    await put_text(server.alice, "the same content")
    await put_text(server.rival, "the same content")
    assert rows(database)["contents"] == 2


async def test_a_repeated_request_gives_the_first_artifact(server: Server, database: TestDatabase) -> None:
    first = await put(server.alice, LOG, request_id="once", name="a")
    again = await put(server.alice, LOG, request_id="once", name="a")
    assert again.artifact.artifact_id == first.artifact.artifact_id
    assert rows(database)["artifacts"] == 1
    other = await refused(put(server.alice, b"other", request_id="once", name="a"))
    assert (other.code, other.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")
    assert rows(database) == {"artifacts": 1, "contents": 1, "content_parts": 3}


def header(**fields: object) -> PutArtifactRequest:
    return PutArtifactRequest(header=PutArtifactHeader(artifact=pb.NewArtifact(), **fields))  # type: ignore[arg-type]


def part(offset: int, data: bytes) -> PutArtifactRequest:
    return PutArtifactRequest(bytes=ArtifactBytes(offset=offset, data=data))


def finish(data: bytes) -> PutArtifactRequest:
    return PutArtifactRequest(finish=PutArtifactFinish(sha256=sha256(data).digest()))


BAD_STREAMS = {
    "no message": ([], "INVALID_FIELD"),
    "no header": ([part(0, b"a"), finish(b"a")], "INVALID_FIELD"),
    "two headers": ([header(), header(), part(0, b"a"), finish(b"a")], "INVALID_FIELD"),
    "no bytes": ([header(), finish(b"")], "INVALID_FIELD"),
    "an empty part": ([header(), part(0, b""), finish(b"")], "INVALID_FIELD"),
    "no finish": ([header(), part(0, b"a")], "INVALID_FIELD"),
    "bytes behind the finish": ([header(), part(0, b"a"), finish(b"a"), part(1, b"b")], "INVALID_FIELD"),
    "a gap": ([header(), part(0, b"a"), part(2, b"b"), finish(b"ab")], "UPLOAD_OFFSET_MISMATCH"),
    "a repeat": ([header(), part(0, b"a"), part(0, b"b"), finish(b"ab")], "UPLOAD_OFFSET_MISMATCH"),
    "another sum": ([header(), part(0, b"a"), finish(b"b")], "CONTENT_MISMATCH"),
    "no sum": ([header(), part(0, b"a"), PutArtifactRequest(finish=PutArtifactFinish())], "INVALID_FIELD"),
    "less than said": ([header(size_bytes=2), part(0, b"a"), finish(b"a")], "CONTENT_MISMATCH"),
    "more than said": ([header(size_bytes=1), part(0, b"ab"), finish(b"ab")], "CONTENT_MISMATCH"),
    "too much said": ([header(size_bytes=2 * MIB), part(0, b"a"), finish(b"a")], "INVALID_FIELD"),
    "too much sent": (
        [header(), *(part(i * MIB // 2, bytes(MIB // 2)) for i in range(3)), finish(b"")],
        "INVALID_FIELD",
    ),
    "nothing to go on with": (
        [header(offset=MIB, upload_id=str(uuid4()), prefix_sha256=bytes(32)), part(MIB, b"a"), finish(b"a")],
        "UPLOAD_NOT_FOUND",
    ),
    "an upload id that is none": ([header(upload_id="mine"), part(0, b"a"), finish(b"a")], "INVALID_FIELD"),
}


async def test_a_bad_stream_is_refused_and_leaves_nothing(start_server: StartServer, database: TestDatabase) -> None:
    server = await start_server(artifacts={"max_bytes": MIB})
    for name, (messages, reason) in BAD_STREAMS.items():
        refusal = await refused(server.alice.send(messages, "PutArtifact"))
        assert refusal.reason == reason, name
        listed = await server.alice(ListArtifactsRequest())
        assert not listed.artifacts, name
        assert rows(database) == {"artifacts": 0, "contents": 0, "content_parts": 0}, name
    await put_text(server.alice, "control")
    assert rows(database) == {"artifacts": 1, "contents": 1, "content_parts": 1}


async def broken_upload(server: Server, data: bytes, upload_id: str, **fields: Any) -> int:
    """Sends so many bytes, and breaks the connection off when whole parts of them are held: how many bytes those
    are."""
    wanted = len(data) // MIB * MIB
    got = asyncio.Event()

    async def messages() -> AsyncIterator[PutArtifactRequest]:
        for message in list(upload(data, upload_id=upload_id, **fields))[:-1]:
            yield message
        await got.wait()

    sending = asyncio.create_task(server.alice.send(messages(), "PutArtifact"))
    # The last whole part may still wait for what could make a part of it a secret.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await held(server, upload_id) < wanted - MIB:
            pass
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    got.set()
    return await held(server, upload_id)


async def held(server: Server, upload_id: str) -> int:
    """How many bytes are held; -1 while there is no upload."""
    try:
        answer = await server.alice(GetUploadRequest(upload_id=upload_id))
    except grpc.aio.AioRpcError as error:
        if refusal(error).reason != "UPLOAD_NOT_FOUND":
            raise
        return -1
    return int(answer.held_bytes)


async def test_a_broken_upload_is_gone_on_with(server: Server, database: TestDatabase) -> None:
    data = LOG + LOG
    upload_id = str(uuid4())
    offset = await broken_upload(server, data[: 3 * MIB + 100], upload_id, name="big.log")
    assert offset in (2 * MIB, 3 * MIB)
    assert not (await server.alice(ListArtifactsRequest())).artifacts
    answer = await put(
        server.alice,
        data[offset:],
        upload_id=upload_id,
        offset=offset,
        prefix_sha256=sha256(data[:offset]).digest(),
        name="big.log",
    )
    assert answer.artifact.sha256 == sha256(data).digest()
    assert answer.artifact.line_count == data.count(b"\n")
    assert await read(server.alice, answer.artifact.artifact_id) == data
    assert rows(database)["contents"] == 1
    state = await server.alice(GetUploadRequest(upload_id=upload_id))
    assert state.artifact_id == answer.artifact.artifact_id


async def test_going_on_needs_the_same_bytes_header_and_place(server: Server) -> None:
    upload_id = str(uuid4())
    offset = await broken_upload(server, LOG[: 2 * MIB + 1], upload_id, name="a")
    prefix = sha256(LOG[:offset]).digest()
    going_on = {"upload_id": upload_id, "offset": offset, "prefix_sha256": prefix, "name": "a"}
    for changed, reason in (
        ({"prefix_sha256": bytes(32)}, "CONTENT_MISMATCH"),
        ({"offset": offset + MIB}, "UPLOAD_OFFSET_MISMATCH"),
        ({"name": "b"}, "INVALID_FIELD"),
    ):
        refusal = await refused(put(server.alice, LOG[offset:], **{**going_on, **changed}))
        assert refusal.reason == reason
    answer = await put(server.alice, LOG[offset:], **going_on)
    assert answer.artifact.sha256 == sha256(LOG).digest()


async def test_a_caller_that_is_refused_while_it_sends_hears_why(server: Server) -> None:
    upload_id = str(uuid4())
    assert await broken_upload(server, LOG, upload_id, name="a") > 0
    for attempt in range(100):
        place: dict[str, Any] = {"offset": MIB, "prefix_sha256": bytes(32)}
        messages = upload(LOG, upload_id=upload_id, name=f"b{attempt}", **place)
        refusal = await refused(server.alice.send(as_sent(messages), "PutArtifact"))
        assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ("header.artifact",))


async def as_sent(messages: Iterable[PutArtifactRequest]) -> AsyncIterator[PutArtifactRequest]:
    """Messages that cannot be sent again."""
    for message in messages:
        yield message


async def test_an_upload_is_its_own_agents(server: Server) -> None:
    upload_id = str(uuid4())
    assert await broken_upload(server, LOG, upload_id) > 0
    for other in (server.rival, server.caller(server.keys.admin)):
        refusal = await refused(other(GetUploadRequest(upload_id=upload_id)))
        assert refusal.reason == "UPLOAD_NOT_FOUND"


async def test_a_quota_holds_for_the_tenant(start_server: StartServer) -> None:
    server = await start_server(artifacts={"quota_bytes": MIB})
    await put(server.alice, LOG[: MIB - 10])
    await put(server.admin, LOG[: MIB - 10], agent_id="bob")
    refusal = await refused(put(server.admin, LOG[:MIB], agent_id="bob"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
    assert refusal.metadata == {"quota": "artifact_bytes", "limit": str(MIB)}
    await put(server.rival, LOG[: MIB - 10])


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_any_message_sizes_give_the_same_artifact(server: Server, data: st.DataObject) -> None:
    text = data.draw(st.text(min_size=1, max_size=2_000)).encode()
    size = data.draw(st.integers(1, len(text)))
    answer = await put(server.alice, text, message_bytes=size)
    assert await read(server.alice, answer.artifact.artifact_id) == text
