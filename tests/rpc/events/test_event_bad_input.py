"""Bad events: each is refused with the field and the limit, and the server goes on."""

import math
from typing import Any

import grpc
import pytest
from camillo.v1 import actor_pb2
from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from tests.patience import PATIENCE_SECONDS
from tests.rpc.records import record, text_event, texts, tool_event
from tests.server_fixtures import Server, refused

MIB = 1024 * 1024
TOO_LATE = Timestamp(seconds=253402300800)


def struct(value: dict[str, Any]) -> Struct:
    found = Struct()
    found.update(value)
    return found


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"x": 1}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def nested_lists(levels: int) -> dict[str, Any]:
    value: Any = [1]
    for _ in range(levels - 2):
        value = [value]
    return {"a": value}


def call(**values: Any) -> pb.NewEvent:
    return text_event(kind=actor_pb2.EVENT_KIND_TOOL_CALL, tool_call=pb.ToolCall(**{"tool": "t", **values}))


BAD: dict[str, tuple[pb.NewEvent, str]] = {
    "no session": (text_event(session_id=""), "session_id"),
    "long session": (text_event(session_id="x" * 129), "session_id"),
    "no actor": (text_event(actor=actor_pb2.Actor()), "actor.id"),
    "unknown actor": (
        text_event(actor=actor_pb2.Actor(type=9, id="x")),  # type: ignore[arg-type]
        "actor.type",
    ),
    "unknown kind": (text_event(kind=99), "kind"),
    "unknown channel": (text_event(channel=99), "channel"),
    "unknown sensitivity": (text_event(sensitivity=-1), "sensitivity"),
    "no content": (pb.NewEvent(session_id="s", actor=actor_pb2.Actor(type=1, id="u")), "content"),  # type: ignore[arg-type]
    "content of another kind": (text_event("x", kind=2), "content"),
    "a tool's content in a message": (text_event(tool_call=pb.ToolCall(tool="t")), "content"),
    "empty text": (text_event(""), "text"),
    "large text": (text_event("x" * (MIB + 1)), "text"),
    "NUL": (text_event("a\0b"), "text"),
    "large JSON": (text_event(json=struct({"a": "x" * MIB})), "json"),
    "NUL in JSON": (text_event(json=struct({"a": {"b": ["\0"]}})), "json.a.b[0]"),
    "NUL in a key": (text_event(json=struct({"a\0": 1})), "json"),
    "not a number": (text_event(json=struct({"a": math.nan})), "json.a"),
    "deep lists": (text_event(json=struct(nested_lists(33))), "json"),
    "large arguments": (call(arguments=struct({"a": "x" * (MIB // 4)})), "tool_call.arguments"),
    "no tool": (call(tool=""), "tool_call.tool"),
    "long call id": (call(call_id="x" * 129), "tool_call.call_id"),
    "large output": (tool_event("x" * (8 * MIB + 1)), "tool_result.excerpt_text"),
    "lines backwards": (tool_event("x", line_range=pb.LinesHeld(first=2, last=1)), "tool_result.line_range.last"),
    "a part of nothing": (tool_event("x", truncated=True), "tool_result.artifact_id"),
    "too late": (text_event(occurred_at=TOO_LATE), "occurred_at"),
    "too important": (text_event(importance=1.5), "importance"),
    "many tags": (text_event(tags=[*map(str, range(65))]), "tags"),
    "many refs": (text_event(refs=[*map(str, range(65))]), "refs"),
    "an empty ref": (text_event(refs=[""]), "refs[0]"),
}


async def test_a_bad_event_is_refused_with_its_field(server: Server) -> None:
    for name, (event, field) in BAD.items():
        told = await refused(server.alice(service.RecordEventRequest(event=event)))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"), name
        assert f"event.{field}" in told.fields, name
        assert len(told.message) < 1000, name
        await record(server.alice, f"good, not {name}")
    assert await texts(server.alice) == [f"good, not {name}" for name in BAD]


@pytest.mark.parametrize(
    ("event", "limit"),
    [
        (text_event("x" * (MIB + 1)), "1048576"),
        (text_event(json=struct({"a": "x" * MIB})), "1048576"),
        (tool_event("x" * (8 * MIB + 1)), "8388608"),
    ],
)
async def test_what_is_too_large_is_pointed_to_artifacts(server: Server, event: pb.NewEvent, limit: str) -> None:
    told = await refused(server.alice(service.RecordEventRequest(event=event)))
    assert limit in told.message
    assert "ArtifactService.PutArtifact" in told.message


async def test_fifty_megabytes_in_one_event_are_refused_and_the_server_goes_on(server: Server) -> None:
    request = service.RecordEventRequest(event=text_event("x" * (50 * MIB)))
    told = await refused(server.alice(request))
    assert told.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    await record(server.alice, "good")
    assert await texts(server.alice) == ["good"]


@pytest.mark.parametrize("levels", [33, 40])
async def test_objects_that_are_too_deep_are_refused(server: Server, levels: int) -> None:
    """Deeper than messages can be read at all."""
    request = service.RecordEventRequest(event=text_event(json=struct({})))
    request.event.json.update(nested(levels))
    told = await refused(server.alice(request))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")


@pytest.mark.parametrize("make", [nested, nested_lists])
async def test_the_deepest_json_is_recorded_listed_and_watched(server: Server, make: Any) -> None:
    await server.alice(service.RecordEventRequest(event=call(arguments=struct(make(32)))))
    (event,) = (await server.alice(service.ListEventsRequest())).events
    assert event.stated.tool_call.arguments == struct(make(32))
    watch = server.alice.begin(service.WatchEventsRequest(from_beginning=True), timeout=PATIENCE_SECONDS)
    assert (await anext(aiter(watch))).change.recorded == event
    watch.cancel()


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (service.BatchRecordEventsRequest(), "events"),
        (service.BatchRecordEventsRequest(events=[text_event()] * 1001), "events"),
        (service.RecordEventRequest(event=text_event(), request_id="x" * 129), "request_id"),
        (service.RecordEventRequest(event=text_event(), agent_id="a b"), "agent_id"),
        (service.GetEventRequest(event_id="x"), "event_id"),
        (service.ListEventsRequest(page_size=1001), "page_size"),
        (service.ListEventsRequest(page_size=-1), "page_size"),
        (service.ListEventsRequest(channel=9), "channel"),  # type: ignore[arg-type]
        (service.ListEventsRequest(filter=pb.EventFilter(kinds=[9])), "filter.kinds"),  # type: ignore[list-item]
        (service.ForgetEventsRequest(), "event_ids.ids"),
        (service.ForgetEventsRequest(session_id=""), "session_id"),
    ],
)
async def test_a_bad_request_is_refused_with_its_field(server: Server, request_: Message, field: str) -> None:
    told = await refused(server.admin(request_))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, (field,))


@pytest.mark.parametrize("token", ["x", "AQ", "AQ.1", ".", "ключ", "x" * 10_000])
async def test_a_forged_token_is_refused(server: Server, token: str) -> None:
    listing = service.ListEventsRequest(page_token=token)
    assert (await refused(server.alice(listing))).reason == "INVALID_PAGE_TOKEN"
    call = server.alice.begin(service.WatchEventsRequest(resume_token=token), timeout=PATIENCE_SECONDS)
    assert (await refused(anext(aiter(call)))).reason == "INVALID_PAGE_TOKEN"


async def test_a_watch_has_to_say_where_to_begin(server: Server) -> None:
    call = server.alice.begin(service.WatchEventsRequest(), timeout=PATIENCE_SECONDS)
    assert (await refused(anext(aiter(call)))).fields == ("start",)
