"""Relevance: how likely it is that what was searched answers the query, judged by one hit; comparable between queries.

Hits are ordered by what fusion makes of them, which is relative to the other candidates: the best of nothing has 1,
too. Relevance is a logistic function of two facts that do not depend on the other candidates:

    relevance = 1 / (1 + exp(-(bias + cosine * cos + coverage * cov)))

where cos is the cosine of the vectors, and cov the BM25 score over the sum of the rarities (idf) of the query's terms,
at most 1. The weights were fitted to the best hits of questions asked of the scope that answers them and of others, at
even odds: docs/adr/retrieval-fusion.md, `python -m bench.quality.calibration`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.fusion import ArmScores, QueryFacts

Column = NDArray[np.float32]
# An answer in which every hit has less than one chance in ten is probably none: it says so, and bundles leave it out.
MIN_RELEVANCE = 0.1
# A reply seldom repeats the words of what it replies to: it is nearly as relevant as that.
NEIGHBOUR_SHARE = 0.8


class Calibration(NamedTuple):
    """The weights of one embedder and one kind of query."""

    bias: float
    cosine: float
    coverage: float


class Calibrations(NamedTuple):
    """The calibration for queries with terms and a vector, and the one for queries with a vector alone."""

    both: Calibration
    dense: Calibration


TERMS_ALONE = Calibration(-4.83, 0.0, 12.0)
# Fitted for MiniLM; other models of sentences are taken to spread their cosines alike.
SENTENCES = Calibrations(Calibration(-11.08, 18.24, 8.29), Calibration(-12.44, 26.56, 0.0))
BY_PREFIX = {
    "lexical": Calibrations(Calibration(-7.36, 16.24, 7.74), Calibration(-7.87, 28.09, 0.0)),
    # For tests: its vectors mean nothing, so nothing is known of a text that shares no word with the query.
    "random": Calibrations(Calibration(0.0, 0.0, 12.0), SENTENCES.dense),
}


def coverage(lexical: Column, query: QueryFacts) -> Column:
    """The share of the query's terms, by their rarity, that texts of these BM25 scores have: 0 to 1."""
    total = float(sum(query.rarities))
    covered: Column = np.minimum(lexical / np.float32(total or 1.0), 1)
    return covered


def relevance(arms: ArmScores, query: QueryFacts, model_id: str) -> Column:
    """The relevance of each candidate: its own, or a share of that of a neighbour in its session. 0 to 1."""
    by_embedder = BY_PREFIX.get(model_id.partition("-")[0], SENTENCES)
    if not len(query.rarities) and not arms.dense_near.shape[1]:
        return _by_dense(by_embedder, arms.dense)
    # The candidate's own scores first, then those of its neighbours, if there are any.
    dense = np.concatenate((arms.dense[:, None], arms.dense_near), axis=1)
    if len(query.rarities):
        lexical = np.concatenate((arms.lexical[:, None], arms.lexical_near), axis=1)
        relevant = _by_both(by_embedder, dense, coverage(lexical, query))
    else:
        relevant = _by_dense(by_embedder, dense)
    relevant[:, 1:] *= np.float32(NEIGHBOUR_SHARE)
    best: Column = relevant.max(axis=1)
    for signal, raw in arms.signals.items():
        if signal.raises_relevance:
            best = np.maximum(best, raw)
    return best


def _by_dense(by_embedder: Calibrations, dense: Column) -> Column:
    # A row without a vector counts as the opposite of the query.
    return _logistic(by_embedder.dense, np.fmax(dense, np.float32(-1)), 0.0)


def _by_both(by_embedder: Calibrations, dense: Column, covered: Column) -> Column:
    relevant = _logistic(by_embedder.both, dense, covered)
    missing = np.isnan(dense)
    if missing.any():
        # Without a vector and without a term in common, or not there at all.
        alone = _logistic(TERMS_ALONE, 0.0, covered) * (covered > 0)
        relevant = np.where(missing, alone, relevant)
    return relevant


def _logistic(weights: Calibration, cosine: Any, covered: Any) -> Column:
    total = weights.bias + weights.cosine * cosine + weights.coverage * covered
    result: Column = (1 / (1 + np.exp(-total))).astype(np.float32, copy=False)
    return result
