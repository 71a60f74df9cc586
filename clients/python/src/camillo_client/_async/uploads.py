"""Storing bytes of any length, in constant memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Unpack
from uuid import uuid4

from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.artifact_service_pb2 import (
    ArtifactBytes,
    GetArtifactRequest,
    GetUploadRequest,
    PutArtifactFinish,
    PutArtifactHeader,
    PutArtifactRequest,
    PutArtifactResponse,
)
from camillo_client._async.artifact_calls import ArtifactCalls
from camillo_client._async.mutations import new_request_id
from camillo_client._async.upload_sources import ByteSource, UploadSource, opened, source_of
from camillo_client.artifact_fields import NewArtifactFields, new_artifact
from camillo_client.errors import (
    CamilloError,
    Overloaded,
    Unavailable,
    UploadNotFound,
    UploadOffsetMismatch,
)
from camillo_client.redactions import warn_of, warn_of_bytes

Progress = Callable[[int], None]


class Uploads(ArtifactCalls):
    """Sends what it is given in messages of 256 KiB."""

    async def put(
        self,
        source: ByteSource,
        *,
        shared: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        on_progress: Progress | None = None,
        **fields: Unpack[NewArtifactFields],
    ) -> Artifact:
        """Stores bytes, text, the file at a path, an open binary file from where it stands, or an iterable of bytes.

        What can be read again goes on after a break where the server holds it, up to three times without progress. Of each
        kind of secret taken out, a SecretRedacted warning tells. `on_progress` is told how many bytes have been
        sent. There is no timeout unless one is given; it is that of each connection.
        """
        file = opened(source)
        if isinstance(source, os.PathLike) and not fields.get("name"):
            fields["name"] = Path(source).name
        header = PutArtifactHeader(
            request_id=request_id or new_request_id(),
            agent_id=self._agent(agent_id),
            artifact=new_artifact(shared=shared, **fields),
            upload_id=str(uuid4()),
        )
        try:
            answer = await self._sent(source_of(file or source), header, timeout, on_progress)
        except CamilloError as error:
            error.request_id = header.request_id
            raise
        finally:
            if file is not None:
                file.close()
        warn_of(answer.field_redactions)
        warn_of_bytes(answer.redactions)
        return answer.artifact

    async def _sent(
        self,
        source: UploadSource,
        header: PutArtifactHeader,
        timeout: float | None,
        on_progress: Progress | None,
    ) -> PutArtifactResponse:
        header.size_bytes = source.size or 0
        if source.size is None:
            header.ClearField("size_bytes")
        failures, is_resumed = 0, False
        while True:
            held = header.offset
            try:
                if is_resumed and (answer := await self._found(source, header)) is not None:
                    return answer
                failures = 0 if header.offset > held else failures
                feed = UploadFeed(source, header, on_progress)
                return await self._attempt(feed, timeout, header.agent_id)
            except (Unavailable, Overloaded, UploadOffsetMismatch) as error:
                if not source.can_restart:
                    raise
                failures, is_resumed = failures + 1, True
                await self._wait_after(error, failures)

    async def _attempt(
        self, feed: UploadFeed, timeout: float | None, agent_id: str
    ) -> PutArtifactResponse:
        try:
            return await self._calls.upload(
                self._artifacts.PutArtifact, feed.requests(), timeout, agent_id
            )
        except BaseException:
            # gRPC tells only that the stream was cancelled; the caller wants to know by what.
            if feed.failure is not None:
                raise feed.failure from None
            raise

    async def _found(
        self, source: UploadSource, header: PutArtifactHeader
    ) -> PutArtifactResponse | None:
        """The artifact, if only the answer was lost; else puts into the header where to go on."""
        request = GetUploadRequest(agent_id=header.agent_id, upload_id=header.upload_id)
        try:
            upload = await self._calls.unary(self._artifacts.GetUpload, request)
        except UploadNotFound:
            header.offset, header.prefix_sha256 = 0, b""
            return None
        if upload.artifact_id:
            asked = GetArtifactRequest(agent_id=header.agent_id, artifact_id=upload.artifact_id)
            known = await self._calls.unary(self._artifacts.GetArtifact, asked)
            return PutArtifactResponse(artifact=known.artifact, redactions=known.redactions)
        header.offset = upload.held_bytes
        header.prefix_sha256 = await prefix_sha256(source, upload.held_bytes)
        return None


class UploadFeed:
    """The messages of one call of an upload, made while they are sent."""

    def __init__(
        self, source: UploadSource, header: PutArtifactHeader, on_progress: Progress | None
    ) -> None:
        self._source = source
        self._header = header
        self._on_progress = on_progress
        self._sent_bytes = header.offset
        # What the source or the callback raised.
        self.failure: Exception | None = None

    async def requests(self) -> AsyncIterator[PutArtifactRequest]:
        """The header, the bytes from its offset on, and their SHA-256."""
        sha256 = hashlib.sha256()
        self._sent_bytes = self._header.offset
        try:
            yield PutArtifactRequest(header=self._header)
            async for chunk in self._source.chunks(self._header.offset):
                sha256.update(chunk)
                yield PutArtifactRequest(bytes=ArtifactBytes(offset=self._sent_bytes, data=chunk))
                self._sent_bytes += len(chunk)
                if self._on_progress is not None:
                    self._on_progress(self._sent_bytes)
            yield PutArtifactRequest(finish=PutArtifactFinish(sha256=sha256.digest()))
        except Exception as error:
            self.failure = error
            raise


async def prefix_sha256(source: UploadSource, size: int) -> bytes:
    """The SHA-256 of the first so many bytes; empty for none."""
    if not size:
        return b""
    sha256, left = hashlib.sha256(), size
    async for chunk in source.chunks():
        sha256.update(chunk[:left])
        left -= len(chunk)
        if left <= 0:
            break
    return sha256.digest()
