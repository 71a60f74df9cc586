"""The order of hits where the best candidates were read again."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.search.scoring import PROFILES, Reranked, Scores, score

from tests.unit.search.test_scoring import NOW, pool_of_equals

NAN = float("nan")


def scores_of(fused: Sequence[float], read: Sequence[int], said: Sequence[float], weight: float) -> Scores:
    """Candidates of these scores by fusion, of which some were read."""
    pool = pool_of_equals([MemoryKind.FACT] * len(fused))
    fusion = replace(pool.fusion, similarity=np.array(fused, np.float32))
    reranked = Reranked(np.array(read, np.intp), np.array(said, np.float32), weight)
    scores = score(replace(pool, fusion=fusion), PROFILES["similarity"], NOW)
    return replace(scores, reranked=reranked)


def order(fused: Sequence[float], said: Sequence[float], weight: float = 0.7) -> list[int]:
    read = np.argsort([-each for each in fused], kind="stable")[: len(said)]
    found: list[int] = scores_of(fused, read.tolist(), said, weight).order().tolist()
    return found


def test_what_was_read_is_ordered_by_both_and_stays_before_the_rest() -> None:
    assert order([0.9, 0.8, 0.7, 0.6, 0.1], [0.0, 0.1, 1.0]) == [2, 0, 1, 3, 4]


def test_the_weight_decides_between_them() -> None:
    fused, said = [0.9, 0.7, 0.5], [0.1, 0.9, 0.5]
    assert order(fused, said, weight=0.0) == [0, 1, 2]
    assert order(fused, said, weight=0.5) == [1, 0, 2]
    assert order(fused, said, weight=1.0) == [1, 2, 0]


def test_the_score_is_the_formula_of_the_document() -> None:
    scores = scores_of([0.2, 0.9, 0.7, 0.5], [1, 2, 3], [0.4, 0.8, 0.6], 0.7)
    place = [1.0, 0.5, 0.0]
    expected = [0.3 * own + 0.7 * said for own, said in zip(place, (0.4, 0.8, 0.6), strict=True)]
    assert scores.score[[1, 2, 3]].tolist() == pytest.approx(expected, abs=1e-6)
    assert scores.score[0] == pytest.approx(0.2 - 0.5, abs=1e-6)


def test_one_that_was_not_read_keeps_its_place_among_those_that_were() -> None:
    assert order([0.9, 0.8, 0.7], [NAN, 0.5, 0.2]) == [0, 1, 2]
    scores = scores_of([0.9, 0.8, 0.7], [0, 1, 2], [NAN, 0.5, 0.2], 0.7)
    told = [scores.breakdown(index) for index in range(3)]
    assert [each["rerank"] for each in told] == [None, pytest.approx(0.5), pytest.approx(0.2)]
    assert {each["rerank_weight"] for each in told} == {0.7}


def test_equals_are_ordered_by_what_the_model_says() -> None:
    assert order([0.5, 0.5, 0.5], [0.1, 0.3, 0.2]) == [1, 2, 0]


def test_without_a_reranker_nothing_is_told_of_one() -> None:
    plain = score(pool_of_equals([MemoryKind.FACT]), PROFILES["relevance"], NOW)
    told = plain.breakdown(0)
    assert (told["rerank"], told["rerank_weight"]) == (None, 0.0)


def test_a_space_weighs_what_the_model_said_as_well() -> None:
    scores = scores_of([0.2, 0.9, 0.7, 0.5], [1, 2, 3], [0.4, 0.8, 0.6], 0.7)
    weights = np.array([1.0, 0.5, 1.0, 1.0], np.float32)
    scores = replace(scores, pool=replace(scores.pool, space_weights=weights))
    # 0.45, 0.7 and 0.5 are the scores of those that were read.
    expected = [0.7 * 0.5 * 0.4, 0.3 + 0.7 * 0.8, 0.3 * 0.2 + 0.7 * 0.6]
    assert scores.score[[1, 2, 3]].tolist() == pytest.approx(expected, abs=1e-6)
    assert scores.score[0] == pytest.approx(0.2 - 0.45, abs=1e-6)
    assert scores.order().tolist() == [2, 3, 1, 0]
