"""Requests for events; each limit with what is at it and what is beyond."""

from contextvars import copy_context
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from camillo.v1 import actor_pb2
from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_INTERNAL
from camillo_server.across.forgetting.messages import selector_of
from camillo_server.doors.rpc.call import Call, set_caller
from camillo_server.features.events import query_messages
from camillo_server.features.events.event import EventFilter
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import InvalidField, InvalidPageToken, RevisionUnknown
from camillo_server.kernel.ids import EventCursor
from camillo_server.kernel.kinds import ActorType, EventKind, Sensitivity
from camillo_server.kernel.scope import Caller, Principal
from google.protobuf.timestamp_pb2 import Timestamp

from tests.cases import each_case
from tests.unit.rpc import callers
from tests.unit.rpc.records import ADA, BOB, CALLS, REVISIONS, SOME_ID
from tests.unit.rpc.violations import broken

MOMENT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
TOO_LATE = Timestamp(seconds=253402300800)
WATCH = service.WatchEventsRequest


def test_a_filter_has_all_its_conditions() -> None:
    moment = Timestamp()
    moment.FromDatetime(MOMENT)
    message = pb.EventFilter(
        session_id="s",
        kinds=[actor_pb2.EVENT_KIND_MESSAGE, actor_pb2.EVENT_KIND_UNSPECIFIED],
        actor_types=[actor_pb2.ACTOR_TYPE_TOOL],
        tags_any=["a"],
        tags_all=["b", "b"],
        occurred_from=moment,
        occurred_before=moment,
        max_sensitivity=SENSITIVITY_INTERNAL,
        ref=SOME_ID,
    )
    assert broken(message) == []
    assert query_messages.event_filter(message) == EventFilter(
        session_id="s",
        kinds=(EventKind.MESSAGE,),
        actor_types=(ActorType.TOOL,),
        tags_any=("a",),
        tags_all=("b",),
        occurred_from=MOMENT,
        occurred_before=MOMENT,
        ref=SOME_ID,
        sensitivities=(Sensitivity.PUBLIC, Sensitivity.INTERNAL),
    )


def test_an_empty_filter_passes_everything(ada: Principal) -> None:
    request = service.ListEventsRequest()
    asked = query_messages.list_of(request, CALLS.read_at_once(request))
    assert asked.filter == EventFilter()
    assert (asked.scope, asked.channel, asked.newest_first) == (ADA, Channel.PRIVATE, False)


@each_case(
    ("field", "beyond", "within"),
    [
        ("session_id", {"session_id": "x" * 129}, {"session_id": "x" * 128}),
        ("kinds", {"kinds": [8]}, {"kinds": [7]}),
        ("actor_types", {"actor_types": [5]}, {"actor_types": [4]}),
        ("tags_any", {"tags_any": [*map(str, range(65))]}, {"tags_any": [*map(str, range(64))]}),
        ("tags_all[0]", {"tags_all": [""]}, {"tags_all": [" "]}),
        ("occurred_from", {"occurred_from": TOO_LATE}, {"occurred_from": Timestamp()}),
        ("occurred_before", {"occurred_before": TOO_LATE}, {"occurred_before": Timestamp()}),
        ("max_sensitivity", {"max_sensitivity": 5}, {"max_sensitivity": 4}),
        ("ref", {"ref": "x" * 257}, {"ref": "x" * 256}),
    ],
)
def test_a_limit_of_a_filter_holds(field: str, beyond: dict[str, Any], within: dict[str, Any]) -> None:
    refused = broken(pb.EventFilter(**beyond), "filter.")
    taken = broken(pb.EventFilter(**within), "filter.")
    assert (refused, taken) == ([f"filter.{field}"], [])


def start(request: service.WatchEventsRequest) -> tuple[EventCursor | None, list[str]]:
    def read() -> Call:
        set_caller(Caller(callers.ADA))
        return CALLS.read_at_once(request)

    return query_messages.watch_start(request, copy_context().run(read)), broken(request)


def test_a_watch_begins_where_it_is_told_to() -> None:
    cursor = EventCursor(7, 3)
    token = query_messages.resume_token(REVISIONS, ADA, cursor)
    assert start(WATCH(resume_token=token)) == (cursor, [])
    behind = query_messages.after_revision(7)
    assert start(WATCH(after_revision=REVISIONS.revision(ADA, 7))) == (behind, [])
    assert (behind.revision, behind.index > 1000) == (7, True)
    assert start(WATCH(from_beginning=True)) == (None, [])


@pytest.mark.parametrize("request_", [WATCH(), WATCH(from_beginning=False)])
def test_a_watch_has_to_say_where_to_begin(request_: service.WatchEventsRequest) -> None:
    assert broken(request_) == ["start"]


def test_a_watch_begins_at_no_place_of_another_scope() -> None:
    with pytest.raises(RevisionUnknown):
        start(WATCH(after_revision=REVISIONS.revision(BOB, 7)))
    with pytest.raises(InvalidField):
        start(WATCH(after_revision={"token": "x"}))
    with pytest.raises(InvalidPageToken):
        start(WATCH(resume_token="x"))  # noqa: S106


def selected(request: service.ForgetEventsRequest) -> tuple[Any, list[str]]:
    return selector_of(request), broken(request)


def ids(*values: str) -> service.ForgetEventsRequest:
    return service.ForgetEventsRequest(event_ids=service.EventIds(ids=values))


def test_events_are_forgotten_by_id_or_by_session() -> None:
    assert selected(ids(SOME_ID, SOME_ID)) == ([UUID(SOME_ID)], [])
    assert selected(service.ForgetEventsRequest(session_id="s")) == ("s", [])


@each_case(
    ("request_", "field"),
    [
        (service.ForgetEventsRequest(), "event_ids.ids"),
        (ids(), "event_ids.ids"),
        (ids("x"), "event_ids.ids[0]"),
        (ids(*[SOME_ID] * 10_001), "event_ids.ids"),
        (service.ForgetEventsRequest(session_id=""), "session_id"),
        (service.ForgetEventsRequest(session_id="x" * 129), "session_id"),
    ],
)
def test_a_forgetting_has_to_say_of_what(request_: service.ForgetEventsRequest, field: str) -> None:
    assert broken(request_) == [field]
    assert broken(ids(*[SOME_ID] * 10_000)) == []
