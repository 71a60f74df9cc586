"""RecordEvents: removes secrets, checks refs, stores long outputs, cuts chunks, and stores it all; in this order."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from camillo_server.features.events.chunks import chunk_rows
from camillo_server.features.events.content import (
    output_request,
    prose_of,
    redacted_event,
    with_excerpt,
    with_prose,
)
from camillo_server.features.events.event import (
    EXCERPT_BYTES,
    Event,
    EventDraft,
    EventId,
    EventsReplay,
    OutputContent,
    RejectedEvent,
    StoredEvent,
    artifact_of,
    content_cost,
)
from camillo_server.features.events.store.writer import EventWriter
from camillo_server.kernel.clock import Clock, time_ordered_uuids
from camillo_server.kernel.errors import DomainError, RefNotFound, ValueRejected
from camillo_server.kernel.ids import MemoryId, chunk_id
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, UnreadableRecord, Written
from camillo_server.lib.redaction.redaction import Redaction, Redactor
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import rows_with_terms, with_vectors
from camillo_server.rows.store.refs import RefResolver
from camillo_server.storage.blocklist import OmittedText, ShortenedText, offset_in

# Stores the whole of a draft's long output; gives the id of the artifact, the same for the same request.
StoreOutput = Callable[[Scope, EventDraft, str, RequestKey | None], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class CleanDraft:
    """A draft without its secrets and, where its caller says so, without forgotten sentences; what was removed."""

    draft: EventDraft
    redactions: Sequence[Redaction]
    omitted: Sequence[OmittedText] = ()


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """A stored event: its chunks in order, and the artifact that holds the whole of its output."""

    event_id: EventId
    chunk_ids: Sequence[MemoryId]
    artifact_id: str
    recorded_at: datetime
    redactions: Sequence[Redaction]
    omitted: Sequence[OmittedText] = ()


@dataclass(frozen=True, slots=True)
class Recorded:
    """The result for each draft, in order, and the revision that holds what was stored."""

    revision: int
    results: Sequence[RecordedEvent | DomainError]


@dataclass(frozen=True, slots=True)
class _NewEvent:
    """An event to store, and its chunks."""

    event: Event
    chunks: Sequence[NewRow]


class RecordEvents:
    """Stores several events in one transaction; one that cannot be stored fails alone."""

    def __init__(
        self,
        writer: EventWriter,
        resolver: RefResolver,
        store_output: StoreOutput,
        redactor: Redactor,
        clock: Clock,
        embedding: TextEmbedding | None = None,
    ) -> None:
        """Takes an `embedding` to store chunks with their vectors, but for very many; otherwise vectors follow."""
        self._embedding = embedding
        self._writer = writer
        self._resolver = resolver
        self._store_output = store_output
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        drafts: Sequence[EventDraft | DomainError],
        request: RequestKey | None,
        *,
        omit_forgotten: bool = False,
        now: datetime | None = None,
        event_ids: Sequence[UUID] = (),
    ) -> Recorded:
        """A result for each draft in order, an error among them as it is; if there are only errors, nothing is written
        and the revision is 0. With `omit_forgotten`, texts are stored without sentences that were forgotten; `now` is
        when the events count as recorded, `event_ids` are theirs, or new ones. Raises RequestIdReused,
        StorageUnavailable, and what storing an artifact does."""
        now = now or self._clock.now()
        cleaned = await self._without_secrets(drafts)
        if omit_forgotten:
            cleaned = await self._without_forgotten(scope, cleaned)
        if request is not None and any(map(_may_be_long, cleaned)):
            # A repeat stores no output again: the artifact of then may have been deleted.
            first = await self._writer.first_answer(scope, request, now=now)
            if first is not None:
                return _answer(first, cleaned)
        checked = await self._with_refs(scope, cleaned)
        ids = event_ids or time_ordered_uuids(now, len(checked))
        store = partial(self._with_stored_output, scope, request)
        outcomes = await self._new_events(scope, checked, store, now, ids)
        while new := [each for each in outcomes if isinstance(each, _NewEvent)]:
            try:
                written = await self._writer.record(
                    scope,
                    [each.event for each in new],
                    await with_vectors(self._embedding, [row for each in new for row in each.chunks], scope),
                    EventsReplay(now, tuple(map(_kept, outcomes))),
                    request,
                    now=now,
                )
            except ValueRejected:
                outcomes = await self._without_rejected(scope, outcomes, request)
            else:
                return _answer(written, cleaned)
        # A repeat gets the first answer, even if what it cites has been deleted since.
        first = await self._writer.first_answer(scope, request, now=now)
        if first is not None:
            return _answer(first, cleaned)
        return Recorded(0, [each for each in outcomes if isinstance(each, DomainError)])

    async def one(
        self,
        scope: Scope,
        draft: EventDraft,
        request: RequestKey | None,
        *,
        omit_forgotten: bool = False,
        now: datetime | None = None,
        event_ids: Sequence[UUID] = (),
    ) -> tuple[RecordedEvent, int]:
        """Stores one event; with the revision that holds it. Raises RefNotFound, ValueRejected, RequestIdReused,
        StorageUnavailable, and what storing an artifact does."""
        recorded = await self(scope, [draft], request, omit_forgotten=omit_forgotten, now=now, event_ids=event_ids)
        (result,) = recorded.results
        if isinstance(result, DomainError):
            raise result
        return result, recorded.revision

    async def preview(
        self, scope: Scope, draft: EventDraft, event_id: UUID, now: datetime
    ) -> tuple[RecordedEvent, Sequence[NewRow]]:
        """The event that `one` will make of a draft, and its chunks, but not the artifact of a long output. Stores
        nothing, and asks Postgres nothing."""
        (cleaned,) = await self._without_secrets([draft])
        assert isinstance(cleaned, CleanDraft)  # noqa: S101 (a draft was given)
        outcomes = await self._new_events(scope, [cleaned.draft], _with_excerpt, now, [event_id])
        (new,) = outcomes
        assert isinstance(new, _NewEvent)  # noqa: S101
        ids = [chunk_id(EventId(event_id), index) for index in range(len(new.chunks))]
        recorded = RecordedEvent(EventId(event_id), ids, "", now, cleaned.redactions)
        return recorded, await rows_with_terms(new.chunks)

    async def _without_secrets(self, drafts: Sequence[EventDraft | DomainError]) -> Sequence[CleanDraft | DomainError]:
        slices = TimeSlices()
        return [
            draft
            if isinstance(draft, DomainError)
            else CleanDraft(
                *await slices.run(content_cost(draft.content), partial(redacted_event, draft, self._redactor))
            )
            for draft in drafts
        ]

    async def _without_forgotten(
        self, scope: Scope, cleaned: Sequence[CleanDraft | DomainError]
    ) -> Sequence[CleanDraft | DomainError]:
        """The drafts without forgotten sentences of their texts."""
        texts = {
            str(index): text
            for index, each in enumerate(cleaned)
            if isinstance(each, CleanDraft) and (text := prose_of(each.draft.content)[1])
        }
        shortened = await self._writer.without_forgotten(scope, texts)
        return [
            _shortened(each, shortened[str(index)])
            if isinstance(each, CleanDraft) and str(index) in shortened
            else each
            for index, each in enumerate(cleaned)
        ]

    async def _with_refs(
        self, scope: Scope, cleaned: Sequence[CleanDraft | DomainError]
    ) -> Sequence[EventDraft | DomainError]:
        """The drafts; an error instead of each that cites what does not exist."""
        drafts = [each if isinstance(each, DomainError) else each.draft for each in cleaned]
        cited = [() if isinstance(draft, DomainError) else _refs_of(draft) for draft in drafts]
        refs = tuple(dict.fromkeys(ref for each in cited for ref in each))
        missing = set(await self._resolver.missing(scope, refs)) if refs else set()
        lost = [next((ref for ref in each if ref in missing), None) for each in cited]
        return [draft if ref is None else RefNotFound(ref) for draft, ref in zip(drafts, lost, strict=True)]

    async def _new_events(
        self,
        scope: Scope,
        drafts: Sequence[EventDraft | DomainError],
        store: Callable[[EventDraft, int], Awaitable[EventDraft]],
        now: datetime,
        new_ids: Sequence[UUID],
    ) -> Sequence[_NewEvent | DomainError]:
        """An event for each draft, with ids in their order; `store` stores the outputs of a draft, by its index."""
        slices, outcomes = TimeSlices(), list[_NewEvent | DomainError]()
        # The index of the event within its revision, and its microseconds after `now`.
        event_index, offset = 0, 0
        for index, (draft, new_id) in enumerate(zip(drafts, new_ids, strict=True)):
            if isinstance(draft, DomainError):
                outcomes.append(draft)
                continue
            try:
                kept = await store(draft, index)
            except ValueRejected:
                outcomes.append(ValueRejected(prose_of(draft.content)[0]))
                continue
            event = Event(
                event_id=EventId(new_id),
                agent_id=scope.agent_id,
                session_id=kept.session_id,
                channel=kept.channel,
                actor=kept.actor,
                kind=kept.kind,
                sensitivity=kept.sensitivity,
                tags=kept.tags,
                occurred_at=kept.occurred_at or now + timedelta(microseconds=offset),
                refs=kept.refs,
                content=kept.content,
                importance=kept.importance,
                recorded_at=now,
                index=event_index,
            )
            chunks = await slices.run(content_cost(kept.content), partial(chunk_rows, event))
            outcomes.append(_NewEvent(event, chunks))
            # After its last chunk, so that neighbours by time are neighbours in the call.
            event_index, offset = event_index + 1, offset + max(len(chunks), 1)
        return outcomes

    async def _with_stored_output(
        self, scope: Scope, request: RequestKey | None, draft: EventDraft, index: int
    ) -> EventDraft:
        """The draft; of an output longer than 64 KiB the beginning, with the artifact that holds the whole."""
        content = draft.content
        if not isinstance(content, OutputContent):
            return draft
        excerpt = with_excerpt(content)
        if excerpt.truncated and not excerpt.artifact_id:
            _, whole = prose_of(content)
            artifact_id = await self._store_output(scope, draft, whole, output_request(request, index, whole))
            excerpt = replace(excerpt, artifact_id=artifact_id)
        return replace(draft, content=excerpt)

    async def _without_rejected(
        self,
        scope: Scope,
        outcomes: Sequence[_NewEvent | DomainError],
        request: RequestKey | None,
    ) -> Sequence[_NewEvent | DomainError]:
        """An error instead of each event that has a forgotten value."""
        indexes = [index for index, each in enumerate(outcomes) if isinstance(each, _NewEvent)]
        events = [each.event for each in outcomes if isinstance(each, _NewEvent)]
        rejected = await self._writer.rejected(scope, events, request)
        errors = {indexes[at]: ValueRejected(field) for at, field in rejected.items()}
        return [errors.get(index, each) for index, each in enumerate(outcomes)]


def _shortened(cleaned: CleanDraft, text: ShortenedText) -> CleanDraft:
    content = cleaned.draft.content
    field, _ = prose_of(content)
    redactions = [
        replace(each, offset=offset)
        for each in cleaned.redactions
        if (offset := offset_in({field: text}, each.field, each.offset)) is not None
    ]
    draft = replace(cleaned.draft, content=with_prose(content, text.text))
    return CleanDraft(draft, redactions, text.omitted(field))


async def _with_excerpt(draft: EventDraft, _: int) -> EventDraft:
    """The draft; of a long output the beginning, as it is without its artifact."""
    content = draft.content
    return replace(draft, content=with_excerpt(content)) if isinstance(content, OutputContent) else draft


def _may_be_long(cleaned: CleanDraft | DomainError) -> bool:
    content = None if isinstance(cleaned, DomainError) else cleaned.draft.content
    # In characters, each of which has one to four bytes.
    return isinstance(content, OutputContent) and len(prose_of(content)[1]) * 4 > EXCERPT_BYTES


def _refs_of(draft: EventDraft) -> tuple[str, ...]:
    """The refs of an event, and the artifact that holds the whole of its text."""
    artifact_id = artifact_of(draft.content)
    return (*draft.refs, artifact_id) if artifact_id else tuple(draft.refs)


def _kept(outcome: _NewEvent | DomainError) -> StoredEvent | RejectedEvent | str | None:
    """The outcome as the record for a repeat holds it."""
    if isinstance(outcome, _NewEvent):
        event = outcome.event
        return StoredEvent(event.event_id, len(outcome.chunks), artifact_of(event.content))
    if isinstance(outcome, ValueRejected):
        return RejectedEvent(outcome.field)
    return outcome.ref if isinstance(outcome, RefNotFound) else None


def _answer(written: Written[EventsReplay], cleaned: Sequence[CleanDraft | DomainError]) -> Recorded:
    """The answer, or the first one to a repeated request."""
    first = written.record
    results = [_result(kept, each, first.at) for kept, each in zip(first.events, cleaned, strict=True)]
    return Recorded(written.revision, results)


def _result(
    kept: StoredEvent | RejectedEvent | str | None, cleaned: CleanDraft | DomainError, at: datetime
) -> RecordedEvent | DomainError:
    if isinstance(cleaned, DomainError):
        return cleaned
    if isinstance(kept, str):
        return RefNotFound(kept)
    if isinstance(kept, RejectedEvent):
        return ValueRejected(kept.rejected)
    if kept is None:
        raise UnreadableRecord("EventsReplay.events: what broke a limit breaks none now")
    chunk_ids = [chunk_id(kept.event_id, index) for index in range(kept.chunk_count)]
    return RecordedEvent(kept.event_id, chunk_ids, kept.artifact_id, at, cleaned.redactions, cleaned.omitted)
