"""Exact neighbours, block by block."""

import numpy as np

from bench.material.corpus import Corpus
from bench.recall.exactness import exact_neighbours, recall_at_k


def test_blocks_give_what_all_rows_at_once_give() -> None:
    corpus = Corpus(500, block_rows=70)
    blocks = list(corpus.blocks())
    vectors = np.concatenate([block.vectors for block in blocks])
    queries = corpus.queries(20)
    best = np.argsort(-(queries @ vectors.T), axis=1)[:, :10]
    assert np.array_equal(exact_neighbours(corpus, queries, 10).of_all, best)


def test_under_the_filter_only_rare_memories_are_neighbours() -> None:
    corpus = Corpus(1_000, block_rows=250)
    rare = {block.first + place for block in corpus.blocks() for place in np.flatnonzero(block.is_rare)}
    found = exact_neighbours(corpus, corpus.queries(5), 3)
    assert len(rare) >= 3
    assert set(found.of_rare.ravel().tolist()) <= rare
    assert not set(found.of_all.ravel().tolist()) <= rare


def test_fewer_rows_than_asked_for_leave_places_empty() -> None:
    found = exact_neighbours(Corpus(3, block_rows=3), Corpus(3).queries(2), 5).of_all
    assert sorted(found[0].tolist()) == [-1, -1, 0, 1, 2]


def test_recall_counts_what_was_found_of_what_there_is() -> None:
    exact = np.array([[1, 2], [3, -1], [9, 9]])
    assert recall_at_k([[2, 1], [3, 7]], exact) == 1.0
    assert recall_at_k([[1, 5], [3]], exact) == 2 / 3
    assert recall_at_k([[], []], exact) == 0.0
