"""Events as callers state them; each limit with what is at it and what is beyond."""

from datetime import UTC, datetime
from typing import Any

import pytest
from camillo.v1 import actor_pb2, channel_pb2
from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_CONFIDENTIAL
from camillo_server.doors.rpc.call import TEXT_BYTES, read_request
from camillo_server.features.events import messages as requests
from camillo_server.features.events.event import Actor, EventDraft, TextContent
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import InvalidField, ScopeForbidden
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ActorType, EventKind, Sensitivity
from camillo_server.kernel.off_loop import MAX_LOOP_CHARACTERS
from camillo_server.kernel.scope import Principal
from google.protobuf.timestamp_pb2 import Timestamp

from tests.cases import each_case
from tests.unit.rpc.records import CALLS, SOME_ID, message
from tests.unit.rpc.violations import broken, refused_fields

ALICE = AgentId("alice")

TOO_LATE = Timestamp(seconds=253402300800)
MOMENT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
HUMAN = actor_pb2.ACTOR_TYPE_HUMAN


def test_a_draft_has_all_that_was_stated() -> None:
    occurred = Timestamp()
    occurred.FromDatetime(MOMENT)
    stated = message(
        session_id="сессия",
        channel=channel_pb2.CHANNEL_TEAM,
        actor=actor_pb2.Actor(type=actor_pb2.ACTOR_TYPE_AGENT, id="助手"),
        kind=actor_pb2.EVENT_KIND_DECISION,
        sensitivity=SENSITIVITY_CONFIDENTIAL,
        tags=["b", "a", "b"],
        occurred_at=occurred,
        refs=[SOME_ID, SOME_ID, "tool_1"],
        text="नमस्ते 👩‍👩‍👧",
        importance=0.25,
    )
    assert broken(stated) == []
    assert requests.event_draft(stated, ALICE) == EventDraft(
        session_id="сессия",
        actor=Actor(ActorType.AGENT, "助手"),
        content=TextContent("नमस्ते 👩‍👩‍👧"),
        kind=EventKind.DECISION,
        channel=Channel.TEAM,
        sensitivity=Sensitivity.CONFIDENTIAL,
        tags=("b", "a"),
        occurred_at=MOMENT,
        refs=(SOME_ID, "tool_1"),
        importance=0.25,
    )


def test_what_is_not_stated_has_its_default() -> None:
    draft = requests.event_draft(message(), ALICE)
    assert draft == EventDraft("s", Actor(ActorType.HUMAN, "user"), TextContent("hello"))
    assert (draft.kind, draft.channel, draft.sensitivity, draft.importance, draft.occurred_at) == (
        EventKind.MESSAGE,
        Channel.PRIVATE,
        Sensitivity.INTERNAL,
        None,
        None,
    )
    assert broken(message()) == []


def test_an_importance_of_zero_is_not_the_same_as_none() -> None:
    assert requests.event_draft(message(importance=0.0), ALICE).importance == 0


@each_case(
    ("field", "beyond", "within"),
    [
        ("session_id", {"session_id": ""}, {"session_id": "x"}),
        ("session_id", {"session_id": "x" * 129}, {"session_id": "字" * 128}),
        ("channel", {"channel": 5}, {"channel": 4}),
        ("kind", {"kind": 8}, {"kind": 7}),
        ("kind", {"kind": -1}, {"kind": 0}),
        ("sensitivity", {"sensitivity": 5}, {"sensitivity": 4}),
        ("actor.type", {"actor": actor_pb2.Actor(id="u")}, {}),
        (
            "actor.type",
            {"actor": actor_pb2.Actor(type=5, id="u")},  # type: ignore[arg-type]
            {"actor": actor_pb2.Actor(type=4, id="u")},  # type: ignore[arg-type]
        ),
        ("actor.id", {"actor": actor_pb2.Actor(type=HUMAN)}, {"actor": actor_pb2.Actor(type=HUMAN, id="u")}),
        (
            "actor.id",
            {"actor": actor_pb2.Actor(type=HUMAN, id="x" * 129)},
            {"actor": actor_pb2.Actor(type=HUMAN, id="é" * 128)},
        ),
        ("tags", {"tags": [*map(str, range(65))]}, {"tags": [*map(str, range(64))]}),
        ("tags[0]", {"tags": ["x" * 129]}, {"tags": ["x" * 128]}),
        ("occurred_at", {"occurred_at": TOO_LATE}, {"occurred_at": Timestamp()}),
        ("refs", {"refs": [*map(str, range(65))]}, {"refs": [*map(str, range(64))]}),
        ("refs[0]", {"refs": [""]}, {"refs": ["x"]}),
        ("refs[0]", {"refs": ["x\0"]}, {"refs": ["x\x01"]}),
        ("importance", {"importance": 1.01}, {"importance": 1.0}),
        ("importance", {"importance": float("nan")}, {"importance": 0.5}),
    ],
)
def test_a_limit_of_an_event_holds(field: str, beyond: dict[str, Any], within: dict[str, Any]) -> None:
    refused, taken = broken(message(**beyond), "event."), broken(message(**within), "event.")
    assert (refused, taken) == ([f"event.{field}"], [])


def test_an_empty_event_is_told_all_that_it_lacks() -> None:
    assert broken(pb.NewEvent(), "event.") == ["event.session_id", "event.content"]


def test_one_event_is_read_with_its_scope_and_request(ada: Principal) -> None:
    request = service.RecordEventRequest(request_id="r1", event=message())
    call = CALLS.read_at_once(request)
    assert call.scope == ada.scope("")
    assert call.request_key is not None
    assert call.request_key.request_id == "r1"
    with pytest.raises(InvalidField) as caught:
        CALLS.read_at_once(service.RecordEventRequest(event=message(session_id="")))
    assert refused_fields(caught) == ["event.session_id"]


def test_an_event_of_a_batch_that_breaks_a_limit_fails_in_its_place(ada: Principal) -> None:
    events = [message(text="one"), message(session_id="", text=""), message(text="three")]
    request = service.BatchRecordEventsRequest(events=events)
    call = CALLS.read_at_once(request)
    assert (call.scope, call.request_key) == (ada.scope(""), None)
    one, two, three = requests.event_drafts(request, ALICE)
    assert isinstance(one, EventDraft)
    assert isinstance(three, EventDraft)
    assert (one.content, three.content) == (TextContent("one"), TextContent("three"))
    assert isinstance(two, InvalidField)
    assert [violation.field for violation in two.violations] == ["events[1].session_id", "events[1].text"]


@pytest.mark.parametrize("count", [0, 1001])
def test_a_batch_has_its_limits(count: int) -> None:
    assert broken(service.BatchRecordEventsRequest(events=[message()] * 1000)) == []
    assert broken(service.BatchRecordEventsRequest(events=[message()] * count)) == ["events"]


def test_nothing_is_recorded_for_another_agent(ada: Principal) -> None:
    with pytest.raises(ScopeForbidden):
        CALLS.read_at_once(service.RecordEventRequest(agent_id="bob", event=message()))


@pytest.mark.parametrize("size", [1, MAX_LOOP_CHARACTERS * TEXT_BYTES + 1])
async def test_a_large_request_is_read_as_a_small_one_is(size: int, ada: Principal) -> None:
    """The caller is known even if the request is read beside the event loop."""
    request = service.RecordEventRequest(event=message(text="字" * size))
    assert (await CALLS.read(request)).scope == ada.scope("")
    draft = await read_request(request, lambda whole: requests.event_draft(whole.event, ALICE))
    assert draft.content == TextContent("字" * size)


@pytest.mark.parametrize(
    ("kinds", "prefix", "contract"),
    [(EventKind, "EVENT_KIND", actor_pb2.EventKind), (ActorType, "ACTOR_TYPE", actor_pb2.ActorType)],
)
def test_the_numbers_are_those_of_the_contract(kinds: Any, prefix: str, contract: Any) -> None:
    named = {f"{prefix}_{kind.name}": kind.value for kind in kinds}
    assert {**named, f"{prefix}_UNSPECIFIED": 0} == dict(contract.items())
