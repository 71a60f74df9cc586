"""A score says where a hit was found."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Source
from camillo_server.search.candidates import AnsweredBy, CandidatePool
from camillo_server.search.fusion import ArmScores, QueryFacts, fuse
from camillo_server.search.scoring import PROFILES, score
from camillo_server.search.signals.source_priority import SOURCE_PRIORITIES

from tests.cases import each_case

NOW = datetime(2030, 1, 1, tzinfo=UTC)
PRIORITIES = {
    MemoryKind.FACT: 1.0,
    MemoryKind.SUMMARY: 1.0,
    ChunkKind.EVENT_MESSAGE: 0.9,
    ChunkKind.DECISION: 1.0,
    ChunkKind.WORKFLOW_STEP: 0.6,
}


def pool_of_equals(kinds: list[int]) -> CandidatePool:
    """Candidates that differ in nothing but their kind."""
    count = len(kinds)
    none = np.zeros((count, 0), np.float32)
    arms = ArmScores(np.full(count, 0.5, np.float32), np.zeros(count, np.float32), none, none)
    facts = QueryFacts((), count)
    return CandidatePool(
        arms=arms,
        query=facts,
        fusion=fuse(arms, facts),
        relevance=np.zeros(count, np.float32),
        kinds=np.array(kinds, np.int16),
        memory_ids=np.arange(2 * count, dtype=np.uint64).reshape(-1, 2),
        occurred_at=np.full(count, microseconds(NOW)),
        importance=np.full(count, 0.5, np.float32),
        pinned=np.zeros(count, np.bool_),
        memories=lambda places: [],
        prepared=lambda indices, prepare: [],
        encoded=lambda places, encode: [],
        texts=lambda places: [],
        tokens=lambda places: [],
        vectors=lambda places: np.zeros((len(places), 1), np.float32),
        revision=1,
        vectors_pending=False,
        answered_by=AnsweredBy.CACHE,
    )


def test_the_blended_profile_relies_on_some_sources_more_than_on_others() -> None:
    scores = score(pool_of_equals([*PRIORITIES]), PROFILES["blended"], NOW)
    told = [scores.breakdown(place)["source_priority"] for place in range(len(PRIORITIES))]
    assert told == pytest.approx([*PRIORITIES.values()])
    first = scores.score[0]
    assert scores.score.tolist() == pytest.approx([first + 0.1 * (priority - 1.0) for priority in PRIORITIES.values()])


def test_a_profile_without_that_weight_does_not() -> None:
    scores = score(pool_of_equals([*PRIORITIES]), PROFILES["evidence"], NOW)
    assert len(set(scores.score.tolist())) == 1


def test_every_source_has_its_priority() -> None:
    assert set(SOURCE_PRIORITIES) == set(Source)
    assert all(0 < priority <= 1 for priority in SOURCE_PRIORITIES.values())


@each_case("profile", PROFILES)
def test_another_pool_with_the_same_profile_is_scored_anew(profile: str) -> None:
    alone = score(pool_of_equals([ChunkKind.EVENT_MESSAGE]), PROFILES[profile], NOW)
    assert len(alone.score) == 1
    beside = pool_of_equals([*PRIORITIES])
    scores = replace(alone, pool=beside)
    assert scores.breakdown(4) == score(beside, PROFILES[profile], NOW).breakdown(4)
    assert scores.score.tolist() == score(beside, PROFILES[profile], NOW).score.tolist()


@each_case("profile", PROFILES)
def test_other_candidates_are_scored_beside_those_that_belong_to_a_context(profile: str) -> None:
    alone = score(pool_of_equals([ChunkKind.EVENT_MESSAGE]), PROFILES[profile], NOW)
    others = pool_of_equals([ChunkKind.DECISION, MemoryKind.FACT])
    plain = alone.beside([others])
    boosted = replace(alone, context_boost=np.array([0.03])).beside([others])
    assert boosted.score.tolist() == pytest.approx(np.add(plain.score, [0.03, 0, 0]).tolist())
    assert [boosted.breakdown(place)["context_boost"] for place in range(3)] == [0.03, 0, 0]
