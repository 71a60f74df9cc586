"""The suites: what each asks, in which ways, how its answers are judged, and what is aimed at."""

from collections.abc import Callable
from dataclasses import dataclass

from camillo.v1 import recall_pb2

from bench.measure.report import Goal
from bench.quality.suites import (
    anchors,
    implicit,
    languages,
    lists,
    names,
    personal,
    precise,
    shapes,
    supersession,
    times,
    unanswerable,
)
from bench.quality.suites.collection import Collection
from bench.quality.suites.judging import (
    Judge,
    judge_precise,
    judge_ranking,
    judge_recall,
    judge_supersession,
    judge_times,
    judge_unanswerable,
)
from bench.quality.variants import PLAIN, Variant

# As many as an agent that wants no room to be left over asks for.
PRECISE_LIMIT = 20
QUICK_CASES = 40
DEEP = Variant("plain", 50)
BY_TIME_MODE = (
    Variant("prefer", fields={"time_mode": recall_pb2.TIME_MODE_PREFER}),
    Variant("ignore", fields={"time_mode": recall_pb2.TIME_MODE_IGNORE}),
    Variant("only", fields={"time_mode": recall_pb2.TIME_MODE_ONLY}),
)


@dataclass(frozen=True, slots=True)
class Suite:
    """One suite, made of so many cases and a seed; the goals are of figures that are named `variant.figure`."""

    collections: Callable[[int, int], list[Collection]]
    cases: int
    variants: tuple[Variant, ...]
    judge: Judge
    goals: tuple[Goal, ...] = ()
    # Whether its statements can as well be kept as events, which nothing supersedes and which hold as long as they are
    # there.
    has_events: bool = False
    # Whether each arm is asked by itself, too, without a server.
    has_arms: bool = False


SUITES = {
    "precise": Suite(
        precise.collections,
        precise.CASES,
        (
            Variant("complete", PRECISE_LIMIT),
            Variant("precise", PRECISE_LIMIT, {"mode": recall_pb2.RECALL_MODE_PRECISE}),
        ),
        judge_precise,
        (
            Goal("of what PRECISE returns, right", "precise.precision", least=0.75),
            Goal("of what is right, returned by PRECISE", "precise.recall", least=0.90),
            Goal("the first in English", "precise.english.precision", least=0.75),
            Goal("the second in English", "precise.english.recall", least=0.90),
        ),
    ),
    "names": Suite(
        names.collections,
        names.CASES,
        (Variant("precise", PRECISE_LIMIT, {"mode": recall_pb2.RECALL_MODE_PRECISE}),),
        judge_precise,
    ),
    "unanswerable": Suite(
        unanswerable.collections,
        unanswerable.CASES,
        (PLAIN,),
        judge_unanswerable,
        (
            Goal("AUROC of the best score", "plain.auroc_score", least=0.80),
            Goal("the same, in English", "plain.english.auroc_score", least=0.80),
        ),
        has_events=True,
    ),
    "supersession": Suite(
        supersession.collections,
        supersession.CASES,
        (PLAIN,),
        judge_supersession,
        (
            Goal("superseded facts recalled as current", "plain.current.wrong_returned", most=0.01),
            Goal("successors found", "plain.current.found", least=0.97),
        ),
    ),
    "time": Suite(
        times.collections,
        times.CASES,
        BY_TIME_MODE,
        judge_times,
        has_events=True,
    ),
    "anchor": Suite(
        anchors.collections,
        anchors.CASES,
        BY_TIME_MODE,
        judge_times,
        has_events=True,
    ),
    "languages": Suite(
        languages.collections,
        languages.CASES,
        (PLAIN,),
        judge_ranking,
        has_events=True,
        has_arms=True,
    ),
    "across": Suite(languages.across, languages.ACROSS_CASES, (PLAIN,), judge_ranking, has_arms=True),
    "personal": Suite(personal.collections, personal.CASES, (PLAIN,), judge_ranking, has_arms=True),
    "implicit": Suite(implicit.collections, implicit.CASES, (DEEP,), judge_recall, has_arms=True),
    "shapes": Suite(shapes.collections, shapes.CASES, (DEEP,), judge_recall, has_arms=True),
    "lists": Suite(lists.collections, lists.CASES, (DEEP,), judge_recall, has_arms=True),
}
