"""Events and chunks as rows: converted to parameters of statements and back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, LiteralString
from uuid import UUID

from camillo_server.features.events.event import (
    Actor,
    Event,
    EventContent,
    EventFilter,
    EventId,
    EventsReplay,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
    Trust,
    WorkflowStatus,
    WorkflowStepContent,
    contents_cost,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ActorType, EventKind, Sensitivity
from camillo_server.kernel.off_loop import MAX_LOOP_CHARACTERS, ROW, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import term_count, vector_parameters
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED, EncryptedJson, JsonLocation
from camillo_server.storage.statements import json_text, scope_parameters, statements
from camillo_server.storage.written_requests import audits_json

SQL = statements("features/events/store/events")
CONTENT_TYPES: Mapping[str, type[EventContent]] = {
    "text": TextContent,
    "json": JsonContent,
    "tool_call": ToolCallContent,
    "tool_result": ToolResultContent,
    "workflow_step": WorkflowStepContent,
}
TYPE_NAMES = {content_type: name for name, content_type in CONTENT_TYPES.items()}


class EventRows:
    """Converts events to rows and back; sensitive content is encrypted in the row."""

    def __init__(self, keyring: Keyring) -> None:
        self._json = EncryptedJson(keyring)

    async def json(self, scope: Scope, events: Sequence[Event]) -> str:
        """A JSON array of the events of a write, as the fragment `event_values` reads them. Raises KeyMissing."""
        # C code encrypts, and reads and writes JSON.
        cost = contents_cost([event.content for event in events], 16 * MAX_LOOP_CHARACTERS) / 16
        return await off_loop(
            len(events) * ROW + cost,
            lambda: f"[{','.join([self._json_of(scope, *each) for each in enumerate(events)])}]",
        )

    async def events(self, scope: Scope, rows: Sequence[Any]) -> list[Event]:
        """The events of this scope, or the tenant's shared ones, in rows with the columns of the fragment
        `event_columns`. Raises KeyMissing, BytesLost."""
        cost = sum(ROW + row.content_bytes / 16 for row in rows)
        return await off_loop(cost, lambda: [self._event(scope, row) for row in rows])

    def _event(self, scope: Scope, row: Any) -> Event:
        return Event(
            event_id=EventId(row.event_id),
            agent_id=AgentId(row.agent_id),
            revision=row.revision,
            index=row.place,
            session_id=row.session_id,
            channel=Channel(row.channel),
            actor=Actor(ActorType(row.actor_type), row.actor_id, Trust(row.trust), row.credential),
            kind=EventKind(row.kind),
            sensitivity=Sensitivity(row.sensitivity),
            tags=tuple(row.tags),
            occurred_at=row.occurred_at,
            recorded_at=row.recorded_at,
            refs=tuple(row.refs),
            importance=row.importance,
            content=self._content(scope, row),
        )

    def _json_of(self, scope: Scope, index: int, event: Event) -> str:
        details, fields = json_text(_content_json(event.content)), _fields(index, event)
        if event.sensitivity < MIN_ENCRYPTED:
            size = len(details) if details.isascii() else len(details.encode())
            fields |= {"content_bytes": size, "key_id": "", "sealed_details": None}
        else:
            location = _location(scope, event.agent_id, event.event_id)
            key_id, encrypted = self._json.encrypt(details, location)
            fields |= {
                "content_bytes": len(encrypted),
                "key_id": key_id,
                "sealed_details": encrypted,
            }
            details = "null"
        # The details are stored as they are written here.
        return f'{json_text(fields)[:-1]},"details":{details}}}'

    def _content(self, scope: Scope, row: Any) -> EventContent:
        if row.sealed_details is None:
            return _content_from(json.loads(row.details))
        location = _location(scope, row.agent_id, row.event_id)
        return _content_from(self._json.read((None, row.key_id, row.sealed_details), location))


def _fields(index: int, event: Event) -> dict[str, Any]:
    """The columns of an event beside its content."""
    return {
        "place": index,
        "event_id": str(event.event_id),
        "session_id": event.session_id,
        "channel": event.channel,
        "actor_type": event.actor.type,
        "actor_id": event.actor.id,
        "kind": event.kind,
        "sensitivity": event.sensitivity,
        "tags": event.tags,
        "occurred_at": event.occurred_at.isoformat(),
        "recorded_at": event.recorded_at.isoformat(),
        "refs": event.refs,
        "importance": event.importance,
        "trust": event.actor.trust,
        "credential": event.actor.credential,
    }


def filter_parameters(filter: EventFilter) -> dict[str, Any]:
    """The parameters of the fragment `event_passes`."""
    return {
        "session_id": filter.session_id or None,
        "kinds": [int(kind) for kind in filter.kinds] or None,
        "actor_types": [int(actor_type) for actor_type in filter.actor_types] or None,
        "tags_any": list(filter.tags_any) or None,
        "tags_all": list(filter.tags_all) or None,
        "occurred_from": filter.occurred_from,
        "occurred_before": filter.occurred_before,
        "ref": filter.ref.lower() or None,
        "sensitivities": [int(level) for level in filter.sensitivities],
        "is_public": filter.is_public,
        "is_step": filter.names_step,
        "workflow": filter.workflow or None,
        "workflow_run": filter.workflow_run or None,
        "workflow_step": filter.workflow_step or None,
        "workflow_statuses": [int(status) for status in filter.workflow_statuses] or None,
    }


def step_rows(events: Sequence[Event]) -> list[dict[str, Any]]:
    """The rows that lists of steps read. Names, sessions and tags are in the clear; the content may be encrypted."""
    return [
        {
            "event_id": event.event_id,
            "workflow": content.workflow,
            "place": index,
            "occurred_at": event.occurred_at,
            "run": content.run,
            "step": content.step,
            "status": content.status,
        }
        for index, event in enumerate(events)
        if isinstance(content := event.content, WorkflowStepContent)
    ]


def _location(scope: Scope, agent_id: str, event_id: UUID) -> JsonLocation:
    return JsonLocation.in_scope(scope.tenant_id, agent_id, "event", event_id)


def _content_json(content: EventContent) -> dict[str, Any]:
    """The fields of the content, and its `type`."""
    fields = {name: getattr(content, name) for name in content.__slots__}
    return {"type": TYPE_NAMES[type(content)], **fields}


def _content_from(value: Mapping[str, Any]) -> EventContent:
    fields = {name: each for name, each in value.items() if name != "type"}
    if value["type"] == "workflow_step":
        fields["status"] = WorkflowStatus(fields["status"])
    return CONTENT_TYPES[value["type"]](**fields)


async def store_event(session: Session, scope: Scope, event: Event, keyring: Keyring) -> None:
    """Stores an event that cites nothing, without chunks, inside the caller's transaction, which holds the lock of the
    scope. Raises KeyMissing."""
    text = await EventRows(keyring).json(scope, [event])
    parameters = {**scope_parameters(scope), "events": f"[{text}]"}
    await session.execute(SQL["insert_event"], parameters)


@dataclass(frozen=True, slots=True)
class PreparedEvents:
    """The events of a call and their few chunks as JSON, these as rows, the steps of workflows among the events, and
    what is kept of its request. `marks`: of its texts, None where no blocked values are known."""

    events: str
    chunks: str
    rows: Sequence[NewRow]
    request: Mapping[str, Any] | None
    replay: EventsReplay
    steps: Sequence[Mapping[str, Any]]
    marks: Sequence[bytes] | None
    audit: Mapping[str, Any]
    now: datetime

    @property
    def byte_count(self) -> int:
        """About how large it is."""
        vectors = sum([row.vector.values.nbytes for row in self.rows if row.vector is not None])
        return len(self.events) + len(self.chunks) + vectors


def record_statement(scope: Scope, writes: Sequence[PreparedEvents]) -> tuple[LiteralString, dict[str, Any]]:
    """The statement that stores these writes in their order, and its parameters."""
    parameters = _record_parameters(scope, writes)
    steps = [{**step, "write": number} for number, each in enumerate(writes, 1) for step in each.steps]
    if steps:
        parameters["steps"] = json_text(steps)
    return _record(bool(steps), bool(parameters["embedded_ids"])), parameters


@cache
def _record(has_steps: bool, has_vectors: bool) -> LiteralString:
    """The statement that records, with or without steps of workflows, and vectors."""
    steps = SQL["insert_steps"] if has_steps else ""
    vectors = SQL["insert_vectors"] if has_vectors else ""
    return SQL["record"].replace("{steps}", steps).replace("{vectors}", vectors)


def _record_parameters(scope: Scope, writes: Sequence[PreparedEvents]) -> dict[str, Any]:
    requests = [{**each.request, "write": number} for number, each in enumerate(writes, 1) if each.request is not None]
    marks: set[bytes] | None = set()
    for each in writes:
        # Without those of one, the statement has to be refused wherever any value is blocked.
        marks = None if marks is None or each.marks is None else marks.union(each.marks)
    return {
        **scope_parameters(scope),
        **vector_parameters([row for each in writes for row in each.rows]),
        "now": writes[0].now,
        "writes": len(writes),
        "requests": json_text(requests),
        "audits": audits_json(each.audit for each in writes),
        "events": f"[{','.join([each.events for each in writes])}]",
        "chunks": f"[{','.join([each.chunks for each in writes])}]",
        "added_chunks": sum([len(each.rows) for each in writes]),
        "added_terms": sum([term_count(each.rows) for each in writes]),
        "fingerprints": None if marks is None else list(marks),
    }
