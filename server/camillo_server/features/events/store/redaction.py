"""Events that stay when a value is forgotten: it is cut out of their texts, and their chunks are cut anew."""

from collections.abc import Collection, Mapping, Sequence
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
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import store_chunks
from camillo_server.rows.store.removal import delete_rows
from camillo_server.rows.store.transaction import MemoryTransaction
from camillo_server.storage.database import Session
from camillo_server.storage.statements import json_text, scope_parameters, statements

SQL = statements("features/events/store/forgetting")
# Each may have 64 KiB.
EVENTS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class RedactedEvents:
    """Events as they are to be, in the order of their ids, with their chunks."""

    events: Sequence[Event]
    chunks: Sequence[NewRow]

    @property
    def ids(self) -> Collection[str]:
        return [str(each.event_id) for each in self.events]

    async def carry_out(self, session: Session, scope: Scope, removal: Removal) -> Sequence[NewRow]:
        """Replaces them inside the caller's transaction, after every deletion; the chunks, which wait for vectors."""
        if not self.events:
            return ()
        await self._announce(session, scope, removal)
        for begin in range(0, len(self.events), EVENTS_AT_ONCE):
            await _replace(session, scope, self.events[begin : begin + EVENTS_AT_ONCE])
        return await self._replace_chunks(session, scope, removal)

    async def _announce(self, session: Session, scope: Scope, removal: Removal) -> None:
        """Tombstones with a receipt of their own, behind those of events that went: they permit the replacement, and
        say that these events changed."""
        key = scope_parameters(scope)
        receipt_id = time_ordered_uuid(removal.now)
        counts = Jsonb({"total": 0, "redacted": len(self.events)})
        receipt = {**key, "receipt_id": receipt_id, "counts": counts, "now": removal.now}
        await session.execute(SQL["keep_receipt"], receipt)
        (place,) = await session.only_row(SQL["next_tombstone_place"], key)
        event_ids = [each.event_id for each in self.events]
        tombstones = {**key, "event_ids": event_ids, "receipt_id": receipt_id, "place": place}
        await session.execute(SQL["insert_tombstones"], tombstones)

    async def _replace_chunks(self, session: Session, scope: Scope, removal: Removal) -> Sequence[NewRow]:
        rows = await session.rows(SQL["versions_of_chunks"], {**scope_parameters(scope), "origins": list(self.ids)})
        versions: Mapping[MemoryId, int] = {MemoryId(chunk_id): version for chunk_id, version in rows}
        changed = [_next_version(each, versions) for each in self.chunks if each.memory.memory_id in versions]
        added = [each for each in self.chunks if each.memory.memory_id not in versions]
        if left_over := versions.keys() - {each.memory.memory_id for each in self.chunks}:
            await delete_rows(session, scope, sorted(left_over), removal.revision, removal.now)
        transaction = MemoryTransaction(session, scope, removal.revision, removal.now, session.keyring)
        for each in changed:
            await transaction.redact(each.memory)
        if added:
            await store_chunks(session, scope, added, session.keyring)
        return [*changed, *added]


async def events_to_redact(
    session: Session, scope: Scope, event_ids: Sequence[str], sought: SoughtValues
) -> RedactedEvents:
    """These events, which hold a value, without it, but for those that cannot be without it. Raises KeyMissing,
    BytesLost."""
    rows = EventRows(session.keyring)
    events, chunks = list[Event](), list[NewRow]()
    for begin in range(0, len(event_ids), EVENTS_AT_ONCE):
        part = list(map(UUID, event_ids[begin : begin + EVENTS_AT_ONCE]))
        stored = await session.records(SQL["events_of_ids"], {**scope_parameters(scope), "event_ids": part})
        work = partial(_redacted, scope, await rows.events(scope, stored), sought)
        for event, its_chunks in await off_loop(UNBOUNDED, work):
            events.append(event)
            chunks += its_chunks
    return RedactedEvents(events, chunks)


def _redacted(scope: Scope, events: Sequence[Event], sought: SoughtValues) -> Sequence[tuple[Event, Sequence[NewRow]]]:
    redacted = (_without_values(scope, each, sought) for each in events)
    return [(each, chunk_rows(each)) for each in redacted if each is not None]


def _without_values(scope: Scope, event: Event, sought: SoughtValues) -> Event | None:
    """The event without the values; None if it would say nothing else, has them in a name, or tells of an artifact,
    which goes as a whole."""
    redacted = replace(event, content=with_each_text(event.content, sought.cut_from))
    rest = event_text(redacted).text.replace(PLACEHOLDER, " ")
    if artifact_of(event.content) or is_common(rest):
        return None
    states = any(sought.are_in(scope.tenant_id, text) for text in event_texts(redacted).values())
    return None if states else redacted


def _next_version(row: NewRow, versions: Mapping[MemoryId, int]) -> NewRow:
    """The row in the next version of its chunk: a vector of the one before is not stored any more."""
    memory = row.memory._replace(version=versions[row.memory.memory_id] + 1)
    return replace(row, memory=memory)


async def _replace(session: Session, scope: Scope, events: Sequence[Event]) -> None:
    """Puts these events in the places of those with their ids. The role that serves may not update events; steps of
    workflows go with the old ones."""
    key = scope_parameters(scope)
    text = await EventRows(session.keyring).json(scope, events)
    await session.execute(SQL["replace_events"], {**key, "events": text})
    if steps := step_rows(events):
        await session.execute(SQL["insert_steps"], {**key, "steps": json_text(steps)})
