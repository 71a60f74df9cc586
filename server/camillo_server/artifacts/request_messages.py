"""Requests of ArtifactService, read and checked: which artifacts, which parts of them, and what is searched in them."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_RESTRICTED

from camillo_server.artifacts import artifact
from camillo_server.artifacts.artifact import (
    ArtifactDraft,
    ArtifactFilter,
    ArtifactId,
    ArtifactLookup,
    ArtifactQuery,
    ArtifactRange,
    UploadId,
)
from camillo_server.artifacts.offload_output import OutputToOffload
from camillo_server.kernel.errors import InvalidField, NotFound
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.memories import messages as memories_messages
from camillo_server.outputs.json_parts.pointer import ArraySlice, JsonPart, parse_pointer
from camillo_server.outputs.line_search.query import LinePattern, LineQuery, RankedQuery
from camillo_server.outputs.summary.sample import ContentKind
from camillo_server.rpc.call import Call
from camillo_server.rpc.field_limits import limit_of, replaces, rule, stated_or_default
from camillo_server.rpc.fields import channel_of, check_mask, distinct, sensitivity_of, time_of
from camillo_server.rpc.json_values import flat_object
from camillo_server.rpc.validate import ARTIFACT_ID, Checks
from camillo_server.text.memory_ref import artifact_id_of

# More than any memory ref has; longer texts are not parsed.
MAX_MEMORY_REF_CHARACTERS = 1_000
MAX_ARTIFACT_ID_CHARACTERS = 64
MAX_MATCHES = limit_of(service.SearchArtifactRequest, "limit").integer.max
# Of a ranked search.
MAX_PASSAGES = 50
PASSAGES_DEFAULT = 5

# After the end of any artifact, and the lines around it can still be counted in 64 bits.
FAR_LINE = 2**62
# The fields that a caller may change, and how their new values are read.
CHANGES: dict[str, Callable[[pb.NewArtifact], Any]] = {
    "name": lambda m: m.name,
    "description": lambda m: m.description,
    "session_id": lambda m: m.session_id,
    "tags": lambda m: distinct(m.tags),
    "metadata": lambda m: flat_object(m.metadata),
    "expires_at": lambda m: time_of(m, "expires_at"),
    "pinned": lambda m: m.pinned,
    "source_refs": lambda m: distinct(m.source_refs),
}


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
        checks.fail(f"{path}sensitivity", "must not be RESTRICTED in the tenant's shared scope")


def artifact_draft(message: pb.NewArtifact) -> ArtifactDraft:
    return ArtifactDraft(
        name=message.name,
        description=message.description,
        media_type=message.media_type,
        tool=message.tool,
        command=message.command,
        exit_code=message.exit_code if message.HasField("exit_code") else None,
        session_id=message.session_id,
        tags=distinct(message.tags),
        sensitivity=sensitivity_of(message.sensitivity),
        metadata=flat_object(message.metadata),
        expires_at=time_of(message, "expires_at"),
        pinned=message.pinned,
        source_refs=distinct(message.source_refs),
        is_shared=message.is_shared,
    )


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
        tags_any=distinct(message.tags_any),
        tags_all=distinct(message.tags_all),
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
            return artifact.Bytes(message.bytes.start, message.bytes.end or None)
        case "lines":
            return artifact.Lines(message.lines.first, message.lines.last or None)
        case "head_lines":
            return artifact.head(message.head_lines)
        case "tail_lines":
            return artifact.Tail(message.tail_lines)
        case "around":
            line, context = message.around.line, message.around.context
            return artifact.around(min(line, FAR_LINE), context or artifact.AROUND_DEFAULT)
        case "json":
            return JsonPart(parse_pointer(message.json.pointer), _slice(message.json))
    return artifact.WHOLE


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
    pattern = LinePattern(
        text=getattr(request, query), is_regex=query == "regex", ignore_case=request.ignore_case
    )
    limit = stated_or_default(request, "limit")
    return LineQuery(pattern, limit, request.before, request.after, request.start_line or 1)
