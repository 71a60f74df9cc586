"""Events in memory, written and read as in the store."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from camillo_server.events.event import Event, EventDraft, EventFilter, EventId, EventKind
from camillo_server.events.ports import (
    EventChange,
    EventChangePage,
    EventPage,
    EventsReplay,
    ForgottenEvents,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.paging import EventCursor
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.memory import NewRow


@dataclass
class EventsInMemory:
    """`EventWriter` and `EventReader` of one scope; repeats are known by their id."""

    changes_made: list[EventChange] = field(default_factory=list)
    chunks: dict[MemoryId, NewRow] = field(default_factory=dict)
    answers: dict[str, Written[EventsReplay]] = field(default_factory=dict)
    revision: int = 0

    @property
    def events(self) -> list[Event]:
        gone = {change.forgotten for change in self.changes_made}
        recorded = (change.recorded for change in self.changes_made)
        return [event for event in recorded if event is not None and event.event_id not in gone]

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
        if first := await self.first_answer(scope, request, now=now):
            return first
        self.revision += 1
        for event in events:
            stored = replace(event, revision=self.revision)
            self.changes_made.append(EventChange(self.revision, event.place, stored))
        self.chunks.update({row.memory.memory_id: row for row in chunks})
        written = Written(self.revision, replay)
        if request is not None:
            self.answers[request.request_id] = Written(self.revision, replay, is_repeat=True)
        return written

    async def rejected(self, scope: Scope, events: Sequence[Event]) -> Mapping[int, str]:
        return {}

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[EventsReplay] | None:
        return None if request is None else self.answers.get(request.request_id)

    async def forget(
        self,
        scope: Scope,
        selector: Sequence[EventId] | str,
        request: RequestKey | None,
        *,
        dry_run: bool,
        now: datetime,
    ) -> ForgottenEvents:
        self.revision += 1
        for place, event_id in enumerate(selector):
            self.changes_made.append(EventChange(self.revision, place, None, EventId(event_id)))  # type: ignore[arg-type]
        return ForgottenEvents(None, [], len(selector), {}, [], now, self.revision)

    async def drop_chunks(self, scope: Scope, *, now: datetime) -> tuple[int, int]:
        dropped = len(self.chunks)
        self.chunks.clear()
        self.revision += 1
        return dropped, self.revision

    async def add_chunks(self, scope: Scope, chunks: Sequence[NewRow], *, now: datetime) -> int:
        for row in chunks:
            self.chunks.setdefault(row.memory.memory_id, row)
        self.revision += 1
        return self.revision

    async def get(self, scope: Scope, event_id: EventId) -> tuple[Event, Sequence[MemoryId]] | None:
        found = next((event for event in self.events if event.event_id == event_id), None)
        if found is None:
            return None
        rows = [row.memory for row in self.chunks.values()]
        return found, [row.memory_id for row in rows if row.source_refs[0] == str(event_id)]

    async def page(
        self,
        scope: Scope,
        wanted: EventFilter,
        after: EventCursor | None,
        size: int,
        *,
        newest_first: bool,
    ) -> EventPage:
        found = [event for event in self.events if _passes(event, wanted)]
        if newest_first:
            found.reverse()
        if after is not None:
            places = [(event.revision, event.place) for event in found]
            found = found[places.index((after.revision, after.place)) + 1 :]
        return EventPage(found[:size], self.revision)

    async def changes(
        self, scope: Scope, wanted: EventFilter, after: EventCursor, size: int
    ) -> EventChangePage:
        held = {event.event_id for event in self.events if _passes(event, wanted)}
        found = [
            change
            for change in self.changes_made
            if (change.revision, change.place) > (after.revision, after.place)
            and (change.recorded is None or change.recorded.event_id in held)
        ]
        return EventChangePage(found[:size], self.revision)

    async def every(self, scope: Scope, batch: int) -> AsyncIterator[Sequence[Event]]:
        for first in range(0, len(self.events), batch):
            yield self.events[first : first + batch]


def _passes(event: Event, wanted: EventFilter) -> bool:
    is_hidden = (
        wanted.is_public
        and event.kind is EventKind.DECISION
        and event.channel is not Channel.PUBLIC
    )
    return event.sensitivity in wanted.sensitivities and not is_hidden


@dataclass
class KnownRefs:
    """`RefResolver` of a few ids; keeps what it was asked."""

    known: set[str] = field(default_factory=set)
    asked: list[Sequence[str]] = field(default_factory=list)

    async def missing(self, scope: Scope, refs: Sequence[str]) -> Sequence[str]:
        self.asked.append(refs)
        return [ref for ref in refs if ref not in self.known]


@dataclass
class OutputsInMemory:
    """`OutputStore`: the texts by the ids of their artifacts."""

    texts: dict[str, str] = field(default_factory=dict)
    of_request: dict[RequestKey, str] = field(default_factory=dict)

    async def store(
        self, scope: Scope, draft: EventDraft, text: str, request: RequestKey | None
    ) -> str:
        if request is not None and request in self.of_request:
            return self.of_request[request]
        artifact_id = f"output_{len(self.texts)}"
        self.texts[artifact_id] = text
        if request is not None:
            self.of_request[request] = artifact_id
        return artifact_id
