"""Events of a file that an earlier run has recorded: a repeat, or a file with a mended line, adds only what is new."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camillo_server.lib.redaction.redaction import Redactor

    from camillo.v1.event_pb2 import Event, NewEvent

# Equal times of a log are moved apart by less than this, and by another amount once a line before them is mended.
MAX_MOVED_SECONDS = 1.0

# The events that were recorded of a session of a file, by the session and the tag of the file.
ListEvents = Callable[[str, str], Iterable["Event"]]


@dataclass(slots=True)
class _Session:
    """The times at which events of the same identity were recorded; each stands for one event of the file."""

    times: dict[bytes, list[float]]

    def take(self, event: NewEvent) -> bool:
        if not self.times:
            return False
        times = self.times.get(_identity(_as_stored(event)), [])
        if not event.HasField("occurred_at"):
            return bool(times) and times.pop() is not None
        at = _seconds(event)
        nearest = min(times, key=lambda time: abs(time - at), default=None)
        if nearest is None or abs(nearest - at) >= MAX_MOVED_SECONDS:
            return False
        times.remove(nearest)
        return True


class KnownEvents:
    """Recognizes events by what they say, who says it, their session and their time; read from the server by session."""

    def __init__(self, list_events: ListEvents) -> None:
        self._list_events = list_events
        self._sessions: dict[tuple[str, str], _Session] = {}

    def take(self, event: NewEvent, tag: str) -> bool:
        """Whether the event was recorded before this run. One that was recorded once is taken once."""
        key = event.session_id, tag
        if (session := self._sessions.get(key)) is None:
            session = self._sessions[key] = _Session({})
            for recorded in self._list_events(*key):
                times = session.times.setdefault(_identity(recorded.stated), [])
                times.append(_seconds(recorded.stated))
        return session.take(event)


def _seconds(event: NewEvent) -> float:
    return event.occurred_at.seconds + event.occurred_at.nanos / 1e9


def _identity(event: NewEvent) -> bytes:
    """A digest of who says what; without the artifact of a long result, which the server names."""
    from camillo.v1.event_pb2 import NewEvent

    said = NewEvent(actor=event.actor, kind=event.kind)
    content = event.WhichOneof("content")
    if content == "text":
        said.text = event.text
    elif content:
        getattr(said, content).CopyFrom(getattr(event, content))
        if content == "tool_result":
            said.tool_result.artifact_id = ""
        elif content == "workflow_step":
            said.workflow_step.artifact_id = ""
    return hashlib.sha256(said.SerializeToString(deterministic=True)).digest()[:16]


def _as_stored(event: NewEvent) -> NewEvent:
    """The event as the server stores it: without secrets, and with the beginning of a long result."""
    from camillo_server.features.events.content import redacted_event, with_excerpt
    from camillo_server.features.events.event import OutputContent
    from camillo_server.features.events.messages import event_draft, fill_content
    from camillo_server.kernel.ids import AgentId

    from camillo.v1.event_pb2 import NewEvent

    draft, _ = redacted_event(event_draft(event, AgentId("")), _redactor())
    if isinstance(draft.content, OutputContent):
        draft = replace(draft, content=with_excerpt(draft.content))
    stored = NewEvent(kind=int(draft.kind))  # type: ignore[arg-type]
    stored.actor.type = int(draft.actor.type)  # type: ignore[assignment]
    stored.actor.id = draft.actor.id
    fill_content(stored, draft.content)
    return stored


@cache
def _redactor() -> Redactor:
    from camillo_server.lib.redaction.redaction import Redactor

    return Redactor()
