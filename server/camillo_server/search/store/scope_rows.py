"""Reads the rows of a scope in bulk, for an index in memory: all of them, or those changed since a revision."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any
from uuid import UUID

import numpy as np

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.encrypted_rows import NO_KEYS, EncryptedRows
from camillo_server.search.store.encrypted_records import decrypt_page, has_encrypted
from camillo_server.search.store.packed_payload import label_codes, session_code, write_payload
from camillo_server.search.store.packed_rows import (
    FIELD_HEADER,
    FIXED,
    LONG_AGO,
    NEVER,
    TERM,
    ScopeRows,
    unpack,
)
from camillo_server.storage.database import Database, Session
from camillo_server.storage.row_fields import INDEXED, field_named
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("search/store/scope_rows")
PAGE_ROWS = 1_000
ID_BYTES = 16
LENGTH_BYTES = 4
FIRST_FIELD = 4 + FIELD_HEADER
LAST_ID = MemoryId(UUID(int=2**128 - 1))
AFTER_EVERY_REVISION = 2**63 - 1
Position = tuple[int, MemoryId]
# The fields of a memory that are columns of the index; and the indexes of times among them, with the value of none.
indexed_values = attrgetter(*INDEXED)
MISSING_TIMES = [
    (index, LONG_AGO if field.default == "'-infinity'" else NEVER)
    for index, field in enumerate(map(field_named, INDEXED))
    if field.type == "timestamptz"
]


@dataclass(frozen=True, slots=True)
class ScopeFacts:
    """The revision of a scope and its size: memories and chunks together; and the revision that last changed its links,
    0 before the first."""

    revision: int
    memory_count: int
    term_count: int
    links_revision: int = 0


@dataclass(frozen=True, slots=True)
class PackedPage:
    """Rows as Postgres packs them, the ids (16 bytes each) of forgotten rows, and the facts of the same snapshot."""

    facts: ScopeFacts
    forgotten: bytes
    lengths: bytes
    records: bytes

    def __len__(self) -> int:
        return len(self.lengths) // LENGTH_BYTES

    @property
    def is_last(self) -> bool:
        return len(self) < PAGE_ROWS

    @property
    def has_encrypted(self) -> bool:
        return has_encrypted(self.lengths, self.records)

    @property
    def end(self) -> Position:
        """The revision and id of its last row. Only for a page that has one."""
        begin = len(self.records) - int.from_bytes(self.lengths[-4:], "big") + FIRST_FIELD
        behind = begin + ID_BYTES + FIELD_HEADER
        memory_id = MemoryId(UUID(bytes=self.records[begin : begin + ID_BYTES]))
        return int.from_bytes(self.records[behind : behind + 8], "big"), memory_id

    def split(self, rows: int) -> Iterator["PackedPage"]:
        """The same rows in the same order, at most so many in each part; the first part has the forgotten ids."""
        if len(self) <= rows:
            yield self
            return
        ends = np.cumsum(np.frombuffer(self.lengths, ">i4"), dtype=np.int64).tolist()
        begin, forgotten = 0, self.forgotten
        for first in range(0, len(self), rows):
            lengths = self.lengths[first * LENGTH_BYTES : (first + rows) * LENGTH_BYTES]
            end = ends[first + len(lengths) // LENGTH_BYTES - 1]
            yield PackedPage(self.facts, forgotten, lengths, self.records[begin:end])
            begin, forgotten = end, b""

    def unpack(self, dimensions: int) -> ScopeRows:
        """The page's rows, none of which may be encrypted any more; takes about 3 microseconds each."""
        return unpack(self.lengths, self.records, dimensions)


class ScopeRowsReader:
    """Reads rows with the vectors of one model. Every method raises StorageUnavailable."""

    def __init__(self, database: Database, model_id: str, dimensions: int, keyring: Keyring = NO_KEYS) -> None:
        self.database = database
        self.model_id = model_id
        self.dimensions = dimensions
        self._keyring = keyring

    def unpack(self, scope: Scope, page: PackedPage) -> ScopeRows:
        """The rows of a page; an encrypted one takes over 10 microseconds more. One that cannot be decrypted is of
        UNREADABLE_KIND."""
        lengths, records = decrypt_page(
            page.lengths,
            page.records,
            EncryptedRows(self._keyring, scope),
            self.model_id,
            self.dimensions,
        )
        return replace(page, lengths=lengths, records=records).unpack(self.dimensions)

    async def facts(self, scope: Scope) -> ScopeFacts:
        """The facts of a scope; zeros where it does not exist."""

        return await self.database.read(scope, lambda session: self.facts_in(session, scope))

    async def facts_in(self, session: Session, scope: Scope) -> ScopeFacts:
        """The same as the session sees it."""
        row = await session.row(SQL["scope_facts"], scope_parameters(scope))
        return ScopeFacts(*row) if row else ScopeFacts(0, 0, 0)

    def parameters(self, scope: Scope) -> dict[str, Any]:
        """The parameters of the statements that read rows of a scope."""
        return {**scope_parameters(scope), "model_id": self.model_id, "dimensions": self.dimensions}

    async def revisions(self, tenant_id: TenantId, agent_ids: Sequence[AgentId]) -> dict[AgentId, int]:
        """The revisions of those of these scopes that exist."""
        parameters = {"tenant_id": tenant_id, "agent_ids": list(agent_ids)}
        return dict(await self.database.rows(whole_tenant(tenant_id), SQL["scope_revisions"], parameters))

    async def changes(self, scope: Scope, after: int) -> PackedPage:
        """The first page of the changes after a revision."""

        async def work(session: Session) -> PackedPage:
            return await self._page(session, scope, (after, LAST_ID), after)

        return await self.database.read(scope, work)

    async def pages(self, scope: Scope, after: int | None = None) -> AsyncGenerator[PackedPage, None]:
        """All rows in the order of revisions, in one snapshot; or those after a revision, with the ids forgotten since
        then in the first page."""
        position = (-1 if after is None else after, LAST_ID)
        forgotten_after = AFTER_EVERY_REVISION if after is None else after
        async with self.database.snapshot(scope) as session:
            while True:
                page = await self._page(session, scope, position, forgotten_after)
                yield page
                if page.is_last:
                    return
                position, forgotten_after = page.end, AFTER_EVERY_REVISION

    async def _page(self, session: Session, scope: Scope, position: Position, forgotten_after: int) -> PackedPage:
        row = await session.only_row(
            SQL["scope_page"],
            {
                **self.parameters(scope),
                "after_revision": position[0],
                "after_id": position[1],
                "forgotten_after": forgotten_after,
                "size": PAGE_ROWS,
            },
        )
        # By position: the row is seven values, of which the last two hold a whole page.
        return PackedPage(ScopeFacts(*row[:4]), *(value or b"" for value in row[4:]))


def to_columns(rows: Sequence[NewRow], revisions: int | Sequence[int], model_id: str, dimensions: int) -> ScopeRows:
    """The columns of rows that were committed at this revision, or each at its own; vectors of another model count as
    none."""
    memories = [row.memory for row in rows]
    terms = [row.terms() for row in rows]
    labels = [label_codes(memory.tags, memory.stored_metadata) for memory in memories]
    payloads = [write_payload(memory, model_id) for memory in memories]
    if isinstance(revisions, int):
        revisions = [revisions] * len(rows)
    fixed = [
        _fixed(memory, revision, counted.total)
        for memory, revision, counted in zip(memories, revisions, terms, strict=True)
    ]
    vectors = np.zeros((len(rows), dimensions), np.float16)
    has_vector = np.zeros(len(rows), np.bool_)
    for index, row in enumerate(rows):
        vector = row.vector
        if vector and vector.model_id == model_id and len(vector.values) == dimensions:
            vectors[index] = vector.values
            has_vector[index] = True
    return ScopeRows(
        fixed={
            name: np.array(values, kind)
            for (name, kind), values in zip(FIXED.items(), zip(*fixed, strict=True), strict=True)
        },
        terms=np.frombuffer(b"".join(counted.packed for counted in terms), TERM),
        term_lengths=np.array([len(counted.packed) // TERM.itemsize for counted in terms]),
        vectors=vectors,
        has_vector=has_vector,
        sessions=np.array([session_code(memory.session_id) for memory in memories], np.uint64),
        labels=np.array([code for codes in labels for code in codes], np.uint64),
        label_lengths=np.array([len(codes) for codes in labels]),
        payload=np.frombuffer(b"".join(payloads), np.uint8),
        payload_lengths=np.array([len(payload) for payload in payloads]),
    )


def _fixed(memory: Row, revision: int, term_count: int) -> tuple[object, ...]:
    values = list(indexed_values(memory))
    for index, missing in MISSING_TIMES:
        values[index] = microseconds(values[index]) if values[index] else missing
    return memory.memory_id.bytes, revision, term_count, not memory.vector_model_id, *values
