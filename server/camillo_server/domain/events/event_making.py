"""From what callers state to the events and chunks that are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from camillo_server.domain.errors import DomainError, RefNotFound, ValueRejected
from camillo_server.domain.events.chunk_rows import chunk_rows
from camillo_server.domain.events.content_redaction import redacted_event
from camillo_server.domain.events.content_size import content_cost
from camillo_server.domain.events.event import Event, EventDraft, EventId
from camillo_server.domain.events.ports import RefResolver
from camillo_server.domain.events.recorded import Cleaned, Made
from camillo_server.domain.events.refs import refs_of
from camillo_server.domain.events.stated_texts import TOOL_RESULT_TEXT
from camillo_server.domain.events.tool_results import NormalizeToolResult
from camillo_server.domain.ids import time_ordered_uuids
from camillo_server.domain.off_loop import TimeSlices
from camillo_server.domain.redaction import Redactor
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class Batch:
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

    async def made(self, batch: Batch, cleaned: Sequence[Cleaned]) -> Sequence[Made | DomainError]:
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
        cited = [() if isinstance(draft, DomainError) else refs_of(draft) for draft in drafts]
        refs = tuple(dict.fromkeys(ref for each in cited for ref in each))
        missing = set(await self._resolver.missing(scope, refs)) if refs else set()
        lost = [next((ref for ref in each if ref in missing), None) for each in cited]
        return [
            draft if ref is None else RefNotFound(ref)
            for draft, ref in zip(drafts, lost, strict=True)
        ]


def _event(
    batch: Batch, draft: EventDraft, named: tuple[EventId, int], happened: datetime
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
