"""Outputs of test runners: their failing tests come first, with what was said of them and the counts."""

from camillo_server.lib.outputs.summary.summarize import summarize

from tests.cases import each_case
from tests.unit.outputs.summary.run_outputs import OUTPUTS, PYTEST
from tests.unit.outputs.summary.samples import Output


@each_case("name", OUTPUTS)
def test_failing_tests_and_counts_are_told(name: str) -> None:
    output = OUTPUTS[name]
    summary = summarize(output.sample())
    plain = " ".join(summary.text.split())
    assert summary.kind is output.kind
    assert not [part for part in output.tells if " ".join(part.split()) not in plain], summary.text
    assert not [part for part in output.describes if part not in summary.description], summary
    assert not [part for part in output.hides if part in summary.text], summary.text


def test_what_failed_comes_before_everything_else() -> None:
    lines = summarize(PYTEST.sample()).text.split("\n")
    assert lines[1].startswith("Failing tests (2):")


def test_a_failing_test_is_told_once_however_often_it_is_named() -> None:
    text = "tests/a.py::test_x FAILED [ 50%]\ntests/a.py::test_y PASSED [100%]\nFAILED tests/a.py::test_x - assert 0\n"
    told = summarize(Output("pytest -v", 1, text, (), ()).sample()).text
    assert told.count("test_x") == 1
    assert "test_y" not in told


def test_of_many_failing_tests_the_first_are_named_and_the_others_counted() -> None:
    text = "".join(f"FAILED tests/test_many.py::test_{number:03} - assert 0\n" for number in range(120))
    summary = summarize(Output("pytest", 1, text + "120 failed in 3.00s\n", (), ()).sample())
    assert "test_000" in summary.text
    assert "Failing tests (120):" in summary.text
    assert "more" in summary.text
    assert summary.description.startswith("pytest, 120 failed: test_000, test_001")
    assert summary.description.endswith("more")


def test_a_test_of_jest_outside_of_suites_is_named() -> None:
    text = "FAIL ./a.test.js\n  ● adds\n\n    expect(received).toBe(expected)\n\nTests:       1 failed, 3 total\n"
    assert summarize(Output("jest", 1, text, (), ()).sample()).description == "jest, 1 failed: adds"


def test_what_only_looks_like_a_test_is_none() -> None:
    text = "● nginx.service - A web server\n  ● first of a list\nns::Pool ERROR is empty\nERROR std::bad_alloc\n"
    told = summarize(Output("systemctl status", 3, text, (), ()).sample()).text
    assert "Failing tests" not in told
    assert "std::bad_alloc" in told
