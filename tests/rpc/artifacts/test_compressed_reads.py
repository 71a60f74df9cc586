"""ReadArtifact for callers that decompress: what is stored compressed comes as it is stored, and all else as it is."""

import base64
import random
from typing import Any

import google_crc32c
import zstandard
from camillo.v1 import artifact_pb2 as pb
from camillo.v1.artifact_service_pb2 import ReadArtifactResponse
from camillo.v1.memory_pb2 import SENSITIVITY_CONFIDENTIAL

from tests.rpc.artifacts.calls import MIB, of_bytes, of_json, put, read, read_messages
from tests.server_fixtures import Server

LINES = "".join(f"{number}: 日志 é 🔥 {number % 7}\n" for number in range(150_000)).encode()
LOG = LINES[: 3 * MIB + 1_000]
NOISE = random.Random(1).randbytes(2 * MIB)  # noqa: S311
ACCEPTED: dict[str, Any] = {"accept_encodings": ["br", "zstd"]}


def decoded(messages: list[ReadArtifactResponse]) -> bytes:
    """The bytes of messages whose sums are right."""
    data, crc32c = [], 0
    for message in messages:
        crc32c = google_crc32c.extend(crc32c, message.data)
        assert message.crc32c == crc32c
        data.append(content_of(message))
    return b"".join(data)


def content_of(message: ReadArtifactResponse) -> bytes:
    if not message.content_encoding:
        assert not message.decoded_bytes
        return message.data
    assert message.content_encoding == "zstd"
    assert zstandard.frame_content_size(message.data) == message.decoded_bytes
    return zstandard.ZstdDecompressor().decompress(message.data)


def encodings(messages: list[ReadArtifactResponse]) -> list[str]:
    return [message.content_encoding for message in messages]


async def test_parts_come_as_they_are_stored(server: Server) -> None:
    kept = (await put(server.alice, LOG)).artifact
    messages = await read_messages(server.alice, kept.artifact_id, **ACCEPTED)
    assert encodings(messages) == ["zstd"] * 4
    assert decoded(messages) == LOG
    assert [message.offset for message in messages] == [0, MIB, 2 * MIB, 3 * MIB]
    for message in messages:
        assert message.line == 1 + LOG.count(b"\n", 0, message.offset)
        assert message.range_bytes == len(LOG)
        assert len(message.data) < MIB // 2
    # The control: who does not ask gets the bytes themselves.
    assert set(encodings(await read_messages(server.alice, kept.artifact_id))) == {""}
    assert await read(server.alice, kept.artifact_id, accept_encodings=["gzip"]) == LOG


async def test_what_the_range_cuts_comes_as_it_is(server: Server) -> None:
    kept = (await put(server.alice, LOG)).artifact
    chance = random.Random(3)  # noqa: S311
    for _ in range(12):
        cuts = sorted((chance.randint(0, len(LOG) - 1), chance.randint(0, len(LOG))))
        wanted = of_bytes(cuts[0], cuts[1] + 1)
        messages = await read_messages(server.alice, kept.artifact_id, wanted, **ACCEPTED)
        data = decoded(messages)
        assert data == await read(server.alice, kept.artifact_id, wanted)
        whole = (cuts[0] // MIB, cuts[1] // MIB)
        for message in messages:
            if message.content_encoding:
                assert whole[0] <= message.offset // MIB <= whole[1]
                assert message.offset % MIB == 0
            assert data[message.offset - messages[0].offset :].startswith(content_of(message))


async def test_a_read_goes_on_behind_any_byte(server: Server) -> None:
    kept = (await put(server.alice, LOG)).artifact
    messages = await read_messages(server.alice, kept.artifact_id, **ACCEPTED)
    for after, crc32c in ((MIB, messages[0].crc32c), (MIB + 5, 7)):
        rest = await read_messages(
            server.alice, kept.artifact_id, resume_after_bytes=after, resume_crc32c=crc32c, **ACCEPTED
        )
        assert b"".join(map(content_of, rest)) == LOG[after:]
        assert rest[0].content_encoding == ("zstd" if after == MIB else "")
        assert rest[-1].content_encoding == "zstd"
        if after == MIB:
            assert rest[-1].crc32c == messages[-1].crc32c


async def test_noise_json_and_what_is_encrypted_comes_as_it_is(server: Server) -> None:
    noise = (await put(server.alice, NOISE)).artifact
    secret = (await put(server.alice, LOG, sensitivity=SENSITIVITY_CONFIDENTIAL)).artifact
    document = b'{"a": "' + b"x" * (2 * MIB) + b'"}'
    json = (await put(server.alice, document)).artifact
    cases: list[tuple[pb.Artifact, pb.ArtifactRange | None, bytes]] = [
        (noise, None, NOISE),
        (secret, None, LOG),
        (json, of_json("/a"), document[6:-1]),
    ]
    for artifact, wanted, content in cases:
        messages = await read_messages(server.alice, artifact.artifact_id, wanted, **ACCEPTED)
        assert set(encodings(messages)) == {""}
        assert decoded(messages) == content
    # The control: all of that document is stored compressed.
    assert "zstd" in encodings(await read_messages(server.alice, json.artifact_id, **ACCEPTED))


async def test_secrets_are_out_of_what_comes_compressed(server: Server) -> None:
    secret = "ghp_" + base64.b16encode(random.Random(2).randbytes(18)).decode()  # noqa: S311
    kept = (await put(server.alice, LOG[: MIB - 20] + secret.encode() + LOG[MIB:])).artifact
    messages = await read_messages(server.alice, kept.artifact_id, **ACCEPTED)
    assert "zstd" in encodings(messages)
    data = decoded(messages)
    assert data == await read(server.alice, kept.artifact_id)
    assert secret.encode() not in data
    assert b"[redacted: github-pat" in data
