"""Events to be cut, rated and recorded."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from camillo_server.features.events.event import (
    Actor,
    Event,
    EventContent,
    EventDraft,
    EventId,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import ActorType, EventKind, Sensitivity
from camillo_server.kernel.scope import Scope

SCOPE = Scope(TenantId("acme"), AgentId("planner"))
MOMENT = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
ANA = Actor(ActorType.HUMAN, "Ana")
# Kinds of events by content: a tool's call and result have their own, all others are messages.
KINDS = {ToolCallContent: EventKind.TOOL_CALL, ToolResultContent: EventKind.TOOL_RESULT}


def draft_of(content: EventContent | str, actor: Actor = ANA) -> EventDraft:
    """A private event of a session."""
    told = TextContent(content) if isinstance(content, str) else content
    kind = KINDS.get(type(told), EventKind.MESSAGE)
    return EventDraft("s1", actor, told, kind)


def event_of(content: EventContent | str, actor: Actor = ANA, kind: EventKind | None = None) -> Event:
    """An event of this content, as it is kept."""
    draft = draft_of(content, actor)
    return Event(
        event_id=EventId(UUID("01890a5d-ac96-774b-bcce-b302099a8057")),
        agent_id=SCOPE.agent_id,
        session_id=draft.session_id,
        channel=Channel.PRIVATE,
        actor=actor,
        kind=kind or draft.kind,
        sensitivity=Sensitivity.INTERNAL,
        tags=("tea",),
        occurred_at=MOMENT,
        refs=(),
        content=draft.content,
        importance=None,
        recorded_at=MOMENT,
    )


def result_of(text: str, **said: Any) -> ToolResultContent:
    """A tool's answer about a file."""
    return replace(ToolResultContent("read_file", "c1", "src/tee.py", text, 1, 0), **said)


PRINTED = JsonContent({"step": "build", "took": 3.0, "ok": True, "files": ["a.py", "茶.py"]})
