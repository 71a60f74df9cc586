"""One scoring stage for all arms: normalise, blend, weigh with recency and importance, keep the breakdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.domain.memory import Memory
from camillo_server.domain.ports import Candidate

WEEK_HOURS = 168.0
MEMORY_SOURCE_PRIORITY = 1.0


@dataclass(frozen=True, slots=True)
class ScoringProfile:
    """Weights of the terms of a score. Without a half life, the server's own holds. With `recency_multiplies`, the
    sum is multiplied by recency instead of recency being one of its terms."""

    similarity: float = 1.0
    recency: float = 0.0
    importance: float = 0.0
    source_priority: float = 0.0
    half_life_hours: float | None = None
    recency_multiplies: bool = False


DEFAULT_PROFILE = "relevance"
# `recency_weighted` is the final_score of the snapshot design, `evidence` and `blended` those of the context and
# the four-source designs.
PROFILES: Mapping[str, ScoringProfile] = {
    "relevance": ScoringProfile(),
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
    """How a score came about; every term but the age lies in 0 to 1."""

    dense: ArmScore | None
    lexical: ArmScore | None
    similarity: float
    recency: float
    importance: float
    source_priority: float
    age_hours: float


@dataclass(frozen=True, slots=True)
class ScoredMemory:
    """A hit."""

    memory: Memory
    score: float
    breakdown: Breakdown


def rank(
    candidates: Sequence[Candidate], profile: ScoringProfile, now: datetime
) -> list[ScoredMemory]:
    """All candidates, best first; equal scores in the order of their ids, so that the order is always the same."""
    dense = _arm_scores([candidate.dense for candidate in candidates])
    lexical = _arm_scores([candidate.lexical for candidate in candidates])
    arms = (any(dense), any(lexical))
    scored = [
        _scored(candidate.memory, dense[i], lexical[i], arms.count(True) or 1, profile, now)
        for i, candidate in enumerate(candidates)
    ]
    return sorted(scored, key=lambda hit: (-hit.score, hit.memory.memory_id))


def recency(age_hours: float, half_life_hours: float) -> float:
    """0.5^(age / half life): 1 now, a half after one half life."""
    return float(0.5 ** (age_hours / half_life_hours))


def _scored(
    memory: Memory,
    dense: ArmScore | None,
    lexical: ArmScore | None,
    arms: int,
    profile: ScoringProfile,
    now: datetime,
) -> ScoredMemory:
    age_hours = max(0.0, (now - memory.occurred_at).total_seconds() / 3600)
    breakdown = Breakdown(
        dense=dense,
        lexical=lexical,
        # Equal weights for the arms that found anything at all.
        similarity=sum(arm.normalized for arm in (dense, lexical) if arm) / arms,
        recency=recency(age_hours, profile.half_life_hours or WEEK_HOURS),
        importance=memory.importance,
        source_priority=MEMORY_SOURCE_PRIORITY,
        age_hours=age_hours,
    )
    return ScoredMemory(memory, _score(breakdown, profile), breakdown)


def _score(terms: Breakdown, profile: ScoringProfile) -> float:
    total = (
        profile.similarity * terms.similarity
        + profile.recency * terms.recency
        + profile.importance * terms.importance
        + profile.source_priority * terms.source_priority
    )
    return total * terms.recency if profile.recency_multiplies else total


def _arm_scores(raw: Sequence[float | None]) -> list[ArmScore | None]:
    """Ranks and normalises one arm's scores: the best becomes 1, nothing in common (0 or less) becomes 0."""
    best = max((score for score in raw if score is not None), default=0.0)
    order = sorted(
        (i for i, score in enumerate(raw) if score is not None), key=lambda i: -(raw[i] or 0.0)
    )
    scores: list[ArmScore | None] = [None] * len(raw)
    for place, i in enumerate(order, start=1):
        score = raw[i] or 0.0
        scores[i] = ArmScore(place, score, max(0.0, score) / best if best > 0 else 0.0)
    return scores
