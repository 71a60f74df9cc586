"""Events as rows: what goes into a statement, what comes out of one."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from camillo_server.crypto.keyring import Keyring
from camillo_server.events.event import (
    Actor,
    ActorType,
    Event,
    EventContent,
    EventFilter,
    EventId,
    EventKind,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
    contents_cost,
)
from camillo_server.events.store.chunk_rows import array_text
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.memories.store.encrypted_rows import MIN_ENCRYPTED
from camillo_server.storage.encrypted_json import EncryptedJson, JsonLocation

Row = Sequence[Any]

PURPOSE = "event"
CONTENT_BYTES, SEALED_DETAILS = 15, 18
COLUMN_COUNT = 19
# Writing or reading one event that is all but empty, and each further byte: JSON, encryption.
EVENT_MICROSECONDS = 30.0
BYTE_MICROSECONDS = 1 / 64
CONTENT_TYPES: Mapping[type, str] = {
    TextContent: "text",
    JsonContent: "json",
    ToolCallContent: "tool_call",
    ToolResultContent: "tool_result",
}


class EventRows:
    """Turns events into rows and back; what is sensitive is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = EncryptedJson(keyring)

    async def columns(self, scope: Scope, events: Sequence[Event]) -> dict[str, list[Any]]:
        """A list for each column of the statement `record`, the events in their order. Raises KeyMissing."""
        cost = contents_cost((event.content for event in events), BYTE_MICROSECONDS)
        return await off_loop(
            len(events) * EVENT_MICROSECONDS + cost, lambda: self._columns(scope, events)
        )

    async def events(self, scope: Scope, rows: Sequence[Row]) -> list[Event]:
        """The events in the columns of the fragment `event_columns`. Raises KeyMissing, BytesLost."""
        cost = sum(EVENT_MICROSECONDS + row[CONTENT_BYTES] * BYTE_MICROSECONDS for row in rows)
        return await off_loop(cost, lambda: [self._event(scope, row) for row in rows])

    def _event(self, scope: Scope, row: Row) -> Event:
        """The event of one row. Raises KeyMissing, BytesLost."""
        return Event(
            event_id=EventId(row[0]),
            agent_id=AgentId(row[1]),
            revision=row[2],
            place=row[3],
            session_id=row[4],
            channel=Channel(row[5]),
            actor=Actor(ActorType(row[6]), row[7]),
            kind=EventKind(row[8]),
            sensitivity=Sensitivity(row[9]),
            tags=tuple(row[10]),
            occurred_at=row[11],
            recorded_at=row[12],
            refs=tuple(row[13]),
            importance=row[14],
            content=self._content(scope, row),
        )

    def _columns(self, scope: Scope, events: Sequence[Event]) -> dict[str, list[Any]]:
        rows = [self._parameters(scope, event) for event in events]
        return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}

    def _parameters(self, scope: Scope, event: Event) -> dict[str, Any]:
        return {
            "event_ids": event.event_id,
            "session_ids": event.session_id,
            "channels": int(event.channel),
            "actor_types": int(event.actor.type),
            "actor_ids": event.actor.id,
            "kinds": int(event.kind),
            "sensitivities": int(event.sensitivity),
            "event_tags": array_text(event.tags),
            "event_times": event.occurred_at,
            "recorded_at": event.recorded_at,
            "refs": array_text(event.refs),
            "importances": event.importance,
            **self._content_columns(scope, event),
        }

    def _content_columns(self, scope: Scope, event: Event) -> dict[str, Any]:
        value = _content_json(event.content)
        if event.sensitivity >= MIN_ENCRYPTED:
            columns = self._sealed.columns(value, _place(scope, event.event_id), encrypted=True)
            sealed = columns["sealed_details"]
            return {
                "content_bytes": len(sealed),
                "key_ids": columns["key_id"],
                "details": None,
                "sealed_details": sealed,
            }
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return {
            "content_bytes": len(text.encode()),
            "key_ids": "",
            "details": text,
            "sealed_details": None,
        }

    def _content(self, scope: Scope, row: Row) -> EventContent:
        key_id, details, sealed = row[SEALED_DETAILS - 2 : SEALED_DETAILS + 1]
        if sealed is None:
            return _content_from(json.loads(details))
        place = _place(scope, EventId(row[0]))
        return _content_from(self._sealed.read((None, key_id, sealed), place))


def filter_parameters(wanted: EventFilter) -> dict[str, Any]:
    """The parameters of the fragment `event_passes`."""
    return {
        "session_id": wanted.session_id or None,
        "kinds": [int(kind) for kind in wanted.kinds] or None,
        "actor_types": [int(actor_type) for actor_type in wanted.actor_types] or None,
        "tags_any": list(wanted.tags_any) or None,
        "tags_all": list(wanted.tags_all) or None,
        "occurred_from": wanted.occurred_from,
        "occurred_before": wanted.occurred_before,
        "ref": wanted.ref.lower() or None,
        "sensitivities": [int(level) for level in wanted.sensitivities],
        "is_public": wanted.is_public,
    }


def _place(scope: Scope, event_id: EventId) -> JsonLocation:
    return JsonLocation(scope.tenant_id, PURPOSE, f"{scope.agent_id}\0{event_id}")


def _content_json(content: EventContent) -> dict[str, Any]:
    """Told apart by `type`."""
    told = CONTENT_TYPES[type(content)]
    match content:
        case TextContent(text):
            return {"type": told, "text": text}
        case JsonContent(value):
            return {"type": told, "value": dict(value)}
        case ToolCallContent():
            return {
                "type": told,
                "tool": content.tool,
                "call_id": content.call_id,
                "arguments": dict(content.arguments),
            }
        case ToolResultContent():
            return {
                "type": told,
                "tool": content.tool,
                "call_id": content.call_id,
                "path": content.path,
                "excerpt_text": content.excerpt_text,
                "first_line": content.first_line,
                "last_line": content.last_line,
                "truncated": content.truncated,
                "artifact_id": content.artifact_id,
                "is_error": content.is_error,
                "exit_code": content.exit_code,
            }


def _content_from(value: Mapping[str, Any]) -> EventContent:
    fields = dict(value)
    match fields.pop("type"):
        case "text":
            return TextContent(**fields)
        case "json":
            return JsonContent(**fields)
        case "tool_call":
            return ToolCallContent(**fields)
        case _:
            return ToolResultContent(**fields)
