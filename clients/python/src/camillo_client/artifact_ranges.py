"""Keyword arguments for a part of an artifact, and for a search in it."""

from __future__ import annotations

from typing import TypedDict, Unpack

from camillo.v1.artifact_pb2 import ArtifactRange, ByteRange, JsonValue, LineRange, LinesAround
from camillo.v1.artifact_service_pb2 import SearchArtifactRequest
from camillo_client.convert import reject_unknown
from camillo_client.memory_refs import artifact_id_of

AROUND_DEFAULT = 20


class RangeOptions(TypedDict, total=False):
    """A part of an artifact: at most one of bytes (`start`, `end`), `lines`, `head`, `tail`, `around` and JSON; without
    any, the whole artifact."""

    # Bytes, from 0; a negative start counts from the end. `end` is not among them; default: to the end.
    start: int
    end: int | None
    # The first and the last, both among them, from 1; a last one of None: to the end.
    lines: tuple[int, int | None]
    # The first so many lines.
    head: int
    # The last so many lines.
    tail: int
    # A line, and how many before and after it; default 20.
    around: int
    context: int
    # A JSON pointer such as `/users/3/name`; empty: the whole document.
    json_pointer: str
    # Elements of the array that the pointer names, as in a slice of a list; None: from the first, to the last.
    json_slice: tuple[int | None, int | None]


def artifact_range(**options: Unpack[RangeOptions]) -> ArtifactRange | None:
    """The range as a message; ValueError for two kinds at once, or for an end that would mean another one."""
    reject_unknown(options, RangeOptions.__optional_keys__, "a range")
    kinds = [kind for kind, names in _KINDS.items() if names & options.keys()]
    if not kinds:
        return None
    if len(kinds) > 1:
        raise ValueError(f"a range is by one of {', '.join(_KINDS)}: not by {' and '.join(kinds)}")
    match kinds[0]:
        case "bytes":
            return ArtifactRange(bytes=_bytes(options.get("start", 0), options.get("end")))
        case "lines":
            return ArtifactRange(lines=_lines(*options["lines"]))
        case "head":
            return ArtifactRange(head_lines=options["head"])
        case "tail":
            return ArtifactRange(tail_lines=options["tail"])
        case "around":
            return _around(options)
        case _:
            return ArtifactRange(json=_json(options))


_KINDS = {
    "bytes": {"start", "end"},
    "lines": {"lines"},
    "head": {"head"},
    "tail": {"tail"},
    "around": {"around", "context"},
    "JSON": {"json_pointer", "json_slice"},
}


def _bytes(start: int, end: int | None) -> ByteRange:
    return ByteRange(start=start, end=_end(end, "end"))


def _lines(first: int, last: int | None) -> LineRange:
    return LineRange(first=first, last=_end(last, "last line"))


def _end(end: int | None, what: str) -> int:
    # In the contract 0 is "to the end", which somebody who computed a 0 does not mean.
    if end is not None and end < 1:
        raise ValueError(f"the {what} of a range is 1 or more, or None: to the end")
    return end or 0


def _around(options: RangeOptions) -> ArtifactRange:
    if "around" not in options:
        raise ValueError("context is lines around a line: name it with around=")
    line, context = options["around"], options.get("context", AROUND_DEFAULT)
    # In the contract a context of 0 is the default.
    if context == 0:
        return ArtifactRange(lines=_lines(line, line))
    return ArtifactRange(around=LinesAround(line=line, context=context))


def _json(options: RangeOptions) -> JsonValue:
    start, end = options.get("json_slice", (None, None))
    return JsonValue(pointer=options.get("json_pointer", ""), start=start, end=end)


class SearchOptions(TypedDict, total=False):
    """Exactly one of `literal`, `regex` (of RE2) and `ranked`, and how to search."""

    literal: str
    regex: str
    ranked: str
    ignore_case: bool
    # Lines before and after each match; `context` is both.
    before: int
    after: int
    context: int
    # Most matching lines (default 100) or passages (default 5).
    limit: int
    # Lines before this one are not searched.
    start_line: int


def search_request(artifact_id: str, **options: Unpack[SearchOptions]) -> SearchArtifactRequest:
    """The request of a search; ValueError unless it has exactly one of literal, regex and ranked."""
    reject_unknown(options, SearchOptions.__optional_keys__, "a search")
    if len(options.keys() & {"literal", "regex", "ranked"}) != 1:
        raise ValueError("a search takes one of literal, regex and ranked")
    context = options.get("context", 0)
    return SearchArtifactRequest(
        artifact_id=artifact_id_of(artifact_id),
        literal=options.get("literal"),
        regex=options.get("regex"),
        ranked=options.get("ranked"),
        ignore_case=options.get("ignore_case", False),
        before=options.get("before", context),
        after=options.get("after", context),
        limit=options.get("limit", 0),
        start_line=options.get("start_line", 0),
    )
