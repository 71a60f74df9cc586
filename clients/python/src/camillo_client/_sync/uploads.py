# Generated from _async/uploads.py by tools/generate_sync.py: do not edit.
"""Uploads of any length, in constant memory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from grpc import Channel

from camillo.v1.artifact_service_pb2 import (
    ArtifactBytes,
    GetArtifactRequest,
    GetUploadRequest,
    PutArtifactFinish,
    PutArtifactHeader,
    PutArtifactRequest,
    PutArtifactResponse,
)
from camillo.v1.artifact_service_pb2_grpc import ArtifactServiceStub
from camillo_client._sync.calls import Calls
from camillo_client._sync.resumed_streams import wait_after
from camillo_client._sync.upload_sources import UploadSource
from camillo_client.errors import Overloaded, Unavailable, UploadNotFound, UploadOffsetMismatch

Progress = Callable[[int], None]


class Upload:
    """One upload, over all calls that it takes; the bytes go in messages of 256 KiB."""

    def __init__(
        self,
        channel: Channel,
        calls: Calls,
        source: UploadSource,
        header: PutArtifactHeader,
    ) -> None:
        self._calls = calls
        self._artifacts = ArtifactServiceStub(channel)
        self._source = source
        self._header = header

    def send(self, timeout: float | None, on_progress: Progress | None) -> PutArtifactResponse:
        """Sends everything; after a break, a source that can restart continues where the server has it."""
        source, header = self._source, self._header
        header.size_bytes = source.size or 0
        if source.size is None:
            header.ClearField("size_bytes")
        failures, is_resumed = 0, False
        while True:
            held = header.offset
            try:
                if is_resumed and (answer := self._found()) is not None:
                    return answer
                failures = 0 if header.offset > held else failures
                return self._attempt(UploadFeed(source, header, on_progress), timeout)
            except (Unavailable, Overloaded, UploadOffsetMismatch) as error:
                if not source.can_restart:
                    raise
                failures, is_resumed = failures + 1, True
                wait_after(self._calls, error, failures)

    def _attempt(self, feed: UploadFeed, timeout: float | None) -> PutArtifactResponse:
        try:
            return self._calls.upload(self._artifacts.PutArtifact, feed.requests(), timeout, self._header.agent_id)
        except BaseException:
            # gRPC tells only that the stream was cancelled; the caller wants to know by what.
            if feed.failure is not None:
                raise feed.failure from None
            raise

    def _found(self) -> PutArtifactResponse | None:
        """The artifact, if only the answer was lost; else sets the offset in the header to continue at."""
        header = self._header
        request = GetUploadRequest(agent_id=header.agent_id, upload_id=header.upload_id)
        try:
            upload = self._calls.unary(self._artifacts.GetUpload, request)
        except UploadNotFound:
            header.offset, header.prefix_sha256 = 0, b""
            return None
        if upload.artifact_id:
            asked = GetArtifactRequest(agent_id=header.agent_id, artifact_id=upload.artifact_id)
            known = self._calls.unary(self._artifacts.GetArtifact, asked)
            return PutArtifactResponse(artifact=known.artifact, redactions=known.redactions)
        header.offset = upload.held_bytes
        header.prefix_sha256 = prefix_sha256(self._source, upload.held_bytes)
        return None


class UploadFeed:
    """The messages of one call of an upload, made while they are sent."""

    def __init__(self, source: UploadSource, header: PutArtifactHeader, on_progress: Progress | None) -> None:
        self._source = source
        self._header = header
        self._on_progress = on_progress
        self._sent_bytes = header.offset
        # The exception that the source or the callback raised.
        self.failure: Exception | None = None

    def requests(self) -> Iterator[PutArtifactRequest]:
        """Yields the header, the bytes from its offset on, and their SHA-256."""
        sha256 = hashlib.sha256()
        self._sent_bytes = self._header.offset
        try:
            yield PutArtifactRequest(header=self._header)
            for chunk in self._source.chunks(self._header.offset):
                sha256.update(chunk)
                yield PutArtifactRequest(bytes=ArtifactBytes(offset=self._sent_bytes, data=chunk))
                self._sent_bytes += len(chunk)
                if self._on_progress is not None:
                    self._on_progress(self._sent_bytes)
            yield PutArtifactRequest(finish=PutArtifactFinish(sha256=sha256.digest()))
        except Exception as error:
            self.failure = error
            raise


def prefix_sha256(source: UploadSource, size: int) -> bytes:
    """The SHA-256 of the first `size` bytes; empty for none."""
    if not size:
        return b""
    sha256, left = hashlib.sha256(), size
    for chunk in source.chunks():
        sha256.update(chunk[:left])
        left -= len(chunk)
        if left <= 0:
            break
    return sha256.digest()
