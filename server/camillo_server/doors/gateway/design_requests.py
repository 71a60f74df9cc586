"""Requests in the form of the context daemon's design, as requests of the contract."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from camillo.v1 import actor_pb2 as actors
from camillo.v1 import artifact_service_pb2 as artifacts
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import decision_pb2, event_pb2, memory_pb2, task_pb2
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import snapshot_service_pb2 as bundles
from camillo.v1 import task_service_pb2 as tasks

from camillo_server.doors.gateway.bindings import FieldReader, struct_of
from camillo_server.doors.rpc.field_limits import broken_limits

CHANNELS: Mapping[str, int] = {
    "public": channels.CHANNEL_PUBLIC,
    "private": channels.CHANNEL_PRIVATE,
    "team": channels.CHANNEL_TEAM,
    "agent": channels.CHANNEL_AGENT,
}
ACTOR_TYPES: Mapping[str, int] = {
    "human": actors.ACTOR_TYPE_HUMAN,
    "agent": actors.ACTOR_TYPE_AGENT,
    "tool": actors.ACTOR_TYPE_TOOL,
}
KINDS: Mapping[str, int] = {
    "message": actors.EVENT_KIND_MESSAGE,
    "tool_call": actors.EVENT_KIND_TOOL_CALL,
    "tool_result": actors.EVENT_KIND_TOOL_RESULT,
    "decision": actors.EVENT_KIND_DECISION,
    "task_update": actors.EVENT_KIND_TASK_UPDATE,
    "artifact": actors.EVENT_KIND_ARTIFACT,
}
# `secret` is not among them: the design stores nothing of it, and no channel loads it.
SENSITIVITIES: Mapping[str, int] = {
    "none": memory_pb2.SENSITIVITY_PUBLIC,
    "low": memory_pb2.SENSITIVITY_INTERNAL,
    "high": memory_pb2.SENSITIVITY_CONFIDENTIAL,
}
REACHES: Mapping[str, int] = {
    "project": decision_pb2.DECISION_REACH_PROJECT,
    "user": decision_pb2.DECISION_REACH_USER,
    "global": decision_pb2.DECISION_REACH_GLOBAL,
}
DECISION_STATUSES: Mapping[str, int] = {
    "active": decision_pb2.DECISION_STATUS_ACTIVE,
    "superseded": decision_pb2.DECISION_STATUS_SUPERSEDED,
}
TASK_STATUSES: Mapping[str, int] = {
    "open": task_pb2.TASK_STATUS_OPEN,
    "doing": task_pb2.TASK_STATUS_DOING,
    "done": task_pb2.TASK_STATUS_DONE,
}
# Fields of the query of decisions that may be repeated.
QUERY_LISTS = frozenset({"status", "scope"})
# The budget of the design, which no bundle may pass.
MAX_BUNDLE_TOKENS = 65_000
MAX_DECISIONS, DEFAULT_DECISIONS = 200, 50
LIMIT = re.compile(r"[1-9][0-9]{0,2}")
# Stands for the id of an event that is not recorded yet.
EVENT_TO_COME = "event"
REASONS = ("rationale", "constraints", "alternatives", "consequences")
# Fields of a task that a change may name.
TASK_FIELDS = ("title", "details", "status", "refs", "session_id", "sensitivity", "channel")


class EventToRecord(NamedTuple):
    """An event, and the decision that it tells, if it is one; the first of its refs is to be the event's id."""

    request: events.RecordEventRequest
    decision: decision_pb2.NewDecision | None


def event_to_record(fields: FieldReader) -> EventToRecord:
    """The body of POST /api/v1/events. Raises InvalidField."""
    agent_id = fields.text("agent_id")
    actor = fields.reader("actor")
    stated: Any = event_pb2.NewEvent(
        session_id=fields.required_text("session_id"),
        channel=fields.one_of("channel", CHANNELS),  # type: ignore[arg-type]
        actor=actors.Actor(
            type=actor.one_of("type", ACTOR_TYPES),  # type: ignore[arg-type]
            id=actor.required_text("id"),
        ),
        kind=fields.one_of("kind", KINDS),  # type: ignore[arg-type]
        sensitivity=_sensitivity(fields),  # type: ignore[arg-type]
        tags=fields.texts("tags"),
        refs=fields.texts("refs"),
    )
    actor.done()
    content = fields.object("content")
    fields.done()
    _fill_content(stated, content)
    is_decision = stated.kind == actors.EVENT_KIND_DECISION
    decision = _decision_of_event(stated, content) if is_decision else None
    return EventToRecord(events.RecordEventRequest(agent_id=agent_id, event=stated), decision)


def bundle_request(fields: FieldReader) -> bundles.BuildBundleRequest:
    """The body of POST /api/v1/acb/build. Raises InvalidField."""
    max_tokens = fields.integer("max_tokens", MAX_BUNDLE_TOKENS)
    if not 0 < max_tokens <= MAX_BUNDLE_TOKENS:
        fields.fail("max_tokens", f"must be 1 to {MAX_BUNDLE_TOKENS}")
    request = bundles.BuildBundleRequest(
        agent_id=fields.text("agent_id"),
        session_id=fields.required_text("session_id"),
        channel=fields.one_of("channel", CHANNELS),  # type: ignore[arg-type]
        intent=fields.text("intent"),
        query_text=fields.text("query_text"),
        max_tokens=max_tokens,
    )
    fields.done()
    return request


def decision_request(fields: FieldReader) -> decisions.RecordDecisionRequest:
    """The body of POST /api/v1/decisions. Raises InvalidField."""
    agent_id = fields.text("agent_id")
    # One that is superseded has a successor, which this path cannot name.
    fields.one_of("status", {"active": decision_pb2.DECISION_STATUS_ACTIVE}, "active")
    decision: Any = decision_pb2.NewDecision(
        session_id=fields.text("session_id"),
        channel=fields.one_of("channel", CHANNELS, "private"),  # type: ignore[arg-type]
        sensitivity=_sensitivity(fields),  # type: ignore[arg-type]
        tags=fields.texts("tags"),
        refs=fields.texts("refs"),
    )
    _fill_decision(decision, fields)
    fields.done()
    return decisions.RecordDecisionRequest(agent_id=agent_id, decision=decision)


def decision_query(fields: FieldReader) -> decisions.QueryDecisionsRequest:
    """The query of GET /api/v1/decisions/query. Raises InvalidField."""
    limit = fields.text("limit") or str(DEFAULT_DECISIONS)
    if not LIMIT.fullmatch(limit) or int(limit) > MAX_DECISIONS:
        fields.fail("limit", f"must be 1 to {MAX_DECISIONS}")
    request = decisions.QueryDecisionsRequest(
        agent_id=fields.text("agent_id"),
        text=fields.text("query_text"),
        channel=fields.one_of("channel", CHANNELS, "private"),  # type: ignore[arg-type]
        page_size=int(limit),
        filter=_decision_filter(fields),
    )
    fields.done()
    return request


def _decision_filter(fields: FieldReader) -> decisions.DecisionFilter:
    return decisions.DecisionFilter(
        session_id=fields.text("session_id"),
        ref=fields.text("ref"),
        statuses=fields.some_of("status", DECISION_STATUSES),  # type: ignore[arg-type]
        reaches=fields.some_of("scope", REACHES),  # type: ignore[arg-type]
    )


def task_request(fields: FieldReader) -> tasks.UpsertTaskRequest:
    """The body of POST /api/v1/tasks: of a task that is there already only the fields that it names. Raises
    InvalidField."""
    task_id = fields.text("task_id")
    named = [name for name in TASK_FIELDS if name in fields]
    request: Any = tasks.UpsertTaskRequest(
        agent_id=fields.text("agent_id"),
        task_id=task_id,
        task=task_pb2.NewTask(
            title=fields.text("title"),
            details=fields.text("details"),
            status=fields.one_of("status", TASK_STATUSES, "open"),  # type: ignore[arg-type]
            refs=fields.texts("refs"),
            session_id=fields.text("session_id"),
            sensitivity=_sensitivity(fields),  # type: ignore[arg-type]
            channel=fields.one_of("channel", CHANNELS, "private"),  # type: ignore[arg-type]
        ),
    )
    fields.done()
    if task_id and not named:
        fields.fail("task_id", "is alone: name what is to change")
    if task_id:
        request.update_mask.paths.extend(named)
    return request  # type: ignore[no-any-return]


def artifact_lookup(fields: FieldReader, artifact_id: str) -> artifacts.GetArtifactRequest:
    """The query of GET /api/v1/artifacts/{id}. Raises InvalidField."""
    request = artifacts.GetArtifactRequest(
        agent_id=fields.text("agent_id"),
        artifact_id=artifact_id,
        channel=fields.one_of("channel", CHANNELS, "private"),  # type: ignore[arg-type]
    )
    fields.done()
    return request


def _sensitivity(fields: FieldReader) -> int:
    return fields.one_of("sensitivity", SENSITIVITIES, "none")


def _fill_content(event: Any, content: dict[str, Any]) -> None:
    fields = FieldReader(content, "content.")
    if event.kind == actors.EVENT_KIND_TOOL_CALL:
        _fill_tool_call(event.tool_call, fields)
    elif event.kind == actors.EVENT_KIND_TOOL_RESULT:
        _fill_tool_result(event.tool_result, fields)
    elif content.keys() == {"text"}:
        event.text = fields.required_text("text")
    else:
        # The design stores any JSON.
        event.json.CopyFrom(struct_of(content, "content"))


def _fill_tool_call(call: Any, fields: FieldReader) -> None:
    call.tool = fields.required_text("tool")
    call.call_id = fields.text("call_id")
    if "arguments" in fields:
        call.arguments.CopyFrom(struct_of(fields.object("arguments"), "content.arguments"))
    fields.done()


def _fill_tool_result(result: Any, fields: FieldReader) -> None:
    result.tool = fields.required_text("tool")
    result.path = fields.text("path")
    result.excerpt_text = fields.text("excerpt_text")
    result.truncated = fields.flag("truncated")
    result.artifact_id = fields.text("artifact_id")
    if lines := fields.integers("line_range"):
        if len(lines) != 2:
            fields.fail("line_range", "must be the first and the last line")
        result.line_range.first, result.line_range.last = lines
    fields.done()


def _decision_of_event(event: Any, content: dict[str, Any]) -> decision_pb2.NewDecision:
    """The decision in an event of the kind decision: its `text`, or the fields of a decision. Raises InvalidField, also
    for what the contract allows in an event but not in a decision: then the event is not recorded, either."""
    decision: Any = decision_pb2.NewDecision(
        session_id=event.session_id,
        channel=event.channel,
        sensitivity=event.sensitivity,
        tags=event.tags,
        refs=[EVENT_TO_COME, *event.refs],
    )
    if event.text:
        decision.decision = event.text
    else:
        fields = FieldReader(content, "content.")
        _fill_decision(decision, fields)
        fields.done()
    broken = broken_limits(decision, "content.")
    if broken is not None:
        raise broken
    return decision  # type: ignore[no-any-return]


def _fill_decision(decision: Any, fields: FieldReader) -> None:
    decision.decision = fields.required_text("decision")
    decision.reach = fields.one_of("scope", REACHES, "project")
    for name in REASONS:
        getattr(decision, name).extend(fields.texts(name))
