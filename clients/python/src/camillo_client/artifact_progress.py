"""Progress of a read or a search of an artifact, and the check of its bytes."""

from __future__ import annotations

import google_crc32c
from grpc import StatusCode

from camillo.v1.artifact_service_pb2 import (
    ReadArtifactRequest,
    ReadArtifactResponse,
    SearchArtifactRequest,
    SearchArtifactResponse,
)
from camillo_client.content_encoding import decoded
from camillo_client.errors import CamilloError, Failure

DEFAULT_MATCHES = 100


class BytesDamaged(CamilloError):
    """Bytes of an artifact differ from those that the server sent: read them again."""


class RangeCheck:
    """Checks the messages of a read, over all calls that it takes."""

    def __init__(self) -> None:
        self.taken_bytes = 0
        self._crc32c = 0
        self._range_bytes = 0

    def take(self, message: ReadArtifactResponse) -> bytes:
        """The bytes of a message, decoded. Raises BytesDamaged if the checksum of the bytes so far is not the server's,
        or they are not as many as it says."""
        crc32c = google_crc32c.extend(self._crc32c, message.data)
        if crc32c != message.crc32c:
            place = message.offset + (message.decoded_bytes or len(message.data))
            raise damaged(f"checksum differs in the bytes before {place:,}")
        data = decoded(message)
        if data is None:
            raise damaged(f"the bytes from {message.offset:,} cannot be decoded")
        self._crc32c = crc32c
        self._range_bytes = message.range_bytes
        self.taken_bytes += len(data)
        return data

    @property
    def has_all(self) -> bool:
        """Whether every byte of the range has come."""
        # The length of a range by JSON pointer is unknown beforehand.
        return 0 < self._range_bytes == self.taken_bytes

    def end(self) -> None:
        """Raises BytesDamaged if bytes are missing."""
        if self._range_bytes and not self.has_all:
            raise damaged(f"{self.taken_bytes:,} bytes came of {self._range_bytes:,}")

    def go_on(self, request: ReadArtifactRequest) -> None:
        """Makes the request ask for the bytes that have not come yet."""
        request.resume_after_bytes = self.taken_bytes
        request.resume_crc32c = self._crc32c


def damaged(message: str) -> BytesDamaged:
    """The error for bytes that cannot be right."""
    return BytesDamaged(Failure(StatusCode.DATA_LOSS, message))


class SearchState:
    """The part of a search that is left. Passages come at the end of a whole search: it is begun anew."""

    def __init__(self, request: SearchArtifactRequest) -> None:
        self._request = request
        self._left = request.limit or DEFAULT_MATCHES
        self._next_line = 0

    @property
    def has_enough(self) -> bool:
        """Whether everything asked for has been found. Passages come all at once."""
        return self._left <= 0 and not self._request.HasField("ranked")

    def take(self, message: SearchArtifactResponse) -> None:
        """Counts the matches of a message."""
        self._left -= len(message.matches)
        behind = message.matches[-1].line.number + 1 if message.matches else 0
        self._next_line = max(self._next_line, behind, message.next_line)

    def rest(self) -> SearchArtifactRequest:
        """A request for the matches that have not been found yet."""
        rest = SearchArtifactRequest()
        rest.CopyFrom(self._request)
        if self._next_line and not self._request.HasField("ranked"):
            rest.start_line, rest.limit = self._next_line, self._left
        return rest
