"""Which events are to be read, followed or forgotten."""

from uuid import UUID

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service

from camillo_server.domain.events.event import ActorType, EventFilter, EventId, EventKind
from camillo_server.domain.events.list_events import EventsAsked
from camillo_server.domain.events.ports import EventCursor
from camillo_server.rpc import context_tokens
from camillo_server.rpc.call import Call
from camillo_server.rpc.field_limits import rule
from camillo_server.rpc.field_values import channel_of, distinct, levels_up_to, members, time_of
from camillo_server.rpc.validate import Checks


def list_of(request: service.ListEventsRequest, call: Call) -> EventsAsked:
    """Which events are to be listed."""
    return EventsAsked(
        scope=call.scope,
        filter=event_filter(request.filter),
        channel=channel_of(request.channel),
        newest_first=request.newest_first,
    )


def event_filter(message: pb.EventFilter) -> EventFilter:
    """The conditions of a list or a watch."""
    return EventFilter(
        session_id=message.session_id,
        kinds=members(message.kinds, EventKind),
        actor_types=members(message.actor_types, ActorType),
        tags_any=distinct(message.tags_any),
        tags_all=distinct(message.tags_all),
        occurred_from=time_of(message, "occurred_from"),
        occurred_before=time_of(message, "occurred_before"),
        ref=message.ref,
        sensitivities=levels_up_to(message.max_sensitivity),
    )


@rule(service.WatchEventsRequest)
def check_start(request: service.WatchEventsRequest, path: str, checks: Checks) -> None:
    """Nobody is sent everything who forgot to say where to begin."""
    start = request.WhichOneof("start")
    if start is None or (start == "from_beginning" and not request.from_beginning):
        checks.fail("start", "must say where to begin")


def watch_start(request: service.WatchEventsRequest, call: Call) -> EventCursor | None:
    """The place behind which a watch begins; None for the beginning. Raises InvalidField, InvalidPageToken,
    RevisionUnknown."""
    match request.WhichOneof("start"):
        case "resume_token":
            token = request.resume_token
            return context_tokens.read_resume_token(call.revisions, call.scope, token)
        case "after_revision":
            token = request.after_revision.token
            number = call.revisions.read_revision(call.scope, token, "after_revision.token")
            return context_tokens.after_revision(number)
    return None


def selector_of(request: service.ForgetEventsRequest) -> list[EventId] | str:
    """These events, or those of a session."""
    if request.WhichOneof("selector") == "session_id":
        return request.session_id
    return [EventId(UUID(value)) for value in dict.fromkeys(request.event_ids.ids)]
