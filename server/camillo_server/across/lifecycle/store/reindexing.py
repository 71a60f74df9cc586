"""Rows of a scope with the index terms that they have: read in batches, analysed, and given other terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from psycopg import Rollback

from camillo_server.kernel.errors import KeyMissing
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import Source, source_of
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import DecryptionFailed, Keyring
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.encrypted_rows import EncryptedRows, RowText
from camillo_server.rows.store.rows import (
    ColumnValues,
    memory_from,
)
from camillo_server.storage.database import Session
from camillo_server.storage.row_fields import ENCRYPTED_COLUMNS
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import next_revision, scope_revision, tsvector_text
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.written_requests import enter, named

SQL = statements("across/lifecycle/store/reindexing")
# Their chunks are parts, which count as longer than they are.
OF_EVENTS = (Source.EVENT, Source.WORKFLOW_STEP)


@dataclass(frozen=True, slots=True)
class ChangedTerms:
    """The terms that a row should have, and the revision at which it was read with others; what it is encrypted in, if
    it is."""

    memory_id: MemoryId
    read_revision: int
    added_terms: int
    term_count: int
    terms: str
    term_codes: bytes
    key_id: str
    sealed: bytes | None


COLUMNS = [field.name for field in fields(ChangedTerms)]


@dataclass(frozen=True, slots=True)
class AnalysedRows:
    """A batch: how many rows, how many of them cannot be decrypted, the id of the last, and those that have other
    terms."""

    rows: int
    unreadable: int
    last_id: MemoryId
    changed: Sequence[ChangedTerms]


class ReindexingStore:
    """Every method raises StorageUnavailable."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._keyring = keyring

    async def revision(self, scope: Scope) -> int:
        """The revision of the scope's latest write."""
        return await self._writes.database.read(scope, lambda session: scope_revision(session, scope))

    async def analyse(self, scope: Scope, after: MemoryId, size: int) -> AnalysedRows | None:
        """Up to `size` rows behind an id, in the order of their ids; None if there is none. Locks nothing."""
        parameters = {**scope_parameters(scope), "after_id": after, "size": size}

        async def work(session: Session) -> tuple[Sequence[ColumnValues], Sequence[ColumnValues]]:
            rows = await session.rows(SQL["rows_to_reindex"], parameters)
            events = {memory.source_refs[0] for memory in map(memory_from, rows) if _is_part(memory)}
            of_these = {**scope_parameters(scope), "event_ids": list(events)}
            return rows, await session.rows(SQL["parts_of_events"], of_these) if events else ()

        rows, parts = await self._writes.database.read(scope, work)
        return await self._analysed(scope, rows, parts) if rows else None

    async def _analysed(
        self, scope: Scope, rows: Sequence[ColumnValues], parts: Sequence[ColumnValues]
    ) -> AnalysedRows:
        encrypted, slices = EncryptedRows(self._keyring, scope), TimeSlices()
        changed, unreadable = list[ChangedTerms](), 0
        lengths = await _event_lengths(encrypted, parts, slices)
        for row in rows:
            try:
                new = _changed_terms(encrypted, row, lengths)
            except (KeyMissing, DecryptionFailed):
                unreadable += 1
                continue
            changed += [new] if new else []
            await slices.spend()
        return AnalysedRows(len(rows), unreadable, rows[-1][0], changed)

    async def change(self, scope: Scope, changed: Sequence[ChangedTerms], *, now: datetime) -> tuple[int, int]:
        """Gives the rows their terms, as one write of the scope: how many, and its revision. Rows that something else
        changed since they were read are passed over: their ids may belong to other texts."""
        columns = {name: [getattr(each, name) for each in changed] for name in COLUMNS}

        async def work(session: Session) -> tuple[int, int]:
            stored = list[MemoryId]()
            async with session.transaction() as transaction:
                revision = await next_revision(session, scope, now)
                parameters = {**scope_parameters(scope), **columns, "revision": revision}
                rows = await session.rows(SQL["change_terms"], parameters)
                stored = [memory_id for (memory_id,) in rows]
                if not stored:
                    raise Rollback(transaction)
                ids = named("memory_ids", stored)
                await enter(session, scope, None, now, ids, revision=revision)
            return len(stored), revision

        count, revision = await self._writes.run(scope, work)
        if count:
            self._writes.notify(scope, revision, ())
        return count, revision


def _changed_terms(
    encrypted: EncryptedRows, row: ColumnValues, event_lengths: Mapping[str, int]
) -> ChangedTerms | None:
    """The new terms of a row; None if it already has them. Raises KeyMissing, DecryptionFailed."""
    memory, (key_id, sealed) = memory_from(row), row[ENCRYPTED_COLUMNS]
    revision, term_count, term_codes = row[-3:]
    text = None
    if sealed is not None:
        text = encrypted.open_text(memory.memory_id.bytes, key_id, sealed)
        memory, term_codes = memory._replace(content=text.content.decode()), text.term_codes
    whole = event_lengths.get(memory.source_refs[0], 0) if _is_part(memory) else 0
    terms = NewRow(memory, None, whole_characters=whole).terms()
    if (terms.total, terms.packed) == (term_count, term_codes):
        return None
    lexemes, packed = tsvector_text(encrypted.scope, terms.counts), terms.packed
    if text is not None:
        text = RowText(text.content, text.metadata, packed)
        key_id, sealed = encrypted.encrypt_text(memory.memory_id.bytes, text)
        lexemes, packed = "", b""
    added = terms.total - term_count
    return ChangedTerms(memory.memory_id, revision, added, terms.total, lexemes, packed, key_id, sealed)


async def _event_lengths(
    encrypted: EncryptedRows, parts: Sequence[ColumnValues], slices: TimeSlices
) -> Mapping[str, int]:
    """The characters of all chunks of each event; a chunk that cannot be decrypted counts as none."""
    lengths: dict[str, int] = {}
    for event_id, characters, memory_id, key_id, sealed in parts:
        if sealed is not None:
            await slices.spend()
            characters = _length(encrypted, memory_id, key_id, sealed)
        lengths[event_id] = lengths.get(event_id, 0) + characters
    return lengths


def _length(encrypted: EncryptedRows, memory_id: MemoryId, key_id: str, sealed: bytes) -> int:
    try:
        return len(encrypted.open_text(memory_id.bytes, key_id, sealed).content.decode())
    except (KeyMissing, DecryptionFailed):
        return 0


def _is_part(memory: Row) -> bool:
    return source_of(memory.kind) in OF_EVENTS
