"""The dense arm of a scope's index: unit vectors in half precision, compared exactly.

Every vector is held once, in numpy's memory, where FAISS compares it. In a large index each segment has a sketch beside
it: small codes, by which the rows worth comparing are chosen.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.index.dense_segments import (
    Buffer,
    Hits,
    Ids,
    Present,
    Segment,
    Vectors,
    best,
    concatenate,
)
from camillo_server.search.index.faiss_calls import IndexFailed, calling_faiss, products

# Rows that are checked at a time, so that it takes little memory.
_CHECKED_ROWS = 16_384
_EXPONENT = np.uint16(0x7C00)
# Rows of a search that cost as much as a character of text (kernel/off_loop.py): `python -m
# bench.decisions.dense_index`.
_COMPARED_PER_CHARACTER, _SKETCHED_PER_CHARACTER = 8, 25
_NO_ROWS, _NO_SCORES = np.empty(0, np.int64), np.empty(0, np.float32)


@dataclass(frozen=True, slots=True)
class SegmentSizes:
    """The sizes of segments, in rows."""

    largest: int = 131_072
    # From here on in all, segments that are large enough get a sketch; up to it every row is compared.
    max_scanned: int = 32_768
    min_sketched: int = 16_384
    # Rows that an append copies at most, so that the event loop never waits for more than about a millisecond.
    max_joined: int = 2_048
    # Room of a new segment: a 32nd of the rows there are, so that little memory is held in advance.
    min_room: int = 32
    growth_divisor: int = 32
    # A search looks into each segment, which costs some microseconds even where it is small.
    max_small: int = 8


SIZES = SegmentSizes()


@dataclass(frozen=True, slots=True)
class DenseIndex:
    """The vectors of rows 0 to count - 1; a value that never changes. Everything raises IndexFailed."""

    dimensions: int
    segments: tuple[Segment, ...]
    sizes: SegmentSizes = SIZES
    count: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", sum([each.count for each in self.segments]))

    @classmethod
    def build(
        cls, vectors: Vectors | NDArray[np.float32], present: Present, sizes: SegmentSizes = SIZES
    ) -> "DenseIndex":
        """Builds an index of (n, d) vectors and an (n,) mask of rows that have one; other rows are never found.

        Contiguous half-precision vectors are kept and not copied: nobody may write to them from now on.
        A large index answers at once, but compares every row until its segments are merged.
        """
        with calling_faiss():
            rows = _check(vectors, present)
            parts = -(-len(rows) // sizes.largest)
            bounds = [part * len(rows) // parts for part in range(parts + 1)] if parts else []
            segments = tuple(
                Segment.full(rows[start:end], present[start:end].copy()) for start, end in pairwise(bounds)
            )
            return cls(rows.shape[1], segments, sizes)

    def append_rows(self, vectors: NDArray[np.float32], present: Present) -> "DenseIndex":
        """This index and (m, d) rows after its own. One thread appends; others may search any value meanwhile."""
        with calling_faiss():
            rows = _check(vectors, present, self.dimensions)
            grown, start = list(self.segments), 0
            while start < len(rows):
                if not (grown and grown[-1].is_open):
                    _join_small(grown, self.sizes)
                    grown.append(_open(grown, rows[start:], self.sizes))
                last = grown[-1].buffer
                end = min(len(rows), start + last.capacity - last.filled)
                last.append(rows[start:end], present[start:end])
                grown[-1] = Segment.of(last, last.filled)
                start = end
            return DenseIndex(self.dimensions, tuple(grown), self.sizes)

    @property
    def needs_merge(self) -> bool:
        """Whether searches would be faster after `merge_segments`. Never true of an index that was just merged, so that
        merging while it is true comes to an end."""
        saved = len(self.segments) - sum(1 for _ in self._groups())
        return saved >= self.sizes.max_small or any(map(self._needs_sketch, self.segments))

    def merge_segments(self) -> "DenseIndex":
        """The same rows in as few segments as possible, large ones with a sketch; takes seconds where they are many."""
        with calling_faiss():
            joined = map(concatenate, self._groups())
            merged = [each.with_sketch() if self._needs_sketch(each) else each for each in joined]
            return replace(self, segments=tuple(merged))

    def with_merged(self, merged: "DenseIndex") -> "DenseIndex":
        """This index, its first rows replaced by `merged`, which was merged from an earlier value of it."""
        start = merged.count
        if start > self.count or merged.dimensions != self.dimensions:
            raise IndexFailed("the merged segments are not the beginning of this index")
        later = []
        with calling_faiss():
            for each in self.segments:
                if start < each.count:
                    later.append(each if start <= 0 else each.rows_from(start))
                start -= each.count
            return replace(self, segments=(*merged.segments, *later))

    @property
    def nbytes(self) -> int:
        """Bytes of vectors, of room reserved for more, of masks and of FAISS's codes."""
        return sum(each.nbytes for each in self.segments)

    def search_cost(self, is_filtered: bool) -> float:
        """The estimated cost of a search. Under a filter a sketch may have to give many more candidates: up to all."""
        sketched = 0 if is_filtered else sum([each.count for each in self.segments if each.sketch])
        compared = self.count - sketched
        return compared / _COMPARED_PER_CHARACTER + sketched / _SKETCHED_PER_CHARACTER

    def search(
        self,
        query: NDArray[np.float32],
        limit: int,
        allowed: NDArray[np.bool_] | None = None,
        ids: Ids | None = None,
    ) -> Hits:
        """At most `limit` rows and their cosines, best first, ties by id, or by row without ids: an order of rows
        depends on whether they were added one by one or loaded.

        `allowed` is a mask of all rows; None allows all. Where there are sketches, a near row may be missed, and of
        rows that tie for the last place any may be kept.
        """
        query = self._check_query(query)
        limit = max(limit, 0)
        hits: list[Hits] = []
        with calling_faiss():
            if allowed is not None and len(allowed) != self.count:
                raise IndexFailed("the mask does not have one item for every row")
            start, min_score = 0, -np.inf
            for each in self.segments:
                end = start + each.count
                within = None if allowed is None else allowed[start:end]
                found, cosines = each.search(query, limit, within, min_score)
                hits.append((found + start if start else found, cosines))
                if 0 < limit <= len(cosines):
                    min_score = max(min_score, cosines.item(-1))
                start = end
            if len(hits) == 1:
                return best(*hits[0], limit, ids)
            rows = np.concatenate([_NO_ROWS, *(rows for rows, _ in hits)])
            scores = np.concatenate([_NO_SCORES, *(scores for _, scores in hits)])
            return best(rows, scores, limit, ids)

    def scores(self, query: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The cosine of each of these rows, equal to that of `search`; NaN for a row without a vector."""
        query = self._check_query(query)
        with calling_faiss():
            gathered, present = self._gather(rows)
            scores = products(gathered, query)
            if present is not None:
                scores[~present] = np.nan
            return scores

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Shape (len(rows), dimensions), NaN for a row without a vector."""
        gathered, present = self._gather(rows)
        vectors = gathered.astype(np.float32)
        if present is not None:
            vectors[~present] = np.nan
        return vectors

    def _gather(self, rows: NDArray[np.int64]) -> tuple[Vectors, Present | None]:
        """A copy of these vectors, zeros for rows without one; and which rows have one: None if all have."""
        if len(rows) and not 0 <= np.minimum.reduce(rows) <= np.maximum.reduce(rows) < self.count:
            raise IndexFailed("the index does not have such a row")
        if len(self.segments) == 1:
            return self.segments[0].gather(rows)
        gathered = np.empty((len(rows), self.dimensions), np.float16)
        present = np.ones(len(rows), np.bool_)
        start = 0
        for each in self.segments:
            within = np.flatnonzero((rows >= start) & (rows < start + each.count))
            if len(within):
                gathered[within], has = each.gather(rows[within] - start)
                if has is not None:
                    present[within] = has
            start += each.count
        return gathered, None if present.all() else present

    def _check_query(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        if query.shape != (self.dimensions,):
            raise IndexFailed(f"a query of shape {query.shape}, not ({self.dimensions},)")
        # The sum of squares is finite only where every number is, and is computed at once.
        if not isfinite(query.dot(query)) and not np.isfinite(query).all():
            raise IndexFailed("a query with a number that is not finite")
        return np.ascontiguousarray(query, np.float32)

    def _groups(self) -> Iterator[list[Segment]]:
        """Neighbouring segments to be merged into one: those far below the largest size, up to that size."""
        group: list[Segment] = []
        for each in self.segments:
            rows = sum(member.count for member in group) + each.count
            undersized = all(2 * member.count < self.sizes.largest for member in (*group, each))
            if group and not (undersized and rows <= self.sizes.largest):
                yield group
                group = []
            group.append(each)
        if group:
            yield group

    def _needs_sketch(self, segment: Segment) -> bool:
        return (
            segment.sketch is None and segment.count >= self.sizes.min_sketched and self.count > self.sizes.max_scanned
        )


def _open(grown: list[Segment], rows: Vectors, sizes: SegmentSizes) -> Segment:
    held = sum(each.count for each in grown)
    room = max(sizes.min_room, min(sizes.max_joined, held // sizes.growth_divisor))
    capacity = min(max(room, len(rows)), sizes.largest)
    return Segment.of(Buffer(np.empty((capacity, rows.shape[1]), np.float16), None, 0), 0)


def _join_small(grown: list[Segment], sizes: SegmentSizes) -> None:
    """Joins the last ones while they are of like size, so that a row is copied a few times in all."""
    while len(grown) > 1:
        earlier, later = grown[-2:]
        alike = earlier.count <= 2 * later.count
        if not alike or earlier.count + later.count > sizes.max_joined:
            return
        grown[-2:] = [concatenate([earlier, later])]


def _check(
    vectors: NDArray[np.float16] | NDArray[np.float32],
    present: NDArray[np.bool_],
    dimensions: int | None = None,
) -> NDArray[np.float16]:
    if vectors.ndim != 2 or vectors.shape[1] != (dimensions or max(1, vectors.shape[1])):
        raise IndexFailed(f"vectors of shape {vectors.shape}, not (n, {dimensions or 'd'})")
    if present.shape != vectors.shape[:1]:
        raise IndexFailed(f"{present.shape} is not the shape of a mask of {len(vectors)} vectors")
    with np.errstate(over="ignore"):
        rows = np.ascontiguousarray(vectors, np.float16)
    for start in range(0, len(rows), _CHECKED_ROWS):
        bits = rows[start : start + _CHECKED_ROWS].view(np.uint16)
        # A number whose exponent is all ones is infinite or none at all.
        broken = ((bits & _EXPONENT) == _EXPONENT).any(axis=1)
        if (broken & present[start : start + _CHECKED_ROWS]).any():
            raise IndexFailed("a vector with a number that is not finite")
    return rows
