"""Events and what becomes of them, as the contract has them."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from camillo.v1.actor_pb2 import Actor as ActorMessage
from camillo.v1.memory_pb2 import StoreCount

from camillo_server.events import page_tokens as events_page_tokens
from camillo_server.events.content_messages import content_of, fill_content
from camillo_server.events.event import (
    Actor,
    ActorType,
    Event,
    EventChange,
    EventChangePage,
    EventDraft,
    EventId,
    EventKind,
    ForgottenEvents,
    contents_cost,
)
from camillo_server.events.events import EventListing
from camillo_server.events.record_events import RecordedEvent
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.paging import EventCursor
from camillo_server.kernel.scope import Scope
from camillo_server.rpc import fields
from camillo_server.rpc.errors import to_status
from camillo_server.rpc.field_limits import broken_limits
from camillo_server.rpc.fields import channel_of, distinct, member, sensitivity_of, time_of
from camillo_server.rpc.page_tokens import fitting
from camillo_server.rpc.tokens import RevisionTokens

# A receipt names this many of the removed events; its counts are complete.
MAX_NAMED_IDS = 1_000

# Making the message of an event that is all but empty, and each byte of JSON in it; text takes less.
MESSAGE_MICROSECONDS = 10.0
MESSAGE_BYTE_MICROSECONDS = 1 / 8


def messages_cost(events: Sequence[Event]) -> float:
    """The microseconds of making messages of them."""
    contents = contents_cost((event.content for event in events), MESSAGE_BYTE_MICROSECONDS)
    return len(events) * MESSAGE_MICROSECONDS + contents


class EventMessages:
    """Makes messages of the events of one scope."""

    def __init__(self, scope: Scope, revisions: RevisionTokens) -> None:
        self._scope = scope
        self._revisions = revisions

    def event(self, event: Event) -> pb.Event:
        """An event as the contract has it."""
        message = pb.Event(
            event_id=str(event.event_id),
            agent_id=event.agent_id,
            revision=self._revisions.revision(self._scope, event.revision),
        )
        fields.fill_timestamp(message.recorded_at, event.recorded_at)
        fill_stated(message.stated, event)
        return message

    def listed(self, page: EventListing, binding: bytes) -> service.ListEventsResponse:
        """The page, or so much of its beginning as fits in a message: the rest is on the next one."""
        messages = fitting(page.events, self.event)
        cursor = page.next_cursor
        if len(messages) < len(page.events):
            last = page.events[len(messages) - 1]
            cursor = EventCursor(last.revision, last.place)
        return service.ListEventsResponse(
            events=messages,
            next_page_token=events_page_tokens.event_token(binding, cursor),
            revision=self._revisions.revision(self._scope, page.revision),
        )

    def changed(self, page: EventChangePage) -> Iterator[service.WatchEventsResponse]:
        """The changes of a page one by one; an empty page is a checkpoint."""
        for change in page.changes:
            yield service.WatchEventsResponse(change=self._change(change))
        if not page.changes:
            told = self._told(events_page_tokens.after_revision(page.revision))
            told.checkpoint.SetInParent()
            yield service.WatchEventsResponse(change=told)

    def _change(self, change: EventChange) -> pb.EventChange:
        told = self._told(EventCursor(change.revision, change.place))
        if change.recorded is not None:
            told.recorded.CopyFrom(self.event(change.recorded))
        else:
            told.forgotten_event_id = str(change.forgotten)
        return told

    def _told(self, cursor: EventCursor) -> pb.EventChange:
        return pb.EventChange(
            resume_token=events_page_tokens.resume_token(self._revisions, self._scope, cursor),
            revision=self._revisions.revision(self._scope, cursor.revision),
        )


def fill_stated(message: pb.NewEvent, event: Event) -> None:
    """What was stated about an event, with every default filled in."""
    message.session_id = event.session_id
    message.channel = int(event.channel)  # type: ignore[assignment]
    message.actor.type = int(event.actor.type)  # type: ignore[assignment]
    message.actor.id = event.actor.id
    message.kind = int(event.kind)  # type: ignore[assignment]
    message.sensitivity = int(event.sensitivity)  # type: ignore[assignment]
    message.tags.extend(event.tags)
    fields.fill_timestamp(message.occurred_at, event.occurred_at)
    message.refs.extend(event.refs)
    fill_content(message, event.content)
    if event.importance is not None:
        message.importance = event.importance


def recorded_message(done: RecordedEvent) -> service.RecordedEvent:
    """What was made of an event."""
    message = service.RecordedEvent(
        event_id=str(done.event_id),
        chunk_ids=[str(each) for each in done.chunk_ids],
        artifact_id=done.artifact_id,
        redactions=fields.redaction_messages(done.redactions),
    )
    fields.fill_timestamp(message.recorded_at, done.recorded_at)
    return message


def recorded_results(
    outcomes: Sequence[RecordedEvent | DomainError],
) -> list[service.RecordedEventResult]:
    """What became of each event of a batch."""
    return [
        service.RecordedEventResult(error=to_status(outcome))
        if isinstance(outcome, DomainError)
        else service.RecordedEventResult(recorded=recorded_message(outcome))
        for outcome in outcomes
    ]


def receipt_message(done: ForgottenEvents) -> pb.EventReceipt:
    """The proof of a forgetting."""
    named = MAX_NAMED_IDS
    message = pb.EventReceipt(
        receipt_id=str(done.receipt_id or ""),
        event_ids=[str(each) for each in done.event_ids[:named]],
        stores=[StoreCount(store=name, rows=rows) for name, rows in sorted(done.stores.items())],
        invalidated_memory_ids=[str(each) for each in done.invalidated[:named]],
    )
    fields.fill_timestamp(message.forgotten_at, done.forgotten_at)
    return message


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
