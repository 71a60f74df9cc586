"""Decides which hits are as much to the point as the best one: a precise recall returns only those.

Texts that answer the same question say much the same, so the best hit tells most about the others (the cluster
hypothesis: van Rijsbergen, "Information Retrieval", 1979). The chance that a hit is to the point is a logistic function
of three facts:

    chance = 1 / (1 + exp(-(bias + likeness * cos + relevance * (logit(r) - logit(best r)) + rank * ln(1 + rank))))

where cos is the cosine with the best hit, r the relevance (search/fusion.py) and rank the position behind the best hit,
from 0. The weights were fitted on half of a suite of decisions, preferences and states: `python -m
bench.decisions.precision`, docs/adr/precision-and-reranking.md."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE
from camillo_server.search.candidates import CandidatePool
from camillo_server.search.fusion import MIN_RELEVANCE
from camillo_server.search.signals.typed import TYPED

# The most hits of a precise answer: candidates further down are not looked at.
MAX_PRECISE_HITS = 200
# Without vectors, a hit with at least this share of the best relevance is taken to be to the point.
MIN_RELEVANCE_SHARE = 0.5
MIN_LOGIT = 1e-6
# Beside a memory of at least the first relevance, one with less than the second share of it has only a name in common
# with the question. Neighbours of an answer, and rows that it links to, have a larger share.
NEARLY_CERTAIN, DOUBTFUL_SHARE = 0.95, 0.75

Column = NDArray[np.float32]


class Precision(NamedTuple):
    """The weights of one embedder, and the least chance with which a hit is returned."""

    bias: float
    likeness: float
    relevance: float
    rank: float
    min_chance: float


# Fitted for MiniLM; other models of sentences are taken to spread their cosines alike.
SENTENCES = Precision(-4.24, 8.79, 0.10, -1.36, 0.22)
BY_PREFIX = {"lexical": Precision(-2.14, 3.51, 0.15, -0.31, 0.15)}


def is_to_the_point(relevance: Column, vectors: NDArray[np.float32], model_id: str) -> NDArray[np.bool_]:
    """Whether each hit is returned; the hits come best first, `vectors` are their unit rows, zeros where there is none.

    None is returned if even the most relevant one probably answers nothing.
    """
    if not len(relevance) or relevance.max() < MIN_RELEVANCE:
        return np.zeros(len(relevance), np.bool_)
    best = vectors[0] if vectors.size else np.zeros(0, np.float32)
    if not best.any():
        return np.asarray(relevance >= MIN_RELEVANCE_SHARE * relevance.max())
    weights = BY_PREFIX.get(model_id.partition("-")[0], SENTENCES)
    logits = _logit(relevance)
    total = (
        weights.bias
        + weights.likeness * (vectors @ best)
        + weights.relevance * (logits - logits.max())
        + weights.rank * np.log1p(np.arange(len(relevance)))
    )
    return np.asarray(1 / (1 + np.exp(-total)) >= weights.min_chance)


def precise_order(pool: CandidatePool, order: NDArray[np.intp], model_id: str) -> NDArray[np.intp]:
    """The candidates that are to the point, best first like `order`. The pool must have been asked for vectors."""
    if TYPED in pool.arms.signals:
        order = _as_typed(pool, pool.arms.signals[TYPED], order)
    order = order[:MAX_PRECISE_HITS]
    vectors = pool.vectors(order.tolist())
    return order[is_to_the_point(pool.relevance[order], vectors, model_id)]


def with_words_in_common(pool: CandidatePool) -> CandidatePool:
    """The pool, with relevance 0 for candidates without a word of the query: vectors tell nothing about small talk."""
    return replace(pool, relevance=pool.relevance * (pool.arms.lexical > 0))


def without_doubtful(pool: CandidatePool, candidates: NDArray[np.intp]) -> NDArray[np.intp]:
    """The candidates without doubtful memories: far less relevant than one that answers almost certainly, by the same
    reading of the query. Chunks stay, since an answer can be a part of a conversation; so do memories with something
    that the query names exactly as typed."""
    is_memory = pool.kinds[candidates] < KINDS_OF_A_SOURCE
    relevance = np.where(is_memory, pool.relevance[candidates], np.float32(0))
    if relevance.max(initial=0) < NEARLY_CERTAIN:
        return candidates
    best = _best_of_reading(pool, candidates, relevance)
    doubtful = is_memory & (best >= NEARLY_CERTAIN) & (relevance < DOUBTFUL_SHARE * best)
    if TYPED in pool.arms.signals:
        doubtful &= pool.arms.signals[TYPED][candidates] == 0
    kept: NDArray[np.intp] = candidates[~doubtful]
    return kept


def _best_of_reading(pool: CandidatePool, candidates: NDArray[np.intp], relevance: Column) -> Any:
    """The best relevance by the reading that each candidate has its scores from. For the query as a whole, it is at
    least that of the part that is answered worst, since the parts ask several things."""
    if pool.reading_of is None:
        return relevance.max()
    reading_of = pool.reading_of[candidates]
    best = np.zeros(len(pool.readings), np.float32)
    np.maximum.at(best, reading_of, relevance)
    parts = best[1:][best[1:] > 0]
    best[0] = max(best[0], parts.min(initial=1) if len(parts) else 0)
    return best[reading_of]


def _as_typed(pool: CandidatePool, typed: Column, order: NDArray[np.intp]) -> NDArray[np.intp]:
    """The candidates that best match what their reading types exactly: another version or number is not meant."""
    own = typed[order]
    reading_of = np.zeros(len(pool), np.intp) if pool.reading_of is None else pool.reading_of
    most = np.zeros(int(reading_of.max(initial=0)) + 1, np.float32)
    np.maximum.at(most, reading_of[order], own)
    kept: NDArray[np.intp] = order[own >= most[reading_of[order]]]
    return kept


def _logit(share: Column) -> NDArray[Any]:
    bounded = share.astype(np.float64).clip(MIN_LOGIT, 1 - MIN_LOGIT)
    logits: NDArray[Any] = np.log(bounded / (1 - bounded))
    return logits
