"""PutArtifact's stream: the header, then bytes and the finish, each checked as it comes."""

import hashlib
from collections.abc import AsyncIterator

from camillo.v1 import artifact_service_pb2 as service

from camillo_server.artifacts.request_messages import artifact_draft, upload_id
from camillo_server.artifacts.upload import UploadBytes, UploadFinish, UploadHeader
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.scope import Scope
from camillo_server.rpc.call import principal
from camillo_server.rpc.field_limits import check_message, limit_of, rule
from camillo_server.rpc.validate import Checks

SHA256_BYTES = limit_of(service.PutArtifactHeader, "prefix_sha256").bytes.max

# Fields that may differ when an upload is resumed.
OF_ONE_CALL = ("request_id", "upload_id", "offset", "prefix_sha256")

Requests = AsyncIterator[service.PutArtifactRequest]


async def upload_header(requests: Requests) -> UploadHeader:
    """The first message. Raises InvalidField, ScopeForbidden."""
    first = await anext(requests, None)
    if first is None or first.WhichOneof("part") != "header":
        raise invalid_field("header", "must be the first message of the stream")
    header = first.header
    scope = principal().scope(header.agent_id)
    checks = Checks(scope=scope)
    check_message(header, checks, "header.")
    checks.done()
    return _header(header, scope)


async def upload_messages(requests: Requests) -> AsyncIterator[UploadBytes | UploadFinish]:
    """The messages after the header. Raises InvalidField."""
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
    check_message(message, checks, "finish.")
    checks.done()
    return UploadFinish(message.sha256)


def _header(message: service.PutArtifactHeader, scope: Scope) -> UploadHeader:
    return UploadHeader(
        scope=scope,
        draft=artifact_draft(message.artifact),
        request_id=message.request_id,
        header_digest=header_digest(message),
        upload_id=upload_id(message.upload_id) if message.upload_id else None,
        size=message.size_bytes if message.HasField("size_bytes") else None,
        offset=message.offset,
        prefix_sha256=message.prefix_sha256,
    )


@rule(service.PutArtifactHeader)
def check_resumption(message: service.PutArtifactHeader, path: str, checks: Checks) -> None:
    """A resumed upload is named, and the checksum shows that client and server have the same bytes of it."""
    digest = message.prefix_sha256
    if (message.offset or digest) and len(digest) < SHA256_BYTES:
        checks.fail(f"{path}prefix_sha256", f"must have {SHA256_BYTES} bytes, has {len(digest)}")
    if message.offset and not message.upload_id:
        checks.fail(f"{path}upload_id", "must be given where offset is not 0")
    if message.HasField("size_bytes") and message.offset > message.size_bytes:
        checks.fail(f"{path}offset", "must not be behind size_bytes")


def header_digest(message: service.PutArtifactHeader) -> bytes:
    """32 bytes, of all fields that have to be the same when an upload is resumed or repeated."""
    header = service.PutArtifactHeader()
    header.CopyFrom(message)
    for field in OF_ONE_CALL:
        header.ClearField(field)
    content = b"PutArtifactHeader\0" + header.SerializeToString(deterministic=True)
    return hashlib.sha256(content).digest()
