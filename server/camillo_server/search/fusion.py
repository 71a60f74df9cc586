"""Fusion: the scores of both arms, for a memory and its neighbours, and all signals (search/signals), combined in one
similarity, by which hits are ordered; and relevance: how likely it is that what was searched answers the query, judged
by one hit.

Each arm's scores are normalized to 0 to 1 over the candidates, and an arm weighs by how far its best stands out from
the rest. Neighbours raise the score of a memory: a reply seldom repeats the words that it replies to. So similarity is
relative to the other candidates: the best of nothing has 1, too. Relevance is comparable between queries, a logistic
function of two facts that do not depend on the other candidates:

    relevance = 1 / (1 + exp(-(bias + cosine * cos + coverage * cov)))

where cos is the cosine of the vectors, and cov the BM25 score over the sum of the rarities (idf) of the query's terms,
at most 1. Its weights were fitted to the best hits of questions asked of the scope that answers them and of others, at
even odds: `python -m bench.quality.calibration`. All constants are one setting for every kind of memory; how they were
found: docs/adr/retrieval-fusion.md."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.signals.neighbourhood import (
    DENSE_NEAR,
    LEXICAL_NEAR,
    NEIGHBOURHOOD,
    REPLY_DENSE,
    REPLY_LEXICAL,
    SESSION_NEAR,
    best_of_session,
    coherence,
    near_score,
    neighbourhood,
)
from camillo_server.search.signals.signal import Part, Raw, Signal, Weights
from camillo_server.search.signals.speech import SPEECH, replies_of

Column = NDArray[np.float32]
Flags = NDArray[np.bool_]
RANK = attrgetter("rank")

DENSE_SHARE = 0.55
# The lexical arm's share is multiplied by 5/8 for a query of common terms, and by 9/8 for one with a unique term.
RARITY_RANGE = (0.625, 1.125)
# Words that few candidates share, and of which the best has few, are shared by chance. The lexical arm has all of its
# share from this share of candidates on, or from the second coverage on; with none, and at the first, LEAST_CERTAINTY.
CERTAIN_SHARE = 0.1
CERTAIN_COVERAGE = (0.5, 1.0)
LEAST_CERTAINTY = 0.2
# Words of which the best candidate has less than this share of the query, by rarity, are mostly function words. They
# count less beside vectors of a model, which tell more.
TELLING_COVERAGE = 0.2
# A model that does not know a language finds all texts of it alike. So many candidates with such a mean cosine are
# added to those that there are, so that a few of them decide nothing; and so much is left of the dense arm.
ASSUMED_CANDIDATES, ASSUMED_COSINE = 10, 0.2
LEAST_FAMILIARITY = 0.05
# Standing out is counted in standard deviations, of which a few scores that are almost alike have next to none.
MIN_DENSE_DEVIATION = 0.01
MAX_LEXICAL_SPREAD = 10.0


@dataclass(frozen=True, slots=True)
class ArmScores:
    """Raw scores over n candidates: cosine (nan: no vector) and BM25 (0: nothing in common).

    The columns `near`, of shape (n, 2) or (n, 4), are those of the memories before and after it in its session, then of
    the second before and after it (nan and 0: none). `sessions` has a number for each session (0: in none); neighbours
    count only where these are given. `signals` are the raw values of each signal that counts."""

    dense: Column
    lexical: Column
    dense_near: Column
    lexical_near: Column
    sessions: NDArray[np.integer] | None = None
    signals: Mapping[Signal, Raw] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """The facts that set the weights: the rarity (idf) of each term of the query in the scope, the scope's size, and
    the model whose cosines the dense arm has."""

    rarities: Sequence[float] | Column
    memories: int
    model_id: str = ""


@dataclass(frozen=True, slots=True)
class Fusion:
    """Parts of a similarity, each over n candidates and from 0 to 1, and their weights, which sum to 1.

    similarity = dense_weight * dense + lexical_weight * lexical + the sum of weight * score of all parts
    """

    similarity: Column
    dense: Column
    lexical: Column
    dense_weight: float
    lexical_weight: float
    parts: Mapping[Signal, Part] = field(default_factory=dict)

    def weight_of(self, signal: Signal) -> float:
        """The weight of a signal; 0 where it does not count."""
        part = self.parts.get(signal)
        return 0.0 if part is None else part.weight


class _Arm(NamedTuple):
    """The scores of one arm, 0 to 1; `near` is summed by shares already, and `near_share` is the sum of these."""

    own: Column
    near: Column
    near_share: float
    weight: float


def fuse(arms: ArmScores, query: QueryFacts) -> Fusion:
    """The similarity of every candidate; the same whatever their order."""
    if not len(query.rarities) and arms.sessions is None:
        return _dense_only(arms.dense)
    has_sessions = arms.sessions is not None and bool(np.logical_or.reduce(arms.sessions))
    reach = arms.dense_near.shape[1] if has_sessions else 0
    replies = replies_of(arms.signals.get(SPEECH)) if reach else None
    dense = _dense_arm(arms.dense, arms.dense_near[:, :reach], replies)
    known = familiarity(arms.dense, query.model_id)
    dense = dense._replace(weight=dense.weight * (LEAST_FAMILIARITY + (1 - LEAST_FAMILIARITY) * known))
    lexical = _lexical_arm(arms.lexical, arms.lexical_near[:, :reach], replies, query, known)
    dense_weight, lexical_weight = _arm_weights(dense.weight, lexical.weight)
    own = dense_weight * dense.own + lexical_weight * lexical.own
    near = dense_weight * dense.near + lexical_weight * lexical.near
    near_weight = dense_weight * dense.near_share + lexical_weight * lexical.near_share
    if arms.sessions is not None and has_sessions:
        near += SESSION_NEAR * best_of_session(own, arms.sessions)
        near_weight += SESSION_NEAR * (dense_weight + lexical_weight)
        share = coherence(arms.dense, arms.dense_near)
        near, near_weight = np.float32(share) * near, share * near_weight
    weights = Weights(dense_weight + lexical_weight, near_weight, dense_weight + lexical_weight + near_weight)
    parts, total = dict[Signal, Part](), weights.total or 1.0
    for signal in sorted(arms.signals, key=RANK):
        part = signal.weigh(arms.signals[signal], Weights(weights.arms, weights.near, total))
        if part is not None:
            parts[signal] = part
            total += part.weight
    summed = own + near
    for part in parts.values():
        summed += part.weight * part.score
    parts[NEIGHBOURHOOD] = neighbourhood(near, weights)
    return Fusion(
        # Rounding may take a sum of shares above their total.
        similarity=np.minimum(summed / total, 1),
        dense=dense.own,
        lexical=lexical.own,
        dense_weight=dense_weight / total,
        lexical_weight=lexical_weight / total,
        parts={signal: Part(part.score, part.weight / total) for signal, part in parts.items()},
    )


def _dense_only(raw: Column) -> Fusion:
    """The dense arm is all that there is, so nothing has to be weighed."""
    nothing = np.zeros(len(raw), np.float32)
    if not len(raw):
        return Fusion(nothing, nothing, nothing, 0.0, 0.0)
    best = np.fmax.reduce(raw)
    if math.isnan(best):
        return Fusion(nothing, nothing, nothing, 0.0, 0.0)
    span = max(float(best - np.fmin.reduce(raw)), MIN_DENSE_DEVIATION)
    own = raw - best
    own /= np.float32(span)
    own += 1
    # Candidates without a vector have nan until here.
    np.fmax(own, 0, out=own)
    return Fusion(own, own, nothing, 1.0, 0.0)


def _dense_arm(raw: Column, near: Column, replies: Flags | None) -> _Arm:
    """0 for the least similar, 1 for the most; a memory without a vector counts as the average one."""
    # Sorted, so that sums do not depend on the order of the candidates; nan comes last.
    known = raw.astype(np.float64)
    known.sort()
    known = known[: known.searchsorted(math.nan)]
    if not len(known):
        return _empty_arm(len(raw))
    best = float(known[-1])
    span = max(best - float(known[0]), MIN_DENSE_DEVIATION)
    mean, deviation = _spread(known)
    deviation = max(deviation, MIN_DENSE_DEVIATION)
    own = 1 + (raw - best) / span
    if len(known) < len(raw):
        own[np.isnan(own)] = 1 + (mean - best) / span
    neighbours = 1 + (near - best) / span
    shares = DENSE_NEAR[: near.shape[1]]
    summed, share = near_score(neighbours, shares, replies, REPLY_DENSE)
    return _Arm(own, summed, share, DENSE_SHARE * span / deviation)


def _lexical_arm(raw: Column, near: Column, replies: Flags | None, query: QueryFacts, known: float) -> _Arm:
    """The share of the best score."""
    ordered = raw.astype(np.float64)
    ordered.sort()
    best = float(ordered[-1]) if len(ordered) else 0.0
    if best <= 0:
        return _empty_arm(len(raw))
    spread = min(best / max(_spread(ordered)[1], 1e-9), MAX_LEXICAL_SPREAD)
    # Where meanings are unknown, words are all that there is.
    certainty = 1 - known * (1 - _certainty(ordered, query))
    weight = (1 - DENSE_SHARE) * spread * _rarity_factor(query) * certainty
    shares = LEXICAL_NEAR[: near.shape[1]]
    summed, share = near_score(near / best, shares, replies, REPLY_LEXICAL)
    return _Arm(raw / best, summed, share, weight)


def _spread(values: NDArray[np.float64]) -> tuple[float, float]:
    """The mean and the standard deviation, as numpy computes them, in half the time."""
    mean = np.add.reduce(values) / len(values)
    apart = values - mean
    return float(mean), math.sqrt(np.add.reduce(apart * apart) / len(values))


def _empty_arm(count: int) -> _Arm:
    """An arm that found nothing, or was not asked."""
    return _Arm(np.zeros(count, np.float32), np.zeros(count, np.float32), 0.0, 0.0)


def _arm_weights(dense: float, lexical: float) -> tuple[float, float]:
    """The arms' weights; an arm that is alone has the other's share too."""
    if dense and lexical:
        return dense, lexical
    return dense / DENSE_SHARE, lexical / (1 - DENSE_SHARE)


def _certainty(ordered: NDArray[np.float64], query: QueryFacts) -> float:
    """The factor of the lexical arm's share, by what the candidates share with the query; their scores ascend, and the
    last is above 0."""
    covered = float(coverage(ordered[-1:], query)[0])
    telling = 1.0 if family_of(query.model_id) == LEXICAL else min(covered / TELLING_COVERAGE, 1.0)
    shared = (len(ordered) - int(ordered.searchsorted(0, "right"))) / len(ordered) / CERTAIN_SHARE
    if shared >= 1:
        return telling
    least, most = CERTAIN_COVERAGE
    certain = min(max(shared, (covered - least) / (most - least)), 1.0)
    return telling * (LEAST_CERTAINTY + (1 - LEAST_CERTAINTY) * certain)


def familiarity(dense: Column, model_id: str) -> float:
    """How well the model knows the language of query and candidates, 0 to 1, by the mean of their cosines; 1 for a
    model whose languages are not known, or that knows many."""
    unfamiliar = BY_FAMILY.get(family_of(model_id), SENTENCES).unfamiliar
    if unfamiliar is None:
        return 1.0
    has_vector = ~np.isnan(dense)
    count = int(np.count_nonzero(has_vector)) + ASSUMED_CANDIDATES
    total = np.add.reduce(dense, where=has_vector, dtype=np.float64) + ASSUMED_CANDIDATES * ASSUMED_COSINE
    none_below, all_from = unfamiliar
    # Rounded, so that it does not depend on the order of the candidates.
    return round(min(max((all_from - float(total) / count) / (all_from - none_below), 0.0), 1.0), 3)


def _rarity_factor(query: QueryFacts) -> float:
    """The factor of the lexical arm's share, by the rarest term of the query that any memory has."""
    # The rarity of a term that no memory has lies above this; that of one in a single memory is the border less ln 1.5.
    border = math.log(query.memories + 1)
    rarest = max([rarity for rarity in query.rarities if rarity < border], default=0.0)
    least, most = RARITY_RANGE
    return least + (most - least) * min(max(0.0, rarest) / max(border, 1e-9), 1.0)


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
    """The calibration for queries with terms and a vector, and the one for queries with a vector alone. `unfamiliar`
    of a model of one language: the mean cosine of candidates up to which it knows their language, and the one from
    which on it does not."""

    both: Calibration
    dense: Calibration
    unfamiliar: tuple[float, float] | None = None


TERMS_ALONE = Calibration(-4.83, 0.0, 12.0)
# Fitted for MiniLM; other models of sentences are taken to spread their cosines alike, but for those of the family E5,
# to which any two texts are alike by .7 or more: fitted for the small multilingual one, in eight languages and chats.
SENTENCES = Calibrations(Calibration(-11.08, 18.24, 8.29), Calibration(-12.44, 26.56, 0.0))
E5, MINILM, LEXICAL = "e5", "all-minilm", "lexical"
BY_FAMILY = {
    MINILM: SENTENCES._replace(unfamiliar=(0.4, 0.6)),
    E5: Calibrations(Calibration(-40.40, 46.51, 5.22), Calibration(-41.27, 49.01, 0.0)),
    LEXICAL: Calibrations(Calibration(-7.36, 16.24, 7.74), Calibration(-7.87, 28.09, 0.0)),
    # For tests: its vectors mean nothing, so nothing is known of a text that shares no word with the query.
    "random": Calibrations(Calibration(0.0, 0.0, 12.0), SENTENCES.dense),
}


_OF_FAMILY = {E5: re.compile(r"(?:^|[-/])e5-(?:small|base|large)"), MINILM: re.compile(r"(?:^|/)all-minilm-l\d", re.I)}


@lru_cache(maxsize=1_000)
def family_of(model_id: str) -> str:
    """The embedders that spread their cosines alike: `e5`, `all-minilm`, or what the model id begins with."""
    named = (family for family, pattern in _OF_FAMILY.items() if pattern.search(model_id))
    return next(named, model_id.partition("-")[0])


def coverage(lexical: NDArray[np.floating], query: QueryFacts) -> Column:
    """The share of the query's terms, by their rarity, that texts of these BM25 scores have: 0 to 1."""
    total = float(sum(query.rarities))
    covered: Column = np.minimum(lexical / np.float32(total or 1.0), 1)
    return covered


def relevance(arms: ArmScores, query: QueryFacts) -> Column:
    """The relevance of each candidate: its own, or a share of that of a neighbour in its session. 0 to 1."""
    by_embedder = BY_FAMILY.get(family_of(query.model_id), SENTENCES)
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
    best: Column = np.maximum.reduce(relevant, axis=1)
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
    if np.logical_or.reduce(missing, axis=None):
        # Without a vector and without a term in common, or not there at all.
        alone = _logistic(TERMS_ALONE, 0.0, covered) * (covered > 0)
        relevant = np.where(missing, alone, relevant)
    return relevant


def _logistic(weights: Calibration, cosine: Any, covered: Any) -> Column:
    total = weights.bias + weights.cosine * cosine + weights.coverage * covered
    result: Column = (1 / (1 + np.exp(-total))).astype(np.float32, copy=False)
    return result
