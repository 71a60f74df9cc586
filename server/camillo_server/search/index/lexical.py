"""The lexical arm: BM25 over postings in memory.

Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond": a term weighs
idf = ln(1 + (N - n + 0.5) / (n + 0.5)), times tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length)).
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from camillo_server.text.term_counts import LENGTH_NORMALIZATION, SATURATION, term_code

Rows = NDArray[np.int32]
Counts = NDArray[np.uint8]
# What a key, two lists and their first entries take.
ADDED_KEY_BYTES = 400
ADDED_ENTRY_BYTES = 16
# Of the 64 bits that a posting of a term takes while they are sorted.
ROW_BITS = 24
COUNT_BITS = 8
MAX_ROWS = 1 << ROW_BITS


class Postings:
    """Rows by key, with how often each holds it."""

    def __init__(self, keys: NDArray[np.uint64], rows: Rows, counts: Counts | None = None) -> None:
        """Takes parallel arrays that are sorted by (key, row); without counts, each row holds its keys once."""
        begins = (
            np.flatnonzero(np.diff(keys, prepend=keys[:1] + np.uint64(1))) if len(keys) else rows
        )
        self._keys = keys[begins]
        self._begins = np.append(begins, len(keys)).astype(np.int64)
        self._rows = rows
        self._counts = counts
        self._later: dict[int, tuple[list[int], list[int]]] = {}
        self._later_entries = 0

    def add(self, row: int, keys: Sequence[int], counts: Sequence[int]) -> None:
        """A new row, behind all others."""
        for key, count in zip(keys, counts, strict=True):
            rows, numbers = self._later.setdefault(key, ([], []))
            # A reader looks for rows first.
            numbers.append(count)
            rows.append(row)
        self._later_entries += len(keys)

    def find(self, keys: Sequence[int], below: int) -> list[tuple[Rows, Counts]]:
        """For each key the rows below a number that hold it, ascending, and how often each does."""
        places = np.searchsorted(self._keys, np.array(keys, np.uint64)).tolist()
        return [self._find(key, place, below) for key, place in zip(keys, places, strict=True)]

    def rows(self, key: int, below: int) -> Rows:
        """The rows below a number that hold the key, ascending."""
        return self.find([key], below)[0][0]

    def entries(self, below: int) -> tuple[NDArray[np.uint64], Rows, Counts]:
        """Every (key, row, count) of the rows below a number, in no order."""
        # Copies: the writer may add meanwhile, to a list of counts before it does to that of rows.
        later = [
            (key, row, count)
            for key, (rows, counts) in self._later.copy().items()
            for row, count in zip(rows.copy(), counts, strict=False)
            if row < below
        ]
        added = np.array(later, np.uint64).reshape(-1, 3)
        counts = np.ones(len(self._rows), np.uint8) if self._counts is None else self._counts
        return (
            np.append(np.repeat(self._keys, np.diff(self._begins)), added[:, 0]),
            np.append(self._rows, added[:, 1].astype(np.int32)),
            np.append(counts, added[:, 2].astype(np.uint8)),
        )

    @property
    def nbytes(self) -> int:
        """Of memory held."""
        built = self._keys.nbytes + self._begins.nbytes + self._rows.nbytes
        counts = 0 if self._counts is None else self._counts.nbytes
        later = len(self._later) * ADDED_KEY_BYTES + self._later_entries * ADDED_ENTRY_BYTES
        return built + counts + later

    def _find(self, key: int, place: int, below: int) -> tuple[Rows, Counts]:
        rows, counts = self._built(key, place)
        later = self._later.get(key)
        if later is None:
            return rows, counts
        seen = bisect_left(later[0], below)
        return (
            np.concatenate((rows, np.array(later[0][:seen], np.int32))),
            np.concatenate((counts, np.array(later[1][:seen], np.uint8))),
        )

    def _built(self, key: int, place: int) -> tuple[Rows, Counts]:
        if place == len(self._keys) or self._keys.item(place) != key:
            return self._rows[:0], np.zeros(0, np.uint8)
        part = slice(self._begins.item(place), self._begins.item(place + 1))
        rows = self._rows[part]
        return rows, np.ones(len(rows), np.uint8) if self._counts is None else self._counts[part]


def term_postings(codes: NDArray[np.uint32], rows: Rows, counts: Counts) -> Postings:
    """Postings of terms. Sorted as single numbers, which is several times faster than by an order of places."""
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
    """What the arm reads: postings of the first `count` rows and lengths in terms; and the size of what is searched."""

    postings: Postings
    lengths: NDArray[np.uint16]
    count: int
    memories: int
    term_count: int


def lexical_scores(
    corpus: Corpus, terms: Sequence[str], allowed: NDArray[np.bool_] | None
) -> tuple[NDArray[np.float32], list[float]]:
    """Of every row its score (0: nothing in common, or not allowed), and of every term its rarity (idf)."""
    scores = np.zeros(corpus.count, np.float32)
    mean = max(1, corpus.term_count) / max(1, corpus.memories)
    per_term = SATURATION * LENGTH_NORMALIZATION / mean
    rarities = []
    for rows, counts in corpus.postings.find([*map(term_code, terms)], corpus.count):
        if allowed is not None:
            kept = allowed[rows]
            rows, counts = rows[kept], counts[kept]
        rarity = math.log(1 + (corpus.memories - len(rows) + 0.5) / (len(rows) + 0.5))
        rarities.append(rarity)
        if len(rows):
            length = corpus.lengths[rows] * np.float32(per_term)
            length += np.float32(SATURATION * (1 - LENGTH_NORMALIZATION))
            length += counts
            # A row stands once in the postings of a term, so each is added to once.
            scores[rows] += counts / length * np.float32(rarity * (SATURATION + 1))
    return scores, rarities


def best_rows(
    scores: NDArray[np.float32], limit: int, ids: tuple[NDArray[np.uint64], NDArray[np.uint64]]
) -> NDArray[np.int64]:
    """The rows that score best, ascending by row; of equal ones at the border those with the first ids, which are
    given as two columns of halves, so that the choice does not depend on the order in which rows came."""
    found = np.flatnonzero(scores)
    if len(found) <= limit:
        return found
    values = scores[found]
    border = np.partition(values, len(values) - limit)[len(values) - limit]
    above = found[values > border]
    equal = found[values == border]
    if len(above) + len(equal) > limit:
        high, low = ids
        equal = equal[np.lexsort((low[equal], high[equal]))][: limit - len(above)]
    return np.sort(np.concatenate((above, equal)))
