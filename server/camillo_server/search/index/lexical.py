"""The lexical arm: BM25 over postings in memory.

Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond": a term weighs
idf = ln(1 + (N - n + 0.5) / (n + 0.5)), times tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length)).
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from camillo_server.lib.text.counted_terms import packed_codes, term_code
from camillo_server.lib.text.index_terms import LENGTH_NORMALIZATION, SATURATION

Rows = NDArray[np.int32]
Counts = NDArray[np.uint8]
# A key, two lists and their first entries.
ADDED_KEY_BYTES = 400
ADDED_ENTRY_BYTES = 16
# The bits of row and count in the 64-bit number that holds a posting while postings are sorted.
ROW_BITS = 24
COUNT_BITS = 8
MAX_ROWS = 1 << ROW_BITS
# Among so many heaps for each row that is asked for, the best rows seldom share one.
HEAPS_PER_ROW = 4
# A query has fewer; if there are more, hardly any is in the index.
MAX_CODED_TERMS = 64
SMALLEST = np.finfo(np.float32).smallest_subnormal


class Postings:
    """Inverted index: the rows of each key, and how often each row has it."""

    def __init__(self, keys: NDArray[np.uint64], rows: Rows, counts: Counts | None = None) -> None:
        """Takes parallel arrays sorted by (key, row); without counts, each row has its keys once."""
        begins = np.flatnonzero(np.diff(keys, prepend=keys[:1] + np.uint64(1))) if len(keys) else rows
        self._keys = keys[begins]
        self._begins = np.append(begins, len(keys)).astype(np.int64)
        self._rows = rows
        self._counts = counts
        self._added: dict[int, tuple[list[int], list[int]]] = {}
        self._added_entries = 0

    def add(self, row: int, keys: Sequence[int], counts: Sequence[int]) -> None:
        """Adds a row, whose number is above all others."""
        for key, count in zip(keys, counts, strict=True):
            rows, numbers = self._added.setdefault(key, ([], []))
            # Readers in other threads look at rows first, so their counts must be there.
            numbers.append(count)
            rows.append(row)
        self._added_entries += len(keys)

    def find(self, keys: Sequence[int], below: int) -> list[tuple[Rows, Counts]]:
        """For each key the rows below a number that have it, ascending, and how often each does."""
        positions = self._keys.searchsorted(np.array(keys, np.uint64)).tolist()
        return [self._find(key, at, below) for key, at in zip(keys, positions, strict=True)]

    def known(self, keys: NDArray[np.uint32]) -> list[int]:
        """The indexes of those of these keys that any row has, or had."""
        wanted, known = keys.astype(np.uint64), list[int]()
        if len(self._keys):
            at = np.searchsorted(self._keys, wanted).clip(max=len(self._keys) - 1)
            known = np.flatnonzero(self._keys[at] == wanted).tolist()
        if added := self._added:
            new = {index for index, key in enumerate(keys.tolist()) if key in added}
            known = sorted(new.union(known))
        return known

    def rows(self, key: int, below: int) -> Rows:
        """The rows below a number that have the key, ascending."""
        return self.find([key], below)[0][0]

    def entries(self, below: int) -> tuple[NDArray[np.uint64], Rows, Counts]:
        """Every (key, row, count) of the rows below a number, in no order."""
        # Copies: the writer may add meanwhile, to a list of counts before it does to that of rows.
        added = [
            (key, row, count)
            for key, (rows, counts) in self._added.copy().items()
            for row, count in zip(rows.copy(), counts, strict=False)
            if row < below
        ]
        entries = np.array(added, np.uint64).reshape(-1, 3)
        counts = np.ones(len(self._rows), np.uint8) if self._counts is None else self._counts
        return (
            np.append(np.repeat(self._keys, np.diff(self._begins)), entries[:, 0]),
            np.append(self._rows, entries[:, 1].astype(np.int32)),
            np.append(counts, entries[:, 2].astype(np.uint8)),
        )

    @property
    def nbytes(self) -> int:
        built = self._keys.nbytes + self._begins.nbytes + self._rows.nbytes
        counts = 0 if self._counts is None else self._counts.nbytes
        added = len(self._added) * ADDED_KEY_BYTES + self._added_entries * ADDED_ENTRY_BYTES
        return built + counts + added

    def _find(self, key: int, position: int, below: int) -> tuple[Rows, Counts]:
        part = slice(0, 0)
        if position < len(self._keys) and self._keys.item(position) == key:
            part = slice(self._begins.item(position), self._begins.item(position + 1))
        rows = self._rows[part]
        counts = np.ones(len(rows), np.uint8) if self._counts is None else self._counts[part]
        added = self._added.get(key)
        if added is None:
            return rows, counts
        seen = bisect_left(added[0], below)
        return (
            np.concatenate((rows, np.array(added[0][:seen], np.int32))),
            np.concatenate((counts, np.array(added[1][:seen], np.uint8))),
        )


class JoinedPostings:
    """The postings of several indexes whose rows follow one another."""

    def __init__(self, parts: Sequence[Postings], starts: Sequence[int]) -> None:
        """`starts`: the row at which each part begins."""
        self._parts = parts
        self._starts = starts

    def find(self, keys: Sequence[int], below: int) -> list[tuple[Rows, Counts]]:
        """For each key the rows that have it, ascending, and how often each does; `below` is the number of all rows."""
        ends = (*self._starts[1:], below)
        found = [
            [(rows + np.int32(start), counts) for rows, counts in part.find(keys, end - start)]
            for part, start, end in zip(self._parts, self._starts, ends, strict=True)
        ]
        return [
            (np.concatenate([rows for rows, _ in of_key]), np.concatenate([counts for _, counts in of_key]))
            for of_key in zip(*found, strict=True)
        ]

    def known(self, keys: NDArray[np.uint32]) -> list[int]:
        """The indexes of those of these keys that any row has, or had."""
        return sorted({index for part in self._parts for index in part.known(keys)})


def term_postings(codes: NDArray[np.uint32], rows: Rows, counts: Counts) -> Postings:
    """Postings of terms; packed into single numbers, they sort several times faster than by an index of positions."""
    packed = codes.astype(np.uint64) << np.uint64(ROW_BITS + COUNT_BITS)
    packed |= rows.astype(np.uint64) << np.uint64(COUNT_BITS)
    packed |= counts
    packed.sort()
    return Postings(
        packed >> np.uint64(ROW_BITS + COUNT_BITS),
        ((packed >> np.uint64(COUNT_BITS)) & np.uint64(MAX_ROWS - 1)).astype(np.int32),
        packed.astype(np.uint8),
    )


def label_postings(codes: NDArray[np.uint64], rows: Rows) -> Postings:
    """Postings of sessions, tags and metadata."""
    order = np.lexsort((rows, codes))
    return Postings(codes[order], rows[order])


@dataclass(frozen=True, slots=True)
class Corpus:
    """Postings and lengths in terms of the first `count` rows, and the number of memories and terms that are
    searched."""

    postings: Postings | JoinedPostings
    lengths: NDArray[np.uint16]
    count: int
    memories: int
    term_count: int


def matching_rows(corpus: Corpus, terms: Sequence[str], allowed: NDArray[np.bool_] | None) -> tuple[int, ...]:
    """How many rows that are allowed have each term."""
    if len(terms) > MAX_CODED_TERMS:
        return _matching_few(corpus, terms, allowed)
    found = corpus.postings.find([*map(term_code, terms)], corpus.count)
    if allowed is None:
        return tuple(len(rows) for rows, _ in found)
    return tuple(int(np.count_nonzero(allowed[rows])) for rows, _ in found)


def _matching_few(corpus: Corpus, terms: Sequence[str], allowed: NDArray[np.bool_] | None) -> tuple[int, ...]:
    """Counts the matching rows of very many terms, hardly any of which any row has."""
    # Codes of misspelt words would push those of words out of the cache.
    codes = np.frombuffer(packed_codes(terms), "<u4")
    matches = [0] * len(terms)
    known = corpus.postings.known(codes)
    found = corpus.postings.find(codes[known].tolist(), corpus.count)
    for index, (rows, _) in zip(known, found, strict=True):
        matches[index] = len(rows) if allowed is None else int(np.count_nonzero(allowed[rows]))
    return tuple(matches)


def lexical_scores(
    corpus: Corpus,
    terms: Sequence[str],
    allowed: NDArray[np.bool_] | None,
    known_rarities: Sequence[float] | None = None,
) -> tuple[NDArray[np.float32], list[float]]:
    """The score of every row (0: no term in common, or not allowed), and the rarity (idf) of every term: the known one
    where the rows are a part of a larger collection."""
    scores = np.zeros(corpus.count, np.float32)
    if not terms:
        return scores, []
    mean = max(1, corpus.term_count) / max(1, corpus.memories)
    per_term = SATURATION * LENGTH_NORMALIZATION / mean
    found = corpus.postings.find([*map(term_code, terms)], corpus.count)
    matches = [len(rows) for rows, _ in found]
    # The postings of all terms at once, one term after the other: mostly they are few, and each call of numpy takes as
    # long as a hundred of them. numpy indexes by its own width of integers twice as fast.
    rows = np.concatenate([rows for rows, _ in found], dtype=np.intp, casting="same_kind")
    counts = np.concatenate([counts for _, counts in found])
    if allowed is not None:
        kept = allowed[rows]
        ends = [*accumulate(matches)]
        matches = [int(np.count_nonzero(kept[end - count : end])) for count, end in zip(matches, ends, strict=True)]
        rows, counts = rows[kept], counts[kept]
    if known_rarities is None:
        rarities = [math.log(1 + (corpus.memories - count + 0.5) / (count + 0.5)) for count in matches]
    else:
        rarities = [*known_rarities]
    length = corpus.lengths.take(rows) * np.float32(per_term)
    length += np.float32(SATURATION * (1 - LENGTH_NORMALIZATION))
    length += counts
    np.divide(counts, length, out=length)
    length *= np.array([rarity * (SATURATION + 1) for rarity in rarities], np.float32).repeat(matches)
    np.add.at(scores, rows, length)
    return scores, rarities


def best_rows(
    scores: NDArray[np.float32], limit: int, ids: tuple[NDArray[np.uint64], NDArray[np.uint64]]
) -> NDArray[np.int64]:
    """The rows that score best, ascending by row.

    Ties for the last place go to the lowest ids, given as two columns of halves: so the choice does not depend on the
    order in which rows were added.
    """
    matching = (scores >= _least_of_best(scores, limit)).nonzero()[0]
    if len(matching) <= limit:
        return matching
    values = scores[matching]
    border = np.partition(values, len(values) - limit)[len(values) - limit]
    above = matching[values > border]
    equal = matching[values == border]
    if len(above) + len(equal) > limit:
        high, low = ids
        equal = equal[np.lexsort((low[equal], high[equal]))][: limit - len(above)]
    return np.sort(np.concatenate((above, equal)))


def _least_of_best(scores: NDArray[np.float32], limit: int) -> np.float32:
    """A score above 0 that the best `limit` rows reach, all that match if they are fewer, and not many others.

    Deals the rows to several times `limit` heaps and takes the best row of each: at least `limit` rows reach the
    `limit`-th best of these. Sorting out the best of all rows would take ten times as long.
    """
    heaps = HEAPS_PER_ROW * limit
    least = np.float32(0)
    if 0 < 2 * heaps <= len(scores):
        depth = len(scores) // heaps
        tops = np.maximum.reduce(scores[: depth * heaps].reshape(depth, heaps), axis=0)
        tops.partition(heaps - limit)
        least = tops[heaps - limit]
    return max(least, SMALLEST)
