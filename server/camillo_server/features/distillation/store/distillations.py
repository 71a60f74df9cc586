"""Distillations of a scope: its cursor, the turns behind it, and what was made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.features.distillation.proposal import (
    Distillation,
    DistillationId,
    DistillationState,
    DistillationUnderWay,
    DistilledReplay,
    FinishedDistillation,
    ModelRequest,
)
from camillo_server.features.distillation.store.rows import DistillationRows
from camillo_server.features.events.event import Event, EventId
from camillo_server.features.events.store.rows import EventRows
from camillo_server.kernel.clock import time_ordered_uuid
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import AgentId, EventCursor, PageCursor, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.blocklist import blocked_fields, fingerprint_texts_off_loop
from camillo_server.storage.database import Session
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/distillation/store/distillations")
PROPOSALS = statements("features/distillation/store/proposals")
BEGINNING = EventCursor(0, 0)
# So many of the events behind a cursor are looked at, the last ones: more than are waited for.
COUNTED_EVENTS = 2_000


@dataclass(frozen=True, slots=True)
class TurnQuery:
    """Turns of a session, or of all (""), behind a position, of at most this sensitivity, recorded since then."""

    session_id: str
    after: EventCursor
    max_sensitivity: Sensitivity
    since: datetime | None
    size: int


@dataclass(frozen=True, slots=True)
class DueQuery:
    """When turns are due that were recorded since then: so many of them, or none since `idle_since`."""

    since: datetime
    idle_since: datetime
    every_turns: int
    max_sensitivity: Sensitivity


class DistillationStore:
    """Distillations of one scope. Every method raises StorageUnavailable; writes raise RequestIdReused; what reads
    texts raises KeyMissing and BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._rows = DistillationRows(keyring)
        self._events = EventRows(keyring)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, now: datetime
    ) -> Written[DistilledReplay] | None:
        """The answer to this request when it came first, or None."""
        return await self._writes.first_answer(scope, request, DistilledReplay, now)

    async def due(self, tenant_id: TenantId, agent_id: AgentId | None, query: "DueQuery") -> Mapping[AgentId, int]:
        """The scopes of a tenant, or the one of an agent, in which enough was said, or nothing for long enough; each
        with the number of turns behind its cursor, as far as they are counted."""
        parameters = {
            "tenant_id": tenant_id,
            "agent_id": agent_id,
            "since": query.since,
            "idle_since": query.idle_since,
            "every_turns": query.every_turns,
            "max_sensitivity": int(query.max_sensitivity),
            "size": COUNTED_EVENTS,
        }
        rows = await self._database.rows(whole_tenant(tenant_id), SQL["due"], parameters)
        return {AgentId(found): turns for found, turns in rows}

    async def has_events(self, scope: Scope) -> bool:
        """Whether anything was recorded."""
        row = await self._database.record(scope, SQL["has_events"], scope_parameters(scope))
        return bool(row.has_events)

    async def cursor(self, scope: Scope) -> EventCursor:
        """Where the cursor of the scope stands."""
        row = await self._database.record(scope, SQL["cursor"], scope_parameters(scope))
        return BEGINNING if row is None else EventCursor(row.revision, row.place)

    async def lease(self, scope: Scope, lease_id: UUID, until: datetime, now: datetime) -> EventCursor:
        """Takes the cursor for one distillation, or keeps it; where it stands. Raises DistillationUnderWay."""
        parameters = {**scope_parameters(scope), "lease_id": lease_id, "until": until, "now": now}

        async def work(session: Session) -> Any:
            return await session.record(SQL["lease"], parameters)

        row = await self._database.write(scope, work)
        if row is None:
            raise DistillationUnderWay
        return EventCursor(row.revision, row.place)

    async def release(self, scope: Scope, lease_id: UUID) -> None:
        """Lets another distillation begin."""

        async def work(session: Session) -> None:
            await session.execute(SQL["release"], {**scope_parameters(scope), "lease_id": lease_id})

        await self._database.write(scope, work)

    async def turns(self, scope: Scope, query: TurnQuery) -> Sequence[Event]:
        """At most so many turns that no distillation in force has read, in the order of recording."""
        parameters = {
            **scope_parameters(scope),
            "session_id": query.session_id,
            "after_revision": query.after.revision,
            "after_place": query.after.index,
            "max_sensitivity": int(query.max_sensitivity),
            "since": query.since,
            "size": query.size,
        }
        rows = await self._database.records(scope, SQL["turns"], parameters)
        return await self._events.events(scope, rows)

    async def events(self, scope: Scope, event_ids: Sequence[EventId]) -> Mapping[EventId, Event]:
        """The events that exist."""
        parameters = {**scope_parameters(scope), "event_ids": list(event_ids)}
        rows = await self._database.records(scope, SQL["turns_of_ids"], parameters)
        return {event.event_id: event for event in await self._events.events(scope, rows)}

    async def finish(
        self, scope: Scope, finished: FinishedDistillation, lease_id: UUID, request: RequestKey | None, now: datetime
    ) -> Written[DistilledReplay]:
        """Stores what came of some turns and moves the cursor: one commit. Proposals with a forgotten value are left
        out, and so is all that rests on an event that was forgotten meanwhile. Raises DistillationUnderWay where the
        lease went to another one."""
        texts = {str(each.place): each.stated.content for each in finished.proposals}
        fingerprints = await fingerprint_texts_off_loop(scope, texts)
        distillation_id, cursor = finished.distillation.distillation_id, finished.cursor
        key = {**scope_parameters(scope), "lease_id": lease_id, "distillation_id": distillation_id}
        moved = {**key, "revision": cursor and cursor.revision, "place": cursor and cursor.index}

        async def change(session: Session, revision: int) -> DistilledReplay:
            if await session.record(SQL["advance"], moved) is None:
                raise DistillationUnderWay
            blocked = await blocked_fields(session, scope, fingerprints)
            rows = await session.rows(SQL["existing_events"], {**key, "event_ids": list(finished.event_ids)})
            there = {event_id for (event_id,) in rows}
            kept = [each for each in finished.proposals if str(each.place) not in blocked]
            kept = [each for each in kept if there.issuperset(each.event_ids)]
            stored = finished.distillation.with_rejected(len(blocked))
            await session.execute(SQL["keep"], self._rows.parameters(scope, stored))
            await session.execute(SQL["keep_events"], {**key, "event_ids": list(there)})
            answers = [
                self._rows.answer_parameters(scope, each, time_ordered_uuid(now), place, finished.sensitivity) | key
                for place, each in enumerate(finished.requests)
                if there.issuperset(each.event_ids)
            ]
            async with session.cursor() as writing:
                await writing.executemany(SQL["keep_answer"], answers)
                proposals = [self._rows.proposal_parameters(scope, each) for each in kept]
                await writing.executemany(PROPOSALS["keep"], proposals)
            return DistilledReplay(distillation_id, len(kept), finished.has_more)

        return await self._writes.write(scope, request, DistilledReplay, change, now)

    async def get(self, scope: Scope, distillation_id: DistillationId) -> Distillation:
        """Raises NotFound."""
        parameters = {**scope_parameters(scope), "distillation_id": distillation_id}
        row = await self._database.record(scope, SQL["get"], parameters)
        if row is None:
            raise NotFound("distillation", distillation_id)
        return self._rows.distillation(row)

    async def requests(self, scope: Scope, distillation_id: DistillationId) -> Sequence[ModelRequest]:
        """The requests of a distillation whose answers are still there, in their order."""
        parameters = {**scope_parameters(scope), "distillation_id": distillation_id}
        rows = await self._database.records(scope, SQL["answers"], parameters)
        return [self._rows.request(scope, row) for row in rows]

    async def page(
        self, scope: Scope, state: DistillationState | None, after: PageCursor | None, size: int
    ) -> Sequence[Distillation]:
        """Newest first, behind the last one of the page before."""
        after_at, after_id = after or (None, None)
        parameters = {**scope_parameters(scope), "state": int(state) if state else None, "size": size}
        parameters |= {"after_at": after_at, "after_id": after_id}
        rows = await self._database.records(scope, SQL["page"], parameters)
        return [self._rows.distillation(row) for row in rows]
