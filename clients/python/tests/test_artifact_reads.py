"""Reading artifacts: ranges, streams that go on, pages, files."""

from __future__ import annotations

import io
from contextlib import aclosing

import pytest
from clients.python.tests.fake_artifacts import CHUNK
from clients.python.tests.fake_server import FakeServer, Pauses
from clients.python.tests.fake_service import UNAVAILABLE, status
from grpc import StatusCode
from hypothesis import given, settings
from hypothesis import strategies as st

from camillo.v1.artifact_pb2 import ArtifactRange
from camillo.v1.channel_pb2 import Channel
from camillo_client import AsyncCamillo, BytesDamaged, Camillo, errors
from camillo_client.artifact_files import ArtifactFile, AsyncArtifactFile
from camillo_client.artifact_ranges import RangeOptions, artifact_range

TEXT = "eins 茶\nzwei 🍵🍵 שלום\n\nvier cafe\u0301 ende\n" * 9
CONTENT = TEXT.encode()


async def test_everything_comes_back(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT)
    assert await client.artifacts.read(kept.artifact_id) == CONTENT
    assert await client.artifacts.read_text(kept.memory_ref) == TEXT
    assert await client.artifacts.read(server.artifacts.keep(b"").artifact_id) == b""


async def test_parts_come_back(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).artifact_id
    lines = TEXT.splitlines(keepends=True)
    read = client.artifacts.read_text
    assert await read(kept, head=2) == "".join(lines[:2])
    assert await read(kept, tail=2) == "".join(lines[-2:])
    assert await read(kept, lines=(2, 4)) == "".join(lines[1:4])
    assert await read(kept, lines=(2, None)) == "".join(lines[1:])
    assert await read(kept, around=5, context=1) == "".join(lines[3:6])
    assert await read(kept, around=5, context=0) == lines[4]
    assert await client.artifacts.read(kept, start=0, end=4) == b"eins"
    assert await client.artifacts.read(kept, start=-5) == CONTENT[-5:]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, None),
        ({"start": 3}, "bytes { start: 3 }"),
        ({"end": 3}, "bytes { end: 3 }"),
        ({"lines": (5, 20)}, "lines { first: 5 last: 20 }"),
        ({"head": 3}, "head_lines: 3"),
        ({"tail": 3}, "tail_lines: 3"),
        ({"around": 9}, "around { line: 9 context: 20 }"),
        ({"json_pointer": "/a/0"}, 'json { pointer: "/a/0" }'),
        ({"json_pointer": ""}, 'json { pointer: "" }'),
        ({"json_slice": (0, 5)}, 'json { pointer: "" start: 0 end: 5 }'),
        ({"json_pointer": "/a", "json_slice": (None, 5)}, 'json { pointer: "/a" end: 5 }'),
    ],
)
def test_ranges_are_those_of_the_contract(options: RangeOptions, wanted: str | None) -> None:
    from google.protobuf import text_format

    found = artifact_range(**options)
    assert found == (wanted if wanted is None else text_format.Parse(wanted, ArtifactRange()))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"head": 1, "tail": 1}, "not by head and tail"),
        ({"start": 0, "end": 0}, "1 or more"),
        ({"lines": (1, 0)}, "1 or more"),
        ({"context": 3}, "around"),
    ],
)
def test_a_range_that_means_nothing_is_refused(options: RangeOptions, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        artifact_range(**options)
    with pytest.raises(TypeError, match="first"):
        artifact_range(first=1)  # type: ignore[call-arg]


async def test_a_broken_stream_goes_on_without_a_byte_twice(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses
) -> None:
    kept = server.artifacts.keep(CONTENT).artifact_id
    server.desk.refuse("ReadArtifact", UNAVAILABLE)
    server.artifacts.breaks = [100, 200, 210]
    # Both at a border between characters.
    start, end = 14, CONTENT.index(b"\n", 300)
    assert await client.artifacts.read(kept, start=start, end=end) == CONTENT[start:end]
    resumed = [request.resume_after_bytes for request in server.desk.of("ReadArtifact")]
    assert resumed[:2] == [0, 0]
    assert 100 <= resumed[2] < resumed[3] < resumed[4]
    assert len(pauses) == 4


async def test_a_stream_without_progress_is_given_up(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).artifact_id
    server.desk.refuse("ReadArtifact", *[UNAVAILABLE] * 9)
    with pytest.raises(errors.Unavailable):
        await client.artifacts.read(kept)
    assert len(server.desk.of("ReadArtifact")) == 4


async def test_a_stream_that_breaks_behind_its_last_byte_is_not_begun_again(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses
) -> None:
    kept = server.artifacts.keep(CONTENT)
    server.artifacts.breaks = [len(CONTENT)]
    assert await client.artifacts.read(kept.artifact_id) == CONTENT
    assert len(server.desk.of("ReadArtifact")) == 1
    assert not pauses


async def test_a_stream_is_not_held_up_for_as_long_as_a_server_likes(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses
) -> None:
    kept = server.artifacts.keep(CONTENT)
    later = status(StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", retry_after_seconds=86_400)
    server.desk.refuse("ReadArtifact", later)
    with pytest.raises(errors.Overloaded):
        await client.artifacts.read(kept.artifact_id)
    assert not pauses


async def test_a_file_of_which_nothing_comes_is_not_read_for_ever() -> None:
    async def nothing(start: int, end: int) -> bytes:
        return b""

    with pytest.raises(BytesDamaged, match="no bytes came"):
        await AsyncArtifactFile(7, nothing).read()


async def test_damaged_bytes_are_noticed(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(b"a tea").artifact_id
    assert await client.artifacts.read(kept) == b"a tea"
    server.artifacts.mangles = True
    with pytest.raises(BytesDamaged, match="checksum differs in the bytes before 5"):
        await client.artifacts.read(kept)


async def test_a_stream_may_be_left_early(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).artifact_id
    async with aclosing(client.artifacts.stream(kept)) as messages:
        first = await anext(messages)
    assert first.data == CONTENT[: len(first.data)]
    assert len(first.data) < CHUNK + 4


async def test_text_is_read_in_its_encoding(client: AsyncCamillo, server: FakeServer) -> None:
    server.artifacts.encoding = "windows-1252"
    content = "Ã© crème brûlée".encode("windows-1252")
    kept = server.artifacts.keep(content).artifact_id
    assert await client.artifacts.read_text(kept) == "Ã© crème brûlée"


async def test_the_channel_and_the_agent_are_told(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).memory_ref
    await client.artifacts.get(kept, channel="team", agent_id="bob")
    await client.artifacts.read(kept, channel="public")
    await client.artifacts.page(kept, channel="agent")
    requests = [call.request for call in server.desk.calls]
    assert [request.agent_id for request in requests] == ["bob", "ada", "ada"]
    assert {request.artifact_id for request in requests} == {"artifact_0"}
    channels = [Channel.CHANNEL_TEAM, Channel.CHANNEL_PUBLIC, Channel.CHANNEL_AGENT]
    assert [request.channel for request in requests] == channels


async def test_what_is_not_there_is_an_error_of_its_own(client: AsyncCamillo) -> None:
    with pytest.raises(errors.ArtifactNotFound):
        await client.artifacts.get("nothing")
    with pytest.raises(errors.ArtifactNotFound):
        await client.artifacts.read("nothing")


async def test_pages_follow_each_other(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).artifact_id
    first = await client.artifacts.page(kept, max_tokens=40, head=5)
    second = await client.artifacts.page(kept, max_tokens=40, head=5, page_token=first.next_page_token)
    pages = [page.text async for page in client.artifacts.pages(kept, max_tokens=40, head=5)]
    assert pages[:2] == [first.text, second.text]
    assert "".join(pages) == await client.artifacts.read_text(kept, head=5)


async def test_a_file_is_read_from_any_place(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).artifact_id
    async with await client.artifacts.open(kept) as file:
        # In the middle of a character: files are of bytes.
        file.seek(6)
        assert await file.read(20) == CONTENT[6:26]
        assert file.tell() == 26
        assert await file.readline() == CONTENT[26 : CONTENT.index(b"\n", 26) + 1]
        file.seek(-3, 2)
        assert await file.read() == CONTENT[-3:]
        assert await file.read(1) == b""
        assert await file.readline() == b""
        file.seek(0)
        assert [line async for line in file] == CONTENT.splitlines(keepends=True)
        file.seek(9999)
        assert await file.read() == b""
        with pytest.raises(ValueError, match="before the beginning"):
            file.seek(-1)


async def test_lines_longer_than_what_is_read_ahead_are_whole(
    client: AsyncCamillo, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_client.artifact_files.READ_AHEAD_BYTES", 7)
    kept = server.artifacts.keep(CONTENT).artifact_id
    file = await client.artifacts.open(kept)
    assert [line async for line in file] == CONTENT.splitlines(keepends=True)
    file.seek(3)
    assert await file.read(50) == CONTENT[3:53]


def test_the_sync_twin_is_a_file_of_pythons_own(sync_client: Camillo, thread_server: FakeServer) -> None:
    kept = thread_server.artifacts.keep(CONTENT).artifact_id
    with sync_client.artifacts.open(kept) as file:
        file.seek(6)
        assert file.read(20) == CONTENT[6:26]
        assert file.readline() == CONTENT[26 : CONTENT.index(b"\n", 26) + 1]
        assert file.seek(-3, io.SEEK_END) == len(CONTENT) - 3
        assert file.read() == CONTENT[-3:]
        file.seek(0)
        assert list(io.TextIOWrapper(file, "utf-8")) == TEXT.splitlines(keepends=True)
    assert file.closed


def test_the_sync_twin_goes_on_too(sync_client: Camillo, thread_server: FakeServer) -> None:
    kept = thread_server.artifacts.keep(CONTENT).artifact_id
    thread_server.artifacts.breaks = [100, 200]
    assert sync_client.artifacts.read_text(kept) == TEXT
    assert len(thread_server.desk.of("ReadArtifact")) == 3


PLACES = st.integers(min_value=0, max_value=60)


@settings(max_examples=60)
@given(st.binary(max_size=50), st.lists(st.tuples(st.sampled_from(["seek", "read", "line"]), PLACES), max_size=20))
def test_a_file_reads_as_bytes_in_memory_do(content: bytes, steps: list[tuple[str, int]]) -> None:
    ours = ArtifactFile(len(content), lambda start, end: content[start:end])
    theirs = io.BytesIO(content)
    for step, number in steps:
        if step == "seek":
            assert ours.seek(number) == theirs.seek(number)
        elif step == "read":
            assert ours.read(number) == theirs.read(number)
        else:
            assert ours.readline() == theirs.readline()
        assert ours.tell() == theirs.tell()
