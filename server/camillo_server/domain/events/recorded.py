"""What was made of events when they were recorded, and how a repeated request is told the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.domain.errors import DomainError, RefNotFound, ValueRejected
from camillo_server.domain.events.chunk_rows import chunk_id
from camillo_server.domain.events.event import Event, EventDraft, EventId, ToolResultContent
from camillo_server.domain.events.ports import EventsReplay, RejectedEvent, StoredEvent
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.ports import NewRow
from camillo_server.domain.redaction import Redaction
from camillo_server.domain.replay import UnreadableRecord
from camillo_server.domain.writes import Written

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
