"""Events as callers state them, into drafts."""

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from camillo.v1.actor_pb2 import Actor as ActorMessage

from camillo_server.domain.channel import Channel
from camillo_server.domain.errors import DomainError, InvalidField
from camillo_server.domain.events.event import Actor, ActorType, EventDraft, EventId, EventKind
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey
from camillo_server.rpc import context_fields as fields
from camillo_server.rpc import convert, limits
from camillo_server.rpc.caller import request_key, scope_of
from camillo_server.rpc.event_content import content_of
from camillo_server.rpc.validate import Checks

ACTOR_TYPES: frozenset[int] = frozenset(ActorType)


def event_of(
    request: service.RecordEventRequest,
) -> tuple[Scope, EventDraft, RequestKey | None]:
    """What is to be recorded. Raises InvalidField, ScopeForbidden."""
    checks = Checks()
    scope = scope_of(request, checks)
    key = request_key(request, checks)
    draft = event_draft(request.event, checks, "event")
    checks.done()
    return scope, draft, key


def events_of(
    request: service.BatchRecordEventsRequest,
) -> tuple[Scope, list[EventDraft | DomainError], RequestKey | None]:
    """What is to be recorded; in the place of an event that breaks a limit, what is wrong with it. Raises InvalidField,
    ScopeForbidden."""
    checks = Checks()
    scope = scope_of(request, checks)
    key = request_key(request, checks)
    if not 1 <= len(request.events) <= limits.BATCH_RECORD_EVENTS:
        checks.fail("events", f"must have 1 to {limits.BATCH_RECORD_EVENTS} values")
    checks.done()
    return scope, [_one_of_many(each, i) for i, each in enumerate(request.events)], key


def _one_of_many(message: pb.NewEvent, place: int) -> EventDraft | DomainError:
    checks = Checks()
    draft = event_draft(message, checks, f"events[{place}]")
    return InvalidField(checks.violations) if checks.violations else draft


def event_draft(message: pb.NewEvent, checks: Checks, path: str) -> EventDraft:
    """What a caller states. Adds to the checks what is wrong with it."""
    kind = fields.value_known(message.kind, checks, f"{path}.kind", EventKind.MESSAGE)
    return EventDraft(
        session_id=fields.session_id(message.session_id, checks, f"{path}.session_id"),
        actor=_actor(message.actor, checks, f"{path}.actor"),
        content=content_of(message, kind, checks, path),
        kind=kind,
        channel=fields.value_known(message.channel, checks, f"{path}.channel", Channel.PRIVATE),
        sensitivity=convert.sensitivity(message.sensitivity, checks, f"{path}.sensitivity"),
        tags=fields.tags(message.tags, checks, f"{path}.tags"),
        occurred_at=convert.moment(message, "occurred_at", checks, path),
        refs=fields.refs(message.refs, checks, f"{path}.refs"),
        importance=checks.number(f"{path}.importance", message.importance, 0, 1)
        if message.HasField("importance")
        else None,
    )


def _actor(message: ActorMessage, checks: Checks, path: str) -> Actor:
    actor_id = checks.text(f"{path}.id", message.id, 1, limits.SPEAKER_CHARACTERS)
    if message.type not in ACTOR_TYPES:
        checks.fail(f"{path}.type", "must be one of the types of actors that this server knows")
        return Actor(ActorType.SYSTEM, actor_id)
    return Actor(ActorType(message.type), actor_id)


def event_id(value: str, checks: Checks, field: str) -> EventId:
    return EventId(checks.uuid(field, value))
