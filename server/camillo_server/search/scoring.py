"""Scores of candidates: the fused similarity, weighed with recency and importance, slightly boosted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.ids import MemoryId
from camillo_server.search.candidates import CandidatePool
from camillo_server.search.collection import combine
from camillo_server.search.fusion import coverage
from camillo_server.search.signals.importance import IMPORTANCE
from camillo_server.search.signals.order import OrderSignal, Scored
from camillo_server.search.signals.pinned import PINNED
from camillo_server.search.signals.recency import RECENCY
from camillo_server.search.signals.source_priority import SOURCE_PRIORITY
from camillo_server.search.space_weights import SpaceWeights

WEEK_HOURS = 168.0
# The terms of a score beside the similarity, in the order in which they are added.
ORDER_SIGNALS = (PINNED, RECENCY, IMPORTANCE, SOURCE_PRIORITY)
Column = NDArray[np.floating[Any]]
TEXT_PROFILE = "relevance"
VECTOR_PROFILE = "similarity"


@dataclass(frozen=True, slots=True)
class ScoringProfile:
    """Weights of the terms of a score. Without a half life, the server's applies. With `recency_multiplies`, the sum is
    multiplied by recency instead of recency being one of its terms. `diversity` is the share by which a hit loses for
    being like one before it, 0 to 1. With `has_boosts`, signals add their boosts. With `is_precise`, only what is as
    much to the point as the best hit is returned (search/precision.py). `space_weights` multiply the whole
    score; whoever finds the candidates enters those of their spaces (`Collection`)."""

    similarity: float = 1.0
    recency: float = 0.0
    importance: float = 0.0
    source_priority: float = 0.0
    half_life_hours: float | None = None
    recency_multiplies: bool = False
    has_boosts: bool = False
    diversity: float = 0.0
    is_precise: bool = False
    space_weights: SpaceWeights | None = None


RELEVANCE = ScoringProfile(has_boosts=True)
# `recency_weighted` is the final_score of the snapshot design, `evidence` and `blended` those of the context and
# the four-source designs. The boosts of `relevance` only decide between hits that answer about equally well.
PROFILES: Mapping[str, ScoringProfile] = {
    "relevance": RELEVANCE,
    "precise": replace(RELEVANCE, is_precise=True),
    "similarity": ScoringProfile(),
    "recency_weighted": ScoringProfile(recency_multiplies=True),
    "evidence": ScoringProfile(similarity=0.6, recency=0.3, importance=0.1),
    "blended": ScoringProfile(similarity=0.5, recency=0.2, importance=0.2, source_priority=0.1),
}


@dataclass(frozen=True, slots=True)
class ArmScore:
    """The score of a hit in one arm: its rank from 1, the raw score, and the score normalized to 0 to 1."""

    rank: int
    raw: float
    normalized: float


@dataclass(frozen=True, slots=True, eq=False)
class Reranked:
    """A model's scores of the candidates that it has read, best candidate first, 0 to 1 (nan where it gave none), and
    the weight of these scores in the order."""

    candidates: NDArray[np.intp]
    scores: NDArray[np.float32]
    weight: float

    def blended(self, fused: Column, space_weights: Column | None) -> Column:
        """The candidates ordered by both, and behind them the others as they were.

        A candidate that was read gets (1 - weight) x its standing between the worst and the best of them + weight x the
        model's score, times the weight of its space; its standing alone where the model gave none. The others get their
        distance below the worst of those: 0 or less.
        """
        read = fused[self.candidates]
        worst, best = read.min(), read.max()
        standing = (read - worst) / (best - worst) if best > worst else np.ones_like(read)
        scores = self.scores if space_weights is None else self.scores * space_weights[self.candidates]
        own = np.where(np.isnan(scores), standing, scores)
        total: Column = fused - worst
        total[self.candidates] = (1 - self.weight) * standing + self.weight * own
        return total

    def score_of(self, candidate: int) -> float | None:
        """The model's score of a candidate; None where it gave none."""
        found = self.scores[self.candidates == candidate]
        return float(found[0]) if len(found) and not np.isnan(found[0]) else None


Breakdown = Mapping[str, Any]
"""The parts of the score that orders hits, as fields of `ScoreBreakdown`: those of the similarity with their weights,
then the other terms; and the coverage, a part of the relevance."""


class Hit(NamedTuple):
    """A hit, by its index among the candidates: its relevance, comparable between queries, and what it is ordered by
    within one answer; its breakdown only where one was requested, and the refs of those that say exactly the same only
    where several sources are searched."""

    candidate: int
    relevance: float
    order_score: float
    breakdown: Breakdown | None = None
    equal_refs: Sequence[str] = ()


@dataclass(frozen=True)
class Scores:
    """The scores of a pool's candidates, and their terms as columns, each computed when it is first used."""

    pool: CandidatePool
    profile: ScoringProfile
    present: int
    """The time of the recall, in microseconds since 1970."""
    context_boost: Column | None = None
    """What is added for belonging to the context of the recall; None without one."""
    reranked: Reranked | None = None
    # Not taken along by `replace`: the values are those of one pool.
    _values: dict[OrderSignal, Column] = field(init=False, repr=False, compare=False, default_factory=dict)

    def values(self, signal: OrderSignal) -> Column:
        """The values of a signal of the order."""
        values = self._values.get(signal)
        if values is None:
            values = self._values[signal] = signal.values(self._scored)
        return values

    @cached_property
    def _scored(self) -> Scored:
        return Scored(self.pool, self.present, self.profile.half_life_hours or WEEK_HOURS)

    @cached_property
    def _terms(self) -> list[tuple[OrderSignal, Column]]:
        return [(signal, self.values(signal)) for signal in ORDER_SIGNALS]

    @cached_property
    def boost(self) -> Column:
        """The sum of the boosts, each at most what its signal says."""
        total: Column | None = None
        for signal in ORDER_SIGNALS:
            if signal.boost:
                values = self.values(signal)
                added = signal.boost * (2 * values - 1 if signal.boosts_from_middle else values)
                total = added if total is None else total + added
        assert total is not None  # noqa: S101 (some signal has a boost)
        return total

    @cached_property
    def score(self) -> Column:
        profile = self.profile
        total: Column = profile.similarity * self.pool.fusion.similarity
        for signal in ORDER_SIGNALS:
            if weight := getattr(profile, signal.name, 0.0):
                total = total + weight * self.values(signal)
        if profile.recency_multiplies:
            total = total * self.values(RECENCY)
        if self.context_boost is not None:
            total = total + self.context_boost
        if profile.has_boosts:
            total = total + self.boost
        weights = self.pool.space_weights
        if weights is not None:
            # A weight adds nothing to a score below 0, either.
            total = np.minimum(total, weights * total)
        return total if self.reranked is None else self.reranked.blended(total, weights)

    def order(self) -> NDArray[np.intp]:
        """The indices of all candidates, best first; ties by id, so that the order is always the same."""
        score = self.score
        if np.logical_and.reduce(score[1:] < score[:-1]):
            # The candidates of a query by vector come in order.
            return np.arange(len(score))
        order = (-score).argsort()
        score = score[order]
        if np.logical_and.reduce(score[1:] < score[:-1]):
            return order
        ids = self.pool.memory_ids
        return np.lexsort((ids[:, 1], ids[:, 0], -self.score))

    def beside(self, pools: Sequence[CandidatePool]) -> "Scores":
        """The scores of these candidates and those of other pools, which are given nothing for their context."""
        boost = self.context_boost
        if boost is not None:
            boost = np.append(boost, np.zeros(sum(map(len, pools))))
        return replace(self, pool=combine([self.pool, *pools]), context_boost=boost)

    def breakdown(self, index: int) -> Breakdown:
        fusion, arms = self.pool.fusion, self.pool.arms
        reading, weights = "", fusion
        if self.pool.reading_of is not None:
            reading, weights = self.pool.readings[int(self.pool.reading_of[index])]
        fields: dict[str, Any] = {
            "dense": _arm(arms.dense, fusion.dense, index),
            "lexical": _arm(np.where(arms.lexical > 0, arms.lexical, np.nan), fusion.lexical, index),
            "dense_weight": weights.dense_weight,
            "lexical_weight": weights.lexical_weight,
            "similarity": float(fusion.similarity[index]),
            "boost": float(self.boost[index]) if self.profile.has_boosts else 0.0,
            "order_score": float(self.score[index]),
            "coverage": float(coverage(arms.lexical[index], self.pool.query)),
            "context_boost": 0.0 if self.context_boost is None else float(self.context_boost[index]),
            "linked_from": self._linked_from(index),
            "rerank": None if self.reranked is None else self.reranked.score_of(index),
            "rerank_weight": 0.0 if self.reranked is None else self.reranked.weight,
            "reading": reading,
            "space_weight": 1.0 if self.pool.space_weights is None else float(self.pool.space_weights[index]),
        }
        for term, values in self._terms:
            if term.explain is not None:
                fields.update(term.explain(term, self._scored, values, index))
        for signal in {**arms.signals, **fusion.parts}:
            raw, part = arms.signals.get(signal), fusion.parts.get(signal)
            fields.update(signal.explain(signal, raw, part, weights.weight_of(signal), index))
        return fields

    def _linked_from(self, index: int) -> str:
        if not self.pool.linked_from:
            return ""
        high, low = map(int, self.pool.memory_ids[index])
        return self.pool.linked_from.get(MemoryId(UUID(int=high << 64 | low)), "")


def score(pool: CandidatePool, profile: ScoringProfile, now: datetime) -> Scores:
    """The scores of every candidate."""
    return Scores(pool, profile, microseconds(now))


def _arm(raw: Column, normalized: Column, index: int) -> ArmScore | None:
    """The rank and the scores of a candidate in an arm; None if the arm has no score for it (nan)."""
    own = raw[index]
    if np.isnan(own):
        return None
    return ArmScore(1 + int(np.count_nonzero(raw > own)), float(own), float(normalized[index]))


def diverse_order(
    scores: NDArray[np.float32], vectors: NDArray[np.float32], diversity: float, limit: int
) -> NDArray[np.intp]:
    """The indices of the first `limit`, each the best of those left by (1 - diversity) * score - diversity * likeness.

    Maximal marginal relevance (Carbonell and Goldstein, "The use of MMR", 1998). Likeness is the greatest cosine to
    one chosen before; `vectors`, of shape (n, dimensions), are unit rows, or zeros where there is none, which are
    like nothing. Ties go to the first one.
    """
    limit = min(limit, len(scores))
    if not diversity or limit < 1:
        return np.argsort(-scores, kind="stable")[: max(limit, 0)]
    merit = (1 - diversity) * scores.astype(np.float64)
    chosen = np.empty(limit, np.intp)
    likeness = np.zeros(len(scores))
    for rank in range(limit):
        index = int(np.argmax(merit - diversity * likeness))
        chosen[rank] = index
        cosines = vectors @ vectors[index]
        # Being unlike the first is no merit: the greatest cosine counts, even below zero.
        likeness = np.maximum(likeness, cosines) if rank else cosines.astype(np.float64)
        merit[index] = -np.inf
    return chosen
