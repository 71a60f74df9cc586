"""Turns of a conversation: what may be sent of recorded events."""

from collections.abc import Sequence

from camillo_formats.fences import strip_fences

from camillo_server.features.distillation.statement import Turn
from camillo_server.features.events.event import Event, TextContent
from camillo_server.kernel.kinds import Sensitivity

# The highest sensitivity that is sent to a model.
MAX_SENT = Sensitivity.INTERNAL


def turns_of(events: Sequence[Event]) -> Sequence[Turn]:
    """The turns of messages, in their order, without what was recalled into them. Other events are none."""
    found = []
    for event in events:
        if not isinstance(event.content, TextContent):
            continue
        text = strip_fences(event.content.text)
        if text.strip():
            found.append(
                Turn(
                    event_id=event.event_id,
                    speaker=event.actor.type,
                    speaker_id=event.actor.id,
                    text=text,
                    occurred_at=event.occurred_at,
                    session_id=event.session_id,
                    importance=event.importance or 0.0,
                    trust_level=event.actor.trust_level,
                    sensitivity=event.sensitivity,
                )
            )
    return found
