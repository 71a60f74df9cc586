"""Requests of ArtifactService, read and checked: what is stored, which artifacts and parts of them, what is
searched."""

import hashlib
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import UUID

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_RESTRICTED

from camillo_server.doors.rpc.call import Call, scope_of
from camillo_server.doors.rpc.field_limits import (
    check_message,
    limit_of,
    replaces,
    rule,
    stated_or_default,
)
from camillo_server.doors.rpc.fields import (
    channel_of,
    check_mask,
    distinct,
    sensitivity_of,
    tags_of,
    time_of,
)
from camillo_server.doors.rpc.json_values import flat_object
from camillo_server.doors.rpc.validate import ARTIFACT_ID, Checks, refuse_secrets
from camillo_server.features.artifacts.artifact import (
    AROUND_DEFAULT,
    WHOLE,
    ArtifactDraft,
    ArtifactFilter,
    ArtifactId,
    ArtifactLookup,
    ArtifactQuery,
    ArtifactRange,
    Bytes,
    Lines,
    Tail,
    UploadId,
    around,
    head,
)
from camillo_server.features.artifacts.offload_output import OutputToOffload
from camillo_server.features.artifacts.upload import UploadBytes, UploadFinish, UploadHeader
from camillo_server.kernel.errors import InvalidField, NotFound, invalid_field
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.outputs.json_parts.pointer import ArraySlice, JsonPart, parse_pointer
from camillo_server.lib.outputs.line_search.query import LinePattern, LineQuery, RankedQuery
from camillo_server.lib.outputs.summary.sample import ContentKind
from camillo_server.lib.text.memory_ref import artifact_id_of
from camillo_server.rows import messages as memories_messages

# More than any memory ref has; longer texts are not parsed.
MAX_MEMORY_REF_CHARACTERS = 1_000
MAX_ARTIFACT_ID_CHARACTERS = 64
MAX_MATCHES = limit_of(service.SearchArtifactRequest, "limit").integer.max
# The maximum number of passages of a ranked search.
MAX_PASSAGES = 50
PASSAGES_DEFAULT = 5
SHA256_BYTES = limit_of(service.PutArtifactHeader, "prefix_sha256").bytes.max
# Fields that may differ when an upload is resumed.
OF_ONE_CALL = ("request_id", "upload_id", "offset", "prefix_sha256")

# After the end of any artifact, and the lines around it can still be counted in 64 bits.
FAR_LINE = 2**62
# The fields that a caller may change later, and how their values are read.
CHANGES: dict[str, Callable[[pb.NewArtifact], Any]] = {
    "name": lambda m: m.name,
    "description": lambda m: m.description,
    "session_id": lambda m: m.session_id,
    "tags": lambda m: tags_of(m.tags),
    "metadata": lambda m: flat_object(m.metadata),
    "expires_at": lambda m: time_of(m, "expires_at"),
    "pinned": lambda m: m.pinned,
    "source_refs": lambda m: distinct(m.source_refs),
}

UploadRequests = AsyncIterator[service.PutArtifactRequest]


def lookup_of(request: Any, call: Call) -> ArtifactLookup:
    """The artifact to be read, named by its id or its memory ref. Raises NotFound."""
    text = request.artifact_id
    named = artifact_id_of(text) if len(text) <= MAX_MEMORY_REF_CHARACTERS else text
    return ArtifactLookup(call.scope, artifact_id(named), channel_of(request.channel))


def artifact_id(value: str) -> ArtifactId:
    """Raises NotFound for a text that is no artifact's id."""
    if not ARTIFACT_ID.fullmatch(value):
        raise NotFound("artifact", value[:MAX_ARTIFACT_ID_CHARACTERS])
    return ArtifactId(value)


def upload_id(value: str) -> UploadId:
    return UploadId(UUID(value))


@rule(pb.NewArtifact)
def check_shared(message: pb.NewArtifact, path: str, checks: Checks) -> None:
    """A restricted artifact cannot be shared with every agent of the tenant."""
    is_shared = message.is_shared or (checks.scope is not None and not checks.scope.agent_id)
    if is_shared and message.sensitivity == SENSITIVITY_RESTRICTED:
        checks.fail(f"{path}sensitivity", "must not be RESTRICTED in the tenant's shared space")


def artifact_draft(message: pb.NewArtifact) -> ArtifactDraft:
    return ArtifactDraft(
        **{name: read(message) for name, read in CHANGES.items()},
        media_type=message.media_type,
        tool=message.tool,
        command=message.command,
        exit_code=message.exit_code if message.HasField("exit_code") else None,
        sensitivity=sensitivity_of(message.sensitivity),
        is_shared=message.is_shared,
    )


async def upload_header(requests: UploadRequests) -> UploadHeader:
    """The first message. Raises InvalidField, ScopeForbidden."""
    first = await anext(requests, None)
    if first is None or first.WhichOneof("part") != "header":
        raise invalid_field("header", "must be the first message of the stream")
    header = first.header
    scope = scope_of(header.agent_id)
    checks = Checks(scope=scope)
    check_message(header, checks, "header.")
    checks.done()
    refuse_secrets(header, checks, "header.")
    checks.done()
    return _header(header, scope)


async def upload_messages(requests: UploadRequests) -> AsyncIterator[UploadBytes | UploadFinish]:
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


def output_to_offload(request: service.OffloadOutputRequest, call: Call) -> OutputToOffload:
    return OutputToOffload(
        scope=call.scope,
        draft=artifact_draft(request.artifact),
        output=request.output,
        threshold_tokens=stated_or_default(request, "threshold_tokens"),
        request=call.request_key,
    )


def query_of(request: service.ListArtifactsRequest, call: Call) -> ArtifactQuery:
    return ArtifactQuery(
        scope=call.scope,
        filter=artifact_filter(request.filter),
        channel=channel_of(request.channel),
        include_shared=request.include_shared,
    )


def artifact_filter(message: pb.ArtifactFilter) -> ArtifactFilter:
    level, cited_by = message.max_sensitivity, message.cited_by_memory_id
    return ArtifactFilter(
        session_id=message.session_id,
        tool=message.tool,
        kinds=tuple(ContentKind(kind) for kind in message.kinds if kind),
        created_from=time_of(message, "created_from"),
        created_before=time_of(message, "created_before"),
        min_size=message.min_size_bytes,
        max_size=message.max_size_bytes,
        tags_any=tags_of(message.tags_any),
        tags_all=tags_of(message.tags_all),
        max_sensitivity=Sensitivity(level) if level else None,
        cited_by=memories_messages.read_memory_id(cited_by) if cited_by else None,
    )


@rule(service.UpdateArtifactRequest)
def check_changes(request: service.UpdateArtifactRequest, path: str, checks: Checks) -> None:
    """The mask names only fields that can be changed."""
    check_mask(request.update_mask.paths, CHANGES, checks, "must name at least one field")


def artifact_changes(request: service.UpdateArtifactRequest) -> dict[str, Any]:
    """The new values by field."""
    return {name: CHANGES[name](request.artifact) for name in request.update_mask.paths}


@rule(pb.ByteRange)
def check_bytes(message: pb.ByteRange, path: str, checks: Checks) -> None:
    """A range does not end before it begins."""
    if message.end and message.end < message.start:
        checks.fail(f"{path}end", "must not be before start")


@rule(pb.LineRange)
def check_lines(message: pb.LineRange, path: str, checks: Checks) -> None:
    """A range does not end before it begins."""
    if message.last and message.last < message.first:
        checks.fail(f"{path}last", "must not be before first")


@rule(pb.JsonValue)
def check_slice(message: pb.JsonValue, path: str, checks: Checks) -> None:
    """A slice does not end before it begins."""
    if message.HasField("end") and message.end < message.start:
        checks.fail(f"{path}end", "must not be before start")


@replaces(pb.JsonValue, "pointer")
def check_pointer(message: pb.JsonValue, path: str, checks: Checks) -> None:
    """A pointer is one of RFC 6901. A key may hold NUL."""
    try:
        parse_pointer(message.pointer)
    except InvalidField as error:
        for violation in error.violations:
            checks.fail(f"{path}pointer", violation.description)


def range_of(message: pb.ArtifactRange) -> ArtifactRange:
    """The requested part; all of it where none is named."""
    match message.WhichOneof("range"):
        case "bytes":
            return Bytes(message.bytes.start, message.bytes.end or None)
        case "lines":
            return Lines(message.lines.first, message.lines.last or None)
        case "head_lines":
            return head(message.head_lines)
        case "tail_lines":
            return Tail(message.tail_lines)
        case "around":
            return around(min(message.around.line, FAR_LINE), message.around.context or AROUND_DEFAULT)
        case "json":
            return JsonPart(parse_pointer(message.json.pointer), _slice(message.json))
    return WHOLE


def _slice(message: pb.JsonValue) -> ArraySlice | None:
    """None where the whole value is requested."""
    if not (message.HasField("start") or message.HasField("end")):
        return None
    return ArraySlice(message.start, message.end if message.HasField("end") else None)


@rule(service.SearchArtifactRequest)
def check_search(request: service.SearchArtifactRequest, path: str, checks: Checks) -> None:
    """There is a query; a ranked one searches all lines."""
    query = request.WhichOneof("query")
    if query is None:
        checks.fail("query", "must say what to look for")
    elif query == "literal" and "\n" in request.literal:
        checks.fail("literal", "must be within one line")
    elif query == "ranked":
        if request.start_line > 1:
            checks.fail("start_line", "must be 0 or 1 for ranked, which looks at all lines")
        if MAX_PASSAGES < request.limit <= MAX_MATCHES:
            allowed = f"from 1 to {MAX_PASSAGES}, or 0 for {PASSAGES_DEFAULT}"
            checks.fail("limit", f"must be {allowed}; is {request.limit}")


def search_query(request: service.SearchArtifactRequest) -> LineQuery | RankedQuery:
    query = request.WhichOneof("query") or "literal"
    if query == "ranked":
        return RankedQuery(request.ranked, request.limit or PASSAGES_DEFAULT)
    pattern = LinePattern(text=getattr(request, query), is_regex=query == "regex", ignore_case=request.ignore_case)
    limit = stated_or_default(request, "limit")
    return LineQuery(pattern, limit, request.before, request.after, request.start_line or 1)
