"""Events in the form in which they are sent: nothing is lost that the contract has room for."""

from datetime import UTC, datetime
from typing import Any

import pytest
from camillo.v1.actor_pb2 import ActorType, EventKind
from camillo_cli.ingest.batches import message_of, sendable
from camillo_cli.ingest.records import BrokenMessage, Content, Location, ParsedEvent, ToolCall, ToolResult
from camillo_client import to_datetime, to_dict
from camillo_client.event_fields import EventKindName
from hypothesis import given
from hypothesis import strategies as st

NOON = datetime(2024, 3, 15, 12, tzinfo=UTC)
PLACE = Location("log.jsonl", "line 1")


def parsed(content: Content, kind: EventKindName = "message", **fields: Any) -> ParsedEvent:
    return ParsedEvent("s", "agent", "coder", kind, content, PLACE, **fields)


def test_a_message_keeps_all_that_is_known_of_it() -> None:
    sent = message_of(parsed("שלום 👩‍🚀", occurred_at=NOON, tags=("file:a", "t", "t")))
    assert sent.text == "שלום 👩‍🚀"
    assert (sent.session_id, sent.actor.type, sent.actor.id) == ("s", ActorType.ACTOR_TYPE_AGENT, "coder")
    assert sent.kind == EventKind.EVENT_KIND_MESSAGE
    assert list(sent.tags) == ["file:a", "t"]
    assert to_datetime(sent.occurred_at) == NOON


def test_a_missing_time_is_left_out() -> None:
    assert not message_of(parsed("a")).HasField("occurred_at")
    assert message_of(parsed("a", occurred_at=NOON)).HasField("occurred_at")


def test_a_call_and_a_result_are_sent_as_such() -> None:
    call = message_of(parsed(ToolCall("read", "c", {"path": "a", "deep": [{"n": 1}]}), "tool_call"))
    assert call.kind == EventKind.EVENT_KIND_TOOL_CALL
    assert (call.tool_call.tool, call.tool_call.call_id) == ("read", "c")
    assert to_dict(call.tool_call.arguments) == {"path": "a", "deep": [{"n": 1.0}]}
    result = message_of(parsed(ToolResult("read", "c", "", "a", is_error=True), "tool_result"))
    assert result.kind == EventKind.EVENT_KIND_TOOL_RESULT
    assert result.tool_result.path == "a"
    assert result.tool_result.is_error
    assert result.WhichOneof("content") == "tool_result"


def test_an_object_is_sent_as_json() -> None:
    sent = message_of(parsed({"done": True, "left": None}, "task_update"))
    assert sent.kind == EventKind.EVENT_KIND_TASK_UPDATE
    assert to_dict(sent.json) == {"done": True, "left": None}


def test_numbers_that_json_of_the_contract_would_change_are_sent_as_text() -> None:
    numbers = {"id": 2**63 + 1, "exact": 2**53, "endless": float("inf"), "yes": True, "x": 0.5}
    sent = message_of(parsed(ToolCall("f", "", numbers), "tool_call"))
    assert to_dict(sent.tool_call.arguments) == {
        "id": "9223372036854775809",
        "exact": 2.0**53,
        "endless": "inf",
        "yes": True,
        "x": 0.5,
    }


@pytest.mark.parametrize(("levels", "is_sendable"), [(31, True), (32, False)])
def test_json_may_be_nested_as_deep_as_the_contract_says(levels: int, is_sendable: bool) -> None:
    deep: Any = 1
    for _ in range(levels):
        deep = {"x": deep}
    event = parsed({"top": deep}, "artifact")
    if is_sendable:
        assert message_of(event).HasField("json")
    else:
        with pytest.raises(BrokenMessage, match="32 levels"):
            message_of(event)


def test_half_a_character_and_nul_are_replaced_and_nothing_else() -> None:
    assert sendable("a\0b\ud83dc") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
    assert sendable("\ud83d\ude80") == "🚀"


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0")))
def test_any_other_text_is_sent_as_it_is(text: str) -> None:
    assert sendable(text) == text
