"""Segments of a dense index: neighbouring rows, and the search among them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import faiss
import numpy as np
from numpy.typing import NDArray

from camillo_server.search.index.faiss_calls import nearest, refining, selection, view_of

# Six numbers of a vector become four bits: 32 bytes a row at 384 dimensions.
_NUMBERS_PER_CODE = 6
_BITS = 4
_TRAINING_ROWS = 4_096
_TRAINING_ROUNDS = 10
# Rows that are in single precision at a time while codes are computed.
_BATCH_ROWS = 8_192
Vectors = NDArray[np.float16]
Present = NDArray[np.bool_]
Hits = tuple[NDArray[np.int64], NDArray[np.float32]]
# The higher and the lower half of the id of every row.
Ids = tuple[NDArray[np.uint64], NDArray[np.uint64]]
# The candidates of a sketch that are compared exactly: so many of each thousand rows, but not fewer than the minimum,
# nor than so many for each requested hit (bench/decisions/dense_index.py).
_CANDIDATES_PER_THOUSAND = 8
_MIN_CANDIDATES = 256
_CANDIDATES_PER_HIT = 32
# Finding one more candidate by codes takes so much of the time of comparing a vector.
_FINDING_SHARE = 0.5
# Where a filter keeps less, its rows are copied out: no time is spent on testing every other row.
_MIN_SHARE_TO_TEST_ALL = 0.06
_ROUNDING = 1e-5
# Where a filter keeps this much, comparing all rows is faster than skipping those that it leaves out.
_MIN_SHARE_TO_READ_ON = 0.2
_EXTRA_HITS = 32
# More candidates than needed, so that enough of them pass the filter at the first try.
_HEADROOM = 1.25


@dataclass(frozen=True, slots=True)
class Sketch:
    """Codes of all rows of one segment, with a codebook of their own."""

    index: Any

    @property
    def nbytes(self) -> int:
        return int(self.index.codes.nbytes()) + 4 * int(self.index.pq.centroids.size())

    def candidate_count(self, limit: int) -> int:
        """How many rows are compared exactly where there is no filter."""
        per_row = int(self.index.ntotal) * _CANDIDATES_PER_THOUSAND // 1_000
        return max(_MIN_CANDIDATES, per_row, limit * _CANDIDATES_PER_HIT)

    def candidates(self, query: NDArray[np.float32], limit: int, allowed: Present | None) -> NDArray[np.int64] | None:
        """The rows worth comparing exactly, sorted, or None where comparing all that are allowed is better.

        With a filter they are those that a sketch of the allowed rows alone would give.
        """
        kept = count = self.index.ntotal
        needed = tried = self.candidate_count(limit)
        if allowed is not None:
            kept = int(np.count_nonzero(allowed))
            tried = min(count, int(needed * _HEADROOM * count / max(kept, 1)))
        if kept <= needed + (tried - needed) * _FINDING_SHARE:
            return None
        rows = np.sort(nearest(self.index, _pad(query[None], self.index.d)[0], tried)[0])
        if allowed is not None:
            rows = rows[allowed[rows]]
        # Too few when the filter keeps just what is far from the query.
        return rows if len(rows) >= needed else None


def build_sketch(rows: Vectors, present: Present | None) -> Sketch:
    """The sketch of these rows; takes about a second for 100,000, mostly without the interpreter's lock."""
    codes = -(-rows.shape[1] // _NUMBERS_PER_CODE)
    # The fast kernel takes two codes at a time.
    codes += codes % 2
    width = codes * _NUMBERS_PER_CODE
    index = faiss.IndexPQFastScan(width, codes, _BITS, faiss.METRIC_INNER_PRODUCT)
    index.pq.cp.niter, index.pq.cp.min_points_per_centroid = _TRAINING_ROUNDS, 1
    every = max(1, len(rows) // _TRAINING_ROWS)
    index.train(_to_float32(rows[::every], None if present is None else present[::every], width))
    for start in range(0, len(rows), _BATCH_ROWS):
        batch = slice(start, start + _BATCH_ROWS)
        index.add(_to_float32(rows[batch], None if present is None else present[batch], width))
    return Sketch(index)


def _to_float32(rows: Vectors, present: Present | None, width: int) -> NDArray[np.float32]:
    single = rows.astype(np.float32)
    if present is not None:
        # The values of a row without a vector are undefined, and could be NaN.
        single[~present] = 0
    return _pad(single, width)


def _pad(vectors: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    missing = width - vectors.shape[1]
    return vectors if missing == 0 else np.pad(vectors, ((0, 0), (0, missing)))


@dataclass(slots=True)
class Buffer:
    """Memory for rows, of which the first `filled` are written and never change again."""

    vectors: Vectors
    present: Present | None
    filled: int

    @property
    def capacity(self) -> int:
        return len(self.vectors)

    @property
    def nbytes(self) -> int:
        return self.vectors.nbytes + (0 if self.present is None else self.present.nbytes)

    def append(self, vectors: Vectors, present: Present) -> None:
        """Writes rows, for which there is room, behind those that are filled."""
        start, end = self.filled, self.filled + len(vectors)
        self.vectors[start:end] = vectors
        if self.present is None and not present.all():
            # Earlier segments go on with None, which stays true of their own rows.
            self.present = np.ones(self.capacity, np.bool_)
        if self.present is not None:
            self.present[start:end] = present
        self.filled = end


@dataclass(frozen=True, slots=True)
class Segment:
    """The first `count` rows of a buffer; `present` is None where every row has a vector."""

    buffer: Buffer
    count: int
    vectors: Vectors
    present: Present | None
    exact: Any
    sketch: Sketch | None = None
    # Both one after the other in a single call; None also where the sketch pads vectors.
    refined: Any = None

    @classmethod
    def of(cls, buffer: Buffer, count: int) -> Self:
        vectors = buffer.vectors[:count]
        present = None if buffer.present is None else buffer.present[:count]
        return cls(buffer, count, vectors, present, view_of(vectors))

    @classmethod
    def full(cls, vectors: Vectors, present: Present | None) -> Self:
        """A segment that is full: of (n, d) vectors, kept and not copied, and an (n,) mask."""
        if present is not None and present.all():
            present = None
        return cls.of(Buffer(vectors, present, len(vectors)), len(vectors))

    @property
    def nbytes(self) -> int:
        return self.buffer.nbytes + (0 if self.sketch is None else self.sketch.nbytes)

    @property
    def is_open(self) -> bool:
        """Rows can be written after its own: it has room, and no other segment has written there."""
        return self.count == self.buffer.filled < self.buffer.capacity

    def with_sketch(self) -> "Segment":
        sketch = build_sketch(self.vectors, self.present)
        alike = sketch.index.d == self.exact.d
        refined = faiss.IndexRefine(sketch.index, self.exact) if alike else None
        return replace(self, sketch=sketch, refined=refined)

    def rows_from(self, start: int) -> "Segment":
        present = None if self.present is None else self.present[start:].copy()
        return Segment.full(self.vectors[start:].copy(), present)

    def gather(self, rows: NDArray[np.int64]) -> tuple[Vectors, Present | None]:
        """A copy of these rows, and which of them have a vector: None where all have. The others are zeros."""
        gathered = self.vectors.take(rows, axis=0)
        if self.present is None:
            return gathered, None
        present = self.present[rows]
        gathered[~present] = 0
        return gathered, present

    def search(
        self,
        query: NDArray[np.float32],
        limit: int,
        allowed: Present | None,
        min_score: float = -np.inf,
    ) -> Hits:
        """The best `limit` rows and those that tie with the last of them, best first, ties in any order; `allowed` has
        shape (count,).

        The caller has enough rows that score `min_score`: of ties below it any may be left out. So may they in a
        segment with a sketch.
        """
        if limit == 0 or self.count == 0:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        if self.present is not None:
            allowed = self.present if allowed is None else allowed & self.present
        if allowed is None and self.refined is not None and self.sketch is not None:
            tried = self.sketch.candidate_count(limit)
            if tried < self.count:
                # Compares the vectors where they lie: copying them out, as under a filter, takes longer.
                return nearest(self.refined, query, limit, refining(tried / limit))
        rows = self._rows_to_compare(query, limit, allowed)
        if rows is not None and len(rows):
            few = view_of(self.vectors[rows])
            local, scores = _scan(few, len(rows), query, limit, None, min_score)
            return rows[local], scores
        return _scan(self.exact, self.count, query, limit, allowed, min_score)

    def _rows_to_compare(
        self, query: NDArray[np.float32], limit: int, allowed: Present | None
    ) -> NDArray[np.int64] | None:
        """The rows worth comparing, sorted; None where it is better to compare all that are allowed."""
        kept = self.count if allowed is None else int(np.count_nonzero(allowed))
        if allowed is not None and kept < self.count * _MIN_SHARE_TO_TEST_ALL:
            return np.flatnonzero(allowed)
        if self.sketch is None:
            return None
        return self.sketch.candidates(query, limit, allowed)


def concatenate(group: Sequence[Segment]) -> Segment:
    """One segment of these neighbouring ones."""
    if len(group) == 1:
        return group[0]
    vectors = np.concatenate([each.vectors for each in group])
    if all(each.present is None for each in group):
        return Segment.full(vectors, None)
    masks = [np.ones(each.count, np.bool_) if each.present is None else each.present for each in group]
    return Segment.full(vectors, np.concatenate(masks))


def _scan(
    index: Any,
    count: int,
    query: NDArray[np.float32],
    limit: int,
    allowed: Present | None,
    min_score: float,
) -> Hits:
    """The best `limit` of the rows that are allowed, and from `min_score` up those that tie with the last."""
    if allowed is not None:
        hits = _scan_then_filter(index, count, query, limit, allowed)
        if hits is not None:
            return hits
    options = None if allowed is None else selection(allowed)
    rows, scores = nearest(index, query, min(limit + 1, count), options)
    if len(rows) > limit and min_score <= scores.item(limit - 1) == scores.item(limit):
        # FAISS keeps any of the rows that tie, so all of them have to be compared.
        rows = _rows_down_to(scores.item(limit - 1), index, query, options)
        rows, scores = nearest(index, query, len(rows), selection(_mask_of(rows, count)))
    return _with_ties(rows, scores, limit)


def _scan_then_filter(index: Any, count: int, query: NDArray[np.float32], limit: int, allowed: Present) -> Hits | None:
    """`_scan` by comparing all rows and filtering afterwards, or None where that is slower or finds too few.

    Skipping rows here and there costs more than comparing them: memory is read in one stream.
    """
    kept = int(np.count_nonzero(allowed))
    if kept < count * _MIN_SHARE_TO_READ_ON or kept <= limit:
        return None
    tried = min(count, int((limit + 1) * _HEADROOM * count / kept) + _EXTRA_HITS)
    rows, scores = nearest(index, query, tried)
    last = scores.item(-1)
    passing = allowed[rows]
    rows, scores = rows[passing], scores[passing]
    # Other rows with the score of the last one may have been left out.
    if len(rows) < limit or scores.item(limit - 1) == last:
        return None
    return _with_ties(rows, scores, limit)


def _rows_down_to(score: float, index: Any, query: NDArray[np.float32], options: Any) -> NDArray[np.int64]:
    # FAISS adds up in another order here, so the border is drawn a little lower.
    margin = _ROUNDING * max(1.0, float(np.linalg.norm(query)))
    _, _, rows = index.range_search(query[None], score - margin, params=options)
    found: NDArray[np.int64] = rows
    return found


def _mask_of(rows: NDArray[np.int64], count: int) -> Present:
    mask = np.zeros(count, np.bool_)
    mask[rows] = True
    return mask


def _with_ties(rows: NDArray[np.int64], scores: NDArray[np.float32], limit: int) -> Hits:
    """The first `limit` of these rows, which come best first, and those that tie with the last of them."""
    if limit < len(rows):
        limit = int(np.count_nonzero(scores >= scores.item(limit - 1)))
    return rows[:limit], scores[:limit]


def best(rows: NDArray[np.int64], scores: NDArray[np.float32], limit: int, ids: Ids | None = None) -> Hits:
    """The first `limit` hits, best first, ties by id, or by row where no ids are given."""
    # A method such as `all` runs a function of Python, which takes longer than some hundred numbers.
    if not np.logical_and.reduce(scores[1:] < scores[:-1]):
        ties = (rows,) if ids is None else (ids[1][rows], ids[0][rows])
        order = np.lexsort((*ties, -scores))
        rows, scores = rows[order], scores[order]
    return rows[:limit], scores[:limit]
