"""The command that plays the suite: what it plays, and what it prints."""

import io

import pytest
from rich.console import Console

from clients.conformance.__main__ import main, playable
from clients.conformance.runners import Recipe
from clients.conformance.suite import Outcome
from clients.conformance.table import print_table

HERE, NOT_HERE = Recipe("here", ["x"], needs=["sh"]), Recipe("away", ["x"], needs=["no-such-tool"])


def test_a_language_whose_tools_are_missing_is_told_apart() -> None:
    assert playable([HERE, NOT_HERE], []) == ([HERE], [NOT_HERE])
    assert playable([HERE, NOT_HERE], ["here"]) == ([HERE], [])
    assert NOT_HERE.missing() == ["no-such-tool"]


@pytest.mark.parametrize("arguments", [["--language", "latin"], ["--only", "no such story"]])
def test_nothing_to_play_is_no_success(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "nothing to play" in capsys.readouterr().out


def test_a_language_that_nobody_knows_is_not_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "python", "--language", "latin"]) == 2
    assert "no language is named latin" in capsys.readouterr().out


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_so_many_at_a_time_is_one_or_more(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--jobs", jobs])
    assert "is not 1 or more" in capsys.readouterr().err


def test_the_table_tells_who_passed_and_what_differs() -> None:
    outcomes = [
        Outcome("go", "one", 0.5),
        Outcome("go", "two", 0.2, "expected [茶], got nothing"),
        Outcome("java", "one", 1.0, "the runner ended"),
        Outcome("java", "two", 1.0, "the runner ended"),
    ]
    printed = io.StringIO()
    print_table(Console(file=printed, width=100), outcomes)
    lines = printed.getvalue().splitlines()
    assert any("passed" in line and "1/2" in line and "0/2" in line for line in lines)
    assert lines[-2:] == ["go, two: expected [茶], got nothing", "java, one (and 1 more): the runner ended"]
