"""Requests for a part, and for lines of an artifact; each limit with what is at it and what is beyond."""

from typing import Any

import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.features.artifacts import request_messages as artifact_queries
from camillo_server.features.artifacts.artifact import WHOLE, ArtifactRange, Bytes, Lines, Tail
from camillo_server.lib.outputs.json_parts.pointer import ArraySlice, JsonPart, JsonPointer
from camillo_server.lib.outputs.line_search.query import LinePattern, LineQuery, RankedQuery

from tests.cases import each_case
from tests.unit.rpc.violations import broken

LONGEST = 2**63 - 1


def part(**values: Any) -> pb.ArtifactRange:
    return pb.ArtifactRange(**values)


def bytes_(start: int = 0, end: int = 0) -> pb.ArtifactRange:
    return part(bytes=pb.ByteRange(start=start, end=end))


def lines(first: int = 0, last: int = 0) -> pb.ArtifactRange:
    return part(lines=pb.LineRange(first=first, last=last))


def around(line: int, context: int = 0) -> pb.ArtifactRange:
    return part(around=pb.LinesAround(line=line, context=context))


def json(pointer: str = "", **values: int) -> pb.ArtifactRange:
    return part(json=pb.JsonValue(pointer=pointer, **values))


def search(**values: Any) -> service.SearchArtifactRequest:
    if not {"regex", "ranked", "literal"} & values.keys():
        values["literal"] = "x"
    return service.SearchArtifactRequest(**values)


@each_case(
    ("sent", "meant"),
    [
        (part(), WHOLE),
        (bytes_(), Bytes(0, None)),
        (bytes_(-5), Bytes(-5, None)),
        (bytes_(-5, 3), Bytes(-5, 3)),
        (bytes_(3, 3), Bytes(3, 3)),
        (bytes_(-LONGEST - 1, LONGEST), Bytes(-LONGEST - 1, LONGEST)),
        (lines(1), Lines(1, None)),
        (lines(2, 2), Lines(2, 2)),
        (part(head_lines=7), Lines(1, 7)),
        (part(tail_lines=7), Tail(7)),
        (around(50), Lines(30, 70)),
        (around(5, 10), Lines(1, 15)),
        (around(20_000, 10_000), Lines(10_000, 30_000)),
        (json(), JsonPart(JsonPointer((), ""), None)),
        (json("/п/~1~0/0"), JsonPart(JsonPointer(("п", "/~", "0"), "/п/~1~0/0"), None)),
        (json("/a", start=0), JsonPart(JsonPointer(("a",), "/a"), ArraySlice(0, None))),
        (json("/a", end=0), JsonPart(JsonPointer(("a",), "/a"), ArraySlice(0, 0))),
        (json("/a", start=2, end=9), JsonPart(JsonPointer(("a",), "/a"), ArraySlice(2, 9))),
    ],
)
def test_a_range_is_understood(sent: pb.ArtifactRange, meant: ArtifactRange) -> None:
    assert (artifact_queries.range_of(sent), broken(sent)) == (meant, [])


def test_lines_around_the_last_number_there_is_can_be_counted() -> None:
    found = artifact_queries.range_of(around(LONGEST, 10_000))
    assert isinstance(found, Lines)
    assert 2**61 < found.first < (found.last or 0) <= LONGEST


@each_case(
    ("field", "beyond", "within"),
    [
        ("bytes.end", bytes_(0, -1), bytes_(0, 1)),
        ("bytes.end", bytes_(4, 3), bytes_(4, 4)),
        ("lines.first", lines(0), lines(1)),
        ("lines.last", lines(1, -1), lines(1, 0)),
        ("lines.last", lines(3, 2), lines(3, 3)),
        ("head_lines", part(head_lines=0), part(head_lines=1)),
        ("tail_lines", part(tail_lines=0), part(tail_lines=1)),
        ("around.line", around(0), around(1)),
        ("around.context", around(1, 10_001), around(1, 10_000)),
        ("around.context", around(1, -1), around(1, 0)),
        ("json.pointer", json("/" + "x" * 4096), json("/" + "字" * 4095)),
        ("json.pointer", json("a"), json("/a")),
        ("json.pointer", json("/~2"), json("/~1")),
        ("json.start", json(start=-1), json(start=0)),
        ("json.end", json(start=2, end=1), json(start=2, end=2)),
    ],
)
def test_a_limit_of_a_range_holds(field: str, beyond: pb.ArtifactRange, within: pb.ArtifactRange) -> None:
    assert broken(beyond, "range.")[:1] == [f"range.{field}"]
    assert broken(within, "range.") == []


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        (search(literal="ошибка"), LineQuery(LinePattern("ошибка", False, False), 100, 0, 0, 1)),
        (
            search(regex="a+", ignore_case=True, before=50, after=50, limit=10_000, start_line=LONGEST),
            LineQuery(LinePattern("a+", True, True), 10_000, 50, 50, LONGEST),
        ),
        (search(ranked="为什么失败"), RankedQuery("为什么失败", 5)),
        (search(ranked="why", limit=50, start_line=1), RankedQuery("why", 50)),
    ],
)
def test_a_search_is_understood(sent: service.SearchArtifactRequest, meant: LineQuery | RankedQuery) -> None:
    assert (artifact_queries.search_query(sent), broken(sent)) == (meant, [])


@each_case(
    ("field", "beyond", "within"),
    [
        ("query", service.SearchArtifactRequest(), search(literal="x")),
        ("literal", search(literal=""), search(literal=" ")),
        ("literal", search(literal="x" * 1001), search(literal="😀" * 1000)),
        ("literal", search(literal="a\nb"), search(literal="a\tb")),
        ("regex", search(regex=""), search(regex="a\nb")),
        ("regex", search(regex="x" * 1001), search(regex="x" * 1000)),
        ("ranked", search(ranked=""), search(ranked="x\ny")),
        ("ranked", search(ranked="x" * 1001), search(ranked="x" * 1000)),
        ("before", search(before=51), search(before=50)),
        ("before", search(before=-1), search(before=0)),
        ("after", search(after=51), search(after=50)),
        ("limit", search(limit=10_001), search(limit=10_000)),
        ("limit", search(ranked="x", limit=51), search(ranked="x", limit=50)),
        ("limit", search(limit=-1), search(limit=0)),
        ("start_line", search(start_line=-1), search(start_line=0)),
        ("start_line", search(ranked="x", start_line=2), search(start_line=2)),
    ],
)
def test_a_limit_of_a_search_holds(
    field: str, beyond: service.SearchArtifactRequest, within: service.SearchArtifactRequest
) -> None:
    assert (broken(beyond), broken(within)) == ([field], [])


@pytest.mark.parametrize(("sent", "meant"), [(0, 1000), (16, 16), (32_000, 32_000)])
def test_a_page_has_its_length_or_the_default(sent: int, meant: int) -> None:
    request = service.ReadArtifactPageRequest(max_tokens=sent)
    assert (stated_or_default(request, "max_tokens"), broken(request)) == (meant, [])


@pytest.mark.parametrize("sent", [-1, 15, 32_001])
def test_a_page_beyond_its_limits_is_refused(sent: int) -> None:
    assert broken(service.ReadArtifactPageRequest(max_tokens=sent)) == ["max_tokens"]
