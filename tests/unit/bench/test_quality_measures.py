"""Measures of lists of hits, and how sure they are."""

import math

import pytest

from bench.quality.measures import (
    UNKNOWN,
    auroc,
    mean,
    ndcg_at,
    percentile,
    precision_at,
    ratio,
    reciprocal_rank,
    separation,
)

FOUND = ("a", "b", "c", "d")


def test_precision_counts_empty_places() -> None:
    right = frozenset("ab")
    assert precision_at(FOUND, right, 4) == 0.5
    assert precision_at(FOUND, right, 5) == 0.4
    assert precision_at((), right, 5) == 0


def test_the_reciprocal_rank_is_of_the_first_that_is_right() -> None:
    assert reciprocal_rank(FOUND, frozenset("cd")) == pytest.approx(1 / 3)
    assert reciprocal_rank(FOUND, frozenset("e")) == 0


def test_gains_are_discounted_by_their_places() -> None:
    assert ndcg_at(FOUND, frozenset("ab"), 10) == pytest.approx(1)
    late = (1 / math.log2(4) + 1 / math.log2(5)) / (1 + 1 / math.log2(3))
    assert ndcg_at(FOUND, frozenset("cd"), 10) == pytest.approx(late)
    assert ndcg_at(FOUND, frozenset("e"), 10) == 0


def test_more_right_ones_than_places_are_not_held_against_a_list() -> None:
    assert ndcg_at(FOUND, frozenset("abcdef"), 4) == pytest.approx(1)


def test_the_interval_encloses_the_mean_and_is_the_same_every_time() -> None:
    values = [0.0, 1.0] * 50
    estimate = mean(values)
    assert estimate.value == 0.5
    assert 0.35 < estimate.low < 0.45
    assert 0.55 < estimate.high < 0.65
    assert mean(values) == estimate


def test_more_questions_make_a_narrower_interval() -> None:
    few, many = mean([0.0, 1.0] * 10), mean([0.0, 1.0] * 1000)
    assert many.high - many.low < (few.high - few.low) / 5


def test_a_ratio_is_of_the_sums() -> None:
    assert ratio([1, 1], [20, 5]).value == pytest.approx(2 / 25)


def test_what_nobody_was_asked_is_not_known() -> None:
    assert mean([]) is UNKNOWN
    assert percentile([], 50) is UNKNOWN
    assert separation([1.0], []) is UNKNOWN
    assert UNKNOWN.as_json() == {"value": None, "low": None, "high": None, "n": 0}
    assert str(UNKNOWN) == "-"


def test_separation_is_the_chance_to_be_above() -> None:
    assert auroc([2, 3], [1]) == 1
    assert auroc([1, 1], [1]) == 0.5
    told = separation([0.9] * 9 + [0.1], [0.2] * 10)
    assert told.value == pytest.approx(0.9)
    assert told.low < 0.9 <= told.high


def test_percentiles_are_of_the_calls() -> None:
    estimate = percentile([float(number) for number in range(101)], 95)
    assert estimate.value == 95
    assert estimate.low < 95 < estimate.high
