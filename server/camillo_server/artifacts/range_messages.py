"""Which part of an artifact is wanted, and what is looked for in it."""

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service

from camillo_server.artifacts import artifact
from camillo_server.artifacts.artifact import ArtifactRange
from camillo_server.kernel.errors import InvalidField
from camillo_server.outputs.json_parts import pointer
from camillo_server.outputs.json_parts.pointer import ArraySlice, parse_pointer
from camillo_server.outputs.line_search.query import LinePattern, RankedWanted, Wanted
from camillo_server.rpc.field_limits import limit_of, replaces, rule, stated_or_default
from camillo_server.rpc.validate import Checks

MAX_MATCHES = limit_of(service.SearchArtifactRequest, "limit").integer.max
# Of a search for words, whose hits are passages and no lines.
MAX_PASSAGES = 50
PASSAGES_DEFAULT = 5

# Behind the end of anything, and lines around it can still be counted in 64 bits.
FAR_LINE = 2**62


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
    """The part that is wanted; all of it where none is named."""
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
            return pointer.JsonPart(parse_pointer(message.json.pointer), _slice(message.json))
    return artifact.WHOLE


def _slice(message: pb.JsonValue) -> ArraySlice | None:
    """None where the whole value is wanted."""
    if not (message.HasField("start") or message.HasField("end")):
        return None
    return ArraySlice(message.start, message.end if message.HasField("end") else None)


@rule(service.SearchArtifactRequest)
def check_search(request: service.SearchArtifactRequest, path: str, checks: Checks) -> None:
    """There is something to look for, and a search for words is one of all lines."""
    query = request.WhichOneof("query")
    if query is None:
        checks.fail("query", "must say what to look for")
    elif query == "literal" and "\n" in request.literal:
        checks.fail("literal", "must be within one line")
    elif query == "ranked":
        if request.start_line > 1:
            checks.fail("start_line", "must be 0 or 1 for ranked, which looks at all lines")
        if MAX_PASSAGES < request.limit <= MAX_MATCHES:
            wanted = f"from 1 to {MAX_PASSAGES}, or 0 for {PASSAGES_DEFAULT}"
            checks.fail("limit", f"must be {wanted}; is {request.limit}")


def wanted_of(request: service.SearchArtifactRequest) -> Wanted | RankedWanted:
    """What is looked for."""
    query = request.WhichOneof("query") or "literal"
    if query == "ranked":
        return RankedWanted(request.ranked, request.limit or PASSAGES_DEFAULT)
    pattern = LinePattern(
        text=getattr(request, query), is_regex=query == "regex", ignore_case=request.ignore_case
    )
    limit = stated_or_default(request, "limit")
    return Wanted(pattern, limit, request.before, request.after, request.start_line or 1)
