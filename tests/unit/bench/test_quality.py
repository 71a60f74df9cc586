"""Evidence found at a depth, its means, and their report as JSON."""

import math

import pytest

from bench.quality.asked import Asked, abstention, as_json, by_category, change, distinct, recall_at


def asked(category: str, found: str, best: float = 0.5) -> Asked:
    """A question that was asked, whose evidence is `a` and `b`."""
    return Asked(category, frozenset("ab"), distinct(found), best, 2.0, 4.0)


def test_pieces_of_one_message_take_one_place() -> None:
    found = ["a", "a", "b", "a", "c", "d", "e", "f"]
    assert distinct(found) == tuple("abcdef")
    assert recall_at(found, frozenset("e")) == (1, 1, 1, 1)
    assert recall_at(found, frozenset("f")) == (0, 1, 1, 1)


def test_recall_is_the_share_of_the_evidence() -> None:
    found = [str(number) for number in range(60)]
    evidence = frozenset(("0", "7", "30", "55"))
    assert recall_at(found, evidence) == (0.25, 0.5, 0.5, 0.75)


def test_every_question_counts_alike_whatever_its_category() -> None:
    told = by_category([asked("a", "ab"), asked("a", "xa"), asked("b", "xyz")])
    assert list(told) == ["all", "a", "b"]
    assert told["all"]["r10"].value == pytest.approx(0.5)
    category = as_json(told["a"])
    intervals = category.pop("intervals")
    gained = (1 / math.log2(3)) / (1 + 1 / math.log2(3))
    assert category == {
        "r5": 0.75,
        "r10": 0.75,
        "r25": 0.75,
        "r50": 0.75,
        "precision5": 0.3,
        "mrr": 0.75,
        "ndcg10": pytest.approx((1 + gained) / 2, abs=1e-4),
        "ms_per_query": 2.0,
        "ms_per_query_100_hits": 4.0,
        "p50_ms": 2.0,
        "p95_ms": 2.0,
        "p99_ms": 2.0,
        "questions": 2,
    }
    assert isinstance(intervals, dict)
    assert intervals["r5"] == [0.5, 1.0]


def test_scores_tell_questions_with_an_answer_from_those_without() -> None:
    good, bad = [asked("a", "ab", best) for best in (0.9, 0.8)], [asked("a", "x", 0.3)]
    told = abstention(good, bad)
    assert told["auroc_score"].value == 1
    unsure = abstention([asked("a", "ab", 0.1)], [asked("a", "x", 0.9)])
    assert unsure["auroc_score"].value == 0


def test_a_collection_without_unanswerable_questions_tells_nothing_of_them() -> None:
    assert as_json(abstention([asked("a", "ab")], []))["auroc_score"] is None


def test_what_an_option_changes_is_told_question_by_question() -> None:
    plain = [asked("a", "ab"), asked("a", "xy"), asked("a", "ax")]
    told = change([asked("a", "ab"), asked("a", "ab"), asked("a", "ax")], plain)
    assert told.value == pytest.approx(1 / 3)
    assert change(plain, plain).value == 0
