"""The rows of an index as columns that grow. Written items never change, but for what is computed of a row when it is
first shown: who knows a count may read up to it."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.store.packed_rows import FIXED, ScopeRows

COLUMN_TYPES = {
    **{name: type_ for name, type_ in FIXED.items() if name != "memory_id"},
    # At most index_terms.MAX_TERMS; and 16 bits times a float32 stay a float32.
    "term_count": "u2",
    "id_high": "u8",
    "id_low": "u8",
    "session": "u8",
    "payload_end": "i8",
    # The content's tokens; 0 until they are counted.
    "tokens": "i4",
}
SPARE_ROWS = 256
ADDED_ID_BYTES = 200


class RowColumns:
    """Columns with one writer, who appends; readers keep the arrays that they have."""

    def __init__(self, expected_rows: int = 0) -> None:
        self.count = 0
        self.arrays: Mapping[str, NDArray[Any]] = {
            name: np.empty(expected_rows, type_) for name, type_ in COLUMN_TYPES.items()
        }
        self.payload = np.empty(0, np.uint8)
        self._payload_bytes = 0

    def append(self, rows: ScopeRows) -> None:
        first, end = self.count, self.count + len(rows)
        ends = self._payload_bytes + np.cumsum(rows.payload_lengths)
        halves = id_halves(rows.fixed["memory_id"].tobytes())
        added = {
            **rows.fixed,
            "id_high": halves[:, 0],
            "id_low": halves[:, 1],
            "session": rows.sessions,
            "payload_end": ends,
            "tokens": 0,
        }
        self.reserve(rows)
        for name, column in self.arrays.items():
            column[first:end] = added[name]
        self.payload[self._payload_bytes : self._payload_bytes + len(rows.payload)] = rows.payload
        self._payload_bytes += len(rows.payload)
        self.count = end

    def trim(self) -> None:
        """Frees the memory reserved for more rows."""
        self.arrays = {name: column[: self.count].copy() for name, column in self.arrays.items()}
        self.payload = self.payload[: self._payload_bytes].copy()

    @property
    def nbytes(self) -> int:
        return self.payload.nbytes + sum(column.nbytes for column in self.arrays.values())

    def bytes_to_copy(self, rows: ScopeRows) -> int:
        """How many bytes `reserve` has to copy."""
        copied = 0
        if self.count + len(rows) > len(self.arrays["revision"]):
            copied = sum(column.nbytes for column in self.arrays.values())
        if self._payload_bytes + len(rows.payload) > len(self.payload):
            copied += self.payload.nbytes
        return copied

    def reserve(self, rows: ScopeRows) -> None:
        """Makes room for rows that are appended next. Only the writer calls it, who may do so in a thread."""
        count, size = self.count + len(rows), self._payload_bytes + len(rows.payload)
        if count > len(self.arrays["revision"]):
            length = count + count // 8 + SPARE_ROWS
            self.arrays = {name: _grow(column, length) for name, column in self.arrays.items()}
        if size > len(self.payload):
            self.payload = _grow(self.payload, size + size // 8 + 16 * SPARE_ROWS)


def _grow(array: NDArray[Any], length: int) -> NDArray[Any]:
    grown = np.empty(length, array.dtype)
    grown[: len(array)] = array
    return grown


def id_halves(ids: bytes) -> NDArray[np.uint64]:
    """Ids of 16 bytes as two numbers each, which sort as the ids do."""
    return np.frombuffer(ids, ">u8").reshape(-1, 2).astype(np.uint64)


class RowIds:
    """Finds rows by memory id. Not safe for readers: only the writer of an index calls it."""

    def __init__(self, columns: RowColumns) -> None:
        self._columns = columns
        high, low = columns.arrays["id_high"], columns.arrays["id_low"]
        self._order = np.lexsort((low[: columns.count], high[: columns.count])).astype(np.int32)
        self._known = columns.count
        self._added: dict[tuple[int, int], int] = {}

    def add(self) -> None:
        """Adds the ids of the rows appended since the last call."""
        high, low = self._columns.arrays["id_high"], self._columns.arrays["id_low"]
        for row in range(self._known, self._columns.count):
            self._added[high.item(row), low.item(row)] = row
        self._known = self._columns.count

    def find(self, ids: bytes) -> NDArray[np.int64]:
        """The latest row, live or not, of each of these ids (16 bytes each) that has one."""
        rows = [self._find(high, low) for high, low in id_halves(ids).tolist()]
        return np.array([row for row in rows if row >= 0], np.int64)

    @property
    def nbytes(self) -> int:
        return self._order.nbytes + len(self._added) * ADDED_ID_BYTES

    def _find(self, high: int, low: int) -> int:
        row = self._added.get((high, low))
        if row is not None:
            return row
        order = self._order
        high_of, low_of = self._columns.arrays["id_high"].item, self._columns.arrays["id_low"].item
        first = bisect_left(order, high, key=high_of)
        # Ids that a caller counted up share their first half.
        last = bisect_right(order, high, first, key=high_of)
        position = bisect_left(order, low, first, last, key=low_of)
        is_there = position < last and low_of(order.item(position)) == low
        return order.item(position) if is_there else -1
