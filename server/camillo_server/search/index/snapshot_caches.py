"""Caches of a snapshot: the results of the last few queries, and rows as answers show them."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from operator import attrgetter
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.candidates import CandidateQuery, Prepared
from camillo_server.search.fusion import ArmScores, Fusion, QueryFacts

MAX_RESULTS = 8
MAX_BYTES = 256 << 10
# The columns of one candidate; the vector and Python's objects of one result.
CANDIDATE_BYTES, RESULT_BYTES = 132, 4_500


class Columns(NamedTuple):
    """The columns of a pool beside the scores of its candidates (search/candidates.py)."""

    kinds: NDArray[np.int16]
    memory_ids: NDArray[np.uint64]
    occurred_at: NDArray[np.int64]
    importance: NDArray[np.float32]
    pinned: NDArray[np.bool_]


class Found(NamedTuple):
    """The candidate rows, the scores of both arms for them, the facts that weigh these, the fusion of both arms, and
    the other columns of these rows."""

    rows: NDArray[np.int64]
    arms: ArmScores
    facts: QueryFacts
    fusion: Fusion
    relevance: NDArray[np.float32]
    columns: Columns


class _Result(NamedTuple):
    query: CandidateQuery
    searched: object
    found: Found
    nbytes: int

    def is_of(self, query: CandidateQuery, searched: object) -> bool:
        """Whether everything that decides the result is the same, except the vector."""
        return (
            # The very same rows: of several scopes, a tuple of these.
            searched == self.searched
            and query.terms == self.query.terms
            and query.candidates_per_arm == self.query.candidates_per_arm
            and query.with_neighbours == self.query.with_neighbours
            and query.statistics == self.query.statistics
            and query.signals == self.query.signals
        )


class RecentResults:
    """The results of one snapshot, which never change; the least recently used goes first.

    Threads may use it at once: the results are replaced as a whole, and one that is lost thereby is found again.
    """

    def __init__(self) -> None:
        self._results: Sequence[_Result] = ()

    @property
    def nbytes(self) -> int:
        return sum([result.nbytes for result in self._results])

    def get(self, query: CandidateQuery, searched: object) -> Found | None:
        """The result of the same query among the same rows, if it is cached."""
        results = self._results
        for result in results:
            # The vector of a repeated text and the rows that pass a repeated filter are cached: the same query has the
            # same.
            if result.query.vector is query.vector and result.is_of(query, searched):
                if result is not results[0]:
                    self._put_first(result)
                return result.found
        return None

    def add(self, query: CandidateQuery, searched: object, found: Found) -> None:
        """Adds the result of a query that is not cached."""
        nbytes = RESULT_BYTES + CANDIDATE_BYTES * len(found.rows)
        if nbytes <= MAX_BYTES:
            self._put_first(_Result(query, searched, found, nbytes))

    def clear(self) -> None:
        """Drops everything."""
        self._results = ()

    def _put_first(self, first: _Result) -> None:
        results, nbytes = list[_Result](), 0
        for result in [first, *[each for each in self._results if each is not first]]:
            nbytes += result.nbytes
            if nbytes > MAX_BYTES or len(results) == MAX_RESULTS:
                break
            results.append(result)
        self._results = tuple(results)


# The cache of one scope: some ten thousand short memories.
MAX_ENCODED_BYTES = 4 << 20
# Some thousand short texts as bundles pack them.
MAX_PREPARED_BYTES = 16 << 20


# Python's objects around the bytes of one row.
ROW_BYTES = 160
# A cache that is full drops one row of so many.
DROPPED_PART = 8
T = TypeVar("T")


class RowCache(Generic[T]):
    """Results made of the rows of one index, by their numbers. Belongs to the event loop."""

    def __init__(self, size: Callable[[T], int], max_bytes: int) -> None:
        """`size` returns the bytes of a result, always the same number."""
        self.nbytes = 0
        self._size = size
        self._max_bytes = max_bytes
        self._by_row: dict[int, T] = {}

    def get(self, rows: Sequence[int], make: Callable[[Sequence[int]], Iterable[T]]) -> list[T]:
        """The result for each of these rows; `make` makes those that are missing, which are kept."""
        known = self._by_row
        missing = [row for row in rows if row not in known]
        if not missing:
            return [known[row] for row in rows]
        made = dict(zip(missing, make(missing), strict=True))
        found = [made[row] if row in made else known[row] for row in rows]
        self._add(made)
        return found

    def discard(self, rows: Iterable[int]) -> None:
        """Drops the results for rows that no search finds any more."""
        for row in rows:
            made = self._by_row.pop(row, None)
            if made is not None:
                self.nbytes -= self._size(made) + ROW_BYTES

    def clear(self) -> None:
        """Drops everything."""
        self._by_row.clear()
        self.nbytes = 0

    def _add(self, made: dict[int, T]) -> None:
        added = sum(map(self._size, made.values())) + ROW_BYTES * len(made)
        if added > self._max_bytes:
            self.clear()
            return
        # A part of the rows at once, those that were added first: to track which ones were used least lately would cost
        # every answer something, and so would dropping one for each that is added.
        while self.nbytes + added > self._max_bytes:
            self.discard([*islice(self._by_row, 1 + len(self._by_row) // DROPPED_PART)])
        self._by_row |= made
        self.nbytes += added


class EncodedRows(RowCache[bytes]):
    """The bytes of rows as answers show them."""

    def __init__(self, max_bytes: int = MAX_ENCODED_BYTES) -> None:
        super().__init__(len, max_bytes)


class PreparedRows(RowCache[Prepared]):
    """Rows as bundles pack them."""

    def __init__(self, max_bytes: int = MAX_PREPARED_BYTES) -> None:
        super().__init__(attrgetter("nbytes"), max_bytes)
