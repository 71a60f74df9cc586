"""Recall at a depth, and its means."""

import pytest

from bench.quality.__main__ import Asked, by_category, recall_at


def test_pieces_of_one_message_take_one_place() -> None:
    found = ["a", "a", "b", "a", "c", "d", "e", "f"]
    assert recall_at(found, frozenset("e")) == (1, 1, 1, 1)
    assert recall_at(found, frozenset("f")) == (0, 1, 1, 1)


def test_recall_is_the_share_of_the_evidence() -> None:
    found = [str(number) for number in range(60)]
    evidence = frozenset(("0", "7", "30", "55"))
    assert recall_at(found, evidence) == (0.25, 0.5, 0.5, 0.75)


def test_every_question_counts_alike_whatever_its_category() -> None:
    one, half, none = (
        Asked(name, (share,) * 4, 2.0, 4.0) for name, share in zip("aab", (1, 0.5, 0), strict=True)
    )
    told = by_category([one, half, none])
    assert list(told) == ["all", "a", "b"]
    assert told["all"].recalls == pytest.approx((0.5,) * 4)
    assert told["a"].as_json() == {
        "r5": 0.75,
        "r10": 0.75,
        "r25": 0.75,
        "r50": 0.75,
        "ms_per_query": 2.0,
        "ms_per_query_100_hits": 4.0,
        "questions": 2,
    }
