"""The exact nearest neighbours of queries, by brute force over a corpus that is made again block by block."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.material.corpus import Corpus, Vectors

ROWS = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Of each query the nearest rows, best first, shape (queries, k); -1 where there are fewer than k."""

    of_all: ROWS
    of_rare: ROWS


class Nearest:
    """The best k of what was offered, for each query."""

    def __init__(self, queries: int, k: int) -> None:
        self._k = k
        self._scores = np.full((queries, k), -np.inf, np.float32)
        self.rows: ROWS = np.full((queries, k), -1, np.int64)

    def offer(self, scores: NDArray[np.float32], rows: ROWS) -> None:
        """Scores of shape (queries, rows)."""
        kept = min(self._k, len(rows))
        if not kept:
            return
        best = np.argpartition(-scores, kept - 1, axis=1)[:, :kept]
        scores = np.concatenate([self._scores, np.take_along_axis(scores, best, axis=1)], axis=1)
        found = np.concatenate([self.rows, rows[best]], axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, : self._k]
        self._scores = np.take_along_axis(scores, order, axis=1)
        self.rows = np.take_along_axis(found, order, axis=1)


def exact_neighbours(corpus: Corpus, queries: Vectors, k: int) -> Neighbours:
    """By inner product, among all memories and among those of the rare tag."""
    of_all, of_rare = Nearest(len(queries), k), Nearest(len(queries), k)
    for block in corpus.blocks():
        scores = queries @ block.vectors.T
        rows = np.arange(block.first, block.first + len(block.texts))
        of_all.offer(scores, rows)
        of_rare.offer(scores[:, block.is_rare], rows[block.is_rare])
    return Neighbours(of_all.rows, of_rare.rows)


def recall_at_k(found: Sequence[Sequence[int]], exact: ROWS) -> float:
    """Which share of the exact neighbours was found, over the queries that have an answer in `found`."""
    wanted = [[row for row in rows.tolist() if row >= 0] for rows in exact[: len(found)]]
    hits = sum(len(set(rows) & set(own)) for rows, own in zip(found, wanted, strict=True))
    return hits / max(1, sum(map(len, wanted)))
