"""PutArtifact's stream: the header, then bytes and the finish, each checked as it comes."""

import hashlib
from collections.abc import AsyncIterator

from camillo.v1 import artifact_service_pb2 as service

from camillo_server.domain.errors import invalid_field
from camillo_server.domain.put_artifact import UploadHeader
from camillo_server.domain.upload_stream import UploadBytes, UploadFinish
from camillo_server.rpc import limits
from camillo_server.rpc.artifact_requests import artifact_draft, upload_id
from camillo_server.rpc.caller import scope_of
from camillo_server.rpc.validate import Checks

# Fields that may differ when an upload is gone on with.
OF_ONE_CALL = ("request_id", "upload_id", "offset", "prefix_sha256")

Requests = AsyncIterator[service.PutArtifactRequest]


async def upload_header(requests: Requests) -> UploadHeader:
    """What the first message announces. Raises InvalidField, ScopeForbidden."""
    first = await anext(requests, None)
    if first is None or first.WhichOneof("part") != "header":
        raise invalid_field("header", "must be the first message of the stream")
    checks = Checks()
    header = _header(first.header, checks)
    checks.done()
    return header


async def upload_messages(requests: Requests) -> AsyncIterator[UploadBytes | UploadFinish]:
    """What follows the header. Raises InvalidField."""
    is_finished = False
    async for request in requests:
        part = request.WhichOneof("part")
        if is_finished:
            raise invalid_field(part or "part", "must not follow the finish")
        if part == "bytes":
            message = request.bytes
            yield UploadBytes(message.offset, message.data)
        elif part == "finish":
            is_finished = True
            yield _finish(request.finish)
        elif part == "header":
            raise invalid_field("header", "must be the first message only")
        else:
            raise invalid_field("part", "must be bytes or finish")


def _finish(message: service.PutArtifactFinish) -> UploadFinish:
    checks = Checks()
    sha256 = checks.sha256("finish.sha256", message.sha256)
    checks.done()
    return UploadFinish(sha256)


def _header(message: service.PutArtifactHeader, checks: Checks) -> UploadHeader:
    scope = scope_of(message, checks)
    _check_place(message, checks)
    return UploadHeader(
        scope=scope,
        draft=artifact_draft(message.artifact, scope, checks, "header.artifact"),
        request_id=checks.text(
            "header.request_id", message.request_id, 0, limits.REQUEST_ID_CHARACTERS
        ),
        header_digest=header_digest(message),
        upload_id=upload_id(message.upload_id, checks, "header.upload_id")
        if message.upload_id
        else None,
        size=checks.whole("header.size_bytes", message.size_bytes, 1)
        if message.HasField("size_bytes")
        else None,
        offset=checks.whole("header.offset", message.offset, 0),
        prefix_sha256=message.prefix_sha256,
    )


def _check_place(message: service.PutArtifactHeader, checks: Checks) -> None:
    if message.offset or message.prefix_sha256:
        checks.sha256("header.prefix_sha256", message.prefix_sha256)
    if message.offset and not message.upload_id:
        checks.fail("header.upload_id", "must be given where offset is not 0")
    if message.HasField("size_bytes") and message.offset > message.size_bytes:
        checks.fail("header.offset", "must not be behind size_bytes")


def header_digest(message: service.PutArtifactHeader) -> bytes:
    """32 bytes of all that has to be the same when an upload is gone on with, or repeated."""
    said = service.PutArtifactHeader()
    said.CopyFrom(message)
    for field in OF_ONE_CALL:
        said.ClearField(field)
    content = b"PutArtifactHeader\0" + said.SerializeToString(deterministic=True)
    return hashlib.sha256(content).digest()
