"""Row groups: the rows of a large scope between two ids, packed as columns and stored beside the tables. A copy that
may be deleted at any moment: a load reads from the tables what it does not find there.

The database drops a group as soon as one of its rows is deleted or rewritten (migration 0049)."""

import hashlib
import struct
import zlib
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import Executor
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.search.store.packed_payload import entry_code, session_code, tag_code
from camillo_server.search.store.packed_rows import FIXED, TERM, ScopeRows
from camillo_server.search.store.scope_rows import SQL as ROWS_SQL
from camillo_server.search.store.scope_rows import PackedPage, ScopeFacts, ScopeRowsReader
from camillo_server.storage.copying import Rows, copied
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("search/store/row_groups")
# About 300 KiB: each is one row of Postgres, whose bytes are received with the interpreter's lock held. Four times as
# many made others wait for three milliseconds instead of one.
GROUP_ROWS = 256
# Rows that came between its ids meanwhile are packed with it, up to so many.
MAX_GROUP_ROWS = 2 * GROUP_ROWS
MAX_GROUP_BYTES = 16 * 2**20
# Raised by whoever changes the form of a group.
VERSION = 1
COUNTS = struct.Struct("<qqqq")
# A row of COPY: its number of fields, and each with its length.
COPIED = struct.Struct(">hiiiqi")
ID_AND_REVISION = np.dtype([("id", "V16"), ("revision", ">i8")])


Used = ScopeRows | None
Use = Callable[[ScopeRows], ScopeRows]


class RowGroup(NamedTuple):
    """A group as the table tells of it: its first and last id, the revision of the scope as of which it was packed, and
    how many rows it has."""

    first_id: UUID
    last_id: UUID
    revision: int
    row_count: int


class BrokenGroup(Exception):
    """The bytes of a group are not those that were stored, or not of this form."""


@dataclass(frozen=True, slots=True)
class RowsToGroup:
    """Rows as of one moment: a revision of their scope, and how many statements had deleted or rewritten rows of it."""

    page: PackedPage
    rewrites: int


class RowGroupStore:
    """The row groups of a server's model and of its form of rows; others count as none."""

    def __init__(self, reader: ScopeRowsReader) -> None:
        self._reader = reader
        self._format = _format(reader)

    async def groups(self, session: Session, scope: Scope) -> Sequence[RowGroup]:
        """The groups of a scope, in the order of their ids."""
        return [RowGroup(*row) for row in await session.rows(SQL["row_groups"], self._parameters(scope))]

    async def revisions(self, session: Session, scope: Scope) -> NDArray[np.void]:
        """The id and the revision of every row of a scope, in no order."""
        await session.execute(ROWS_SQL["take_long"])
        (packed,) = await session.only_row(SQL["row_revisions"], scope_parameters(scope))
        return np.frombuffer(packed or b"", ID_AND_REVISION)

    async def rows(self, session: Session, scope: Scope, use: Use, pool: Executor) -> AsyncGenerator[Used, None]:
        """Yields what `use` makes of the rows of each group, in the pool's threads; None for a group that is broken."""
        statement = SQL["copy_row_groups"], self._parameters(scope)
        read = partial(_use_copied, self._reader.dimensions, use)
        async with aclosing(copied(session, statement, 1, 0, read, pool)) as groups:
            async for used in groups:
                # Behind the last one comes an empty part.
                for each in used:
                    yield each

    async def rows_by_id(self, session: Session, scope: Scope, facts: ScopeFacts, ids: bytes) -> PackedPage:
        """Rows from the tables by their ids (16 bytes each)."""
        memory_ids = [MemoryId(UUID(bytes=ids[at : at + 16])) for at in range(0, len(ids), 16)]
        parameters = {**self._reader.parameters(scope), "memory_ids": memory_ids}
        lengths, records = await session.only_row(ROWS_SQL["rows_by_id"], parameters)
        return PackedPage(facts, b"", lengths or b"", records or b"")

    async def rows_to_group(self, scope: Scope, first_id: UUID, last_id: UUID) -> RowsToGroup | None:
        """The rows between two ids that are not encrypted; None where there are none, or too many for a group."""
        between = {"first_id": first_id, "last_id": last_id, "size": MAX_GROUP_ROWS + 1}

        async def work(session: Session) -> RowsToGroup | None:
            row = await session.row(ROWS_SQL["rows_to_group"], {**self._reader.parameters(scope), **between})
            if row is None or not row[2]:
                return None
            rewrites, revision, lengths, records = row
            page = PackedPage(ScopeFacts(revision, 0, 0), b"", lengths, records)
            return None if len(page) > MAX_GROUP_ROWS else RowsToGroup(page, rewrites)

        return await self._reader.database.read(scope, work)

    async def put(self, scope: Scope, read: RowsToGroup, first_id: UUID, last_id: UUID, packed: bytes) -> bool:
        """Stores the rows that were read as a group, in place of those that it overlaps. False where rows of the scope
        were deleted or rewritten since: nothing is stored then."""
        parameters = {**self._parameters(scope), "first_id": first_id, "last_id": last_id, "rewrites": read.rewrites}
        group = {
            "revision": read.page.facts.revision,
            "row_count": len(read.page),
            "checksum": zlib.crc32(packed),
            "packed": packed,
        }

        async def work(session: Session) -> bool:
            # First: who deletes a row waits for this lock before it looks for groups, and whoever has it already is
            # waited for here. The other way round, the two could wait for each other.
            if await session.row(SQL["hold_unchanged"], parameters) is None:
                return False
            await session.execute(SQL["drop_overlapping"], parameters)
            await session.execute(SQL["insert_row_group"], {**parameters, **group})
            return True

        return await self._reader.database.transaction(scope, work)

    def _parameters(self, scope: Scope) -> dict[str, Any]:
        return {**scope_parameters(scope), "format": self._format}


def _format(reader: ScopeRowsReader) -> bytes:
    """A fingerprint of all that the bytes of a group depend on beside the rows: of the statement that packs them, too,
    and of the functions that make codes."""
    codes = (session_code("session"), tag_code("tag"), entry_code("key", 1), entry_code("key", "value"))
    parts = (VERSION, reader.model_id, reader.dimensions, FIXED, TERM.descr, codes, ROWS_SQL["rows_to_group"])
    return hashlib.sha256(repr(parts).encode()).digest()


def pack_group(rows: ScopeRows) -> bytes:
    """The bytes of a group; columns in the order in which `unpack_group` reads them."""
    columns = [rows.fixed[name].astype(_stored(kind)) for name, kind in FIXED.items()]
    arrays = (
        *columns,
        rows.sessions.astype("<u8"),
        rows.labels.astype("<u8"),
        rows.term_lengths.astype("<i4"),
        rows.label_lengths.astype("<i4"),
        rows.payload_lengths.astype("<i4"),
        rows.vectors.astype("<f2"),
        rows.has_vector,
        rows.terms,
        rows.payload,
    )
    counts = COUNTS.pack(len(rows), len(rows.labels), len(rows.terms), len(rows.payload))
    return counts + b"".join(each.tobytes() for each in arrays)


def unpack_group(packed: bytes | memoryview, dimensions: int) -> ScopeRows:
    """The rows of a group. Raises BrokenGroup."""
    try:
        return _unpack(packed, dimensions)
    except (struct.error, ValueError) as error:
        raise BrokenGroup(str(error)) from None


def _unpack(packed: bytes | memoryview, dimensions: int) -> ScopeRows:
    count, labels, terms, payload = COUNTS.unpack_from(packed)
    if min(count, labels, terms, payload) < 0:
        raise BrokenGroup("a negative length")
    offset = COUNTS.size

    def take(kind: np.dtype[Any] | str, items: int) -> NDArray[Any]:
        nonlocal offset
        # An array of nothing cannot be read at the end.
        array = np.frombuffer(packed, kind, items, offset) if items else np.empty(0, kind)
        offset += array.nbytes
        return array

    rows = ScopeRows(
        fixed={name: take(_stored(kind), count) for name, kind in FIXED.items()},
        sessions=take("<u8", count),
        labels=take("<u8", labels),
        term_lengths=take("<i4", count).astype(np.int64),
        label_lengths=take("<i4", count).astype(np.int64),
        payload_lengths=take("<i4", count).astype(np.int64),
        vectors=take("<f2", count * dimensions).reshape(count, dimensions),
        has_vector=take("?", count),
        terms=take(TERM, terms),
        payload=take("u1", payload),
    )
    lengths = (rows.label_lengths, rows.term_lengths, rows.payload_lengths)
    if any((each < 0).any() for each in lengths) or [int(each.sum()) for each in lengths] != [labels, terms, payload]:
        raise BrokenGroup("lengths that do not add up")
    if offset != len(packed):
        raise BrokenGroup("bytes behind the last column")
    return rows


def _stored(kind: str) -> str:
    return kind if kind[0] == "V" else f"<{kind}"


def _use_copied(dimensions: int, use: Use, rows: Rows) -> Sequence[Used]:
    return [_use_row(dimensions, use, memoryview(rows.data))] if rows.data else []


def _use_row(dimensions: int, use: Use, row: memoryview) -> Used:
    *_, checksum, _ = COPIED.unpack_from(row)
    packed = row[COPIED.size :]
    try:
        if zlib.crc32(packed) != checksum:
            raise BrokenGroup("another checksum")
        rows = unpack_group(packed, dimensions)
    except BrokenGroup:
        return None
    return use(rows)
