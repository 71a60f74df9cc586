"""Orders in which likeness counts against a hit."""

import numpy as np
import pytest
from camillo_server.search.scoring import diverse_order
from numpy.typing import NDArray

from tests.cases import each_case

EAST, NORTH, WEST = (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)
NONE = (0.0, 0.0)


def order(scores: list[float], vectors: list[tuple[float, float]], diversity: float, limit: int = 10) -> list[int]:
    rows = np.array(vectors, np.float32).reshape(len(scores), 2)
    found = diverse_order(np.array(scores, np.float32), rows, diversity, limit)
    return [int(place) for place in found]


def test_without_diversity_the_score_decides() -> None:
    assert order([0.2, 0.9, 0.5], [EAST, EAST, NORTH], 0) == [1, 2, 0]


def test_a_copy_of_a_hit_comes_after_what_is_new() -> None:
    scores, vectors = [0.9, 0.89, 0.6], [EAST, EAST, NORTH]
    assert order(scores, vectors, 0) == [0, 1, 2]
    assert order(scores, vectors, 0.5) == [0, 2, 1]


def test_the_best_comes_first_whatever_the_diversity() -> None:
    assert order([0.2, 0.9, 0.5], [EAST, NORTH, WEST], 0.9)[0] == 1


def test_with_nothing_but_diversity_the_least_alike_follow() -> None:
    assert order([0.9, 0.8, 0.1], [EAST, EAST, WEST], 1) == [0, 2, 1]


def test_a_memory_without_a_vector_is_like_nothing() -> None:
    assert order([0.9, 0.8, 0.7], [EAST, EAST, NONE], 0.5) == [0, 2, 1]
    assert order([0.9, 0.8, 0.7], [NONE, NONE, NONE], 0.5) == [0, 1, 2]


def test_equals_keep_their_order() -> None:
    assert order([0.5, 0.5, 0.5], [EAST, NORTH, EAST], 0) == [0, 1, 2]
    assert order([0.5, 0.5, 0.5], [EAST, EAST, EAST], 0.5) == [0, 1, 2]


@each_case("diversity", [0, 0.3, 1])
@each_case(("limit", "expected"), [(0, 0), (1, 1), (2, 2), (3, 3), (50, 3)])
def test_no_more_are_given_than_asked_for_or_there_are(diversity: float, limit: int, expected: int) -> None:
    found = order([0.1, 0.3, 0.2], [EAST, NORTH, WEST], diversity, limit)
    assert len(found) == len(set(found)) == expected


def test_nothing_has_no_order() -> None:
    assert order([], [], 0.5) == []


@pytest.mark.parametrize("diversity", [0.1, 0.5, 0.8])
def test_each_is_the_best_of_those_left(diversity: float) -> None:
    numbers = np.random.default_rng(5)
    vectors: NDArray[np.float32] = numbers.normal(size=(40, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = numbers.random(40, dtype=np.float32)
    chosen: list[int] = []
    for place in diverse_order(scores, vectors, diversity, 15).tolist():
        merits = {
            left: (1 - diversity) * scores[left]
            - diversity * max((float(vectors[left] @ vectors[one]) for one in chosen), default=0.0)
            for left in set(range(40)) - set(chosen)
        }
        assert merits[place] == pytest.approx(max(merits.values()), abs=1e-6)
        chosen.append(place)
