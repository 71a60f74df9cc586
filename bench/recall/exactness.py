"""How many of the exact nearest ten a recall by vector finds, among all memories and under a filter."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from camillo.v1 import memory_service_pb2 as service
from numpy.typing import NDArray

from bench.material.corpus import Corpus, Vectors, row_of
from bench.measure.client import connected
from bench.measure.timing import Figure, Figures
from bench.recall.calls import LIMIT, Recaller, by_vectors
from bench.recall.stage import Stage

Rows = NDArray[np.int64]


async def measure(stage: Stage, agent_id: str, corpus: Corpus) -> Figures:
    """Shares from 0 to 1."""
    vectors = corpus.queries(stage.options.exact_queries)
    exact = exact_neighbours(corpus, vectors, LIMIT)
    async with connected(stage.app.port, stage.app.secret) as client:
        recaller = Recaller(client, agent_id)
        requests = by_vectors(agent_id, vectors)
        await recaller.until_warm(requests[0], stage.warm_seconds)
        found = await _rows(recaller, requests, stage.options.exact_seconds)
        rare_requests = by_vectors(agent_id, vectors, rare_only=True)
        found_rare = await _rows(recaller, rare_requests, stage.options.exact_seconds)
    return {
        "recall_at_10": Figure((recall_at_k(found, exact.of_all),)),
        "filtered_recall_at_10": Figure((recall_at_k(found_rare, exact.of_rare),)),
    }


async def _rows(recaller: Recaller, requests: Sequence[service.RecallRequest], seconds: float) -> list[list[int]]:
    """The rows found for each request, as far as the time allows."""
    found: list[list[int]] = []
    started = time.perf_counter()
    for request in requests:
        if found and time.perf_counter() - started > seconds:
            break
        answer = await recaller.recall(request)
        found.append([row_of(hit.memory.memory_id) for hit in answer.hits])
    return found


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest rows of each query, best first, shape (queries, k); -1 where there are fewer than k."""

    of_all: Rows
    of_rare: Rows


class Nearest:
    """The best k of what was offered, for each query."""

    def __init__(self, queries: int, k: int) -> None:
        self._k = k
        self._scores = np.full((queries, k), -np.inf, np.float32)
        self.rows: Rows = np.full((queries, k), -1, np.int64)

    def offer(self, scores: NDArray[np.float32], rows: Rows) -> None:
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
    """Finds them by inner product and brute force, among all memories and those of the rare tag; block by block."""
    of_all, of_rare = Nearest(len(queries), k), Nearest(len(queries), k)
    for block in corpus.blocks():
        scores = queries @ block.vectors.T
        rows = np.arange(block.first, block.first + len(block.texts))
        of_all.offer(scores, rows)
        of_rare.offer(scores[:, block.is_rare], rows[block.is_rare])
    return Neighbours(of_all.rows, of_rare.rows)


def recall_at_k(found: Sequence[Sequence[int]], exact: Rows) -> float:
    """The share of the exact neighbours that was found, over the queries that have an answer in `found`."""
    wanted = [[row for row in rows.tolist() if row >= 0] for rows in exact[: len(found)]]
    hits = sum(len(set(rows) & set(own)) for rows, own in zip(found, wanted, strict=True))
    return hits / max(1, sum(map(len, wanted)))
