"""Relevance: of a candidate itself, or a share of that of its best neighbour, by vector as by text."""

from dataclasses import replace

import numpy as np
import pytest
from camillo_server.search.fusion import NEIGHBOUR_SHARE, ArmScores, QueryFacts, family_of, relevance

# The second has a neighbour that is as near to the query as the first; the third has no vector.
NEAR, FAR, MISSING = 0.9, 0.05, float("nan")
BY_TEXT, BY_VECTOR = QueryFacts([2.0, 1.0], 10), QueryFacts((), 10)


def column(*values: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.array(values, np.float32)


def arms(neighbours: int) -> ArmScores:
    nothing = [MISSING] * neighbours
    beside = [NEAR, *nothing[1:]] if neighbours else []
    return ArmScores(
        column(NEAR, FAR, MISSING),
        column(3.0, 0.0, 0.0),
        column(nothing, beside, nothing).reshape(3, neighbours),
        column(*([[0.0] * neighbours] * 3)).reshape(3, neighbours),
    )


@pytest.mark.parametrize("query", [BY_TEXT, BY_VECTOR], ids=["text", "vector"])
@pytest.mark.parametrize("model_id", ["lexical-1", "minilm"])
def test_a_neighbour_lends_a_share_of_its_relevance(query: QueryFacts, model_id: str) -> None:
    query = replace(query, model_id=model_id)
    alone = relevance(arms(0), query)
    assert alone[0] > 0.9
    assert max(alone[1:]) < 0.1
    of_neighbour = relevance(arms(0), QueryFacts((), 10, model_id))[0]
    beside = relevance(arms(2), query)
    assert beside[0] == pytest.approx(alone[0])
    assert beside[1] > alone[1]
    assert beside[1] <= NEIGHBOUR_SHARE
    assert beside[2] == pytest.approx(alone[2], abs=1e-6)
    if not query.rarities:
        assert beside[1] == pytest.approx(NEIGHBOUR_SHARE * of_neighbour)


def test_without_candidates_there_is_none() -> None:
    none = np.zeros((0, 4), np.float32)
    nobody = ArmScores(column(), column(), none, none)
    assert relevance(nobody, BY_TEXT).shape == (0,)


def test_a_family_whose_cosines_are_all_high_is_judged_by_its_own() -> None:
    unrelated, related = column(0.78), column(0.91)
    none = np.zeros((1, 0), np.float32)
    for model_id in ("multilingual-e5-small-q4-e023cb22e389", "litellm-together_ai/intfloat/e5-base-v2-768-1a2b3c"):
        assert family_of(model_id) == "e5"
        for query in (BY_TEXT, BY_VECTOR):
            found = [
                relevance(ArmScores(each, column(0.0), none, none), replace(query, model_id=model_id))[0]
                for each in (unrelated, related)
            ]
            assert found[0] < 0.1 < 0.7 < found[1]
    for model_id in ("all-minilm-l6-v2-0123456789ab", "some-e5-like-model", "lexical-3-960"):
        assert family_of(model_id) != "e5"
    assert relevance(ArmScores(unrelated, column(0.0), none, none), BY_TEXT)[0] > 0.9
