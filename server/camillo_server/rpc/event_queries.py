"""Which events are to be read, followed or forgotten."""

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service

from camillo_server.domain.events.event import ActorType, EventFilter, EventId, EventKind
from camillo_server.domain.events.list_events import EventsAsked
from camillo_server.domain.events.ports import EventCursor
from camillo_server.domain.scope import Scope
from camillo_server.rpc import context_fields as fields
from camillo_server.rpc import context_tokens, convert, limits
from camillo_server.rpc.artifact_requests import channel_of
from camillo_server.rpc.caller import scope_of
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks


def list_of(request: service.ListEventsRequest, checks: Checks) -> EventsAsked:
    """Which events are to be listed. Raises ScopeForbidden."""
    return EventsAsked(
        scope=scope_of(request, checks),
        filter=event_filter(request.filter, checks, "filter"),
        channel=channel_of(request.channel, checks, "channel"),
        newest_first=request.newest_first,
    )


def event_filter(message: pb.EventFilter, checks: Checks, path: str) -> EventFilter:
    """The conditions of a list or a watch."""
    level = f"{path}.max_sensitivity"
    return EventFilter(
        session_id=convert.session_id(message.session_id, checks, f"{path}.session_id"),
        kinds=fields.values_known(message.kinds, checks, f"{path}.kinds", EventKind),
        actor_types=fields.values_known(
            message.actor_types, checks, f"{path}.actor_types", ActorType
        ),
        tags_any=fields.tags(message.tags_any, checks, f"{path}.tags_any"),
        tags_all=fields.tags(message.tags_all, checks, f"{path}.tags_all"),
        occurred_from=convert.moment(message, "occurred_from", checks, path),
        occurred_before=convert.moment(message, "occurred_before", checks, path),
        ref=fields.ref(message.ref, checks, f"{path}.ref"),
        sensitivities=fields.levels_up_to(message.max_sensitivity, checks, level),
    )


def watch_start(
    request: service.WatchEventsRequest, scope: Scope, revisions: RevisionTokens, checks: Checks
) -> EventCursor | None:
    """The place behind which a watch begins; None for the beginning. Raises InvalidField, InvalidPageToken,
    RevisionUnknown."""
    match request.WhichOneof("start"):
        case "resume_token":
            return context_tokens.read_resume_token(revisions, scope, request.resume_token)
        case "after_revision":
            token = request.after_revision.token
            number = revisions.read_revision(scope, token, "after_revision.token")
            return context_tokens.after_revision(number)
        case "from_beginning" if request.from_beginning:
            return None
    checks.fail("start", "must say where to begin")
    return None


def selector_of(request: service.ForgetEventsRequest, checks: Checks) -> list[EventId] | str:
    """These events, or those of a session."""
    if request.WhichOneof("selector") == "session_id":
        return fields.session_id(request.session_id, checks, "session_id")
    bounds = (1, limits.FORGET_IDS)
    found = fields.uuids(request.event_ids.ids, checks, "event_ids.ids", bounds)
    return [EventId(each) for each in found]
