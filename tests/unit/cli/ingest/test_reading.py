"""Files of lines, broken ones among them; sessions; times in their order."""

import io
import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from camillo_cli.arguments import numbered_lines
from camillo_cli.ingest import reading
from camillo_cli.ingest.documents import Format
from camillo_cli.ingest.reading import Origin, read_conversations
from camillo_cli.ingest.records import Broken, ParsedEvent, Step, ToolCall, ToolResult, UnreadableConversation
from camillo_cli.options import WorkflowStatus
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.cli.ingest.reading_text import ORIGIN, read, reading_of, told

NOON = datetime(2024, 3, 15, 12, tzinfo=UTC)


def lines_of(*records: Any) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def said(text: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **fields}


def test_lines_are_messages_with_time_and_session() -> None:
    log = lines_of(
        said("שלום", session_id="a", timestamp="2024-03-15T12:00:00Z"),
        {"role": "assistant", "content": "👩‍🚀 é", "session_id": "b", "ts": 1710504000000},
    )
    events, broken = read(log)
    assert not broken
    assert told(events) == [("human:user", "message", "שלום"), ("agent:assistant", "message", "👩‍🚀 é")]
    assert [event.session_id for event in events] == ["a", "b"]
    assert [event.occurred_at for event in events] == [NOON, NOON]
    assert [str(event.location) for event in events] == ["log.json, line 1", "log.json, line 2"]


def test_broken_lines_are_named_and_the_others_go_on() -> None:
    whole = lines_of(said("a")).encode()
    log = b"\n".join([whole, b"{broken", b'"text"', b'{"content": "of nobody"}', b"\xff\xfe{}", whole, whole])
    events, broken = read(log)
    assert len(events) == 3
    assert {each.location.position: each.reason.split(" (")[0] for each in broken} == {
        "line 3": "is not JSON",
        "line 4": "is not a JSON object",
        "line 5": "names nobody who said it",
        "line 6": "is not UTF-8",
    }


def test_a_line_that_is_too_long_is_passed_over() -> None:
    log = lines_of(said("a"), said("b" * 200), said("c")).encode()
    found = list(numbered_lines(io.BytesIO(log), 100))
    assert [(number, line is None) for number, line in found] == [(1, False), (2, True), (3, False)]


def test_a_document_that_is_too_large_says_what_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_DOCUMENT_BYTES", 1 << 20)
    large = json.dumps([said("x" * (1 << 20))])
    with pytest.raises(UnreadableConversation, match="larger than 1 MiB, the limit for a file that is not JSON lines"):
        reading_of(large)
    events, _ = read(lines_of(said("x" * (1 << 20)), said("b")))
    assert len(events) == 2


def test_lines_are_read_as_they_are_taken() -> None:
    file = io.BytesIO(lines_of(*(said(f"{n}") for n in range(10_000))).encode())
    found = read_conversations(file, ORIGIN)
    assert found is not None
    next(found.parts)
    assert file.tell() < 10_000


def test_a_line_can_hold_a_whole_conversation() -> None:
    log = lines_of({"messages": [said("a"), said("b")]}, {"id": "x", "messages": [said("c")]})
    events, _ = read(log)
    assert [(event.session_id, event.content) for event in events] == [("log/1", "a"), ("log/1", "b"), ("x", "c")]
    assert str(events[1].location) == "log.json, line 1.messages[1]"


def test_events_are_read_as_the_service_writes_them() -> None:
    stated = {
        "session_id": "s",
        "actor": {"type": "ACTOR_TYPE_AGENT", "id": "coder"},
        "occurred_at": "2024-03-15T12:00:00Z",
    }
    result = {"tool": "read", "call_id": "c", "path": "a.py", "excerpt_text": "x", "is_error": True}
    step = {"workflow": "夜", "run": "7", "step": "a", "status": "WORKFLOW_STATUS_FAILED", "output": "x\ny"}
    log = lines_of(
        {"event_id": "e", "stated": {**stated, "kind": "EVENT_KIND_DECISION", "text": "tea"}},
        {**stated, "kind": "tool_call", "tool_call": {"tool": "read", "arguments": {"p": 1}}},
        {**stated, "kind": "tool_result", "tool_result": result, "tags": ["t"]},
        {**stated, "kind": "task_update", "json": {"done": True}},
        {**stated, "kind": "EVENT_KIND_WORKFLOW_STEP", "workflow_step": step},
        {**stated, "workflow_step": {"workflow": "夜", "step": "b"}},
        {**stated, "kind": "workflow_step", "text": "in words"},
        {**stated, "kind": "tool_call", "text": "without its call"},
        {**stated, "workflow_step": {**step, "status": "lost"}},
        {**stated, "workflow_step": {**step, "step": ""}},
        {**stated, "actor": {}, "kind": "message", "text": "of nobody"},
    )
    events, broken = read(log)
    assert [(event.kind, event.content) for event in events] == [
        ("decision", "tea"),
        ("tool_call", ToolCall("read", "", {"p": 1})),
        ("tool_result", ToolResult("read", "c", "x", "a.py", is_error=True)),
        ("task_update", {"done": True}),
        ("workflow_step", Step("夜", "7", "a", WorkflowStatus.FAILED, "x\ny")),
        ("workflow_step", Step("夜", "", "b", WorkflowStatus.SUCCEEDED, "")),
        ("workflow_step", "in words"),
    ]
    assert {(event.actor_type, event.actor_id, event.session_id) for event in events} == {("agent", "coder", "s")}
    assert events[0].occurred_at == NOON
    assert events[2].tags == ("t",)
    assert [each.reason for each in broken] == [
        "is a tool_call without its field tool_call",
        "has a step that stands as nothing known: lost",
        "has a step without its workflow or its name",
        "names no actor",
    ]


def test_a_session_that_is_given_stands_for_all() -> None:
    log = lines_of(said("a", session_id="x"), said("b"))
    assert [event.session_id for event in read(log)[0]] == ["x", "log"]
    events, _ = read(log, origin=Origin("log.json", "log", "mine", ("file:log.json",)))
    assert [(event.session_id, event.tags) for event in events] == [("mine", ("file:log.json",))] * 2


def test_a_session_whose_name_is_too_long_keeps_apart_from_its_like() -> None:
    names = ["n" * 200 + end for end in "ab"]
    found = {event.session_id for event in read(lines_of(*(said("a", session=n) for n in names)))[0]}
    assert len(found) == 2
    assert {len(name) for name in found} == {128}


def test_equal_times_follow_each_other_and_missing_ones_stay_missing() -> None:
    minute, fine = "12:00 15 March 2024", "2024-03-15T12:00:00.000001Z"
    times = [minute, minute, None, minute, fine, fine]
    events, _ = read(lines_of(*(said("a", time=time) for time in times)))
    step, fine_step = timedelta(milliseconds=1), timedelta(microseconds=1)
    assert [event.occurred_at and event.occurred_at - NOON for event in events] == [
        *(timedelta(), step, None, 2 * step),
        *(fine_step, 2 * fine_step),
    ]


def test_the_last_moment_there_is_has_none_behind_it() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    events, _ = read(lines_of(*(said("a", time=last.isoformat()) for _ in range(3))))
    assert [event.occurred_at for event in events] == [last] * 3


def test_a_time_in_no_known_spelling_is_kept_to_be_told() -> None:
    events, _ = read(lines_of(said("a", time="the other day"), said("b"), said("c", time=NOON.isoformat())))
    assert [(event.occurred_at, event.unread_time) for event in events] == [
        (None, "the other day"),
        (None, ""),
        (NOON, ""),
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_text(encoding: str) -> None:
    content = json.dumps([said("Grüße")], ensure_ascii=False, indent=1).encode(encoding)
    assert told(read(content)[0]) == [("human:user", "message", "Grüße")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("role", "content", "text", "type", "message", "messages", "tool_calls", "time"),
                    *("function", "arguments", "id", "traj", "history", "trajectory", "action", "chat"),
                    *("observation", "thought", "stated", "actor", "kind", "tool_result", "session"),
                    *("name", "simulations", "task_id", "system", "source", "parts", "tags", "json"),
                ]
            ),
            inner | st.sampled_from(["user", "assistant", "tool", "tool_use", "tool_result", "message"]),
            max_size=6,
        )
    ),
    max_leaves=40,
)


@given(st.lists(json_values, max_size=4), st.sampled_from([None, *Format]))
def test_no_json_is_an_error_but_one_that_is_told(values: list[Any], form: Format | None) -> None:
    for content in (lines_of(*values), json.dumps(values), json.dumps(values[0] if values else 0)):
        try:
            found = reading_of(content, form)
        except UnreadableConversation:
            continue
        for part in found.parts if found else ():
            assert isinstance(part, ParsedEvent | Broken)


@given(st.binary(max_size=60))
def test_no_bytes_are_an_error_but_one_that_is_told(content: bytes) -> None:
    with suppress(UnreadableConversation):
        found = reading_of(content)
        assert found is None or all(isinstance(part, ParsedEvent | Broken) for part in found.parts)


def test_json_that_is_nested_without_end_is_told() -> None:
    with pytest.raises(UnreadableConversation, match="nested too deeply"):
        reading_of("[" * 200_000)
    events, broken = read(lines_of(said("a"), said("b")) + "[" * 200_000 + "\n")
    assert (len(events), [each.reason for each in broken]) == (2, ["is nested too deeply"])
