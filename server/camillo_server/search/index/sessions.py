"""Sessions: the memories of one conversation in order of time, and so the neighbours of each."""

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.index.columns import SPARE_ROWS, RowColumns
from camillo_server.search.index.lexical import Rows

NONE = -1
# The steps to the row before, and to the row after.
STEPS = (-1, 1)
# The number of neighbours on each side that raise the score of a memory (docs/adr/retrieval-fusion.md).
REACH = 2
CHANGED_SESSION_BYTES = 300


class Sessions:
    """Rows of each session by (occurred_at, memory id), each linked to the row before and after it.

    Readers need no lock: the rows of a session that gets more are replaced as a whole. Links change in place; a row
    that a reader's view does not have is passed over like a deleted one, by its own links, which are there before any
    leads to it."""

    def __init__(self, columns: RowColumns) -> None:
        self._columns = columns
        count = columns.count
        arrays = columns.arrays
        rows = np.flatnonzero(arrays["session"][:count])
        keys = [arrays[name][rows] for name in ("id_low", "id_high", "occurred_at", "session")]
        self._order: Rows = rows[np.lexsort(keys)].astype(np.int32)
        codes = arrays["session"][self._order]
        # The rows before and after each row; the last item, at index -1, is that of no row.
        self._links = _links_in_order(self._order, codes, count)
        self._codes, begins = np.unique(codes, return_index=True)
        self._begins = np.append(begins, len(codes)).astype(np.int32)
        self._changed: dict[int, Rows] = {}

    def add(self, row: int) -> None:
        """Adds a row, whose number is above all others."""
        if row + 1 >= len(self._links[0]):
            room = np.full(row // 8 + SPARE_ROWS, NONE, np.int32)
            before, after = self._links
            self._links = (np.append(before, room), np.append(after, room))
        code = int(self._columns.arrays["session"][row])
        if code:
            rows = self.rows(code)
            position = self._position_among(rows, row)
            self._changed[code] = np.insert(rows, position, row)
            self._link(rows[position - 1 : position], row, rows[position : position + 1])

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
        columns = np.empty((2 * reach, len(rows)), np.int32)
        for side, links in enumerate(self._links):
            nearest = rows
            for column in columns[side::2]:
                nearest = links.take(nearest, out=column, mode="wrap")
        if _is_passed(columns, live).any():
            for side, links in enumerate(self._links):
                nearest = rows
                for column in columns[side::2]:
                    column[:] = nearest = _next_live(links, nearest, live)
        return columns.T

    @property
    def nbytes(self) -> int:
        built = (self._order, self._codes, self._begins, *self._links)
        arrays = (*built, *self._changed.values())
        return sum(each.nbytes for each in arrays) + len(self._changed) * CHANGED_SESSION_BYTES

    def _link(self, before: Rows, row: int, after: Rows) -> None:
        """Links a row between two, of which there may be none."""
        earlier, later = self._links
        earlier[row : row + len(before)], later[row : row + len(after)] = before, after
        later[before] = row
        earlier[after] = row

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


def _next_live(links: Rows, rows: NDArray[np.integer], live: NDArray[np.bool_]) -> Rows:
    """The rows that links lead to from these, past each that the reader may not find."""
    found: Rows = links[rows]
    while (passed := _is_passed(found, live)).any():
        found = np.where(passed, links[found], found)
    return found


def _is_passed(found: Rows, live: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each is a row, but none that the reader may find."""
    passed = ~live.take(found, mode="clip")
    passed |= found >= len(live)
    passed &= found >= 0
    return passed


def _links_in_order(order: Rows, codes: NDArray[np.uint64], count: int) -> tuple[Rows, Rows]:
    """The rows before and after each of so many rows, from all sessions in order, and the session of each."""
    before, after = np.full(count + 1, NONE, np.int32), np.full(count + 1, NONE, np.int32)
    earlier, later = order[:-1], order[1:]
    same = codes[:-1] == codes[1:]
    before[later[same]] = earlier[same]
    after[earlier[same]] = later[same]
    return before, after
