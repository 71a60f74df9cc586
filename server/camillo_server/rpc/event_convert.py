"""Events and what becomes of them, as the contract has them."""

from collections.abc import Iterator, Sequence

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from camillo.v1.memory_pb2 import StoreCount

from camillo_server.domain.errors import DomainError
from camillo_server.domain.events.content_size import contents_cost
from camillo_server.domain.events.event import Event
from camillo_server.domain.events.list_events import ListedEvents
from camillo_server.domain.events.ports import (
    EventChange,
    EventChangePage,
    EventCursor,
    ForgottenEvents,
)
from camillo_server.domain.events.recorded import RecordedEvent
from camillo_server.domain.scope import Scope
from camillo_server.rpc import context_tokens, convert, limits
from camillo_server.rpc.context_pages import fitting
from camillo_server.rpc.errors import to_status
from camillo_server.rpc.event_content import fill_content
from camillo_server.rpc.tokens import RevisionTokens

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
        convert.fill_timestamp(message.recorded_at, event.recorded_at)
        fill_stated(message.stated, event)
        return message

    def listed(self, page: ListedEvents, binding: bytes) -> service.ListEventsResponse:
        """The page, or so much of its beginning as fits in a message: the rest is on the next one."""
        messages = fitting(page.events, self.event)
        cursor = page.next_cursor
        if len(messages) < len(page.events):
            last = page.events[len(messages) - 1]
            cursor = EventCursor(last.revision, last.place)
        return service.ListEventsResponse(
            events=messages,
            next_page_token=context_tokens.event_token(binding, cursor),
            revision=self._revisions.revision(self._scope, page.revision),
        )

    def changed(self, page: EventChangePage) -> Iterator[service.WatchEventsResponse]:
        """The changes of a page one by one; an empty page is a checkpoint."""
        for change in page.changes:
            yield service.WatchEventsResponse(change=self._change(change))
        if not page.changes:
            told = self._told(context_tokens.after_revision(page.revision))
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
            resume_token=context_tokens.resume_token(self._revisions, self._scope, cursor),
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
    convert.fill_timestamp(message.occurred_at, event.occurred_at)
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
        redactions=convert.redaction_messages(done.redactions),
    )
    convert.fill_timestamp(message.recorded_at, done.recorded_at)
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
    named = limits.EVENT_IDS_NAMED
    message = pb.EventReceipt(
        receipt_id=str(done.receipt_id or ""),
        event_ids=[str(each) for each in done.event_ids[:named]],
        stores=[StoreCount(store=name, rows=rows) for name, rows in sorted(done.stores.items())],
        invalidated_memory_ids=[str(each) for each in done.invalidated[:named]],
    )
    convert.fill_timestamp(message.forgotten_at, done.forgotten_at)
    return message
