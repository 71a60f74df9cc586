"""Hits that are to the point: judged by the best one and its words, by relevance and by place, the same for every
scope."""

import numpy as np
import pytest
from camillo_server.search.precision import is_to_the_point, shares_of_own_words
from camillo_server.search.query_text import query_terms
from numpy.typing import NDArray


def relevances(*values: float) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def at_cosines(*cosines: float) -> NDArray[np.float32]:
    """Unit vectors with these cosines to the first one, which has 1."""
    return np.array([(each, (1 - each * each) ** 0.5) for each in cosines], np.float32)


@pytest.mark.parametrize("model_id", ["lexical-1", "onnx-minilm", "mine"])
class TestEachEmbedder:
    def test_the_best_hit_stays(self, model_id: str) -> None:
        assert is_to_the_point(relevances(0.9), at_cosines(1), model_id, 0).all()

    def test_what_is_unlike_the_best_goes(self, model_id: str) -> None:
        kept = is_to_the_point(relevances(0.9, 0.8, 0.3), at_cosines(1, 0.95, 0), model_id, 0)
        assert kept.tolist() == [True, True, False]

    def test_nothing_stays_where_nothing_is_relevant(self, model_id: str) -> None:
        vectors = at_cosines(1, 0.95)
        assert is_to_the_point(relevances(0.2, 0.05), vectors, model_id, 0).any()
        assert not is_to_the_point(relevances(0.09, 0.05), vectors, model_id, 0).any()

    def test_more_likeness_never_takes_a_hit_out(self, model_id: str) -> None:
        kept = [
            is_to_the_point(relevances(0.9, 0.4), at_cosines(1, each), model_id, 0)[1]
            for each in np.linspace(-1, 1, 41)
        ]
        assert kept == sorted(kept)
        assert {*kept} == {True, False}

    def test_without_vectors_the_share_of_relevance_decides(self, model_id: str) -> None:
        for vectors in (np.zeros((3, 2), np.float32), np.zeros((3, 0), np.float32)):
            kept = is_to_the_point(relevances(0.8, 0.5, 0.3), vectors, model_id, 0)
            assert kept.tolist() == [True, True, False]

    def test_certainty_is_no_trouble(self, model_id: str) -> None:
        kept = is_to_the_point(relevances(1, 1, 0), at_cosines(1, 1, 1), model_id, 0)
        assert kept[:2].all()

    def test_no_hits_are_no_trouble(self, model_id: str) -> None:
        assert is_to_the_point(relevances(), np.zeros((0, 2), np.float32), model_id, 0).shape == (0,)

    def test_more_words_in_common_never_take_a_hit_out(self, model_id: str) -> None:
        vectors = at_cosines(1, 0.5)
        kept = [
            is_to_the_point(relevances(0.9, 0.8), vectors, model_id, np.array([1, each], np.float32))[1]
            for each in np.linspace(0, 1, 41)
        ]
        assert kept == sorted(kept)


def test_of_equal_likeness_only_the_hit_with_the_words_of_the_best_stays() -> None:
    shares = np.array([1, 1, 0], np.float32)
    kept = is_to_the_point(relevances(0.9, 0.8, 0.8), at_cosines(1, 0.55, 0.55), "onnx-minilm", shares)
    assert kept.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("query", "best", "same", "other"),
    [
        (
            "Where is billing hosted?",
            "Billing is hosted in Ohio.",
            "Ohio was taken for billing.",
            "Mara tests billing.",
        ),
        ("Quel thé aime Zoé ?", "Zoé préfère le Darjeeling.", "Du DARJEELING pour Zoé.", "Zoé lit un manuel."),
        ("安娜喝什么？", "安娜喝绿茶。", "给安娜点绿茶。", "安娜修改手册。"),
        ("أين آنا؟", "آنا في لشبونة.", "لشبونة مدينة آنا.", "آنا تكتب الدليل."),
        ("Что пьёт Анна?", "Анна пьёт какао.", "Какао для Анны.", "Анна читает книгу."),
        ("mood?", "mood is 🎉", "🎉 again", "mood log"),
    ],
)
async def test_words_that_the_best_hit_adds_to_the_query_count(query: str, best: str, same: str, other: str) -> None:
    shares = await shares_of_own_words([best, same, other], query_terms(query))
    assert shares[0] == 1
    assert shares[1] > 0
    assert shares[1] > shares[2]


async def test_a_best_hit_without_words_of_its_own_shares_none() -> None:
    assert (await shares_of_own_words(["green tea", "green tea, hot"], ["green", "tea"])).tolist() == [0, 0]


async def test_a_long_text_is_read_like_a_short_one() -> None:
    texts = ["Ana drinks cocoa. " + "Ana drinks tea. " * 240, "cocoa " + "x y " * 900]
    assert (await shares_of_own_words(texts, ["ana", "drink"])).tolist() == [1, 0.5]
