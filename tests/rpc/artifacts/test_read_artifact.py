"""ReadArtifact and ReadArtifactPage: any part of an artifact, exactly, in whole characters."""

import json
import random
from itertools import pairwise

import grpc
import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1.artifact_service_pb2 import ReadArtifactPageRequest, ReadArtifactPageResponse, ReadArtifactRequest

from tests.rpc.artifacts.calls import MIB, around, of_bytes, of_json, of_lines, put, put_text, read, read_messages
from tests.server_fixtures import Caller, Server, refusal, refused

LINES = [f"{i}: " + "日志 é 🔥 سجل a" * (i % 7) for i in range(1, 60_001)]
LOG = "\n".join(LINES)
LONG_LINE = "x" * (2 * MIB + 17)


@pytest.fixture
async def log(server: Server) -> str:
    """The id of a log of 60,000 lines and some MiB."""
    return (await put_text(server.alice, LOG)).artifact_id


def lines(first: int, last: int) -> bytes:
    """Bytes that a read of these lines returns."""
    text = "\n".join(LINES[first - 1 : last])
    return (text + ("\n" if last < len(LINES) else "")).encode()


async def test_lines_are_exact_anywhere(server: Server, log: str) -> None:
    chance = random.Random(4)  # noqa: S311
    firsts = [1, 2, 59_999, 60_000, *(chance.randint(1, 60_000) for _ in range(40))]
    for first in firsts:
        last = min(60_000, first + chance.randint(0, 50))
        assert await read(server.alice, log, of_lines(first, last)) == lines(first, last)
        [message, *_] = await read_messages(server.alice, log, of_lines(first, last))
        assert message.line == first
        assert message.offset == len("".join(f"{line}\n" for line in LINES[: first - 1]).encode())


async def test_head_tail_and_around(server: Server, log: str) -> None:
    alice = server.alice
    assert await read(alice, log, pb.ArtifactRange(head_lines=3)) == lines(1, 3)
    assert await read(alice, log, pb.ArtifactRange(tail_lines=1)) == lines(60_000, 60_000)
    assert await read(alice, log, pb.ArtifactRange(tail_lines=70_000)) == LOG.encode()
    assert await read(alice, log, around(5, 10)) == lines(1, 15)
    assert await read(alice, log, around(30_000, 2)) == lines(29_998, 30_002)
    assert await read(alice, log, of_lines(59_990)) == lines(59_990, 60_000)


async def test_bytes_never_split_a_character(server: Server, log: str) -> None:
    data = LOG.encode()
    chance = random.Random(5)  # noqa: S311
    for _ in range(60):
        cuts = sorted(chance.randint(0, len(data) - 1) for _ in range(2))
        if cuts[0] == cuts[1]:
            continue
        got = await read(server.alice, log, of_bytes(*cuts))
        got.decode()
        assert data.find(got) >= 0 or not got
    borders = [0, *sorted(chance.randint(1, len(data) - 1) for _ in range(20)), 0]
    parts = [await read(server.alice, log, of_bytes(a, b)) for a, b in pairwise(borders)]
    assert b"".join(parts) == data
    assert await read(server.alice, log, of_bytes(-100)) == data[-100:].lstrip(bytes(range(0x80, 0xC0)))


async def test_binary_bytes_are_as_they_are(server: Server) -> None:
    data = random.Random(6).randbytes(2 * MIB + 5)  # noqa: S311
    artifact_id = (await put(server.alice, data)).artifact.artifact_id
    assert await read(server.alice, artifact_id, of_bytes(MIB - 3, MIB + 3)) == data[MIB - 3 : MIB + 3]
    for wanted in (of_lines(1, 2), pb.ArtifactRange(tail_lines=1), around(3, 1)):
        told = await refused_read(server.alice, artifact_id, wanted)
        assert told == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_TEXT")


async def refused_read(
    caller: Caller, artifact_id: str, wanted: pb.ArtifactRange, **fields: int
) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await read_messages(caller, artifact_id, wanted, **fields)
    told = refusal(error.value)
    return told.code, told.reason


async def test_a_range_behind_the_end_says_where_that_is(server: Server, log: str) -> None:
    size = len(LOG.encode())
    for wanted, unit, length in ((of_bytes(size), "bytes", size), (of_lines(60_001), "lines", 60_000)):
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await read_messages(server.alice, log, wanted)
        told = refusal(error.value)
        assert (told.code, told.reason) == (grpc.StatusCode.OUT_OF_RANGE, "RANGE_PAST_END")
        assert told.metadata == {"unit": unit, "length": str(length)}


@pytest.mark.parametrize(
    "wanted", [of_bytes(5, 3), of_bytes(0, -1), of_lines(5, 3), of_lines(-1), around(0, 3), around(1, 10_001)]
)
async def test_a_range_that_is_none_is_refused(server: Server, log: str, wanted: pb.ArtifactRange) -> None:
    told = await refused_read(server.alice, log, wanted)
    assert told == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")


async def test_a_broken_read_goes_on_from_any_message(server: Server, log: str) -> None:
    wanted = of_lines(20_000, 50_000)
    messages = await read_messages(server.alice, log, wanted)
    assert len(messages) > 3
    assert all(message.range_bytes == len(lines(20_000, 50_000)) for message in messages)
    came = 0
    for message in messages:
        came += len(message.data)
        rest = await read(server.alice, log, wanted, resume_after_bytes=came, resume_crc32c=message.crc32c)
        assert rest == lines(20_000, 50_000)[came:]
    told = await refused_read(server.alice, log, wanted, resume_after_bytes=came + 1)
    assert told == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")


async def test_lines_longer_than_a_part_are_found(server: Server) -> None:
    text = f"before\n{LONG_LINE}\nafter\n{LONG_LINE}"
    artifact_id = (await put_text(server.alice, text)).artifact_id
    assert await read(server.alice, artifact_id, of_lines(2, 2)) == f"{LONG_LINE}\n".encode()
    assert await read(server.alice, artifact_id, of_lines(3, 3)) == b"after\n"
    assert await read(server.alice, artifact_id, of_lines(4)) == LONG_LINE.encode()


async def test_a_reader_that_stops_half_way_is_forgotten(server: Server) -> None:
    artifact = (await put(server.alice, bytes(range(256)) * 4 * 1024 * 24)).artifact
    call = server.alice.begin(ReadArtifactRequest(artifact_id=artifact.artifact_id))
    assert (await call.read()).data
    call.cancel()
    assert len(await read(server.alice, artifact.artifact_id)) == artifact.size_bytes


async def test_json_is_read_by_pointer(server: Server) -> None:
    document = {
        "users": [{"name": f"用户 {i} 🙂", "tags": [i, None, True]} for i in range(30_000)],
        "a/b": {"m~n": "slash and tilde"},
    }
    text = json.dumps(document, ensure_ascii=False)
    artifact = await put_text(server.alice, text, name="users.json")
    assert artifact.kind == pb.CONTENT_KIND_JSON

    async def value(pointer: str, **part: int) -> object:
        return json.loads(await read(server.alice, artifact.artifact_id, of_json(pointer, **part)))

    assert await value("/users/29999/name") == "用户 29999 🙂"
    assert await value("/a~1b/m~0n") == "slash and tilde"
    assert await value("/users", start=10, end=12) == document["users"][10:12]  # type: ignore[index]
    assert await value("/users", start=29_998) == document["users"][29_998:]  # type: ignore[index]
    assert await value("") == document
    for wanted, told in (
        (of_json("/users/30000"), (grpc.StatusCode.NOT_FOUND, "JSON_VALUE_NOT_FOUND")),
        (of_json("/a~1b", start=0), (grpc.StatusCode.NOT_FOUND, "JSON_VALUE_NOT_FOUND")),
        (of_json("users"), (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")),
    ):
        assert await refused_read(server.alice, artifact.artifact_id, wanted) == told
    whole = await read(server.alice, artifact.artifact_id, of_json("/users"))
    rest = await read_messages(server.alice, artifact.artifact_id, of_json("/users"), resume_after_bytes=300_000)
    assert b"".join(message.data for message in rest) == whole[300_000:]


async def test_what_is_no_json_has_no_values(server: Server) -> None:
    for text in ("no json at all", '{"a": 1', '{"a": 1} trailing'):
        artifact = await put_text(server.alice, text)
        told = await refused_read(server.alice, artifact.artifact_id, of_json(""))
        assert told == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_JSON")


async def pages(caller: Caller, artifact_id: str, **fields: object) -> list[ReadArtifactPageResponse]:
    """Every page."""
    request = ReadArtifactPageRequest(artifact_id=artifact_id, **fields)  # type: ignore[arg-type]
    found = []
    while True:
        page = await caller(request)
        found.append(page)
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def test_pages_hold_as_many_tokens_as_they_may_and_make_up_the_whole(server: Server, log: str) -> None:
    wanted = of_lines(100, 700)
    found = await pages(server.alice, log, range=wanted, max_tokens=500)
    assert "".join(page.text for page in found).encode() == lines(100, 700)
    assert all(0 < page.tokens <= 500 for page in found)
    assert all(page.tokens > 250 for page in found[:-1])
    line = 100
    for page in found:
        assert page.first_line == line
        line = page.last_line + 1
        assert page.text.endswith("\n")
    assert line == 701


async def test_pages_go_through_one_endless_line_and_through_json(server: Server) -> None:
    artifact = await put_text(server.alice, "字🔥é" * 5_000)
    found = await pages(server.alice, artifact.artifact_id, max_tokens=2_000)
    assert "".join(page.text for page in found) == "字🔥é" * 5_000
    document = {"list": list(range(5_000))}
    artifact = await put_text(server.alice, json.dumps(document))
    found = await pages(server.alice, artifact.artifact_id, range=of_json("/list"), max_tokens=900)
    assert json.loads("".join(page.text for page in found)) == document["list"]
    assert len(found) > 2


async def test_a_page_token_is_for_its_own_query(server: Server, log: str) -> None:
    page = await server.alice(ReadArtifactPageRequest(artifact_id=log, max_tokens=100))
    for other in (
        ReadArtifactPageRequest(artifact_id=log, max_tokens=100, range=of_lines(2)),
        ReadArtifactPageRequest(artifact_id=(await put_text(server.alice, LOG)).artifact_id),
    ):
        other.page_token = page.next_page_token
        assert (await refused(server.alice(other))).reason == "INVALID_PAGE_TOKEN"


async def test_what_is_not_valid_is_replaced_in_pages_and_kept_in_bytes(server: Server) -> None:
    data = "café déjà vu\n".encode("windows-1252") * 10
    artifact = (await put(server.alice, data)).artifact
    [page] = await pages(server.alice, artifact.artifact_id)
    assert page.text == "café déjà vu\n" * 10
    assert await read(server.alice, artifact.artifact_id) == data
