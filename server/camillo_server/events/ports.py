"""What the use cases of events need of the outside."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from camillo_server.events.event import Event, EventFilter, EventId
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.paging import EventCursor
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written, replay_record
from camillo_server.memories.memory import NewRow


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events in the order asked for, and the scope's revision when they were read. `is_cut`: it ends before the size asked
    for, because of its bytes; more lie behind it."""

    events: Sequence[Event]
    revision: int
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class EventChange:
    """An event that was recorded, or the id of one that was forgotten."""

    revision: int
    place: int
    recorded: Event | None
    forgotten: EventId | None = None


@dataclass(frozen=True, slots=True)
class EventChangePage:
    """Changes in the order of (revision, place). Every change up to `revision` is among them, or did not pass, or came
    before. A page shorter than asked for may end before the scope does, because of its bytes, at the end of a revision."""

    changes: Sequence[EventChange]
    revision: int


@dataclass(frozen=True, slots=True)
class ForgottenEvents:
    """What a forgetting removed, or would remove: events, rows by store, summaries that cited them and are archived."""

    receipt_id: UUID | None
    event_ids: Sequence[EventId]
    total: int
    stores: Mapping[str, int]
    invalidated: Sequence[MemoryId]
    forgotten_at: datetime
    revision: int


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many chunks were dropped and made."""

    dropped: int
    made: int
    revision: int


class StoredEvent(NamedTuple):
    """An event that was stored, how many chunks it has, and its artifact, if any."""

    event_id: EventId
    chunk_count: int
    artifact_id: str


@dataclass(frozen=True, slots=True)
class RejectedEvent:
    """Which field of an event may not be stated."""

    rejected: str


@replay_record
@dataclass(frozen=True, slots=True)
class EventsReplay:
    """When events were recorded, and the outcome of each draft in order: a str is the ref that names nothing; None stands
    for a draft that breaks a limit, as it does again in a repeat."""

    at: datetime
    events: tuple[StoredEvent | RejectedEvent | str | None, ...]


class EventWriter(Protocol):
    """Writes events of one scope. Every write is one transaction that advances the scope's revision by one; a repeated
    request writes nothing and gives the first record. Every method raises StorageUnavailable and RequestIdReused."""

    async def record(
        self,
        scope: Scope,
        events: Sequence[Event],
        chunks: Sequence[NewRow],
        replay: EventsReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[EventsReplay]:
        """Stores the events, in this order, and their chunks. Every id is new. Raises ValueRejected where one of them
        states what was forgotten: `rejected` tells which."""
        ...

    async def rejected(self, scope: Scope, events: Sequence[Event]) -> Mapping[int, str]:
        """The places of those that state what was forgotten, each with the first field that does."""
        ...

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[EventsReplay] | None:
        """What this request was answered when it came first, or None."""
        ...

    async def forget(
        self,
        scope: Scope,
        selector: Sequence[EventId] | str,
        request: RequestKey | None,
        *,
        dry_run: bool,
        now: datetime,
    ) -> ForgottenEvents:
        """Removes these events, or those of a session, with all that was derived; with `dry_run` only tells."""
        ...

    async def drop_chunks(self, scope: Scope, *, now: datetime) -> tuple[int, int]:
        """Removes every chunk of the scope; how many there were, and the revision from which they are gone."""
        ...

    async def add_chunks(self, scope: Scope, chunks: Sequence[NewRow], *, now: datetime) -> int:
        """Stores chunks of what is there already, leaving alone those that are; the revision that holds them."""
        ...


class EventReader(Protocol):
    """Reads events of one scope. Every method raises StorageUnavailable, and KeyMissing for what is encrypted with a
    key that the server lacks."""

    async def get(self, scope: Scope, event_id: EventId) -> tuple[Event, Sequence[MemoryId]] | None:
        """The event and its chunks, in order."""
        ...

    async def page(
        self,
        scope: Scope,
        wanted: EventFilter,
        after: EventCursor | None,
        size: int,
        *,
        newest_first: bool,
    ) -> EventPage:
        """At most `size`, behind `after`, in the order of recording or against it."""
        ...

    async def changes(
        self, scope: Scope, wanted: EventFilter, after: EventCursor, size: int
    ) -> EventChangePage:
        """What came behind a place. What was forgotten is told whatever the filter says."""
        ...

    def every(self, scope: Scope, batch: int) -> AsyncIterator[Sequence[Event]]:
        """All events of the scope in the order of recording, so many at a time."""
        ...
