"""The soak's judgement: what rises after the warm-up is a problem, what rose in it is none."""

from collections import Counter
from dataclasses import replace

from bench.drills.drill import DrillReport
from bench.drills.soak import ROUNDS, Sample, judge, requests_of

STILL = Sample(memory_mb=150, threads=11, files=25, connections=11, data_mb=3, spool_mb=0)


def test_what_is_flat_has_no_problem_and_each_its_slope() -> None:
    report = DrillReport("soak")
    judge(report, [(60.0 * minute, STILL) for minute in range(61)])
    assert report.passed
    assert report.figures["memory_mb_per_hour"] == 0


def test_what_grows_by_more_than_its_bound_is_a_problem() -> None:
    report = DrillReport("soak")
    leaking = [(60.0 * minute, replace(STILL, files=25 + minute)) for minute in range(61)]
    judge(report, leaking)
    [problem] = report.problems
    assert problem.startswith("files grows by 60.0 an hour")


def test_the_warm_up_may_rise() -> None:
    report = DrillReport("soak")
    warming = [(60.0 * minute, replace(STILL, memory_mb=min(150, 90 + 4 * minute))) for minute in range(61)]
    judge(report, warming)
    assert report.passed


def test_a_caller_does_all_four_and_empties_its_agent() -> None:
    requests = requests_of("caller-0", "半")
    kinds = Counter(type(next(requests)).__name__ for _ in range(4 * ROUNDS + 1))
    assert kinds == {
        "RememberRequest": ROUNDS,
        "RecallRequest": ROUNDS,
        "RecordEventRequest": ROUNDS,
        "BuildBundleRequest": ROUNDS,
        "ResetRequest": 1,
    }
