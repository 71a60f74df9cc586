"""Reads all of a large scope: a COPY of each of its tables, which takes Postgres a third of the time that it needs to
join their rows and pack them in pages. Vectors and access come behind all memories, each with the id of its row."""

from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import Executor
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.scope import Scope
from camillo_server.search.store.packed_rows import TIMES, since_1970
from camillo_server.search.store.scope_rows import ID_BYTES, SQL, PackedPage, ScopeFacts, ScopeRowsReader
from camillo_server.storage.copying import Rows, copied
from camillo_server.storage.database import Session
from camillo_server.storage.row_fields import ACCESS

ROWS_AT_ONCE = 2_000
# The number of fields, and the length of the only one.
RECORD_HEADER = 2 + 4
ID = [("fields", ">i2"), ("id length", ">i4"), ("id", "V16")]
ACCESS_ROW = np.dtype(
    ID + [part for field in ACCESS for part in ((f"{field.name} length", ">i4"), (field.name, f">{field.indexed_as}"))]
)
VECTOR = "vector"


@dataclass(frozen=True, slots=True)
class CopiedValues:
    """Values of rows that came before: their ids (16 bytes each), and columns by name."""

    ids: bytes
    columns: Mapping[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.ids) // ID_BYTES


CopiedPart = PackedPage | CopiedValues


async def copied_scope(reader: ScopeRowsReader, scope: Scope, pool: Executor) -> AsyncGenerator[CopiedPart, None]:
    """All rows of a scope in one snapshot, in no order, at least one page; then what belongs into their columns.
    Received in the pool's threads. Raises StorageUnavailable."""
    async with reader.database.snapshot(scope) as session:
        await session.execute(SQL["take_long"])
        facts = await reader.facts_in(session, scope)
        reads: dict[str, tuple[int, Callable[[Rows], CopiedPart]]] = {
            "copy_memories": (RECORD_HEADER, partial(_page, facts)),
            "copy_access": (0, _access),
            "copy_vectors": (0, partial(_vectors, _vector_row(reader.dimensions))),
        }
        for name, (skipped, read) in reads.items():
            statement = SQL[name], reader.parameters(scope)
            async with aclosing(copied(session, statement, ROWS_AT_ONCE, skipped, read, pool)) as parts:
                async for part in parts:
                    yield part


async def copied_access(
    reader: ScopeRowsReader, session: Session, scope: Scope, pool: Executor
) -> AsyncGenerator[CopiedValues, None]:
    """The columns of memory_access, for all rows of a scope that have some."""
    statement = SQL["copy_access"], reader.parameters(scope)
    async with aclosing(copied(session, statement, ROWS_AT_ONCE, 0, _access, pool)) as parts:
        async for part in parts:
            yield part


def _page(facts: ScopeFacts, rows: Rows) -> PackedPage:
    return PackedPage(facts, b"", np.array(rows.lengths, ">i4").tobytes(), bytes(rows.data))


def _access(rows: Rows) -> CopiedValues:
    read = np.frombuffer(rows.data, ACCESS_ROW)
    columns = {field.name: read[field.name].astype(field.indexed_as) for field in ACCESS}
    for name in columns.keys() & set(TIMES):
        since_1970(columns[name])
    return CopiedValues(read["id"].tobytes(), columns)


def _vectors(row: np.dtype[Any], rows: Rows) -> CopiedValues:
    read = np.frombuffer(rows.data, row)
    return CopiedValues(read["id"].tobytes(), {VECTOR: read["values"]})


def _vector_row(dimensions: int) -> np.dtype[Any]:
    # Two numbers of 2 bytes stand before the values: dimensions and nothing.
    return np.dtype([*ID, ("length", ">i4"), ("head", ">i4"), ("values", ">f2", (dimensions,))])
