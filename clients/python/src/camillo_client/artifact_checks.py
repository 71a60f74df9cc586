"""Bytes of an artifact are those that the server read: their CRC-32C and their number tell."""

from __future__ import annotations

import google_crc32c
from grpc import StatusCode

from camillo.v1.artifact_service_pb2 import ReadArtifactRequest, ReadArtifactResponse
from camillo_client.errors import CamilloError, Failure


class BytesDamaged(CamilloError):
    """Bytes of an artifact came otherwise than the server sent them: read them again."""


class RangeCheck:
    """Follows the messages of a read, over all calls that it takes."""

    def __init__(self) -> None:
        self.taken_bytes = 0
        self._crc32c = 0
        self._range_bytes = 0

    def take(self, message: ReadArtifactResponse) -> None:
        """Raises BytesDamaged if the bytes so far are not those that the server counted."""
        crc32c = google_crc32c.extend(self._crc32c, message.data)
        if crc32c != message.crc32c:
            place = message.offset + len(message.data)
            raise damaged(f"checksum differs in the bytes before {place:,}")
        self._crc32c = crc32c
        self._range_bytes = message.range_bytes
        self.taken_bytes += len(message.data)

    @property
    def has_all(self) -> bool:
        """Whether every byte of the range has come."""
        # Of a range by JSON pointer nobody knows the length beforehand.
        return 0 < self._range_bytes == self.taken_bytes

    def end(self) -> None:
        """Raises BytesDamaged if there should have been more."""
        if self._range_bytes and not self.has_all:
            raise damaged(f"{self.taken_bytes:,} bytes came of {self._range_bytes:,}")

    def go_on(self, request: ReadArtifactRequest) -> None:
        """Asks for what has not come yet."""
        request.resume_after_bytes = self.taken_bytes
        request.resume_crc32c = self._crc32c


def damaged(message: str) -> BytesDamaged:
    """What is raised in place of bytes that cannot be right."""
    return BytesDamaged(Failure(StatusCode.DATA_LOSS, message))
