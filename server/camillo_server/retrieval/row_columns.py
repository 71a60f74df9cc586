"""The rows of an index as columns that grow. What was written never changes: whoever knows a count may read up to it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.storage.packed_rows import FIXED, ScopeRows

COLUMN_TYPES = {
    **{name: type_ for name, type_ in FIXED.items() if name != "memory_id"},
    # At most index_terms.MAX_TERMS; and 16 bits times a float32 stay a float32.
    "term_count": "u2",
    "id_high": "u8",
    "id_low": "u8",
    "session": "u8",
    "payload_end": "i8",
}
SPARE_ROWS = 256


class RowColumns:
    """One writer appends; readers keep the arrays that they were given."""

    def __init__(self, expected_rows: int = 0) -> None:
        self.count = 0
        self.arrays: Mapping[str, NDArray[Any]] = {
            name: np.empty(expected_rows, type_) for name, type_ in COLUMN_TYPES.items()
        }
        self.payload = np.empty(0, np.uint8)
        self._payload_bytes = 0

    def append(self, rows: ScopeRows) -> None:
        """Adds rows behind the others."""
        first, end = self.count, self.count + len(rows)
        ends = self._payload_bytes + np.cumsum(rows.payload_lengths)
        halves = id_halves(rows.fixed["memory_id"].tobytes())
        added = {
            **rows.fixed,
            "id_high": halves[:, 0],
            "id_low": halves[:, 1],
            "session": rows.sessions,
            "payload_end": ends,
        }
        self._reserve(end, int(ends[-1]) if len(rows) else 0)
        for name, column in self.arrays.items():
            column[first:end] = added[name]
        self.payload[self._payload_bytes : self._payload_bytes + len(rows.payload)] = rows.payload
        self._payload_bytes += len(rows.payload)
        self.count = end

    def trim(self) -> None:
        """Gives back what was reserved for more."""
        self.arrays = {name: column[: self.count].copy() for name, column in self.arrays.items()}
        self.payload = self.payload[: self._payload_bytes].copy()

    @property
    def nbytes(self) -> int:
        """Of memory held."""
        return self.payload.nbytes + sum(column.nbytes for column in self.arrays.values())

    def _reserve(self, rows: int, payload_bytes: int) -> None:
        capacity = len(self.arrays["revision"])
        if rows > capacity:
            wanted = rows + rows // 8 + SPARE_ROWS
            self.arrays = {name: _grown(column, wanted) for name, column in self.arrays.items()}
        if payload_bytes > len(self.payload):
            self.payload = _grown(
                self.payload, payload_bytes + payload_bytes // 8 + 16 * SPARE_ROWS
            )


def _grown(array: NDArray[Any], length: int) -> NDArray[Any]:
    grown = np.empty(length, array.dtype)
    grown[: len(array)] = array
    return grown


def id_halves(ids: bytes) -> NDArray[np.uint64]:
    """Ids of 16 bytes as two numbers each, which sort as the ids do."""
    return np.frombuffer(ids, ">u8").reshape(-1, 2).astype(np.uint64)
