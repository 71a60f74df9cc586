"""Answers of a recall to questions over chats, and the figures that they come to."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.material.chats import share_of
from bench.quality.measures import (
    Estimate,
    Estimates,
    mean,
    ndcg_at,
    percentile,
    precision_at,
    reciprocal_rank,
    separation,
)

DEPTHS = (5, 10, 25, 50)
PRECISION_DEPTH = 5
GAIN_DEPTH = 10
PERCENTILES = (50, 95, 99)
ALL = "all"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: its evidence, the different messages that were found, best first, the best score of a hit, and how
    long answers of 10 hits and of 100 took."""

    category: str
    evidence: frozenset[str]
    found: tuple[str, ...]
    best: float
    milliseconds: float
    deep_milliseconds: float


def distinct(found: Iterable[str]) -> tuple[str, ...]:
    """Pieces of one message take one place."""
    return tuple(dict.fromkeys(found))


def recall_at(found: Iterable[str], evidence: frozenset[str]) -> tuple[float, ...]:
    """The share of the evidence among the first 5, 10, 25 and 50 different ids."""
    messages = distinct(found)
    return tuple(share_of(evidence, messages[:depth]) for depth in DEPTHS)


def ranking(asked: Sequence[Asked]) -> Estimates:
    """Figures of questions that have evidence: what was found and how far up, and what it took."""
    figures = {f"r{depth}": mean([share_of(each.evidence, each.found[:depth]) for each in asked]) for depth in DEPTHS}
    figures[f"precision{PRECISION_DEPTH}"] = mean(
        [precision_at(each.found, each.evidence, PRECISION_DEPTH) for each in asked]
    )
    figures["mrr"] = mean([reciprocal_rank(each.found, each.evidence) for each in asked])
    figures[f"ndcg{GAIN_DEPTH}"] = mean([ndcg_at(each.found, each.evidence, GAIN_DEPTH) for each in asked])
    figures["ms_per_query"] = mean([each.milliseconds for each in asked])
    figures["ms_per_query_100_hits"] = mean([each.deep_milliseconds for each in asked])
    for share in PERCENTILES:
        figures[f"p{share}_ms"] = percentile([each.milliseconds for each in asked], share)
    return figures


def abstention(asked: Sequence[Asked], unanswerable: Sequence[Asked]) -> Estimates:
    """How well the best score, which says how likely there is an answer, tells questions with one from those
    without."""
    good, bad = ([each.best for each in some] for some in (asked, unanswerable))
    return {"auroc_score": separation(good, bad)}


def change(asked: Sequence[Asked], plain: Sequence[Asked]) -> Estimate:
    """The change of R@10 against the plain way to ask, question by question."""
    pairs = zip(asked, plain, strict=True)
    return mean([_recall_at_10(each) - _recall_at_10(other) for each, other in pairs])


def by_category(asked: Sequence[Asked]) -> dict[str, Estimates]:
    """Every category by name, and all of them together first."""
    grouped: defaultdict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        grouped[one.category].append(one)
    named = {name: ranking(grouped[name]) for name in sorted(grouped)}
    return {ALL: ranking(asked), **named}


def as_json(estimates: Estimates) -> dict[str, object]:
    """The values by name, null where nothing is known, how many questions there were, and the intervals beside them."""
    values = {name: each.as_json() for name, each in estimates.items()}
    return {
        **{name: each["value"] for name, each in values.items()},
        "questions": next((each.count for each in estimates.values()), 0),
        "intervals": {name: [each["low"], each["high"]] for name, each in values.items()},
    }


def cells(estimates: Mapping[str, Estimate], names: Sequence[str]) -> list[str]:
    """Cells of a table, with the interval where it is a share."""
    return [f"{estimates[name].value:.2f}" if name.endswith("_ms") else str(estimates[name]) for name in names]


def _recall_at_10(asked: Asked) -> float:
    return share_of(asked.evidence, asked.found[:10])
