"""Which rows go when memories are forgotten: those derived from them, those they were merged into, and their texts."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from camillo_server.crypto.keyring import Keyring
from camillo_server.events.event import EventId
from camillo_server.events.store.forgetting import EventsToRemove, events_to_remove
from camillo_server.forgetting.records import ForgetSelection, ForgottenReplay
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.memories.store.deletion import (
    NAMED_IDS,
    count_rows,
    existing_ids,
    selected_ids,
)
from camillo_server.memories.store.encrypted_rows import EncryptedRows
from camillo_server.storage.database import Parameters, Session
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.text.value_fingerprints import value_fingerprint

SQL = statements("forgetting/store/forgetting")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Decrypting a value of 2,000 characters and computing its fingerprint.
VALUE_MICROSECONDS = 30.0


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """The ids that go, in order; `restored_ids` are memories that come back because the memory that replaced them goes,
    `fingerprints` stand for the values that may not be stated again."""

    memory_ids: Sequence[MemoryId]
    compaction_ids: Sequence[UUID]
    restored_ids: Sequence[MemoryId]
    fingerprints: Sequence[bytes]
    stores: dict[str, int]
    events: EventsToRemove | None = None

    def receipt(self, receipt_id: UUID | None, now: datetime) -> ForgottenReplay:
        """The receipt for the caller, which names at most 1,000 ids."""
        return ForgottenReplay(
            receipt_id=receipt_id,
            memory_ids=tuple(self.memory_ids[:NAMED_IDS]),
            stores=self.stores,
            blocked_values=len(self.fingerprints),
            forgotten_at=now,
        )


@dataclass(slots=True)
class _Cascade:
    """The ids reached so far from the selected ones."""

    gone: set[MemoryId]
    # The sources of these go with them, since a caller selected them.
    selected: frozenset[MemoryId]
    compaction_ids: set[UUID] = field(default_factory=set)
    sources: set[MemoryId] = field(default_factory=set)


async def plan_deletion(
    session: Session, scope: Scope, selection: ForgetSelection, keyring: Keyring, now: datetime
) -> DeletionPlan:
    """Call it in the transaction that deletes, holding the scope's write lock, or in a snapshot. Raises KeyMissing and
    BytesLost where a value cannot be read that is to be blocked."""
    selected = await selected_ids(session, scope, selection.selector, now)
    cascade = await _cascade(session, scope, selected)
    memory_ids = await existing_ids(session, scope, cascade.gone)
    stores = await count_rows(session, scope, memory_ids)
    if cascade.compaction_ids:
        stores["compactions"] = len(cascade.compaction_ids)
    events = await _events_under(session, scope, memory_ids) if selection.include_events else None
    return DeletionPlan(
        memory_ids=memory_ids,
        compaction_ids=sorted(cascade.compaction_ids),
        restored_ids=sorted(cascade.sources - cascade.gone),
        fingerprints=()
        if selection.allow_restating
        else await _fingerprints(session, scope, memory_ids, keyring),
        stores=stores if events is None else {**stores, **events.stores},
        events=events,
    )


async def _cascade(session: Session, scope: Scope, selected: Sequence[MemoryId]) -> _Cascade:
    """A merged memory goes when a source of it goes, and its other sources come back. A merged memory that was selected
    takes its sources with it: else they would bring back what it says."""
    key = {**scope_parameters(scope), "memory_ids": list(selected)}
    with_sources = await _ids(session, SQL["with_sources"], key)
    cascade = _Cascade(set(with_sources), frozenset(with_sources))
    # Derived rows and merges lead to each other: until neither adds an id.
    size = -1
    while size < len(cascade.gone):
        key["memory_ids"] = list(cascade.gone)
        cascade.gone.update(await _ids(session, SQL["with_derived"], key))
        size = len(cascade.gone)
        await _add_merged(session, {**key, "memory_ids": list(cascade.gone)}, cascade)
    return cascade


async def _add_merged(session: Session, key: Parameters, cascade: _Cascade) -> None:
    for row in await session.rows(SQL["compactions_of"], key):
        compaction_id, is_committed, merged_id, source_ids = row
        cascade.compaction_ids.add(compaction_id)
        if is_committed and merged_id is not None:
            cascade.gone.add(merged_id)
            if merged_id not in cascade.selected:
                cascade.sources.update(source_ids)


async def _events_under(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId]
) -> EventsToRemove:
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    rows = await session.rows(SQL["sources_of"], parameters)
    refs = {ref for row in rows for ref in row if ref is not None}
    events = await events_to_remove(session, scope, [EventId(each) for each in _uuids(refs)])
    # A summary that goes itself cannot be archived.
    return replace(events, summary_ids=sorted(set(events.summary_ids) - set(memory_ids)))


async def _fingerprints(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], keyring: Keyring
) -> Sequence[bytes]:
    """Of every text that the memories have or had. Raises KeyMissing, BytesLost."""
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    rows = await session.rows(SQL["values_of"], parameters)
    encrypted = EncryptedRows(keyring, scope)

    def fingerprints() -> list[bytes]:
        values = {encrypted.content(*row) for row in rows}
        return sorted({value_fingerprint(scope.tenant_id, value) for value in values})

    return await off_loop(len(rows) * VALUE_MICROSECONDS, fingerprints)


async def _ids(
    session: Session, statement: LiteralString, parameters: Parameters
) -> list[MemoryId]:
    return [MemoryId(memory_id) for (memory_id,) in await session.rows(statement, parameters)]


def _uuids(refs: Iterable[str]) -> list[UUID]:
    """The refs that are a UUID; a caller may name anything."""
    return [UUID(ref) for ref in refs if _UUID.fullmatch(ref)]
