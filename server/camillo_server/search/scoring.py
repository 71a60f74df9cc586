"""Scores of candidates: the fused similarity, weighed with recency and importance, slightly boosted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE, Source
from camillo_server.search.candidates import CandidatePool
from camillo_server.search.fusion import Fusion, Speech
from camillo_server.search.relevance import coverage

WEEK_HOURS = 168.0
HOUR = 3_600_000_000
# The reliability of each source: distilled texts have most, merely logged ones least.
SOURCE_PRIORITIES: Mapping[Source, float] = {
    Source.MEMORY: 1.0,
    Source.EVENT: 0.9,
    Source.DOCUMENT: 0.5,
    Source.SLOT: 1.0,
    Source.DECISION: 1.0,
    Source.AUDIT: 0.8,
    Source.WORKFLOW_STEP: 0.6,
    Source.ARTIFACT: 0.5,
}
PRIORITY_BY_SOURCE = np.array([SOURCE_PRIORITIES[source] for source in sorted(Source)])
Column = NDArray[np.floating[Any]]
TEXT_PROFILE = "relevance"
VECTOR_PROFILE = "similarity"


@dataclass(frozen=True, slots=True)
class Boosts:
    """The most that is added to a score: if pinned, for an importance of 1 (subtracted for one of 0), if it has just
    happened."""

    pinned: float = 0.0
    importance: float = 0.0
    recency: float = 0.0


NO_BOOSTS = Boosts()


@dataclass(frozen=True, slots=True)
class ScoringProfile:
    """Weights of the terms of a score. Without a half life, the server's applies. With `recency_multiplies`, the
    sum is multiplied by recency instead of recency being one of its terms. `diversity` is the share by which a hit
    loses for being like one before it, 0 to 1. With `is_precise`, only what is as much to the point as the best hit is returned
    (search/precision.py)."""

    similarity: float = 1.0
    recency: float = 0.0
    importance: float = 0.0
    source_priority: float = 0.0
    half_life_hours: float | None = None
    recency_multiplies: bool = False
    boosts: Boosts = NO_BOOSTS
    diversity: float = 0.0
    is_precise: bool = False


RELEVANCE = ScoringProfile(boosts=Boosts(pinned=0.05, importance=0.03, recency=0.02))
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

    def blended(self, fused: Column) -> Column:
        """The candidates ordered by both, and behind them the others as they were.

        A candidate that was read gets (1 - weight) x its place between the worst and the best of them + weight x the
        model's score; its place alone where the model gave none. The others get their distance below the worst of
        those: 0 or less.
        """
        read = fused[self.candidates]
        worst, best = read.min(), read.max()
        place = (read - worst) / (best - worst) if best > worst else np.ones_like(read)
        own = np.where(np.isnan(self.scores), place, self.scores)
        total: Column = fused - worst
        total[self.candidates] = (1 - self.weight) * place + self.weight * own
        return total

    def score_of(self, candidate: int) -> float | None:
        """The model's score of a candidate; None where it gave none."""
        found = self.scores[self.candidates == candidate]
        return float(found[0]) if len(found) and not np.isnan(found[0]) else None


class SpeechScore(NamedTuple):
    """A hit's score as an utterance, the weight of that score, and the flags behind it."""

    score: float
    weight: float
    asks: bool
    replies: bool
    is_named: bool


class Breakdown(NamedTuple):
    """The parts of the score that orders hits: those of the similarity with their weights, then the other terms; and
    the coverage, a part of the relevance."""

    dense: ArmScore | None
    lexical: ArmScore | None
    neighbourhood: float
    brevity: float
    dense_weight: float
    lexical_weight: float
    neighbour_weight: float
    brevity_weight: float
    similarity: float
    recency: float
    importance: float
    source_priority: float
    boost: float
    age_hours: float
    order_score: float
    coverage: float
    temporal: float
    temporal_weight: float
    linked: float
    linked_weight: float
    speech: SpeechScore | None
    context_boost: float
    linked_from: str
    rerank: float | None
    rerank_weight: float
    typed: float
    typed_weight: float
    reading: str


class Hit(NamedTuple):
    """A hit, by its index among the candidates: its relevance, comparable between queries, and what it is ordered by within
    one answer; its breakdown only where one was requested, and the refs of those that say exactly the same only where several
    sources are searched."""

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

    @cached_property
    def age_hours(self) -> Column:
        """The age of each candidate; 0 for one in the future."""
        age: Column = np.maximum(self.present - self.pool.occurred_at, 0) / HOUR
        return age

    @cached_property
    def recency(self) -> Column:
        """0.5^(age / half life): 1 now, a half after one half life."""
        fresh: Column = np.exp2(self.age_hours / -(self.profile.half_life_hours or WEEK_HOURS))
        return fresh

    @cached_property
    def source_priority(self) -> Column:
        return PRIORITY_BY_SOURCE[self.pool.kinds // KINDS_OF_A_SOURCE]

    @cached_property
    def boost(self) -> Column:
        boosts = self.profile.boosts
        boost: Column = boosts.pinned * self.pool.pinned + boosts.recency * self.recency
        boost += boosts.importance * (2 * self.pool.importance - 1)
        return boost

    @cached_property
    def score(self) -> Column:
        profile = self.profile
        total: Column = profile.similarity * self.pool.fusion.similarity
        if profile.recency:
            total = total + profile.recency * self.recency
        if profile.importance:
            total = total + profile.importance * self.pool.importance
        if profile.source_priority:
            total = total + profile.source_priority * self.source_priority
        if profile.recency_multiplies:
            total = total * self.recency
        if self.context_boost is not None:
            total = total + self.context_boost
        if profile.boosts is not NO_BOOSTS:
            total = total + self.boost
        return total if self.reranked is None else self.reranked.blended(total)

    def order(self) -> NDArray[np.intp]:
        """The indices of all candidates, best first; ties by id, so that the order is always the same."""
        score = self.score
        if (score[1:] < score[:-1]).all():
            # The candidates of a query by vector come in order.
            return np.arange(len(score))
        order = np.argsort(-score)
        score = score[order]
        if (score[1:] < score[:-1]).all():
            return order
        ids = self.pool.memory_ids
        return np.lexsort((ids[:, 1], ids[:, 0], -self.score))

    def breakdown(self, index: int) -> Breakdown:
        fusion, arms = self.pool.fusion, self.pool.arms
        reading, weights = "", fusion
        if self.pool.reading_of is not None:
            reading, weights = self.pool.readings[int(self.pool.reading_of[index])]
        return Breakdown(
            dense=_arm(arms.dense, fusion.dense, index),
            lexical=_arm(np.where(arms.lexical > 0, arms.lexical, np.nan), fusion.lexical, index),
            neighbourhood=float(fusion.neighbourhood[index]),
            brevity=float(fusion.brevity[index]),
            dense_weight=weights.dense_weight,
            lexical_weight=weights.lexical_weight,
            neighbour_weight=weights.neighbour_weight,
            brevity_weight=weights.brevity_weight,
            similarity=float(fusion.similarity[index]),
            recency=float(self.recency[index]),
            importance=float(self.pool.importance[index]),
            source_priority=float(self.source_priority[index]),
            boost=float(self.boost[index]),
            age_hours=float(self.age_hours[index]),
            order_score=float(self.score[index]),
            coverage=float(coverage(arms.lexical[index], self.pool.query)),
            temporal=0.0 if fusion.temporal is None else float(fusion.temporal[index]),
            temporal_weight=weights.temporal_weight,
            linked=0.0 if fusion.linked is None else float(fusion.linked[index]),
            linked_weight=weights.linked_weight,
            speech=_speech(fusion, weights.speech_weight, arms.speech, index),
            context_boost=0.0 if self.context_boost is None else float(self.context_boost[index]),
            linked_from=self._linked_from(index),
            rerank=None if self.reranked is None else self.reranked.score_of(index),
            rerank_weight=0.0 if self.reranked is None else self.reranked.weight,
            typed=0.0 if fusion.typed is None else float(fusion.typed[index]),
            typed_weight=weights.typed_weight,
            reading=reading,
        )

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


def _speech(fusion: Fusion, weight: float, speech: Speech | None, index: int) -> SpeechScore | None:
    """The speech score of a candidate; None if speech does not count, or all candidates are alike."""
    if speech is None or (fusion.speech is None and not speech.replies.any()):
        return None
    return SpeechScore(
        0.0 if fusion.speech is None else float(fusion.speech[index]),
        weight,
        bool(speech.asks[index]),
        bool(speech.replies[index]),
        bool(speech.named[index]),
    )
