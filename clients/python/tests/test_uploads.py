"""Storing bytes: any source, checked, gone on with after a break."""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from clients.python.tests.fake_server import FakeServer, Pauses
from clients.python.tests.fake_service import UNAVAILABLE, status
from grpc import StatusCode

from camillo.v1.memory_pb2 import Sensitivity
from camillo_client import AsyncCamillo, Camillo, SecretRedacted, errors
from camillo_client._async.upload_sources import CHUNK_BYTES

# Not a multiple of anything.
LARGE = hashlib.shake_256(b"bytes").digest(5 * CHUNK_BYTES // 2 + 7).replace(b"#", b"")
OFFSET_MISMATCH = status(StatusCode.ABORTED, "UPLOAD_OFFSET_MISMATCH")


class Pipe(io.BytesIO):
    """Bytes that can be read once."""

    def seekable(self) -> bool:
        return False


def _pieces() -> Iterator[bytes]:
    yield b""
    yield LARGE[:3]
    yield LARGE[3 : 2 * CHUNK_BYTES]
    yield LARGE[2 * CHUNK_BYTES :]


async def _async_pieces() -> AsyncIterator[bytes]:
    for piece in _pieces():
        yield piece


def _sources() -> dict[str, object]:
    return {
        "bytes": LARGE,
        "bytearray": bytearray(LARGE),
        "file": io.BytesIO(LARGE),
        "pipe": Pipe(LARGE),
        "iterator": _pieces(),
        "async iterator": _async_pieces(),
    }


@pytest.mark.parametrize("kind", list(_sources()))
async def test_every_kind_of_source_is_stored_whole(client: AsyncCamillo, server: FakeServer, kind: str) -> None:
    progress: list[int] = []
    source: bytes = _sources()[kind]  # type: ignore[assignment]
    artifact = await client.artifacts.put(source, on_progress=progress.append)
    assert server.artifacts.contents[artifact.artifact_id] == LARGE
    assert progress == [CHUNK_BYTES, 2 * CHUNK_BYTES, len(LARGE)]


async def test_text_is_stored_as_utf_8(client: AsyncCamillo, server: FakeServer) -> None:
    text = "日志 🍵 שלום cafe\u0301"
    artifact = await client.artifacts.put(text)
    assert server.artifacts.contents[artifact.artifact_id] == text.encode()
    # A pipe's bytes that were no UTF-8 are stored as they came.
    artifact = await client.artifacts.put(b"\xff\xfe".decode("utf-8", "surrogateescape"))
    assert server.artifacts.contents[artifact.artifact_id] == b"\xff\xfe"


async def test_a_file_is_named_and_measured(client: AsyncCamillo, server: FakeServer, tmp_path: Path) -> None:
    path = tmp_path / "сборка.log"
    path.write_bytes(LARGE)
    artifact = await client.artifacts.put(path)
    assert artifact.name == "сборка.log"
    assert (await client.artifacts.put(path, name="other")).name == "other"
    header = server.desk.of("PutArtifact")[0]
    assert header.size_bytes == len(LARGE)
    assert header.agent_id == "ada"
    assert header.upload_id
    assert header.request_id
    await client.artifacts.put(Pipe(LARGE))
    assert not server.desk.of("PutArtifact")[-1].HasField("size_bytes")


async def test_an_open_file_is_stored_from_where_it_stands(client: AsyncCamillo, server: FakeServer) -> None:
    file = io.BytesIO(b"before tea")
    file.seek(7)
    artifact = await client.artifacts.put(file)
    assert server.artifacts.contents[artifact.artifact_id] == b"tea"


async def test_files_that_do_not_tell_their_length_are_stored(client: AsyncCamillo, server: FakeServer) -> None:
    path = Path("/proc/self/status")
    artifact = await client.artifacts.put(path)
    assert b"Name:" in server.artifacts.contents[artifact.artifact_id]


async def test_what_is_appended_meanwhile_is_left_out(client: AsyncCamillo, server: FakeServer, tmp_path: Path) -> None:
    path = tmp_path / "growing.log"
    path.write_bytes(LARGE)

    def append(_: int) -> None:
        with path.open("ab") as file:
            file.write(b"more")

    artifact = await client.artifacts.put(path, on_progress=append)
    assert server.artifacts.contents[artifact.artifact_id] == LARGE
    assert path.stat().st_size > len(LARGE)


async def test_nothing_is_an_artifact_too(client: AsyncCamillo, server: FakeServer) -> None:
    assert (await client.artifacts.put(b"")).size_bytes == 0


async def test_what_is_stated_arrives(client: AsyncCamillo, server: FakeServer) -> None:
    await client.artifacts.put(b"tea", tool="shell", exit_code=0, sensitivity="confidential", tags=["a"], shared=True)
    (header,) = server.desk.of("PutArtifact")
    stated = header.artifact
    assert (stated.tool, stated.exit_code, list(stated.tags)) == ("shell", 0, ["a"])
    assert stated.HasField("exit_code")
    assert stated.is_shared
    assert stated.sensitivity == Sensitivity.SENSITIVITY_CONFIDENTIAL
    with pytest.raises(TypeError, match="colour"):
        await client.artifacts.put(b"tea", colour="red")  # type: ignore[call-arg]


async def test_an_upload_goes_on_where_it_broke(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses, tmp_path: Path
) -> None:
    path = tmp_path / "large"
    path.write_bytes(LARGE)
    server.artifacts.breaks = [CHUNK_BYTES, 2 * CHUNK_BYTES]
    artifact = await client.artifacts.put(path)
    assert server.artifacts.contents[artifact.artifact_id] == LARGE
    headers = server.desk.of("PutArtifact")
    assert [header.offset for header in headers] == [0, CHUNK_BYTES, 2 * CHUNK_BYTES]
    assert headers[1].prefix_sha256 == hashlib.sha256(LARGE[:CHUNK_BYTES]).digest()
    assert len({header.request_id for header in headers}) == 1
    assert len({header.upload_id for header in headers}) == 1
    assert len(pauses) == 2


async def test_an_upload_of_which_nothing_arrived_begins_anew(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("PutArtifact", UNAVAILABLE, OFFSET_MISMATCH)
    artifact = await client.artifacts.put(LARGE)
    assert server.artifacts.contents[artifact.artifact_id] == LARGE
    assert [header.offset for header in server.desk.of("PutArtifact")] == [0, 0, 0]


async def test_a_lost_answer_is_asked_for(client: AsyncCamillo, server: FakeServer) -> None:
    server.artifacts.loses_answer = True
    artifact = await client.artifacts.put(b"tea")
    assert server.artifacts.artifacts[artifact.artifact_id] == artifact
    assert len(server.desk.of("PutArtifact")) == 1


async def test_an_upload_without_progress_is_given_up(client: AsyncCamillo, server: FakeServer, pauses: Pauses) -> None:
    server.desk.refuse("PutArtifact", *[UNAVAILABLE] * 9)
    with pytest.raises(errors.Unavailable) as raised:
        await client.artifacts.put(LARGE, request_id="r-1")
    assert raised.value.request_id == "r-1"
    assert len(server.desk.of("PutArtifact")) == 4
    assert len(pauses) == 3


@pytest.mark.parametrize("source", [Pipe(LARGE), _pieces()], ids=["pipe", "iterator"])
async def test_what_can_be_read_once_is_sent_once(client: AsyncCamillo, server: FakeServer, source: Pipe) -> None:
    server.artifacts.breaks = [CHUNK_BYTES]
    with pytest.raises(errors.Unavailable):
        await client.artifacts.put(source)
    assert len(server.desk.of("PutArtifact")) == 1


async def test_a_failure_of_the_source_is_raised_as_it_is(client: AsyncCamillo, server: FakeServer) -> None:
    def broken() -> Iterator[bytes]:
        yield LARGE
        raise LookupError("file is gone")

    with pytest.raises(LookupError, match="file is gone"):
        await client.artifacts.put(broken())
    assert not server.artifacts.artifacts
    assert (await client.artifacts.put(b"tea")).artifact_id in server.artifacts.artifacts


async def test_what_holds_no_bytes_is_refused(client: AsyncCamillo, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"source takes bytes or text .*, not int"):
        await client.artifacts.put(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"source\[0\] takes bytes, not a single text"):
        await client.artifacts.put(["tea"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="open files with 'rb'"):
        await client.artifacts.put(io.StringIO("tea"))  # type: ignore[arg-type]
    with pytest.raises(IsADirectoryError):
        await client.artifacts.put(tmp_path)


async def test_secrets_are_told_once_for_each_kind(client: AsyncCamillo) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        await client.artifacts.put(b"## tea", description="no secret")
        await client.artifacts.put(b"tea", description="a #")
    told = [warning.message for warning in caught]
    assert [w.redaction.field for w in told if isinstance(w, SecretRedacted)] == ["the content", "description"]


def test_the_sync_twin_goes_on_too(
    sync_client: Camillo, thread_server: FakeServer, pauses: Pauses, tmp_path: Path
) -> None:
    path = tmp_path / "large"
    path.write_bytes(LARGE)
    thread_server.artifacts.breaks = [CHUNK_BYTES, 2 * CHUNK_BYTES]
    artifact = sync_client.artifacts.put(path)
    assert thread_server.artifacts.contents[artifact.artifact_id] == LARGE
    offsets = [header.offset for header in thread_server.desk.of("PutArtifact")]
    assert offsets == [0, CHUNK_BYTES, 2 * CHUNK_BYTES]
    with pytest.raises(LookupError, match="gone"):
        sync_client.artifacts.put(_gone())


def test_the_sync_twin_reads_a_pipe(sync_client: Camillo, thread_server: FakeServer) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source:
        os.write(writing, b"tea")
        os.close(writing)
        artifact = sync_client.artifacts.put(source)
    assert thread_server.artifacts.contents[artifact.artifact_id] == b"tea"


def _gone() -> Iterator[bytes]:
    yield LARGE
    raise LookupError("gone")
