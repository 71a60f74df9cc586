"""Sessions: the memories of one conversation in order of time, and so the neighbours of each."""

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.index.columns import RowColumns
from camillo_server.search.index.lexical import Rows

NONE = -1
# To the row before, and to the row after.
STEPS = (-1, 1)
# How many neighbours on each side raise the score of a memory (docs/adr/0015).
REACH = 2
CHANGED_SESSION_BYTES = 300


class Sessions:
    """Rows of each session by (occurred_at, memory id).

    Built once for the rows that are there; a session that gets more is kept apart, as an array that is replaced and
    never changed, so that readers need no lock. They leave out rows that their view does not have.
    """

    def __init__(self, columns: RowColumns) -> None:
        self._columns = columns
        count = columns.count
        arrays = columns.arrays
        rows = np.flatnonzero(arrays["session"][:count])
        keys = [arrays[name][rows] for name in ("id_low", "id_high", "occurred_at", "session")]
        self._order: Rows = rows[np.lexsort(keys)].astype(np.int32)
        self._near = _neighbours_in_order(self._order, arrays["session"], count)
        codes = arrays["session"][self._order]
        self._codes, begins = np.unique(codes, return_index=True)
        self._begins = np.append(begins, len(codes)).astype(np.int32)
        self._changed: dict[int, Rows] = {}

    def add(self, row: int) -> None:
        """Adds a row, whose number is above all others."""
        code = int(self._columns.arrays["session"][row])
        if code:
            rows = self.rows(code)
            self._changed[code] = np.insert(rows, self._position_among(rows, row), row)

    def rows(self, code: int) -> Rows:
        """A session's rows in order."""
        changed = self._changed.get(code)
        if changed is not None:
            return changed
        position = int(np.searchsorted(self._codes, np.uint64(code)))
        if position == len(self._codes) or int(self._codes[position]) != code:
            return self._order[:0]
        return self._order[self._begins[position] : self._begins[position + 1]]

    def neighbours(self, rows: NDArray[np.integer], live: NDArray[np.bool_], reach: int) -> Rows:
        """The neighbours of each row in its session, -1 for none: shape (rows, 2 x reach), in the order before, after,
        second before, second after; `reach` is 1 or 2.

        `live` has an item for every row that the reader knows; only live rows are neighbours.
        """
        # Rows that were added later have the last item: they are in a session that is kept apart, or in none.
        neighbours = self._near.take(rows, axis=0, mode="clip")[:, : 2 * reach]
        dead = ~live[neighbours]
        if dead.any():
            dead &= neighbours >= 0
            beside_dead = np.flatnonzero(dead.any(axis=1))
            neighbours[beside_dead] = self._live_neighbours(rows[beside_dead], live, reach)
        if self._changed:
            codes = self._columns.arrays["session"][rows].tolist()
            for index, code in enumerate(codes):
                if code in self._changed:
                    row = int(rows[index])
                    neighbours[index] = self._neighbours_of_one(row, code, live, reach)
        return neighbours

    @property
    def nbytes(self) -> int:
        built = (self._order, self._codes, self._begins, self._near)
        arrays = (*built, *self._changed.values())
        return sum(each.nbytes for each in arrays) + len(self._changed) * CHANGED_SESSION_BYTES

    def _live_neighbours(
        self, rows: NDArray[np.integer], live: NDArray[np.bool_], reach: int
    ) -> Rows:
        """`neighbours` as the sessions were built, step by step past rows that are no longer live."""
        columns = []
        nearest = [rows] * len(STEPS)
        for _ in range(reach):
            for side in range(len(STEPS)):
                following = self._near[:, side]
                found = following[nearest[side]]
                while (dead := (found >= 0) & ~live[found]).any():
                    found = np.where(dead, following[found], found)
                nearest[side] = found
                columns.append(found)
        return np.column_stack(columns)

    def _neighbours_of_one(
        self, row: int, code: int, live: NDArray[np.bool_], reach: int
    ) -> list[int]:
        rows = self._changed[code]
        own = self._position_among(rows, row)
        # Other versions of the same memory have the same key.
        while rows.item(own) != row:
            own += 1

        def is_live(other: int) -> bool:
            # The reader may not know a row yet.
            return other < len(live) and bool(live[other])

        found = [NONE] * (2 * reach)
        for side, step in enumerate(STEPS):
            position = own
            for distance in range(reach):
                position += step
                while 0 <= position < len(rows) and not is_live(rows.item(position)):
                    position += step
                if not 0 <= position < len(rows):
                    break
                found[2 * distance + side] = rows.item(position)
        return found

    def _position_among(self, rows: Rows, row: int) -> int:
        """The position of a row among rows in order, also of one that is not among them."""
        key = self._key(row)
        # Most rows are added in order of time.
        if len(rows) and self._key(rows.item(-1)) < key:
            return len(rows)
        return bisect_left(rows, key, key=self._key)

    def _key(self, row: int) -> tuple[int, int, int]:
        arrays = self._columns.arrays
        return (
            arrays["occurred_at"].item(row),
            arrays["id_high"].item(row),
            arrays["id_low"].item(row),
        )


def _neighbours_in_order(order: Rows, sessions: NDArray[np.uint64], count: int) -> Rows:
    """The rows before and after each row within its session, then the second ones: shape (count + 1, 2 x REACH).

    The last item, at index -1, is that of no row.
    """
    near = np.full((count + 1, 2 * REACH), NONE, np.int32)
    for distance in range(1, REACH + 1):
        earlier, later = order[:-distance], order[distance:]
        same = sessions[earlier] == sessions[later]
        near[later[same], 2 * distance - 2] = earlier[same]
        near[earlier[same], 2 * distance - 1] = later[same]
    return near
