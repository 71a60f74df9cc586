"""RecordEvent and BatchRecordEvents: store what happened, cut into chunks, in the order given."""

from collections.abc import Sequence

from camillo_server.domain.clock import Clock
from camillo_server.domain.errors import DomainError, ValueRejected
from camillo_server.domain.events.event import EXCERPT_BYTES, EventDraft, ToolResultContent
from camillo_server.domain.events.event_making import Batch, EventMaking
from camillo_server.domain.events.ports import EventWriter
from camillo_server.domain.events.recorded import (
    Cleaned,
    Made,
    Recorded,
    RecordedEvent,
    answered,
    events_replay,
)
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


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
        made = await self._making.made(Batch(scope, request, now), cleaned)
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

    async def _without_rejected(
        self, scope: Scope, made: Sequence[Made | DomainError]
    ) -> Sequence[Made | DomainError]:
        """An error in the place of each that states what was forgotten."""
        places = [place for place, each in enumerate(made) if isinstance(each, Made)]
        events = [each.event for each in made if isinstance(each, Made)]
        rejected = await self._writer.rejected(scope, events)
        errors = {places[at]: ValueRejected(field) for at, field in rejected.items()}
        return [errors.get(place, each) for place, each in enumerate(made)]


class RecordEvent:
    """Stores one event."""

    def __init__(self, record: RecordEvents) -> None:
        self._record = record

    async def __call__(
        self, scope: Scope, draft: EventDraft, request: RequestKey | None
    ) -> tuple[RecordedEvent, int]:
        """With the revision that holds it. Raises RefNotFound, ValueRejected, RequestIdReused, StorageUnavailable, and
        what storing an artifact does."""
        recorded = await self._record(scope, [draft], request)
        (result,) = recorded.results
        if isinstance(result, DomainError):
            raise result
        return result, recorded.revision


def _may_be_long(cleaned: Cleaned) -> bool:
    content = None if isinstance(cleaned, DomainError) else cleaned[0].content
    # In characters, of which each has a byte at least and four at most.
    return isinstance(content, ToolResultContent) and len(content.excerpt_text) * 4 > EXCERPT_BYTES
