"""Judges the answers of a suite: figures by name, with intervals over its questions."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from bench.quality.measures import (
    Estimates,
    mean,
    ndcg_at,
    percentile,
    ratio,
    reciprocal_rank,
    separation,
)
from bench.quality.suites.asking import SuiteAnswer
from bench.quality.suites.supersession import AS_OF, CURRENT
from bench.quality.suites.unanswerable import ANSWERABLE

Answers = Sequence[SuiteAnswer]
Judge = Callable[[Answers], Estimates]

DEPTHS = (5, 10)
PART_DEPTHS = (10,)
DEEP = (5, 10, 50)
COMPARED_DEPTH = 10
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
PART_THRESHOLDS = (0.5,)
AGAINST_BEST_ARM = "against_best_arm"


def share_of_right(answer: SuiteAnswer, depth: int | None = None) -> float:
    """The share of what answers the question that is among the first hits."""
    right = answer.question.right
    return len(right.intersection(answer.found[:depth])) / len(right)


def judge_precise(answers: Answers) -> Estimates:
    """How much of what is returned is right, how much of what is right is returned, and what should not have been."""
    figures: Estimates = {}
    for name, some in _with_parts(answers, every=True).items():
        right = [len(each.question.right.intersection(each.found)) for each in some]
        wrong = [len(each.question.wrong.intersection(each.found)) for each in some]
        figures[f"{name}precision"] = ratio(right, [len(each.found) for each in some])
        figures[f"{name}recall"] = ratio(right, [len(each.question.right) for each in some])
        figures[f"{name}wrong_returned"] = ratio(wrong, [len(each.question.wrong) for each in some])
        figures[f"{name}returned"] = mean([len(each.found) for each in some])
    return figures


def judge_unanswerable(answers: Answers) -> Estimates:
    """How well a score tells questions with an answer from those without, and what a threshold keeps of both; and the
    same of each language."""
    figures = _separated(answers, THRESHOLDS)
    for name, some in grouped(answers, lambda each: each.question.category.partition(".")[0]).items():
        told = _separated(some, PART_THRESHOLDS)
        figures |= {f"{name}.{figure}": estimate for figure, estimate in told.items()}
    return figures


def _separated(answers: Answers, thresholds: Sequence[float]) -> Estimates:
    groups = grouped(answers, lambda each: each.question.category.partition(".")[2])
    good = groups.pop(ANSWERABLE)
    bad = [each for some in groups.values() for each in some]
    figures: Estimates = {"found": mean([share_of_right(each) for each in good])}
    for name, some in {"": bad, **{f"{name}.": some for name, some in groups.items()}}.items():
        figures[f"{name}auroc_score"] = separation([each.best for each in good], [each.best for each in some])
    figures["no_match_answerable"] = mean([each.is_no_match for each in good])
    figures["no_match_unanswerable"] = mean([each.is_no_match for each in bad])
    for threshold in thresholds:
        kept = [each.best >= threshold for each in good]
        figures[f"at_{threshold}.answerable_kept"] = mean(kept)
        figures[f"at_{threshold}.unanswerable_rejected"] = mean([each.best < threshold for each in bad])
    return figures


def judge_supersession(answers: Answers) -> Estimates:
    """Whether what was replaced is recalled as if it were true, and whether its successor is found; and the same of the
    past."""
    figures: Estimates = {}
    for name, some in _with_parts(answers).items():
        asked = grouped(some, lambda each: each.question.category.partition(".")[2])
        for kind, of_kind in ((CURRENT, asked.get(CURRENT, [])), (AS_OF, asked.get(AS_OF, []))):
            wrong = [len(each.question.wrong.intersection(each.found)) for each in of_kind]
            all_wrong = [len(each.question.wrong) for each in of_kind]
            figures[f"{name}{kind}.found"] = mean([share_of_right(each) for each in of_kind])
            figures[f"{name}{kind}.first"] = mean([_is_first_right(each) for each in of_kind])
            figures[f"{name}{kind}.wrong_returned"] = ratio(wrong, all_wrong)
    return figures


def judge_ranking(answers: Answers) -> Estimates:
    """How far up that which answers a question is; of each part of the categories only the main figures."""
    figures: Estimates = {}
    for name, some in _with_parts(answers, every=True).items():
        figures[f"{name}first"] = mean([_is_first_right(each) for each in some])
        for depth in PART_DEPTHS if name else DEPTHS:
            figures[f"{name}r{depth}"] = mean([share_of_right(each, depth) for each in some])
        ranks = [reciprocal_rank(each.found, each.question.right) for each in some]
        figures[f"{name}mrr"] = mean(ranks)
    last = DEPTHS[-1]
    gains = [ndcg_at(each.found, each.question.right, last) for each in answers]
    return {**figures, f"ndcg{last}": mean(gains)}


def judge_recall(answers: Answers) -> Estimates:
    """The share of the evidence that is found; of each part of the categories that not all questions have the same, and
    of what divides these only the main figure."""
    figures: Estimates = {}
    kinds = _with_parts(answers)
    for name, some in _with_parts(answers, every=True).items():
        if not name or len(some) < len(answers):
            for depth in DEEP if name in kinds else PART_DEPTHS:
                figures[f"{name}r{depth}"] = mean([share_of_right(each, depth) for each in some])
    return figures


def against_best_arm(answers: Answers, arms: Mapping[str, Answers]) -> Estimates:
    """The change of R@10 against the better arm by itself, question by question; and the same of each kind of
    questions."""
    changes: Estimates = {}
    shares = {name: _with_parts(given) for name, given in arms.items()}
    for part, some in _with_parts(answers).items():
        if part and len(some) == len(answers):
            continue
        whole = [share_of_right(each, COMPARED_DEPTH) for each in some]
        alone = [[share_of_right(each, COMPARED_DEPTH) for each in given[part]] for given in shares.values()]
        best = max(alone, key=sum)
        changes[f"{part}{AGAINST_BEST_ARM}"] = mean([one - other for one, other in zip(whole, best, strict=True)])
    return changes


def judge_times(answers: Answers) -> Estimates:
    """Figures of the ranking, and how much of what is returned happened at another time than was asked for."""
    wrong = [len(each.question.wrong.intersection(each.found)) for each in answers]
    outside = ratio(wrong, [len(each.found) for each in answers])
    return {**judge_ranking(answers), "outside": outside}


def latencies(answers: Answers) -> Estimates:
    """Percentiles of single calls, one after the other."""
    taken = [each.milliseconds for each in answers]
    return {f"p{share}_ms": percentile(taken, share) for share in (50, 95, 99)}


def grouped(answers: Answers, by: Callable[[SuiteAnswer], str]) -> dict[str, list[SuiteAnswer]]:
    """Answers grouped by name, in the order of the names."""
    groups: defaultdict[str, list[SuiteAnswer]] = defaultdict(list)
    for each in answers:
        groups[by(each)].append(each)
    return dict(sorted(groups.items()))


def _is_first_right(answer: SuiteAnswer) -> bool:
    return bool(answer.question.right.intersection(answer.found[:1]))


def _with_parts(answers: Answers, *, every: bool = False) -> Mapping[str, Answers]:
    """All under no name, and those of each category by the first part of its name, or by every part."""
    parts: defaultdict[str, list[SuiteAnswer]] = defaultdict(list)
    for each in answers:
        names = each.question.category.split(".")
        for name in names if every else names[:1]:
            parts[f"{name}."].append(each)
    return {"": answers, **dict(sorted(parts.items()))}
