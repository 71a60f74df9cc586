"""Rows as answers show them: encoded when a row is first a hit, then copied. A row's contents never change."""

from collections.abc import Callable, Iterable, Sequence

# The cache of one scope: some ten thousand short memories.
MAX_BYTES = 4 << 20
# Python's objects around the bytes of one row.
ROW_BYTES = 160


class EncodedRows:
    """The bytes of the rows of one index, by their numbers. Belongs to the event loop."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self.nbytes = 0
        self._max_bytes = max_bytes
        self._by_row: dict[int, bytes] = {}

    def get(self, rows: Sequence[int], encode: Callable[[Sequence[int]], Iterable[bytes]]) -> list[bytes]:
        """The bytes of each of these rows; `encode` makes those that are missing, which are kept."""
        known = self._by_row
        missing = [row for row in rows if row not in known]
        if not missing:
            return [known[row] for row in rows]
        made = dict(zip(missing, encode(missing), strict=True))
        found = [made.get(row) or known[row] for row in rows]
        self._add(made)
        return found

    def discard(self, rows: Iterable[int]) -> None:
        """Drops the bytes of rows that no search finds any more."""
        for row in rows:
            encoded = self._by_row.pop(row, None)
            if encoded is not None:
                self.nbytes -= len(encoded) + ROW_BYTES

    def clear(self) -> None:
        """Drops everything."""
        self._by_row.clear()
        self.nbytes = 0

    def _add(self, made: dict[int, bytes]) -> None:
        added = sum(map(len, made.values())) + ROW_BYTES * len(made)
        # Drops all rows at once: tracking the least recently used ones would cost every answer something.
        if self.nbytes + added > self._max_bytes:
            self.clear()
        if added <= self._max_bytes:
            self._by_row |= made
            self.nbytes += added
