"""Lists and watches of events in messages: their filters, where they begin, and their tokens."""

import re
from functools import partial

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import Call
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.fields import channel_of, levels_up_to, members, tags_of, time_of
from camillo_server.doors.rpc.tokens import RevisionTokens, check_start, foreign_token
from camillo_server.features.events.event import EventFilter, WorkflowStatus
from camillo_server.features.events.events import EventQuery
from camillo_server.kernel.ids import LAST_INDEX, EventCursor
from camillo_server.kernel.kinds import ActorType, EventKind
from camillo_server.kernel.scope import Scope

# A revision, and the index within it.
POSITION = re.compile(r"([0-9]{1,18}) ([0-9]{1,10})")


def list_of(request: service.ListEventsRequest, call: Call) -> EventQuery:
    return EventQuery(
        scope=call.scope,
        filter=event_filter(request.filter),
        channel=channel_of(request.channel),
        newest_first=request.newest_first,
    )


def workflow_of(request: service.ListWorkflowRequest, call: Call) -> EventQuery:
    filter = EventFilter(
        workflow=request.workflow,
        workflow_run=request.run,
        workflow_statuses=members(request.statuses, WorkflowStatus),
    )
    return EventQuery(call.scope, filter, channel_of(request.channel))


def event_filter(message: pb.EventFilter) -> EventFilter:
    """The conditions of a list or a watch."""
    return EventFilter(
        session_id=message.session_id,
        kinds=members(message.kinds, EventKind),
        actor_types=members(message.actor_types, ActorType),
        tags_any=tags_of(message.tags_any),
        tags_all=tags_of(message.tags_all),
        occurred_from=time_of(message, "occurred_from"),
        occurred_before=time_of(message, "occurred_before"),
        ref=message.ref,
        sensitivities=levels_up_to(message.max_sensitivity),
        workflow=message.workflow,
        workflow_run=message.workflow_run,
        workflow_step=message.workflow_step,
        workflow_statuses=members([message.workflow_status], WorkflowStatus) if message.workflow_status else (),
    )


rule(service.WatchEventsRequest)(check_start)


def watch_start(request: service.WatchEventsRequest, call: Call) -> EventCursor | None:
    """The position that `RevisionTokens.watch_start` finds."""
    read = partial(read_resume_token, call.revisions, call.scope)
    return call.revisions.watch_start(request, call.scope, read, after_revision)


def event_token(binding: bytes, cursor: EventCursor | None) -> str:
    """The page token of a position; empty at the end."""
    return tokens.text_page_token(binding, f"{cursor.revision} {cursor.index}") if cursor else ""


def read_event_token(binding: bytes, token: str) -> EventCursor | None:
    """The position in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    return None if text is None else _cursor(text, "page token")


def resume_token(revisions: RevisionTokens, scope: Scope, cursor: EventCursor) -> str:
    """A position in a watch as clients keep it."""
    return revisions.indexed_token(scope, cursor.revision, str(cursor.index))


def read_resume_token(revisions: RevisionTokens, scope: Scope, token: str) -> EventCursor:
    """The position in a client's token. Raises InvalidPageToken, RevisionUnknown."""
    revision, index = revisions.read_indexed_token(scope, token)
    return _cursor(f"{revision} {index}", "resume token")


def after_revision(number: int) -> EventCursor:
    """The position after all events of a revision."""
    return EventCursor(number, LAST_INDEX)


def _cursor(text: str, what: str) -> EventCursor:
    parts = POSITION.fullmatch(text) if text.isascii() else None
    if parts is None or int(parts[2]) > LAST_INDEX:
        raise foreign_token(what)
    return EventCursor(int(parts[1]), int(parts[2]))
