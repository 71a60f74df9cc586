"""From what callers state to the events and chunks that are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from camillo_server.events.chunks import chunk_id, chunk_rows
from camillo_server.events.content_texts import TOOL_RESULT_TEXT, redacted_event
from camillo_server.events.event import (
    EXCERPT_BYTES,
    Event,
    EventDraft,
    EventId,
    EventsReplay,
    RejectedEvent,
    StoredEvent,
    ToolResultContent,
    content_cost,
)
from camillo_server.events.store.refs import RefResolver
from camillo_server.events.store.writer import EventWriter
from camillo_server.events.tool_results import NormalizeToolResult
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import DomainError, RefNotFound, ValueRejected
from camillo_server.kernel.ids import MemoryId, time_ordered_uuids
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, UnreadableRecord, Written
from camillo_server.memories.memory import NewRow
from camillo_server.redaction.redaction import Redaction, Redactor

# A draft without its secrets, with what was taken out of it; or why it cannot be stored.
Cleaned = tuple[EventDraft, Sequence[Redaction]] | DomainError


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """What was made of one event: its chunks in order, and the artifact that holds the whole of a tool result."""

    event_id: EventId
    chunk_ids: Sequence[MemoryId]
    artifact_id: str
    recorded_at: datetime
    redactions: Sequence[Redaction]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of each draft, in order, and the revision that holds what was stored."""

    revision: int
    results: Sequence[RecordedEvent | DomainError]


@dataclass(frozen=True, slots=True)
class Made:
    """An event that is to be stored, and its chunks."""

    event: Event
    rows: Sequence[NewRow]


def events_replay(made: Sequence[Made | DomainError], now: datetime) -> EventsReplay:
    """The record for these drafts, in their order."""
    return EventsReplay(now, tuple(_kept(each) for each in made))


def answered(written: Written[EventsReplay], cleaned: Sequence[Cleaned]) -> Recorded:
    """The answer to the request when it came first."""
    first = written.record
    results = [
        _result(kept, each, first.at) for kept, each in zip(first.events, cleaned, strict=True)
    ]
    return Recorded(written.revision, results)


def _kept(made: Made | DomainError) -> StoredEvent | RejectedEvent | str | None:
    if isinstance(made, Made):
        content = made.event.content
        artifact_id = content.artifact_id if isinstance(content, ToolResultContent) else ""
        return StoredEvent(made.event.event_id, len(made.rows), artifact_id)
    if isinstance(made, ValueRejected):
        return RejectedEvent(made.field)
    return made.ref if isinstance(made, RefNotFound) else None


def _result(
    kept: StoredEvent | RejectedEvent | str | None, cleaned: Cleaned, at: datetime
) -> RecordedEvent | DomainError:
    if isinstance(cleaned, DomainError):
        return cleaned
    if isinstance(kept, str):
        return RefNotFound(kept)
    if isinstance(kept, RejectedEvent):
        return ValueRejected(kept.rejected)
    if kept is None:
        raise UnreadableRecord("EventsReplay.events: what broke a limit breaks none now")
    chunk_ids = [chunk_id(kept.event_id, place) for place in range(kept.chunk_count)]
    return RecordedEvent(kept.event_id, chunk_ids, kept.artifact_id, at, cleaned[1])


@dataclass(frozen=True, slots=True)
class EventBatch:
    """The call that events are made for."""

    scope: Scope
    request: RequestKey | None
    now: datetime


class EventMaking:
    """Takes secrets out, looks for what is cited, stores long outputs, cuts chunks; in this order."""

    def __init__(
        self, resolver: RefResolver, normalize: NormalizeToolResult, redactor: Redactor
    ) -> None:
        self._resolver = resolver
        self._normalize = normalize
        self._redactor = redactor

    async def cleaned(self, drafts: Sequence[EventDraft | DomainError]) -> Sequence[Cleaned]:
        """The drafts without their secrets."""
        slices = TimeSlices()
        return [
            draft
            if isinstance(draft, DomainError)
            else await slices.run(
                content_cost(draft.content), partial(redacted_event, draft, self._redactor)
            )
            for draft in drafts
        ]

    async def made(
        self, batch: EventBatch, cleaned: Sequence[Cleaned]
    ) -> Sequence[Made | DomainError]:
        """An event for each, with ids in their order; one whose refs name nothing is an error."""
        checked = await self._with_refs(batch.scope, cleaned)
        new_ids = time_ordered_uuids(batch.now, len(checked))
        slices, made, place, offset = TimeSlices(), list[Made | DomainError](), 0, 0
        for at, (draft, new_id) in enumerate(zip(checked, new_ids, strict=True)):
            if isinstance(draft, DomainError):
                made.append(draft)
                continue
            try:
                kept = await self._normalize(batch.scope, draft, batch.request, at)
            except ValueRejected:
                made.append(ValueRejected(TOOL_RESULT_TEXT))
                continue
            happened = batch.now + timedelta(microseconds=offset)
            event = _event(batch, kept, (EventId(new_id), place), happened)
            rows = await slices.run(content_cost(kept.content), partial(chunk_rows, event))
            made.append(Made(event, rows))
            # Behind its last chunk, so that neighbours by time are neighbours in the call.
            place, offset = place + 1, offset + max(len(rows), 1)
        return made

    async def _with_refs(
        self, scope: Scope, cleaned: Sequence[Cleaned]
    ) -> Sequence[EventDraft | DomainError]:
        drafts = [each if isinstance(each, DomainError) else each[0] for each in cleaned]
        cited = [() if isinstance(draft, DomainError) else _refs_of(draft) for draft in drafts]
        refs = tuple(dict.fromkeys(ref for each in cited for ref in each))
        missing = set(await self._resolver.missing(scope, refs)) if refs else set()
        lost = [next((ref for ref in each if ref in missing), None) for each in cited]
        return [
            draft if ref is None else RefNotFound(ref)
            for draft, ref in zip(drafts, lost, strict=True)
        ]


def _refs_of(draft: EventDraft) -> tuple[str, ...]:
    """What an event cites: its refs, and the artifact that holds the whole of its text."""
    artifact_id = draft.content.artifact_id if isinstance(draft.content, ToolResultContent) else ""
    return (*draft.refs, artifact_id) if artifact_id else tuple(draft.refs)


def _event(
    batch: EventBatch, draft: EventDraft, named: tuple[EventId, int], happened: datetime
) -> Event:
    event_id, place = named
    return Event(
        event_id=event_id,
        agent_id=batch.scope.agent_id,
        session_id=draft.session_id,
        channel=draft.channel,
        actor=draft.actor,
        kind=draft.kind,
        sensitivity=draft.sensitivity,
        tags=draft.tags,
        occurred_at=draft.occurred_at or happened,
        refs=draft.refs,
        content=draft.content,
        importance=draft.importance,
        recorded_at=batch.now,
        place=place,
    )


class RecordEvents:
    """Stores several events in one transaction; one that cannot be stored fails alone."""

    def __init__(self, writer: EventWriter, making: EventMaking, clock: Clock) -> None:
        self._writer = writer
        self._making = making
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        drafts: Sequence[EventDraft | DomainError],
        request: RequestKey | None,
    ) -> Recorded:
        """A result for each draft in order, an error among them as it is; if there are only errors, nothing is written
        and the revision is 0. Raises RequestIdReused, StorageUnavailable, and what storing an artifact does."""
        now = self._clock.now()
        cleaned = await self._making.cleaned(drafts)
        if request is not None and any(map(_may_be_long, cleaned)):
            # A repeat stores no output again: the artifact of then may have been deleted.
            first = await self._writer.first_answer(scope, request, now=now)
            if first is not None:
                return answered(first, cleaned)
        made = await self._making.made(EventBatch(scope, request, now), cleaned)
        while kept := [each for each in made if isinstance(each, Made)]:
            try:
                written = await self._writer.record(
                    scope,
                    [each.event for each in kept],
                    [row for each in kept for row in each.rows],
                    events_replay(made, now),
                    request,
                    now=now,
                )
            except ValueRejected:
                made = await self._without_rejected(scope, made)
            else:
                return answered(written, cleaned)
        # A repeat is answered as it was, whatever it cites has gone since.
        first = await self._writer.first_answer(scope, request, now=now)
        if first is not None:
            return answered(first, cleaned)
        return Recorded(0, [each for each in made if isinstance(each, DomainError)])

    async def one(
        self, scope: Scope, draft: EventDraft, request: RequestKey | None
    ) -> tuple[RecordedEvent, int]:
        """Stores one event; with the revision that holds it. Raises RefNotFound, ValueRejected, RequestIdReused,
        StorageUnavailable, and what storing an artifact does."""
        recorded = await self(scope, [draft], request)
        (result,) = recorded.results
        if isinstance(result, DomainError):
            raise result
        return result, recorded.revision

    async def _without_rejected(
        self, scope: Scope, made: Sequence[Made | DomainError]
    ) -> Sequence[Made | DomainError]:
        """An error in the place of each that states what was forgotten."""
        places = [place for place, each in enumerate(made) if isinstance(each, Made)]
        events = [each.event for each in made if isinstance(each, Made)]
        rejected = await self._writer.rejected(scope, events)
        errors = {places[at]: ValueRejected(field) for at, field in rejected.items()}
        return [errors.get(place, each) for place, each in enumerate(made)]


def _may_be_long(cleaned: Cleaned) -> bool:
    content = None if isinstance(cleaned, DomainError) else cleaned[0].content
    # In characters, of which each has a byte at least and four at most.
    return isinstance(content, ToolResultContent) and len(content.excerpt_text) * 4 > EXCERPT_BYTES
