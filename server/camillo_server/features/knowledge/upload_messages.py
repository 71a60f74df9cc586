"""The messages of a document that is published: a header, bytes, the finish."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256

from camillo.v1 import knowledge_service_pb2 as service

from camillo_server.doors.rpc.field_limits import check_message, limit_of
from camillo_server.doors.rpc.secret_fields import refuse_secrets
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.knowledge.document import Publication
from camillo_server.features.knowledge.messages import document_draft
from camillo_server.kernel.errors import ContentMismatch, Overloaded, invalid_field
from camillo_server.kernel.writes import RequestKey

Requests = AsyncIterator[service.PublishDocumentRequest]
SHA256_BYTES = limit_of(service.PublishDocumentFinish, "sha256").bytes.max
# All documents that are on their way in take as much memory as so many of the largest.
LARGEST_AT_ONCE = 8


class Uploads:
    """Takes documents in whole, and holds no more of them at once than fit in memory."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._held = 0

    @asynccontextmanager
    async def received(self, requests: Requests) -> AsyncIterator[Publication]:
        """A document, for as long as it is worked on. Raises InvalidField, ContentMismatch, Overloaded."""
        header = await upload_header(requests)
        parts, size = list[bytes](), 0
        try:
            async for data in upload_data(requests):
                size += len(data)
                self._held += len(data)
                self._require_room(size)
                parts.append(data)
            if not size:
                raise invalid_field("data", "must be at least 1 byte in all")
            yield _publication(header, b"".join(parts))
        finally:
            self._held -= size

    def _require_room(self, size: int) -> None:
        if size > self._max_bytes:
            raise invalid_field("data", f"must be at most {self._max_bytes} bytes in all")
        if self._held > (limit := LARGEST_AT_ONCE * self._max_bytes):
            raise Overloaded(limit, "bytes of documents on their way in")


async def upload_header(requests: Requests) -> service.PublishDocumentHeader:
    """The first message. Raises InvalidField."""
    first = await anext(requests, None)
    if first is None or first.WhichOneof("part") != "header":
        raise invalid_field("header", "must be the first message of the stream")
    checks = Checks()
    check_message(first.header, checks, "header.")
    checks.done()
    refuse_secrets(first.header, checks, "header.")
    checks.done()
    return first.header


async def upload_data(requests: Requests) -> AsyncIterator[bytes]:
    """The bytes between header and finish. Raises InvalidField, and ContentMismatch where the finish tells another checksum."""
    digest, finish = sha256(), None
    async for request in requests:
        part = request.WhichOneof("part")
        if finish is not None:
            raise invalid_field(part or "part", "must not follow the finish")
        if part == "data":
            if not request.data:
                raise invalid_field("data", "must have at least 1 byte")
            digest.update(request.data)
            yield request.data
        elif part == "finish":
            finish = request.finish
        elif part == "header":
            raise invalid_field("header", "must be the first message only")
        else:
            raise invalid_field("part", "must be data or finish")
    if finish is None:
        raise invalid_field("finish", "is missing: the stream ended before it")
    _require_sha256(finish.sha256, digest.digest())


def _require_sha256(stated: bytes, actual: bytes) -> None:
    """An empty one is not compared."""
    if stated and len(stated) != SHA256_BYTES:
        raise invalid_field("finish.sha256", f"must have {SHA256_BYTES} bytes, has {len(stated)}")
    if stated and stated != actual:
        raise ContentMismatch("sha256", stated.hex(), actual.hex())


def _publication(header: service.PublishDocumentHeader, content: bytes) -> Publication:
    digest, request_id = sha256(content).digest(), header.request_id
    expected = header.expected_version if header.HasField("expected_version") else None
    header.ClearField("request_id")
    stated = header.SerializeToString(deterministic=True)
    return Publication(
        draft=document_draft(header.document),
        content=content,
        sha256=digest,
        request=RequestKey(request_id, sha256(stated + digest).digest()) if request_id else None,
        expected_version=expected,
        omit_forgotten=header.omit_forgotten,
    )
