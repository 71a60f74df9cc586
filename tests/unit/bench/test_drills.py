"""Drills: what one has found decides whether all have passed, and one that breaks has failed."""

import grpc
import pytest

from bench.drills.__main__ import run, summary
from bench.drills.drill import COUNTS, Drill, DrillReport
from bench.drills.registry import DRILLS


def test_every_drill_has_its_own_name() -> None:
    assert {"kills", "postgres", "network", "clocks"} <= {*DRILLS}
    assert all(drill.name == name for name, drill in DRILLS.items())


def test_counts_add_up_over_drills(capsys: pytest.CaptureFixture[str]) -> None:
    quiet, loud = DrillReport("quiet"), DrillReport("loud")
    quiet.found("lost", [])
    loud.found("lost", ["消失"])
    loud.found("lost", ["utracone"])
    told = summary([quiet, loud])
    assert [told[count] for count in COUNTS] == [2, 0, 0, 0, 0, 0]
    assert not told["passed"]
    assert told["drills"]["quiet"]["passed"]
    assert "loud: lost: 消失" in capsys.readouterr().err


def test_a_problem_fails_a_drill_without_counts() -> None:
    report = DrillReport("grows")
    report.expect(True, "nothing")
    assert summary([report])["passed"]
    report.expect(False, "its memory grew")
    assert not summary([report])["passed"]


def test_a_drill_that_breaks_has_failed_and_tells_internal_errors() -> None:
    def breaks(_: bool) -> DrillReport:
        code, no_metadata = grpc.StatusCode.INTERNAL, grpc.aio.Metadata()
        error = grpc.aio.AioRpcError(code, no_metadata, no_metadata, "the log has it")
        raise ExceptionGroup("writers", [error, TimeoutError()])

    report = run(Drill("breaks", "", breaks), short=True)
    assert report.counts == {"internal": 1}
    assert len(report.problems) == 1


def test_a_defect_of_a_drill_is_not_taken_for_a_finding() -> None:
    def is_wrong(_: bool) -> DrillReport:
        raise TypeError

    with pytest.raises(TypeError):
        run(Drill("wrong", "", is_wrong), short=True)
