"""Hits that are to the point: judged by the best one, by relevance and by place, the same for every scope."""

import numpy as np
import pytest
from camillo_server.search.precision import is_to_the_point
from numpy.typing import NDArray


def relevances(*values: float) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def at_cosines(*cosines: float) -> NDArray[np.float32]:
    """Unit vectors with these cosines to the first one, which has 1."""
    return np.array([(each, (1 - each * each) ** 0.5) for each in cosines], np.float32)


@pytest.mark.parametrize("model_id", ["lexical-1", "onnx-minilm", "mine"])
class TestEachEmbedder:
    def test_the_best_hit_stays(self, model_id: str) -> None:
        assert is_to_the_point(relevances(0.9), at_cosines(1), model_id).all()

    def test_what_is_unlike_the_best_goes(self, model_id: str) -> None:
        kept = is_to_the_point(relevances(0.9, 0.8, 0.3), at_cosines(1, 0.95, 0), model_id)
        assert kept.tolist() == [True, True, False]

    def test_nothing_stays_where_nothing_is_relevant(self, model_id: str) -> None:
        vectors = at_cosines(1, 0.95)
        assert is_to_the_point(relevances(0.2, 0.05), vectors, model_id).any()
        assert not is_to_the_point(relevances(0.09, 0.05), vectors, model_id).any()

    def test_more_likeness_never_takes_a_hit_out(self, model_id: str) -> None:
        kept = [
            is_to_the_point(relevances(0.9, 0.4), at_cosines(1, each), model_id)[1] for each in np.linspace(-1, 1, 41)
        ]
        assert kept == sorted(kept)
        assert {*kept} == {True, False}

    def test_without_vectors_the_share_of_relevance_decides(self, model_id: str) -> None:
        for vectors in (np.zeros((3, 2), np.float32), np.zeros((3, 0), np.float32)):
            kept = is_to_the_point(relevances(0.8, 0.5, 0.3), vectors, model_id)
            assert kept.tolist() == [True, True, False]

    def test_certainty_is_no_trouble(self, model_id: str) -> None:
        kept = is_to_the_point(relevances(1, 1, 0), at_cosines(1, 1, 1), model_id)
        assert kept[:2].all()

    def test_no_hits_are_no_trouble(self, model_id: str) -> None:
        assert is_to_the_point(relevances(), np.zeros((0, 2), np.float32), model_id).shape == (0,)
