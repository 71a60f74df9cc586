"""Memories and vectors out of rows, what is sealed in them opened."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import Memory, Vector
from camillo_server.domain.off_loop import off_loop
from camillo_server.domain.ports import NewRow
from camillo_server.domain.scope import Scope
from camillo_server.storage.rows import BEHIND, SEALED_COLUMNS, memory_from, vector_from
from camillo_server.storage.sealed_rows import SealedRows

Row = Sequence[Any]

# Decrypting the text of one row.
ENCRYPTED_ROW_MICROSECONDS = 15.0


@dataclass(frozen=True, slots=True)
class RowReading:
    """Reads rows of one scope: the fragments `memory_columns`, `access_columns` and `sealed_columns`, in that order.
    Raises KeyMissing, BytesLost."""

    scope: Scope
    keyring: Keyring

    def memory(self, row: Row) -> Memory:
        """The memory, or the chunk, of a row."""
        return SealedRows(self.keyring, self.scope).opened(memory_from(row), *row[SEALED_COLUMNS])

    async def memories(self, rows: Sequence[Row]) -> list[Memory]:
        """Those of many."""
        encrypted = sum(row[SEALED_COLUMNS.stop - 1] is not None for row in rows)
        return await off_loop(
            encrypted * ENCRYPTED_ROW_MICROSECONDS, lambda: [*map(self.memory, rows)]
        )

    async def new_rows(self, rows: Sequence[Row]) -> list[NewRow]:
        """Those of many with their vectors, whose columns are embedding, key and what is sealed."""
        memories = await self.memories(rows)
        return [self._new_row(*pair) for pair in zip(memories, rows, strict=True)]

    def vector(self, memory_id: MemoryId, model_id: str, columns: Row) -> Vector:
        """The vector of these columns, of which it is either plain or sealed."""
        embedding, key_id, sealed = columns
        if sealed is None:
            return vector_from(model_id, embedding)
        rows = SealedRows(self.keyring, self.scope)
        return rows.opened_vector(memory_id, model_id, key_id, sealed)

    def _new_row(self, memory: Memory, row: Row) -> NewRow:
        columns = row[BEHIND : BEHIND + 3]
        if columns[0] is None and columns[2] is None:
            return NewRow(memory, None)
        return NewRow(memory, self.vector(memory.memory_id, memory.vector_model_id, columns))
