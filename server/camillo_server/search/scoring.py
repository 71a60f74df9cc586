"""One scoring stage for all arms: fuse, weigh with recency and importance, boost a little, keep the breakdown."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.kinds import KIND_NUMBERS, KINDS_OF_A_SOURCE, Source
from camillo_server.memories.memory import Memory
from camillo_server.search.candidates import CandidatePool
from camillo_server.search.fusion import Fusion, fuse

WEEK_HOURS = 168.0
HOUR = 3_600_000_000
# How much is to be relied on: what has been distilled and stated most, what only happened to be written least.
SOURCE_PRIORITIES: Mapping[Source, float] = {
    Source.MEMORY: 1.0,
    Source.EVENT: 0.9,
    Source.DOCUMENT: 0.5,
    Source.SLOT: 1.0,
    Source.DECISION: 1.0,
    Source.AUDIT: 0.8,
    Source.WORKFLOW_STEP: 0.6,
}
Column = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Boosts:
    """What is added to a score at most: for being pinned, for an importance of 1 (taken off for one of 0), for
    having just happened."""

    pinned: float = 0.0
    importance: float = 0.0
    recency: float = 0.0


NO_BOOSTS = Boosts()


@dataclass(frozen=True, slots=True)
class ScoringProfile:
    """Weights of the terms of a score. Without a half life, the server's own holds. With `recency_multiplies`, the
    sum is multiplied by recency instead of recency being one of its terms. `diversity` is the share by which a hit
    loses for being like one before it, 0 to 1."""

    similarity: float = 1.0
    recency: float = 0.0
    importance: float = 0.0
    source_priority: float = 0.0
    half_life_hours: float | None = None
    recency_multiplies: bool = False
    boosts: Boosts = NO_BOOSTS
    diversity: float = 0.0


TEXT_PROFILE = "relevance"
VECTOR_PROFILE = "similarity"
# `recency_weighted` is the final_score of the snapshot design, `evidence` and `blended` those of the context and
# the four-source designs. The boosts of `relevance` only decide between hits that answer about equally well.
PROFILES: Mapping[str, ScoringProfile] = {
    "relevance": ScoringProfile(boosts=Boosts(pinned=0.05, importance=0.03, recency=0.02)),
    "similarity": ScoringProfile(),
    "recency_weighted": ScoringProfile(recency_multiplies=True),
    "evidence": ScoringProfile(similarity=0.6, recency=0.3, importance=0.1),
    "blended": ScoringProfile(similarity=0.5, recency=0.2, importance=0.2, source_priority=0.1),
}


@dataclass(frozen=True, slots=True)
class ArmScore:
    """What one arm found of a hit: its place from 1, its own score, and that score brought to 0 to 1."""

    rank: int
    raw: float
    normalized: float


@dataclass(frozen=True, slots=True)
class Breakdown:
    """How a score came about: the parts of the similarity with their weights, and what it was weighed with."""

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


@dataclass(frozen=True, slots=True)
class ScoredMemory:
    """A hit; its breakdown only where one was asked for."""

    memory: Memory
    score: float
    breakdown: Breakdown | None


@dataclass(frozen=True)
class Scores:
    """The scores of a pool's candidates, and the columns that they are made of: none is made before it is needed."""

    pool: CandidatePool
    fusion: Fusion
    profile: ScoringProfile
    present: int
    """The time of the recall, in microseconds since 1970."""

    @cached_property
    def age_hours(self) -> Column:
        """0 for what lies ahead."""
        age: Column = np.maximum(self.present - self.pool.occurred_at, 0) / HOUR
        return age

    @cached_property
    def recency(self) -> Column:
        """1 now, a half after one half life."""
        return recency(self.age_hours, self.profile.half_life_hours or WEEK_HOURS)

    @cached_property
    def source_priority(self) -> Column:
        """How much the source of each is to be relied on, 0 to 1."""
        return PRIORITY_OF_KIND[self.pool.kinds]

    @cached_property
    def boost(self) -> Column:
        """What is added for being pinned, important or recent."""
        boosts = self.profile.boosts
        boost: Column = boosts.pinned * self.pool.pinned + boosts.recency * self.recency
        boost += boosts.importance * (2 * self.pool.importance - 1)
        return boost

    @cached_property
    def score(self) -> Column:
        """What the hits are ordered by."""
        profile = self.profile
        total: Column = profile.similarity * self.fusion.similarity
        if profile.recency:
            total = total + profile.recency * self.recency
        if profile.importance:
            total = total + profile.importance * self.pool.importance
        if profile.source_priority:
            total = total + profile.source_priority * self.source_priority
        if profile.recency_multiplies:
            total = total * self.recency
        return total if profile.boosts is NO_BOOSTS else total + self.boost

    def order(self) -> NDArray[np.intp]:
        """All places, best first; equal scores in the order of their ids, so that the order is always the same."""
        ids = self.pool.memory_ids
        return np.lexsort((ids[:, 1], ids[:, 0], -self.score))

    def breakdown(self, place: int) -> Breakdown:
        """How the score of this candidate came about."""
        fusion, arms = self.fusion, self.pool.arms
        return Breakdown(
            dense=_arm(arms.dense, fusion.dense, place),
            lexical=_arm(np.where(arms.lexical > 0, arms.lexical, np.nan), fusion.lexical, place),
            neighbourhood=float(fusion.neighbourhood[place]),
            brevity=float(fusion.brevity[place]),
            dense_weight=fusion.dense_weight,
            lexical_weight=fusion.lexical_weight,
            neighbour_weight=fusion.neighbour_weight,
            brevity_weight=fusion.brevity_weight,
            similarity=float(fusion.similarity[place]),
            recency=float(self.recency[place]),
            importance=float(self.pool.importance[place]),
            source_priority=float(self.source_priority[place]),
            boost=float(self.boost[place]),
            age_hours=float(self.age_hours[place]),
        )


def score(pool: CandidatePool, profile: ScoringProfile, now: datetime) -> Scores:
    """The score of every candidate."""
    return Scores(pool, fuse(pool.arms, pool.query), profile, microseconds(now))


def recency(age_hours: Column, half_life_hours: float) -> Column:
    """0.5^(age / half life): 1 now, a half after one half life."""
    fresh: Column = np.exp2(age_hours / -half_life_hours)
    return fresh


def _arm(raw: Column, normalized: Column, place: int) -> ArmScore | None:
    """None where the arm has no score of it (nan)."""
    own = raw[place]
    if np.isnan(own):
        return None
    return ArmScore(1 + int(np.count_nonzero(raw > own)), float(own), float(normalized[place]))


def _priorities() -> Column:
    """By the number of a row's kind."""
    priorities = np.zeros(KIND_NUMBERS)
    for source, priority in SOURCE_PRIORITIES.items():
        priorities[KINDS_OF_A_SOURCE * (source - 1) : KINDS_OF_A_SOURCE * source] = priority
    return priorities


PRIORITY_OF_KIND = _priorities()


def diverse_order(
    scores: NDArray[np.float32], vectors: NDArray[np.float32], diversity: float, limit: int
) -> NDArray[np.intp]:
    """The places of the first `limit`, each the best of those left by (1 - diversity) * score - diversity * likeness.

    Maximal marginal relevance (Carbonell and Goldstein, "The use of MMR", 1998). Likeness is the greatest cosine to
    one chosen before; `vectors`, of shape (n, dimensions), are unit rows, or zeros where there is none, which are
    like nothing. Of equals the first place.
    """
    limit = min(limit, len(scores))
    if not diversity or limit < 1:
        return np.argsort(-scores, kind="stable")[: max(limit, 0)]
    merit = (1 - diversity) * scores.astype(np.float64)
    chosen = np.empty(limit, np.intp)
    likeness = np.zeros(len(scores))
    for rank in range(limit):
        place = int(np.argmax(merit - diversity * likeness))
        chosen[rank] = place
        cosines = vectors @ vectors[place]
        # To be unlike the first is no merit: what counts is the greatest cosine, below zero, too.
        likeness = np.maximum(likeness, cosines) if rank else cosines.astype(np.float64)
        merit[place] = -np.inf
    return chosen
