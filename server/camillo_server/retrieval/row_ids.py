"""Finds the rows of memory ids: by a sorted order for the rows an index was built with, by a table for later ones."""

import numpy as np
from numpy.typing import NDArray

from camillo_server.retrieval.row_columns import RowColumns, id_halves

LATER_ID_BYTES = 200


class RowIds:
    """Only the writer of an index asks."""

    def __init__(self, columns: RowColumns) -> None:
        self._columns = columns
        high, low = columns.arrays["id_high"], columns.arrays["id_low"]
        self._order = np.lexsort((low[: columns.count], high[: columns.count])).astype(np.int32)
        self._known = columns.count
        self._later: dict[tuple[int, int], int] = {}

    def add(self) -> None:
        """Takes note of the rows that were appended."""
        high, low = self._columns.arrays["id_high"], self._columns.arrays["id_low"]
        for row in range(self._known, self._columns.count):
            self._later[high.item(row), low.item(row)] = row
        self._known = self._columns.count

    def find(self, ids: bytes) -> NDArray[np.int64]:
        """The latest row of each of these ids (16 bytes each) that has one, in force or not."""
        found = [self._find(high, low) for high, low in id_halves(ids).tolist()]
        return np.array([row for row in found if row >= 0], np.int64)

    @property
    def nbytes(self) -> int:
        """Of memory held."""
        return self._order.nbytes + len(self._later) * LATER_ID_BYTES

    def _find(self, high: int, low: int) -> int:
        row = self._later.get((high, low))
        if row is not None:
            return row
        order = self._order
        highs, lows = self._columns.arrays["id_high"], self._columns.arrays["id_low"]
        first = _first(highs, order, high, 0, len(order))
        # Ids that a caller counted up share their first half.
        last = _first(highs, order, high + 1, first, len(order))
        place = _first(lows, order, low, first, last)
        if place < last and lows.item(order.item(place)) == low:
            return order.item(place)
        return -1


def _first(
    values: NDArray[np.uint64], order: NDArray[np.int32], wanted: int, first: int, last: int
) -> int:
    """The first place in `first` to `last` whose row's value is not below the wanted one."""
    while first < last:
        middle = (first + last) // 2
        if values.item(order.item(middle)) < wanted:
            first = middle + 1
        else:
            last = middle
    return first
