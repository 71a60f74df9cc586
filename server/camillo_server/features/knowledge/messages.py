"""Messages of documents, converted and checked."""

import unicodedata
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any
from uuid import UUID

from camillo.v1 import knowledge_pb2 as pb
from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_RESTRICTED

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import Call
from camillo_server.doors.rpc.field_limits import check_message, limit_of, rule
from camillo_server.doors.rpc.fields import (
    channel_of,
    check_mask,
    distinct,
    draft_fields,
    fill_timestamp,
    member,
    sensitivity_of,
    tags_of,
    time_of,
)
from camillo_server.doors.rpc.json_values import fill_json, plain_object
from camillo_server.doors.rpc.page_tokens import fitting
from camillo_server.doors.rpc.validate import Checks, refuse_secrets
from camillo_server.features.knowledge.document import (
    Document,
    DocumentDraft,
    DocumentFilter,
    DocumentId,
    DocumentKey,
    DocumentReach,
    Publication,
)
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.errors import ContentMismatch, Overloaded, invalid_field
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import RequestKey
from camillo_server.rows.row_filter import CATEGORY_PREFIX, Archived

NOT_RESTRICTED = "must not be RESTRICTED: documents are the tenant's"
# The fields that a caller may change later, and how their values are read.
CHANGES: dict[str, Callable[[pb.NewDocument], Any]] = {
    "title": lambda m: m.title,
    "categories": lambda m: distinct(m.categories),
    "tags": lambda m: tags_of(m.tags),
    "sensitivity": lambda m: sensitivity_of(m.sensitivity),
    "source_url": lambda m: m.source_url,
    "provenance": lambda m: plain_object(m.provenance),
    "effective_from": lambda m: time_of(m, "effective_from"),
    "effective_until": lambda m: time_of(m, "effective_until"),
}
Requests = AsyncIterator[service.PublishDocumentRequest]
SHA256_BYTES = limit_of(service.PublishDocumentFinish, "sha256").bytes.max
# All documents that are on their way in take as much memory as so many of the largest.
LARGEST_AT_ONCE = 8


@rule(pb.NewDocument)
def check_document(message: pb.NewDocument, path: str, checks: Checks) -> None:
    if problem := name_problem(message.name):
        checks.fail(f"{path}name", problem)
    if message.sensitivity == SENSITIVITY_RESTRICTED:
        checks.fail(f"{path}sensitivity", NOT_RESTRICTED)
    _check_tags(message.tags, f"{path}tags", checks)
    if message.HasField("effective_from") and message.HasField("effective_until"):
        begin, end = message.effective_from, message.effective_until
        if (begin.seconds, begin.nanos) >= (end.seconds, end.nanos):
            checks.fail(f"{path}effective_until", "must be after effective_from")


def _check_tags(tags: Sequence[str], path: str, checks: Checks) -> None:
    # Passages have their categories as such tags: one of these would grant what no category does.
    if any(tag.startswith(CATEGORY_PREFIX) for tag in tags):
        checks.fail(path, f"must not begin with `{CATEGORY_PREFIX}`")


def name_problem(name: str) -> str | None:
    """Why the name of a document is refused; None if it is not."""
    if not unicodedata.is_normalized("NFC", name):
        return "must be in Unicode's normalization form C"
    if any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in name):
        return "must have no control characters"
    if name and any(part in ("", ".", "..") for part in name.split("/")):
        return "must be names with `/` between them, none of them empty, `.` or `..`"
    return None


@rule(service.UpdateDocumentRequest)
def check_changes(request: service.UpdateDocumentRequest, path: str, checks: Checks) -> None:
    """Names what may change, and keeps documents below RESTRICTED."""
    paths = request.update_mask.paths
    check_mask(paths, CHANGES, checks, "must name at least one field")
    if "sensitivity" in paths and request.document.sensitivity == SENSITIVITY_RESTRICTED:
        checks.fail("document.sensitivity", NOT_RESTRICTED)
    if "tags" in paths:
        _check_tags(request.document.tags, "document.tags", checks)


def document_draft(message: pb.NewDocument) -> DocumentDraft:
    """The draft in a header."""
    return DocumentDraft(
        name=message.name,
        media_type=message.media_type,
        **{name: read(message) for name, read in CHANGES.items()},
    )


def document_changes(request: service.UpdateDocumentRequest) -> dict[str, Any]:
    return {name: CHANGES[name](request.document) for name in request.update_mask.paths}


def document_id(value: str) -> DocumentId:
    return DocumentId(UUID(value))


def document_key(request: service.GetDocumentRequest) -> DocumentKey:
    if request.WhichOneof("document") == "name":
        return request.name
    return document_id(request.document_id)


@rule(service.GetDocumentRequest)
def check_which(request: service.GetDocumentRequest, path: str, checks: Checks) -> None:
    which = request.WhichOneof("document")
    if which is None or (which == "name" and not request.name):
        checks.fail("document", "must say which: its id or its name")


def reach_of(request: Any, call: Call, policy: ChannelPolicy) -> DocumentReach:
    """The documents that the caller may see in the channel of a request."""
    levels = policy.allowed(channel_of(request.channel)) - {Sensitivity.RESTRICTED}
    return DocumentReach(tuple(sorted(levels)), call.principal.document_categories)


def document_filter(message: pb.DocumentFilter) -> DocumentFilter:
    return DocumentFilter(
        name_prefix=message.name_prefix,
        categories_any=distinct(message.categories_any),
        tags_any=tags_of(message.tags_any),
        archived=member(message.archived, Archived.EXCLUDE),
    )


def document_message(document: Document) -> pb.Document:
    stated = draft_fields(document.stated)
    provenance = stated.pop("provenance")
    message = pb.Document(
        stated=pb.NewDocument(**stated),
        document_id=str(document.document_id),
        version=document.version,
        sha256=document.sha256,
        text_bytes=document.text_bytes,
        passages=document.passages,
        archived=document.archived,
        credential=document.credential,
    )
    if provenance:
        fill_json(message.stated.provenance, provenance)
    fill_timestamp(message.created_at, document.created_at)
    fill_timestamp(message.updated_at, document.updated_at)
    return message


def list_response(documents: Sequence[Document], size: int, binding: bytes) -> service.ListDocumentsResponse:
    """A page, as much of it as fits into a message."""
    messages = fitting(documents, document_message)
    is_last = len(documents) < size and len(messages) == len(documents)
    token = "" if is_last else tokens.text_page_token(binding, messages[-1].stated.name)
    return service.ListDocumentsResponse(documents=messages, next_page_token=token)


def versions_response(documents: Sequence[Document], size: int, binding: bytes) -> service.ListDocumentVersionsResponse:
    """A page, as much of it as fits into a message."""
    messages = fitting(documents, document_message)
    is_last = len(documents) < size and len(messages) == len(documents)
    token = "" if is_last else tokens.text_page_token(binding, str(messages[-1].version))
    return service.ListDocumentVersionsResponse(versions=messages, next_page_token=token)


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
    """The bytes between header and finish. Raises InvalidField, and ContentMismatch where the finish tells another
    checksum."""
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
