"""What goes with memories that are forgotten: what was derived of them, what they were merged into, and what they say."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from camillo_server.crypto.keyring import Keyring, SealBroken
from camillo_server.events.event import EventId
from camillo_server.events.store.forgetting import Doomed as DoomedEvents
from camillo_server.events.store.forgetting import doomed_with
from camillo_server.forgetting.ports import Forgetting, ForgottenReplay
from camillo_server.kernel.errors import BytesLost
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.memories.store.deletion import NAMED_IDS, count_rows, ids_to_forget
from camillo_server.memories.store.encrypted_rows import EncryptedRows
from camillo_server.storage.database import Parameters, Session
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.text.value_fingerprints import value_mark

SQL = {
    **statements("forgetting/store/forgetting"),
    "memories_of_ids": statements("memories/store/writes")["memories_of_ids"],
}
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Decrypting a value of 2,000 characters and computing its mark.
VALUE_MICROSECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Doomed:
    """What goes, in the order of the ids; the memories that come back because what stood for them goes; and the marks of
    the values that may not be stated again."""

    memory_ids: Sequence[MemoryId]
    compaction_ids: Sequence[UUID]
    restored_ids: Sequence[MemoryId]
    marks: Sequence[bytes]
    stores: dict[str, int]
    events: DoomedEvents | None = None

    def receipt(self, receipt_id: UUID | None, now: datetime) -> ForgottenReplay:
        """The receipt for the caller, which names at most 1,000 ids of each kind."""
        return ForgottenReplay(
            receipt_id=receipt_id,
            memory_ids=tuple(self.memory_ids[:NAMED_IDS]),
            stores=self.stores,
            blocked_values=len(self.marks),
            forgotten_at=now,
        )


@dataclass(slots=True)
class _Cascade:
    """What has been found so far."""

    gone: set[MemoryId]
    # Of these the sources go with them: they were asked for.
    meant: frozenset[MemoryId]
    compaction_ids: set[UUID] = field(default_factory=set)
    others: set[MemoryId] = field(default_factory=set)


async def doomed_by(
    session: Session, scope: Scope, what: Forgetting, keyring: Keyring, now: datetime
) -> Doomed:
    """Call it in the transaction that removes it, after the scope's turn is taken, or in a snapshot. Raises KeyMissing
    and BytesLost where a value cannot be read that is to be blocked."""
    selected = await ids_to_forget(session, scope, what.selector, now)
    cascade = await _cascade(session, scope, selected)
    key = {**scope_parameters(scope), "memory_ids": list(cascade.gone)}
    memory_ids = await _ids(session, SQL["memories_of_ids"], key)
    stores = await count_rows(session, scope, memory_ids)
    if cascade.compaction_ids:
        stores["compactions"] = len(cascade.compaction_ids)
    events = await _events_under(session, scope, memory_ids) if what.include_events else None
    return Doomed(
        memory_ids=memory_ids,
        compaction_ids=sorted(cascade.compaction_ids),
        restored_ids=sorted(cascade.others - cascade.gone),
        marks=() if what.allow_restating else await _marks(session, scope, memory_ids, keyring),
        stores=stores if events is None else {**stores, **events.stores},
        events=events,
    )


async def _cascade(session: Session, scope: Scope, selected: Sequence[MemoryId]) -> _Cascade:
    """A merged memory goes when a source of it goes, and its other sources come back. One that was asked for stands for
    its sources, which go with it: else what it says would come back with them."""
    key = {**scope_parameters(scope), "memory_ids": list(selected)}
    meant = await _ids(session, SQL["with_sources"], key)
    found = _Cascade(set(meant), frozenset(meant))
    known = -1
    while known < len(found.gone):
        gone = await _ids(session, SQL["with_derived"], {**key, "memory_ids": list(found.gone)})
        found.gone.update(gone)
        known = len(found.gone)
        await _add_merged(session, {**key, "memory_ids": list(found.gone)}, found)
    return found


async def _add_merged(session: Session, key: Parameters, found: _Cascade) -> None:
    for row in await session.rows(SQL["compactions_of"], key):
        compaction_id, is_committed, merged_id, source_ids = row
        found.compaction_ids.add(compaction_id)
        if is_committed and merged_id is not None:
            found.gone.add(merged_id)
            if merged_id not in found.meant:
                found.others.update(source_ids)


async def _events_under(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId]
) -> DoomedEvents:
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    rows = await session.rows(SQL["sources_of"], parameters)
    refs = {ref for row in rows for ref in row if ref is not None}
    doomed = await doomed_with(session, scope, [EventId(each) for each in _uuids(refs)])
    # A summary that goes itself cannot be archived.
    return replace(doomed, summary_ids=sorted(set(doomed.summary_ids) - set(memory_ids)))


async def _marks(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], keyring: Keyring
) -> Sequence[bytes]:
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    rows = await session.rows(SQL["values_of"], parameters)
    sealed_rows = EncryptedRows(keyring, scope)

    def marks() -> list[bytes]:
        values = {_value(sealed_rows, *row) for row in rows}
        return sorted({value_mark(scope.tenant_id, value) for value in values})

    return await off_loop(len(rows) * VALUE_MICROSECONDS, marks)


def _value(
    rows: EncryptedRows, memory_id: UUID, content: str, key_id: str, sealed: bytes | None
) -> str:
    """What a memory says. Raises KeyMissing, BytesLost."""
    if sealed is None:
        return content
    try:
        return rows.open_text(memory_id.bytes, key_id, sealed).content.decode()
    except SealBroken as error:
        raise BytesLost from error


async def _ids(
    session: Session, statement: LiteralString, parameters: Parameters
) -> list[MemoryId]:
    return [MemoryId(row[0]) for row in await session.rows(statement, parameters)]


def _uuids(refs: Iterable[str]) -> list[UUID]:
    """Those of the refs that are one; a caller may name anything."""
    return [UUID(ref) for ref in refs if _UUID.fullmatch(ref)]
