"""Events that stay when a value is forgotten: it is cut out of their texts, and their chunks are cut anew."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.features.events.chunks import chunk_rows, event_text
from camillo_server.features.events.content import event_texts, with_each_text
from camillo_server.features.events.event import Event, artifact_of
from camillo_server.features.events.store.rows import EventRows, step_rows
from camillo_server.kernel.clock import time_ordered_uuid
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.value_fingerprints import is_common
from camillo_server.lib.text.value_spans import PLACEHOLDER, SoughtValues
from camillo_server.rows.forgettable import Removal
from camillo_server.rows.row import Row
from camillo_server.rows.store.inserts import store_chunks
from camillo_server.rows.store.removal import delete_rows
from camillo_server.rows.store.transaction import MemoryTransaction
from camillo_server.storage.database import Session
from camillo_server.storage.statements import json_text, scope_parameters, statements

SQL = statements("features/events/store/forgetting")
# Each may have a MiB.
EVENTS_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class EventsToRedact:
    """Events that stay without the values, in the order of their ids. Their texts are read when these are cut out: many
    might not fit into memory."""

    event_ids: Sequence[UUID]
    sought: SoughtValues

    @property
    def ids(self) -> Collection[str]:
        return [str(each) for each in self.event_ids]

    async def carry_out(self, session: Session, scope: Scope, removal: Removal) -> int:
        """Replaces them inside the caller's transaction, after every deletion; how many chunks wait for vectors."""
        if not self.event_ids:
            return 0
        await self._announce(session, scope, removal)
        waiting = 0
        async for events in _redacted_parts(session, scope, self.event_ids, self.sought):
            await _replace(session, scope, events)
            waiting += await _replace_chunks(session, scope, events, removal)
        return waiting

    async def _announce(self, session: Session, scope: Scope, removal: Removal) -> None:
        """Tombstones with a receipt of their own, behind those of events that went: they permit the replacement, and
        say that these events changed."""
        key = scope_parameters(scope)
        receipt_id = time_ordered_uuid(removal.now)
        counts = Jsonb({"total": 0, "redacted": len(self.event_ids)})
        receipt = {**key, "receipt_id": receipt_id, "counts": counts, "now": removal.now}
        await session.execute(SQL["keep_receipt"], receipt)
        (place,) = await session.only_row(SQL["next_tombstone_place"], key)
        tombstones = {**key, "event_ids": list(self.event_ids), "receipt_id": receipt_id, "place": place}
        await session.execute(SQL["insert_tombstones"], tombstones)


async def events_to_redact(
    session: Session, scope: Scope, event_ids: Sequence[str], sought: SoughtValues
) -> EventsToRedact:
    """These events, which hold a value, but for those that cannot be without it. Raises KeyMissing, BytesLost."""
    found = list(map(UUID, event_ids))
    parts = _redacted_parts(session, scope, found, sought)
    return EventsToRedact([each.event_id async for events in parts for each in events], sought)


async def _redacted_parts(
    session: Session, scope: Scope, event_ids: Sequence[UUID], sought: SoughtValues
) -> AsyncIterator[Sequence[Event]]:
    """Yields those of these events that can be without the values, as they are to be, some at a time."""
    rows = EventRows(session.keyring)
    for begin in range(0, len(event_ids), EVENTS_AT_ONCE):
        part = list(event_ids[begin : begin + EVENTS_AT_ONCE])
        stored = await session.records(SQL["events_of_ids"], {**scope_parameters(scope), "event_ids": part})
        events = await rows.events(scope, stored)
        yield await off_loop(UNBOUNDED, partial(_redacted, scope, events, sought))


def _redacted(scope: Scope, events: Sequence[Event], sought: SoughtValues) -> Sequence[Event]:
    redacted = (_without_values(scope, each, sought) for each in events)
    return [each for each in redacted if each is not None]


def _without_values(scope: Scope, event: Event, sought: SoughtValues) -> Event | None:
    """The event without the values; None if it would say nothing else, has them in a name, or tells of an artifact,
    which goes as a whole."""
    redacted = replace(event, content=with_each_text(event.content, sought.cut_from))
    rest = event_text(redacted).text.replace(PLACEHOLDER, " ")
    if artifact_of(event.content) or is_common(rest):
        return None
    states = any(sought.are_in(scope.tenant_id, text) for text in event_texts(redacted).values())
    return None if states else redacted


async def _replace(session: Session, scope: Scope, events: Sequence[Event]) -> None:
    """Puts these events in the places of those with their ids. The role that serves may not update events; steps of
    workflows go with the old ones."""
    key = scope_parameters(scope)
    text = await EventRows(session.keyring).json(scope, events)
    await session.execute(SQL["replace_events"], {**key, "events": text})
    if steps := step_rows(events):
        await session.execute(SQL["insert_steps"], {**key, "steps": json_text(steps)})


async def _replace_chunks(session: Session, scope: Scope, events: Sequence[Event], removal: Removal) -> int:
    """Cuts the chunks of these events anew; how many there are."""
    chunks = await off_loop(UNBOUNDED, lambda: [row for each in events for row in chunk_rows(each)])
    origins = [str(each.event_id) for each in events]
    rows = await session.rows(SQL["versions_of_chunks"], {**scope_parameters(scope), "origins": origins})
    versions: Mapping[MemoryId, int] = {MemoryId(chunk_id): version for chunk_id, version in rows}
    if left_over := versions.keys() - {each.memory.memory_id for each in chunks}:
        await delete_rows(session, scope, sorted(left_over), removal.revision, removal.now)
    transaction = MemoryTransaction(session, scope, removal.revision, removal.now, session.keyring)
    for each in chunks:
        if each.memory.memory_id in versions:
            await transaction.redact(_next_version(each.memory, versions))
    if added := [each for each in chunks if each.memory.memory_id not in versions]:
        await store_chunks(session, scope, added, session.keyring)
    return len(chunks)


def _next_version(chunk: Row, versions: Mapping[MemoryId, int]) -> Row:
    """The chunk in the next version: a vector of the one before is not stored any more."""
    return chunk._replace(version=versions[chunk.memory_id] + 1)
