"""Contents of events: each fits its kind, keeps to its limits, and comes back as it was."""

from typing import Any

import pytest
from camillo.v1 import event_pb2 as pb
from camillo_server.doors.rpc.field_limits import check_message
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.events.event import (
    EventContent,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.features.events.messages import content_of, fill_content
from camillo_server.kernel.kinds import EventKind
from google.protobuf.struct_pb2 import Struct

from tests.cases import each_case
from tests.unit.rpc.records import message
from tests.unit.rpc.violations import broken

MIB = 1024 * 1024


def read(stated: pb.NewEvent, kind: EventKind) -> tuple[EventContent, list[str]]:
    whole = message()
    whole.MergeFrom(stated)
    whole.kind = int(kind)  # type: ignore[assignment]
    return content_of(whole), broken(whole, "event.")


def call(**values: Any) -> pb.NewEvent:
    return message(tool_call=pb.ToolCall(**{"tool": "grep", **values}))


def result(**values: Any) -> pb.NewEvent:
    return message(tool_result=pb.ToolResult(**{"tool": "grep", **values}))


def struct(**values: Any) -> Struct:
    found = Struct()
    found.update(values)
    return found


@each_case(
    ("stated", "kind", "content"),
    [
        (message(text="שלום"), EventKind.MESSAGE, TextContent("שלום")),
        (message(json=struct(ключ=[1])), EventKind.TASK_UPDATE, JsonContent({"ключ": [1]})),
        (message(json=struct()), EventKind.WORKFLOW_STEP, JsonContent({})),
        (
            call(call_id="c1", arguments=struct(pattern="é", limit=3)),
            EventKind.TOOL_CALL,
            ToolCallContent("grep", "c1", {"pattern": "é", "limit": 3}),
        ),
        (
            result(call_id="c1", path="a.py", excerpt_text="x\ny\n", is_error=True, exit_code=0),
            EventKind.TOOL_RESULT,
            ToolResultContent("grep", "c1", "a.py", "x\ny\n", 1, 2, is_error=True, exit_code=0),
        ),
        (
            result(
                excerpt_text="x\ny",
                line_range=pb.LinesHeld(first=10, last=11),
                truncated=True,
                artifact_id="grep_7f3k9q2mxd",
            ),
            EventKind.TOOL_RESULT,
            ToolResultContent("grep", "", "", "x\ny", 10, 11, truncated=True, artifact_id="grep_7f3k9q2mxd"),
        ),
    ],
)
def test_content_is_read_and_told_as_it_was(stated: pb.NewEvent, kind: EventKind, content: EventContent) -> None:
    assert read(stated, kind) == (content, [])
    told = pb.NewEvent()
    fill_content(told, content)
    assert told.WhichOneof("content") == stated.WhichOneof("content")
    again, wrong = read(told, kind)
    assert (again, wrong) == (content, [])


@pytest.mark.parametrize(
    ("text", "lines"), [("", (1, 0)), ("a", (1, 1)), ("a\n", (1, 1)), ("a\nb", (1, 2)), ("\n\n", (1, 2))]
)
def test_lines_are_counted_where_they_are_not_told(text: str, lines: tuple[int, int]) -> None:
    content, _ = read(result(excerpt_text=text), EventKind.TOOL_RESULT)
    assert isinstance(content, ToolResultContent)
    assert (content.first_line, content.last_line) == lines


@each_case("kind", EventKind)
def test_a_kind_has_its_own_content_and_no_other(kind: EventKind) -> None:
    contents = {
        "text": message(text="x"),
        "json": message(json=struct(a=1)),
        "tool_call": call(),
        "tool_result": result(),
    }
    taken = {name for name, stated in contents.items() if not read(stated, kind)[1]}
    refused = {name for name, stated in contents.items() if read(stated, kind)[1]}
    assert taken == {EventKind.TOOL_CALL: {"tool_call"}, EventKind.TOOL_RESULT: {"tool_result"}}.get(
        kind, {"text", "json"}
    )
    assert {tuple(read(contents[name], kind)[1]) for name in refused} == {("event.content",)}
    nothing = message(kind=kind)
    nothing.ClearField("text")
    assert broken(nothing, "event.") == ["event.content"]


@each_case(
    ("field", "kind", "beyond", "within"),
    [
        ("text", EventKind.MESSAGE, message(text=""), message(text=" ")),
        ("text", EventKind.MESSAGE, message(text="x" * (MIB + 1)), message(text="x" * MIB)),
        ("text", EventKind.MESSAGE, message(text="字" * (MIB // 3 + 1)), message(text="字" * (MIB // 3))),
        ("text", EventKind.MESSAGE, message(text="a\0b"), message(text="a\x01b")),
        ("json", EventKind.MESSAGE, message(json=struct(a="x" * (MIB - 7))), message(json=struct(a="x" * (MIB - 8)))),
        (
            "tool_call.arguments",
            EventKind.TOOL_CALL,
            call(arguments=struct(a="x" * (MIB // 4 - 7))),
            call(arguments=struct(a="x" * (MIB // 4 - 8))),
        ),
        ("tool_call.tool", EventKind.TOOL_CALL, call(tool=""), call(tool="x")),
        ("tool_call.tool", EventKind.TOOL_CALL, call(tool="x" * 129), call(tool="字" * 128)),
        ("tool_call.call_id", EventKind.TOOL_CALL, call(call_id="x" * 129), call(call_id="x" * 128)),
        ("tool_result.tool", EventKind.TOOL_RESULT, result(tool=""), result(tool="x" * 128)),
        ("tool_result.call_id", EventKind.TOOL_RESULT, result(call_id="x" * 129), result(call_id="x" * 128)),
        ("tool_result.path", EventKind.TOOL_RESULT, result(path="x" * 1025), result(path="é" * 1024)),
        (
            "tool_result.excerpt_text",
            EventKind.TOOL_RESULT,
            result(excerpt_text="x" * (8 * MIB + 1)),
            result(excerpt_text="x" * (8 * MIB)),
        ),
        ("tool_result.excerpt_text", EventKind.TOOL_RESULT, result(excerpt_text="\0"), result(excerpt_text="")),
        (
            "tool_result.line_range.first",
            EventKind.TOOL_RESULT,
            result(line_range=pb.LinesHeld(first=0, last=1)),
            result(line_range=pb.LinesHeld(first=1, last=1)),
        ),
        (
            "tool_result.line_range.last",
            EventKind.TOOL_RESULT,
            result(line_range=pb.LinesHeld(first=5, last=4)),
            result(line_range=pb.LinesHeld(first=5, last=5)),
        ),
        ("tool_result.artifact_id", EventKind.TOOL_RESULT, result(artifact_id="x" * 65), result(artifact_id="x" * 64)),
        (
            "tool_result.artifact_id",
            EventKind.TOOL_RESULT,
            result(truncated=True),
            result(truncated=True, artifact_id="grep_1"),
        ),
    ],
)
def test_a_limit_of_what_an_event_tells_holds(
    field: str, kind: EventKind, beyond: pb.NewEvent, within: pb.NewEvent
) -> None:
    assert read(beyond, kind)[1] == [f"event.{field}"]
    assert read(within, kind)[1] == []


@pytest.mark.parametrize(
    ("stated", "kind", "limit"),
    [
        (message(text="x" * (MIB + 1)), EventKind.MESSAGE, "1048576"),
        (message(json=struct(a="x" * MIB)), EventKind.MESSAGE, "1048576"),
        (call(arguments=struct(a="x" * MIB)), EventKind.TOOL_CALL, "262144"),
        (result(excerpt_text="x" * (8 * MIB + 1)), EventKind.TOOL_RESULT, "8388608"),
    ],
)
def test_what_is_too_large_is_told_the_limit_and_where_it_belongs(
    stated: pb.NewEvent, kind: EventKind, limit: str
) -> None:
    stated.kind = int(kind)  # type: ignore[assignment]
    checks = Checks()
    check_message(stated, checks, "event.")
    (violation,) = checks.violations
    assert limit in violation.description
    assert "ArtifactService.PutArtifact" in violation.description
    assert len(violation.description) < 200


def test_an_exit_code_of_zero_is_not_the_same_as_none() -> None:
    for stated, code in ((result(exit_code=0), 0), (result(), None)):
        content, _ = read(stated, EventKind.TOOL_RESULT)
        assert isinstance(content, ToolResultContent)
        assert content.exit_code == code
        told = pb.NewEvent()
        fill_content(told, content)
        assert told.tool_result.HasField("exit_code") is (code is not None)
