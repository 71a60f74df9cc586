"""Events and what becomes of them, as the contract has them."""

from dataclasses import replace
from datetime import UTC
from typing import Any
from uuid import UUID

import pytest
from camillo.v1 import actor_pb2, channel_pb2
from camillo.v1.memory_pb2 import SENSITIVITY_CONFIDENTIAL
from camillo_server.across.forgetting.messages import event_receipt_message
from camillo_server.across.forgetting.records import ForgottenEvents
from camillo_server.doors.rpc import tokens
from camillo_server.features.events import messages as event_convert
from camillo_server.features.events import query_messages
from camillo_server.features.events.event import (
    Event,
    EventChange,
    EventChangePage,
    EventId,
    EventPage,
    JsonContent,
    TextContent,
)
from camillo_server.features.events.messages import EventMessages
from camillo_server.features.events.record_events import RecordedEvent
from camillo_server.kernel.errors import RefNotFound
from camillo_server.kernel.ids import EventCursor, MemoryId
from camillo_server.lib.redaction.redaction import Redaction
from google.protobuf.json_format import MessageToDict

from tests.server_fixtures import refusal_of
from tests.unit.rpc.records import ADA, HAPPENED, RECORDED, REVISIONS, SOME_ID, event

MESSAGES = EventMessages(ADA, REVISIONS)
BINDING = tokens.query_binding("x")
CHUNKS = (MemoryId(UUID(int=9)), MemoryId(UUID(int=8)))


def test_an_event_is_told_whole() -> None:
    told = MESSAGES.event(event(importance=0.0))
    stated = told.stated
    assert (told.event_id, told.agent_id) == (str(UUID(int=5)), "ada")
    assert told.recorded_at.ToDatetime(tzinfo=UTC) == RECORDED
    assert REVISIONS.read_revision(ADA, told.revision.token, "r") == 7
    assert stated.occurred_at.ToDatetime(tzinfo=UTC) == HAPPENED
    assert (stated.session_id, stated.channel) == ("s", channel_pb2.CHANNEL_TEAM)
    assert (stated.actor.type, stated.actor.id) == (actor_pb2.ACTOR_TYPE_AGENT, "助手")
    assert (stated.kind, stated.sensitivity) == (actor_pb2.EVENT_KIND_MESSAGE, SENSITIVITY_CONFIDENTIAL)
    assert (list(stated.tags), list(stated.refs), stated.text) == (["b", "a"], [SOME_ID], "مرحبا 🎉")
    assert (stated.HasField("importance"), stated.importance) == (True, 0.0)


def test_an_importance_that_was_not_sent_is_not_told() -> None:
    assert not MESSAGES.event(event()).stated.HasField("importance")


def listed(*events: Event, has_more: bool = False) -> Any:
    return MESSAGES.listed(EventPage(events, has_more, revision=11), BINDING)


def test_a_page_tells_its_events_and_where_it_ends() -> None:
    answer = listed(event(), event(index=3), has_more=True)
    assert len(answer.events) == 2
    assert query_messages.read_event_token(BINDING, answer.next_page_token) == EventCursor(7, 3)
    assert REVISIONS.read_revision(ADA, answer.revision.token, "r") == 11
    assert listed(event()).next_page_token == ""


def test_a_page_ends_before_it_becomes_too_large_and_goes_on_there() -> None:
    large = [event(TextContent("x" * 2**20), index=index) for index in range(5)]
    answer = listed(*large, has_more=True)
    assert len(answer.events) == 2
    assert answer.ByteSize() < 3 * 2**20
    cursor = query_messages.read_event_token(BINDING, answer.next_page_token)
    assert cursor == EventCursor(7, 1)


def test_an_event_that_is_larger_than_a_page_has_one_of_its_own() -> None:
    """Numbers take more room in messages than in JSON."""
    huge = event(JsonContent({"n": [1] * 500_000}))
    answer = listed(huge, replace(huge, index=3))
    assert [len(each.stated.json.fields["n"].list_value.values) for each in answer.events] == [500_000]
    assert query_messages.read_event_token(BINDING, answer.next_page_token) == EventCursor(7, 2)


def test_a_watch_tells_changes_and_an_empty_page_is_a_checkpoint() -> None:
    forgotten = EventChange(8, 0, None, EventId(UUID(int=4)))
    page = EventChangePage([EventChange(7, 2, event()), forgotten], revision=9)
    first, second = (answer.change for answer in MESSAGES.changed(page))
    assert (first.WhichOneof("change"), first.recorded.stated.text) == ("recorded", "مرحبا 🎉")
    assert second.forgotten_event_id == str(UUID(int=4))
    (last,) = (answer.change for answer in MESSAGES.changed(EventChangePage([], revision=9)))
    assert last.WhichOneof("change") == "checkpoint"
    assert [query_messages.read_resume_token(REVISIONS, ADA, each.resume_token) for each in (first, second, last)] == [
        EventCursor(7, 2),
        EventCursor(8, 0),
        query_messages.after_revision(9),
    ]
    assert [REVISIONS.read_revision(ADA, each.revision.token, "r") for each in (first, second, last)] == [7, 8, 9]


def recorded() -> RecordedEvent:
    return RecordedEvent(
        event_id=EventId(UUID(int=5)),
        chunk_ids=CHUNKS,
        artifact_id="grep_1",
        recorded_at=RECORDED,
        redactions=(Redaction("content.text", "github-pat", 4),),
    )


def test_what_was_recorded_is_told() -> None:
    told = event_convert.recorded_message(recorded())
    assert MessageToDict(told, preserving_proto_field_name=True) == {
        "event_id": str(UUID(int=5)),
        "chunk_ids": [str(each) for each in CHUNKS],
        "artifact_id": "grep_1",
        "recorded_at": "2026-03-01T12:30:16.000001Z",
        "redactions": [{"field": "content.text", "kind": "github-pat", "offset": 4}],
    }


def test_what_was_refused_is_told_in_its_place() -> None:
    first, second = event_convert.recorded_results([RefNotFound("r1"), recorded()])
    told = refusal_of(first.error)
    assert (told.reason, told.metadata) == ("REF_NOT_FOUND", {"ref": "r1"})
    assert second.recorded.event_id == str(UUID(int=5))


@pytest.mark.parametrize("receipt_id", [UUID(int=3), None])
def test_a_receipt_names_a_thousand_and_counts_all(receipt_id: UUID | None) -> None:
    done = ForgottenEvents(
        receipt_id=receipt_id,
        event_ids=tuple(EventId(UUID(int=i)) for i in range(1200)),
        total=1200,
        stores={"events": 1200, "chunks": 1500, "chunk_vectors": 7},
        invalidated=tuple(MemoryId(UUID(int=i)) for i in range(1001)),
        forgotten_at=RECORDED,
        revision=5,
    )
    told = event_receipt_message(done)
    assert told.receipt_id == ("" if receipt_id is None else str(receipt_id))
    assert (len(told.event_ids), len(told.invalidated_memory_ids)) == (1000, 1000)
    assert [(each.store, each.rows) for each in told.stores] == [
        ("chunk_vectors", 7),
        ("chunks", 1500),
        ("events", 1200),
    ]
    assert told.forgotten_at.ToDatetime(tzinfo=UTC) == RECORDED
