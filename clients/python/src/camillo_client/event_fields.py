"""Keyword arguments that describe an event, filters of events, and the size that an event may have."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from google.protobuf.struct_pb2 import Struct
from grpc import StatusCode

from camillo.v1.actor_pb2 import Actor, ActorType, EventKind, WorkflowStatus
from camillo.v1.event_pb2 import (
    EventFilter,
    LinesHeld,
    NewEvent,
    ToolCall,
    ToolResult,
    WorkflowStep,
)
from camillo.v1.memory_pb2 import Sensitivity
from camillo_client.artifact_fields import ChannelLike
from camillo_client.convert import SensitivityLevel, to_enum
from camillo_client.errors import Failure, FieldViolation, InvalidArgument
from camillo_client.keyword_fields import Conversions, to_enums, wire_values
from camillo_client.named_arguments import names_arguments

MAX_TEXT_BYTES = 1024 * 1024
MAX_OUTPUT_BYTES = 8 * 1024 * 1024
AN_ARTIFACT = "store it as an artifact (artifacts.put, or 'camillo artifact put')"
INTO_AN_ARTIFACT = f"{AN_ARTIFACT} and name its id in refs"
BESIDE_AN_ARTIFACT = f"{AN_ARTIFACT} and give its artifact_id with the beginning"

EventKindName: TypeAlias = Literal[
    "message",
    "tool_call",
    "tool_result",
    "decision",
    "task_update",
    "workflow_step",
    "artifact",
]
WorkflowStatusName: TypeAlias = Literal["started", "succeeded", "failed", "skipped"]
ActorTypeName: TypeAlias = Literal["human", "agent", "tool", "system"]
# As text `human:ada`.
ActorLike: TypeAlias = str | tuple[ActorTypeName, str] | Actor
JsonObject: TypeAlias = Mapping[str, Any]


class NewEventFields(TypedDict, total=False):
    """Fields of a new event; exactly one of text, `json`, `tool_call`, `tool_result` and `workflow_step` is its
    content."""

    # The conversation.
    session_id: str
    # Who caused it: `human:ada`, or ("human", "ada").
    actor: ActorLike
    # Default: as the content says, else a message.
    kind: EventKindName | EventKind
    # Where it happened; default: private.
    channel: ChannelLike | None
    # Default: internal.
    sensitivity: SensitivityLevel | Sensitivity
    tags: Iterable[str]
    # Default: now.
    occurred_at: datetime.datetime | None
    # Ids of what it is about.
    refs: Iterable[str]
    json: JsonObject
    tool_call: ToolCall
    tool_result: ToolResult
    workflow_step: WorkflowStep
    # 0 to 1; default: found by rules.
    importance: float | None


class WorkflowStepFields(TypedDict, total=False):
    """Fields of an event that tells of a step, beside its content, and of the call; see NewEventFields."""

    session_id: str
    actor: ActorLike
    channel: ChannelLike | None
    sensitivity: SensitivityLevel | Sensitivity
    tags: Iterable[str]
    occurred_at: datetime.datetime | None
    refs: Iterable[str]
    importance: float | None
    omit_forgotten: bool
    agent_id: str | None
    request_id: str | None
    timeout: float | None


class EventFilterFields(TypedDict, total=False):
    """Conditions that all have to hold; the limits are those of `EventFilter`."""

    session_id: str
    kinds: Iterable[EventKindName | EventKind]
    actor_types: Iterable[ActorTypeName | ActorType]
    tags_any: Iterable[str]
    tags_all: Iterable[str]
    occurred_from: datetime.datetime | None
    occurred_before: datetime.datetime | None
    max_sensitivity: SensitivityLevel | Sensitivity | None
    # Names this id among its refs.
    ref: str
    # Steps of this workflow, of this run of it, of this name, that stand so.
    workflow: str
    workflow_run: str
    workflow_step: str
    workflow_status: WorkflowStatusName | WorkflowStatus


@names_arguments
def new_event(text: str | None = None, **fields: Unpack[NewEventFields]) -> NewEvent:
    """An event to record; the limits are those of `NewEvent`. ValueError unless it has exactly one content."""
    values = wire_values(fields, NewEventFields.__optional_keys__, "an event", _CONVERSIONS)
    if (text is not None) + len(values.keys() & set(_CONTENTS)) != 1:
        raise ValueError(f"an event has one of text, {', '.join(_CONTENTS[:-1])} and {_CONTENTS[-1]}")
    for name, kind in _KIND_OF_CONTENT.items():
        if name in values:
            values.setdefault("kind", kind)
    return NewEvent(text=text, **values)


def event_filter(**fields: Unpack[EventFilterFields]) -> EventFilter:
    """The filter of a list or a watch of events."""
    allowed = EventFilterFields.__optional_keys__
    return EventFilter(**wire_values(fields, allowed, "a filter of events", _CONVERSIONS))


@names_arguments
def tool_call(tool: str, arguments: JsonObject | None = None, *, call_id: str = "") -> ToolCall:
    """A call of a tool, as the content of an event."""
    given = None if arguments is None else _struct(arguments)
    return ToolCall(tool=tool, call_id=call_id, arguments=given)


@names_arguments
def tool_result(
    tool: str,
    text: str,
    *,
    call_id: str = "",
    path: str = "",
    lines: tuple[int, int] | None = None,
    artifact_id: str = "",
    is_error: bool = False,
    exit_code: int | None = None,
) -> ToolResult:
    """The answer of a tool, as the content of an event: up to 8 MiB. With an `artifact_id` the text is a part of that
    artifact."""
    return ToolResult(
        tool=tool,
        excerpt_text=text,
        call_id=call_id,
        path=path,
        line_range=None if lines is None else LinesHeld(first=lines[0], last=lines[1]),
        artifact_id=artifact_id,
        truncated=bool(artifact_id),
        is_error=is_error,
        exit_code=exit_code,
    )


@names_arguments
def workflow_step(
    workflow: str,
    step: str,
    output: str = "",
    *,
    status: WorkflowStatusName | WorkflowStatus = "succeeded",
    run: str = "",
) -> WorkflowStep:
    """A step of a workflow, as the content of an event: its output has up to 8 MiB."""
    return WorkflowStep(workflow=workflow, run=run, step=step, status=to_enum(WorkflowStatus, status), output=output)


def to_actor(actor: ActorLike) -> Actor:
    """The actor in `human:ada` or ("human", "ada"); ValueError for an unknown type or an empty id."""
    if isinstance(actor, Actor):
        return actor
    if isinstance(actor, str):
        kind, _, name = actor.partition(":")
    else:
        kind, name = actor
    if not name:
        raise ValueError(f"{actor!r} names nobody: give a type and a name, such as human:ada")
    return Actor(type=to_enum(ActorType, kind), id=name)


class EventTooLarge(InvalidArgument):
    """The content is larger than an event may be: store it as an artifact. Nothing was sent."""


def too_large(event: NewEvent) -> EventTooLarge | None:
    """The reason why the event cannot be sent; None if it can."""
    content = event.WhichOneof("content")
    if content == "tool_result":
        text, most, way = (
            event.tool_result.excerpt_text,
            MAX_OUTPUT_BYTES,
            BESIDE_AN_ARTIFACT,
        )
        field = "content.tool_result.excerpt_text"
    elif content == "workflow_step":
        text, most, way = event.workflow_step.output, MAX_OUTPUT_BYTES, INTO_AN_ARTIFACT
        field = "content.workflow_step.output"
    elif content == "text":
        text, most, way, field = event.text, MAX_TEXT_BYTES, INTO_AN_ARTIFACT, "content.text"
    else:
        # The size of JSON is another one than that of its message: the server measures it.
        return None
    size = len(text.encode("utf-8"))
    if size <= most:
        return None
    told = f"{size:,} bytes, more than the {most:,} that an event holds: {way}"
    violation = FieldViolation(field, told)
    return EventTooLarge(
        Failure(
            StatusCode.INVALID_ARGUMENT,
            "the event is too large",
            reason="INVALID_FIELD",
            field_violations=(violation,),
        )
    )


class Sendable:
    """Iterates over the events that can be sent, and keeps the others with their indexes."""

    def __init__(self, events: Iterable[NewEvent]) -> None:
        self._events = events
        self.refused: list[tuple[int, EventTooLarge]] = []

    def __iter__(self) -> Iterator[NewEvent]:
        for place, event in enumerate(self._events):
            refusal = too_large(event)
            if refusal is None:
                yield event
            else:
                self.refused.append((place, refusal))


def _struct(value: JsonObject) -> Struct:
    struct = Struct()
    struct.update(value)
    return struct


_KIND_OF_CONTENT = {
    "tool_call": EventKind.EVENT_KIND_TOOL_CALL,
    "tool_result": EventKind.EVENT_KIND_TOOL_RESULT,
    "workflow_step": EventKind.EVENT_KIND_WORKFLOW_STEP,
}
_CONTENTS = ("json", *_KIND_OF_CONTENT)
_CONVERSIONS: Conversions = {
    "actor": to_actor,
    "kind": partial(to_enum, EventKind),
    "kinds": partial(to_enums, EventKind),
    "workflow_status": partial(to_enum, WorkflowStatus),
    "actor_types": partial(to_enums, ActorType),
    "json": _struct,
}
