"""How events read."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

from camillo_server.cli.tables import Column, clean
from camillo_server.cli.wording import age, moment

if TYPE_CHECKING:
    from camillo.v1.actor_pb2 import Actor
    from camillo.v1.event_pb2 import Event, NewEvent, ToolResult

COLUMNS = (
    Column("id", style="dim"),
    Column("age", right=True),
    Column("actor", style="green", optional=True),
    Column("kind", optional=True),
    Column("session", optional=True),
    Column("content"),
)


def kind(event: NewEvent) -> str:
    """The kind of an event, in one word."""
    from camillo.v1.actor_pb2 import EventKind
    from camillo_client import enum_name

    return enum_name(EventKind, event.kind)


def actor(who: Actor) -> str:
    """`human:ada`."""
    from camillo.v1.actor_pb2 import ActorType
    from camillo_client import enum_name

    return f"{enum_name(ActorType, who.type)}:{who.id}"


def text_of(event: NewEvent) -> str:
    """What an event tells, as text."""
    content = event.WhichOneof("content")
    if content == "tool_call":
        return f"{event.tool_call.tool} {_json(event.tool_call.arguments)}"
    if content == "tool_result":
        return event.tool_result.excerpt_text
    return _json(event.json) if content == "json" else event.text


def row(event: Event, now: datetime) -> list[str]:
    """Its row in a list."""
    from camillo_client import to_datetime

    stated = event.stated
    return [
        event.event_id,
        age(to_datetime(stated.occurred_at), now),
        actor(stated.actor),
        kind(stated),
        stated.session_id,
        text_of(stated),
    ]


def line(event: Event) -> str:
    """One line of a watch."""
    stated = event.stated
    who = f"{actor(stated.actor)} {kind(stated)}"
    return f"{event.event_id}  {clean(who)}: {clean(text_of(stated)[:400])[:200]}"


def details(event: Event, chunk_count: int) -> list[tuple[str, str]]:
    """What there is to say of it beside its content."""
    from camillo.v1.channel_pb2 import Channel
    from camillo.v1.memory_pb2 import Sensitivity
    from camillo_client import enum_name

    stated = event.stated
    result = _result(stated.tool_result) if stated.HasField("tool_result") else []
    optional = [
        *result,
        ("call id", stated.tool_call.call_id or stated.tool_result.call_id),
        ("tags", ", ".join(stated.tags)),
        ("refs", ", ".join(stated.refs)),
        ("importance", f"{stated.importance:.2f}" if stated.HasField("importance") else ""),
    ]
    shown = [
        ("id", event.event_id),
        ("kind", kind(stated)),
        ("actor", actor(stated.actor)),
        ("session", stated.session_id),
        *[(name, value) for name, value in optional if value],
        ("channel", enum_name(Channel, stated.channel)),
        ("sensitivity", enum_name(Sensitivity, stated.sensitivity)),
        ("happened", moment(stated.occurred_at)),
        ("recorded", moment(event.recorded_at)),
        ("chunks", f"{chunk_count:,}"),
    ]
    return [(name, clean(value)) for name, value in shown]


def _result(result: ToolResult) -> list[tuple[str, str]]:
    lines = result.line_range
    whole = f"{result.artifact_id} (shown: its beginning)" if result.truncated else ""
    return [
        ("tool", result.tool),
        ("path", result.path),
        ("lines", f"{lines.first:,}-{lines.last:,}" if result.HasField("line_range") else ""),
        ("whole", whole or result.artifact_id),
        ("exit code", str(result.exit_code) if result.HasField("exit_code") else ""),
        ("failed", "yes" if result.is_error else ""),
    ]


def _json(struct: object) -> str:
    from google.protobuf.json_format import MessageToDict

    return json.dumps(MessageToDict(struct), ensure_ascii=False, sort_keys=True)  # type: ignore[arg-type]
