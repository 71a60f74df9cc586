"""How much neighbours tell of a text, by whether sessions hang together."""

from dataclasses import replace

import numpy as np
from camillo_server.search.fusion import QueryFacts, fuse
from camillo_server.search.signals.neighbourhood import NEIGHBOURHOOD, coherence
from numpy.typing import NDArray

from tests.unit.search.test_fusion import some_arms

NAN = np.float32(np.nan)


def near(of_step_two: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cosines of four neighbours, of which those two steps before and after are these."""
    nothing = np.zeros(len(of_step_two), np.float32)
    return np.column_stack((nothing, nothing, of_step_two, of_step_two))


def cosines(count: int, seed: int = 1) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(0.3, 0.1, count).astype(np.float32)


def test_texts_that_go_together_count_whole_and_unrelated_ones_hardly() -> None:
    own = cosines(400)
    alike = 0.5 * own + 0.5 * cosines(400, 2)
    assert coherence(own, near(alike)) == 1
    unrelated = [coherence(own, near(cosines(400, seed))) for seed in range(2, 12)]
    assert max(unrelated) < 0.5
    assert np.mean(unrelated) < 0.25
    assert coherence(own, near(-own)) == 0


def test_without_pairs_neighbours_count_as_in_a_conversation() -> None:
    own = cosines(50)
    missing = near(np.full(50, NAN))
    assert coherence(own, missing) == 1
    assert coherence(own, missing[:, :2]) == 1
    assert coherence(np.full(50, NAN), near(own)) == 1
    assert coherence(own[:0], missing[:0]) == 1
    few = missing.copy()
    few[:3] = near(-own[:3])
    assert coherence(own, few) > 0.5


def test_equal_cosines_tell_nothing_and_missing_ones_are_left_out() -> None:
    own = cosines(300)
    assert coherence(np.full(300, np.float32(0.5)), near(own)) < 0.2
    holes = own.copy()
    holes[::3] = NAN
    assert coherence(holes, near(own)) == 1
    assert coherence(own, near(holes)) == 1


def test_it_does_not_depend_on_the_order_of_the_candidates() -> None:
    own, beside = cosines(500), near(0.1 * cosines(500) + cosines(500, 6))
    expected = coherence(own, beside)
    assert 0 < expected < 1
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(500)
        assert coherence(own[order], beside[order]) == expected


def test_neighbours_weigh_less_where_sessions_do_not_hang_together() -> None:
    query = QueryFacts([3.0, 1.5], 500)
    arms = some_arms()
    arms = replace(arms, dense=cosines(200), dense_near=near(cosines(200)))
    together = fuse(arms, query)
    apart = fuse(replace(arms, dense_near=near(-cosines(200))), query)
    assert together.weight_of(NEIGHBOURHOOD) > 0.1
    assert apart.weight_of(NEIGHBOURHOOD) == 0
    weights = apart.dense_weight + apart.lexical_weight + sum(part.weight for part in apart.parts.values())
    assert abs(weights - 1) < 1e-6
