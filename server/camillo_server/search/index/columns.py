"""The rows of an index as columns that grow, found by their ids, and in order within each session. Written items never
change, but for what is computed of a row when it is first shown: who knows a count may read up to it."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.lexical import Rows
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
# The row of an id or a neighbour that is not there.
NONE = -1
ADDED_ID_BYTES = 200
# An odd number without a pattern, 2^64 over the golden ratio.
MIXING = np.uint64(0x9E3779B97F4A7C15)


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

    def id_table(self) -> "IdTable":
        """Finds the rows that there are by now."""
        return IdTable(self.arrays["id_high"][: self.count], self.arrays["id_low"][: self.count])

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
            # As much as the other rows that there is room for will take, if they are like those so far.
            filled = size * len(self.arrays["revision"]) // count
            length = max(size + size // 8, filled + filled // 50)
            self.payload = _grow(self.payload, length + 16 * SPARE_ROWS)


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


class IdTable:
    """Finds the rows of many ids at once, each given as two halves."""

    def __init__(self, high: NDArray[np.uint64], low: NDArray[np.uint64]) -> None:
        self._high, self._low = high, low
        keys = _id_keys(high, low)
        self._order = np.argsort(keys)
        self._keys = keys[self._order]

    def rows(self, ids: bytes) -> NDArray[np.int64]:
        """The row of each of these ids (16 bytes each). Raises IndexFailed where one has none."""
        rows = self.find(ids)
        if (rows < 0).any():
            raise IndexFailed("a value belongs to no row of the scope")
        return rows

    def find(self, ids: bytes) -> NDArray[np.int64]:
        """The row of each of these ids (16 bytes each), -1 for none."""
        high, low = id_halves(ids).T
        wanted = _id_keys(high, low)
        rows = np.full(len(wanted), NONE, np.int64)
        at = np.searchsorted(self._keys, wanted)
        left = np.arange(len(wanted))
        while len(left):
            # Several ids may have one key.
            left = left[at[left] < len(self._keys)]
            left = left[self._keys[at[left]] == wanted[left]]
            found = self._order[at[left]]
            same = (self._high[found] == high[left]) & (self._low[found] == low[left])
            rows[left[same]] = found[same]
            left = left[~same]
            at[left] += 1
        return rows


def _id_keys(high: NDArray[np.uint64], low: NDArray[np.uint64]) -> NDArray[np.uint64]:
    # Ids that a caller counted up share their first half, others may share the second.
    return high * MIXING + low


# The steps to the row before, and to the row after.
STEPS = (-1, 1)
# The number of neighbours on each side that raise the score of a memory (docs/adr/retrieval-fusion.md).
REACH = 2
CHANGED_SESSION_BYTES = 300


class Sessions:
    """Rows of each session by (occurred_at, memory id), each linked to the row before and after it.

    Readers need no lock: the rows of a session that gets more are replaced as a whole. Links change in place; a row
    that a reader's snapshot does not have is passed over like a deleted one, by its own links, which are there before
    any leads to it."""

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
            # By slices: `numpy.insert` takes several times as long for the rows of most sessions.
            changed = np.empty(len(rows) + 1, np.int32)
            changed[:position], changed[position], changed[position + 1 :] = rows[:position], row, rows[position:]
            self._changed[code] = changed
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
        if np.logical_or.reduce(_is_passed(columns, live), axis=None):
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
    passed = _is_passed(found, live).nonzero()[0]
    while len(passed):
        further = links[found[passed]]
        found[passed] = further
        passed = passed[_is_passed(further, live)]
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
