"""Which part of an artifact is wanted, and what is looked for in it."""

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service

from camillo_server.domain import artifact_range as ranges
from camillo_server.domain.artifact_range import ArtifactRange
from camillo_server.domain.errors import InvalidField
from camillo_server.domain.json_pointer import ArraySlice, JsonPointer, parse_pointer
from camillo_server.domain.line_search import LinePattern, RankedWanted, Wanted
from camillo_server.rpc import limits
from camillo_server.rpc.validate import Checks

# Behind the end of anything, and lines around it can still be counted in 64 bits.
FAR_LINE = 2**62


def range_of(message: pb.ArtifactRange, checks: Checks) -> ArtifactRange:
    """The part that is wanted; all of it where none is named."""
    match message.WhichOneof("range"):
        case "bytes":
            return _bytes(message.bytes, checks)
        case "lines":
            return _lines(message.lines, checks)
        case "head_lines":
            return ranges.head(checks.whole("range.head_lines", message.head_lines, 1))
        case "tail_lines":
            return ranges.Tail(checks.whole("range.tail_lines", message.tail_lines, 1))
        case "around":
            return _around(message.around, checks)
        case "json":
            return _json(message.json, checks)
    return ranges.WHOLE


def _bytes(message: pb.ByteRange, checks: Checks) -> ArtifactRange:
    end = checks.whole("range.bytes.end", message.end, 0) or None
    if end is not None and end < message.start:
        checks.fail("range.bytes.end", "must not be before start")
    return ranges.Bytes(message.start, end)


def _lines(message: pb.LineRange, checks: Checks) -> ArtifactRange:
    first = checks.whole("range.lines.first", message.first, 1)
    last = checks.whole("range.lines.last", message.last, 0) or None
    if last is not None and last < first:
        checks.fail("range.lines.last", "must not be before first")
    return ranges.Lines(first, last)


def _around(message: pb.LinesAround, checks: Checks) -> ArtifactRange:
    line = checks.whole("range.around.line", message.line, 1)
    context = checks.whole("range.around.context", message.context, 0, limits.LINES_AROUND)
    return ranges.around(min(line, FAR_LINE), context or ranges.AROUND_DEFAULT)


def _json(message: pb.JsonValue, checks: Checks) -> ArtifactRange:
    return ranges.JsonPart(_pointer(message.pointer, checks), _slice(message, checks))


def _pointer(text: str, checks: Checks) -> JsonPointer:
    try:
        return parse_pointer(text)
    except InvalidField as error:
        for violation in error.violations:
            checks.fail("range.json.pointer", violation.description)
        return parse_pointer("")


def _slice(message: pb.JsonValue, checks: Checks) -> ArraySlice | None:
    """None where the whole value is wanted."""
    if not (message.HasField("start") or message.HasField("end")):
        return None
    start = checks.whole("range.json.start", message.start, 0)
    end = checks.whole("range.json.end", message.end, 0) if message.HasField("end") else None
    if end is not None and end < start:
        checks.fail("range.json.end", "must not be before start")
        return None
    return None if start < 0 else ArraySlice(start, end)


def page_tokens(value: int, checks: Checks) -> int:
    """The most tokens of a page of text."""
    wanted = value or limits.PAGE_TOKENS_DEFAULT
    return checks.whole("max_tokens", wanted, limits.PAGE_TOKENS_LEAST, limits.PAGE_TOKENS)


def wanted_of(request: service.SearchArtifactRequest, checks: Checks) -> Wanted | RankedWanted:
    """What is looked for. Adds to the checks what is wrong with it."""
    before = checks.whole("before", request.before, 0, limits.SEARCH_CONTEXT_LINES)
    after = checks.whole("after", request.after, 0, limits.SEARCH_CONTEXT_LINES)
    start_line = checks.whole("start_line", request.start_line, 0) or 1
    query = request.WhichOneof("query")
    if query == "ranked":
        return _ranked(request, checks)
    limit = checks.size("limit", request.limit, limits.MATCHES, limits.MATCHES_DEFAULT)
    pattern = LinePattern(
        text=_query_text(request, checks),
        is_regex=query == "regex",
        ignore_case=request.ignore_case,
    )
    return Wanted(pattern, limit, before, after, start_line)


def _ranked(request: service.SearchArtifactRequest, checks: Checks) -> RankedWanted:
    if request.start_line > 1:
        checks.fail("start_line", "must be 0 or 1 for ranked, which looks at all lines")
    limit = checks.size("limit", request.limit, limits.PASSAGES, limits.PASSAGES_DEFAULT)
    return RankedWanted(_query_text(request, checks), limit)


def _query_text(request: service.SearchArtifactRequest, checks: Checks) -> str:
    query = request.WhichOneof("query")
    if query is None:
        checks.fail("query", "must say what to look for")
        return ""
    text: str = checks.text(query, getattr(request, query), 1, limits.SEARCH_CHARACTERS)
    if query == "literal" and "\n" in text:
        checks.fail("literal", "must be within one line")
    return text
