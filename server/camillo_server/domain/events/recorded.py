"""What was made of events when they were recorded, and how a repeated request is told the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.domain.errors import DomainError, RefNotFound, ValueRejected
from camillo_server.domain.events.chunk_rows import chunk_id
from camillo_server.domain.events.event import Event, EventDraft, EventId, ToolResultContent
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.ports import NewRow
from camillo_server.domain.redaction import Redaction
from camillo_server.domain.writes import Facts, Written

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


def first_facts(made: Sequence[Made | DomainError], now: datetime) -> Facts:
    """For each draft its event's id, the number of its chunks and its artifact; or the ref that names nothing; or which
    field of it may not be stated; or None for one that breaks a limit, as it does again in a repeat."""
    return {"at": now.isoformat(), "events": [_fact(each) for each in made]}


def answered(written: Written, cleaned: Sequence[Cleaned]) -> Recorded:
    """The answer to the request when it came first."""
    at = datetime.fromisoformat(written.facts["at"])
    told = zip(written.facts["events"], cleaned, strict=True)
    return Recorded(written.revision, [_result(fact, each, at) for fact, each in told])


def _fact(made: Made | DomainError) -> object:
    if isinstance(made, Made):
        content = made.event.content
        artifact_id = content.artifact_id if isinstance(content, ToolResultContent) else ""
        return [str(made.event.event_id), len(made.rows), artifact_id]
    if isinstance(made, ValueRejected):
        return {"rejected": made.field}
    return made.ref if isinstance(made, RefNotFound) else None


def _result(fact: Any, cleaned: Cleaned, at: datetime) -> RecordedEvent | DomainError:
    if isinstance(cleaned, DomainError):
        return cleaned
    if isinstance(fact, str):
        return RefNotFound(fact)
    if isinstance(fact, dict):
        return ValueRejected(fact["rejected"])
    name, chunks, artifact_id = fact
    event_id = EventId(UUID(name))
    chunk_ids = [chunk_id(event_id, place) for place in range(chunks)]
    return RecordedEvent(event_id, chunk_ids, artifact_id, at, cleaned[1])
