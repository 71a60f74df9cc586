"""Events as callers state them, into drafts."""

from uuid import UUID

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from camillo.v1.actor_pb2 import Actor as ActorMessage

from camillo_server.domain.errors import DomainError
from camillo_server.domain.events.event import Actor, ActorType, EventDraft, EventId, EventKind
from camillo_server.rpc.event_content import content_of
from camillo_server.rpc.field_limits import broken_limits
from camillo_server.rpc.field_values import (
    channel_of,
    distinct,
    member,
    sensitivity_of,
    time_of,
)


def event_drafts(request: service.BatchRecordEventsRequest) -> list[EventDraft | DomainError]:
    """What is to be recorded; in the place of an event that breaks a limit, what is wrong with it."""
    return [
        broken_limits(message, f"events[{i}].") or event_draft(message)
        for i, message in enumerate(request.events)
    ]


def event_draft(message: pb.NewEvent) -> EventDraft:
    """What a caller states."""
    return EventDraft(
        session_id=message.session_id,
        actor=_actor(message.actor),
        content=content_of(message),
        kind=member(message.kind, EventKind.MESSAGE),
        channel=channel_of(message.channel),
        sensitivity=sensitivity_of(message.sensitivity),
        tags=distinct(message.tags),
        occurred_at=time_of(message, "occurred_at"),
        refs=distinct(message.refs),
        importance=message.importance if message.HasField("importance") else None,
    )


def _actor(message: ActorMessage) -> Actor:
    return Actor(ActorType(message.type), message.id)


def event_id(value: str) -> EventId:
    return EventId(UUID(value))
