"""Bytes that come compressed: decoded as far as their message says, and never further."""

import pytest
import zstandard
from google_crc32c import value

from camillo.v1.artifact_service_pb2 import ReadArtifactResponse
from camillo_client.artifact_progress import BytesDamaged, RangeCheck
from camillo_client.content_encoding import ACCEPTED, MAX_DECODED_BYTES, decoded

CONTENT = b"the same again and again, " * 2_000
FRAME = zstandard.ZstdCompressor().compress(CONTENT)
UNSIZED = zstandard.ZstdCompressor(write_content_size=False).compress(CONTENT)
BOMB = zstandard.ZstdCompressor().compress(bytes(64 * MAX_DECODED_BYTES))


def message(data: bytes, size: int, encoding: str = "zstd") -> ReadArtifactResponse:
    return ReadArtifactResponse(
        data=data, decoded_bytes=size, content_encoding=encoding, crc32c=value(data), range_bytes=len(CONTENT)
    )


def test_a_frame_is_decoded_and_counted_as_what_it_stands_for() -> None:
    assert list(ACCEPTED) == ["zstd"]
    check = RangeCheck()
    assert check.take(message(FRAME, len(CONTENT))) == CONTENT
    assert check.taken_bytes == len(CONTENT)
    assert check.has_all
    assert decoded(ReadArtifactResponse(data=CONTENT)) == CONTENT


@pytest.mark.parametrize(
    "sent",
    [
        message(FRAME, len(CONTENT) - 1),
        message(FRAME, len(CONTENT) + 1),
        message(FRAME, 0),
        message(FRAME, -1),
        message(FRAME[:-1], len(CONTENT)),
        message(FRAME + FRAME, len(CONTENT)),
        message(FRAME + b"\0", len(CONTENT)),
        message(UNSIZED, len(CONTENT)),
        message(BOMB, MAX_DECODED_BYTES),
        message(BOMB, 64 * MAX_DECODED_BYTES),
        message(CONTENT, len(CONTENT)),
        message(b"", 1),
        message(FRAME, len(CONTENT), "br"),
    ],
)
def test_what_is_not_what_it_says_is_damaged(sent: ReadArtifactResponse) -> None:
    with pytest.raises(BytesDamaged, match="cannot be decoded"):
        RangeCheck().take(sent)
