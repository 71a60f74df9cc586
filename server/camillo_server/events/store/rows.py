"""Events and chunks as rows: converted to parameters of statements and back."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

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
    Trust,
    contents_cost,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import TimeSlices, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import NewRow
from camillo_server.memories.store.rows import row_parameters
from camillo_server.memories.store.staging import insert_staged, row_cost, stage
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED, EncryptedJson, JsonLocation
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("events/store/events")
# Writing or reading one event that is all but empty, and each further byte: JSON, encryption.
EVENT_MICROSECONDS = 30.0
BYTE_MICROSECONDS = 1 / 64
CONTENT_TYPES: Mapping[str, type[EventContent]] = {
    "text": TextContent,
    "json": JsonContent,
    "tool_call": ToolCallContent,
    "tool_result": ToolResultContent,
}
TYPE_NAMES = {content_type: name for name, content_type in CONTENT_TYPES.items()}

CHUNKS_IN_A_STATEMENT = 32
# The columns of chunks, which are the list parameters of the statement.
COLUMNS = re.findall(r"%\((\w+)\)b", SQL["insert_chunks"])
ARRAYS = ("tags", "source_refs")


class EventRows:
    """Converts events to rows and back; sensitive content is encrypted in the row."""

    def __init__(self, keyring: Keyring) -> None:
        self._json = EncryptedJson(keyring)

    async def columns(self, scope: Scope, events: Sequence[Event]) -> dict[str, list[Any]]:
        """A list for each column of the statement `record`, the events in their order. Raises KeyMissing."""
        cost = contents_cost((event.content for event in events), BYTE_MICROSECONDS)
        return await off_loop(
            len(events) * EVENT_MICROSECONDS + cost, lambda: self._columns(scope, events)
        )

    async def events(self, scope: Scope, rows: Sequence[Any]) -> list[Event]:
        """The events in rows with the columns of the fragment `event_columns`. Raises KeyMissing, BytesLost."""
        cost = sum(EVENT_MICROSECONDS + row.content_bytes * BYTE_MICROSECONDS for row in rows)
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
            "trusts": int(event.actor.trust),
            "credentials": event.actor.credential,
            **self._content_columns(scope, event),
        }

    def _content_columns(self, scope: Scope, event: Event) -> dict[str, Any]:
        value = _content_json(event.content)
        if event.sensitivity >= MIN_ENCRYPTED:
            location = _location(scope, event.event_id)
            columns = self._json.columns(value, location, encrypted=True)
            encrypted = columns["sealed_details"]
            return {
                "content_bytes": len(encrypted),
                "key_ids": columns["key_id"],
                "details": None,
                "sealed_details": encrypted,
            }
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return {
            "content_bytes": len(text.encode()),
            "key_ids": "",
            "details": text,
            "sealed_details": None,
        }

    def _content(self, scope: Scope, row: Any) -> EventContent:
        if row.sealed_details is None:
            return _content_from(json.loads(row.details))
        location = _location(scope, row.event_id)
        return _content_from(self._json.read((None, row.key_id, row.sealed_details), location))


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
    }


def _location(scope: Scope, event_id: UUID) -> JsonLocation:
    return JsonLocation.in_scope(scope.tenant_id, scope.agent_id, "event", event_id)


def _content_json(content: EventContent) -> dict[str, Any]:
    """The fields of the content, and its `type`."""
    fields = {name: getattr(content, name) for name in content.__slots__}
    return {"type": TYPE_NAMES[type(content)], **fields}


def _content_from(value: Mapping[str, Any]) -> EventContent:
    fields = {name: each for name, each in value.items() if name != "type"}
    return CONTENT_TYPES[value["type"]](**fields)


async def rows_with_terms(rows: Sequence[NewRow]) -> Sequence[NewRow]:
    """The rows, with their terms counted once where they are few: the terms of many would take many times the bytes of
    their texts."""
    if len(rows) > CHUNKS_IN_A_STATEMENT:
        return rows
    counted, slices = [], TimeSlices()
    for row in rows:
        counted.append(row.with_terms())
        await slices.spend(row_cost(row))
    return counted


def fit_in_a_statement(rows: Sequence[NewRow]) -> bool:
    """Few, and without vectors."""
    return len(rows) <= CHUNKS_IN_A_STATEMENT and all(row.vector is None for row in rows)


async def chunk_columns(scope: Scope, rows: Sequence[NewRow], keyring: Keyring) -> dict[str, Any]:
    """A list for each column of the fragment `insert_chunks`. Raises KeyMissing."""
    parameters, slices = [], TimeSlices()
    for row in rows:
        parameters.append(row_parameters(scope, row, keyring))
        await slices.spend(row_cost(row))
    columns: dict[str, Any] = {name: [row[name] for row in parameters] for name in COLUMNS}
    for name in ARRAYS:
        columns[name] = [array_text(values) for values in columns[name]]
    return scope_parameters(scope) | columns


async def store_event(session: Session, scope: Scope, event: Event, keyring: Keyring) -> None:
    """Stores an event that cites nothing, without chunks, inside the caller's transaction, which holds the lock of the
    scope. Raises KeyMissing."""
    columns = await EventRows(keyring).columns(scope, [event])
    await session.execute(SQL["insert_event"], {**scope_parameters(scope), **columns})


async def store_chunks(
    session: Session, scope: Scope, rows: Sequence[NewRow], keyring: Keyring
) -> None:
    """Inside the caller's transaction, which holds the lock of the scope. Raises KeyMissing."""
    if not fit_in_a_statement(rows):
        await stage(session, scope, rows, keyring)
        async with session.pipeline():
            await insert_staged(session, scope)
        return
    columns = await chunk_columns(scope, rows, keyring)
    counts = {"added_chunks": len(rows), "added_terms": sum(columns["term_count"])}
    async with session.pipeline():
        await session.execute(SQL["insert_chunks"], columns)
        await session.execute(SQL["count_chunks"], {**scope_parameters(scope), **counts})


def array_text(values: Sequence[str]) -> str:
    """The literal of an array: Postgres has no arrays of arrays of different lengths."""
    quoted = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in quoted) + "}"
