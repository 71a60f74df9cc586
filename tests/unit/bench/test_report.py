"""Table, JSON and results file."""

import io
import json
from pathlib import Path

from rich.console import Console

from bench.foundation.__main__ import FOUNDATION
from bench.measure.report import bound, medians, print_table, save
from bench.measure.timing import Figure


def test_a_value_at_the_bound_meets_the_goal() -> None:
    assert bound("echo", 1.25, most=1.25).met is True
    assert bound("echo", 1.26, most=1.25).met is False
    assert bound("import", 10_000, least=10_000).met is True
    assert bound("import", 9_999, least=10_000).met is False


def test_what_was_not_measured_is_neither_met_nor_missed() -> None:
    assert bound("run", None, most=60, unit="s").met is None


def test_the_table_says_goal_value_and_verdict() -> None:
    written = io.StringIO()
    rows = [bound("echo", 1.5, most=1.25, unit="x"), bound("run", None, most=60, unit="s")]
    print_table("Goals", rows, Console(file=written, width=100))
    text = written.getvalue()
    assert "<= 1.25 x" in text
    assert "1.5 x" in text
    assert "missed" in text
    assert "skipped" in text


def test_the_object_has_every_key_and_null_for_what_was_skipped() -> None:
    told = medians({"echo_p50_ms": Figure((1.0, 3.0, 2.0)), "extra": Figure((1.0,))}, FOUNDATION.keys)
    assert list(told) == [*FOUNDATION.keys, "extra"]
    assert told["echo_p50_ms"] == 2.0
    assert told["run_s"] is None


def test_the_results_file_holds_every_round_and_what_it_was_measured_with(tmp_path: Path) -> None:
    path = tmp_path / "results" / "one.json"
    save(path, {"echo_p50_ms": Figure((1.0, 3.0, 2.0))}, {"quick": True})
    told = json.loads(path.read_text())
    assert told["figures"]["echo_p50_ms"]["rounds"] == [1.0, 3.0, 2.0]
    assert told["quick"] is True
    assert told["machine"]["cores"] >= 1
    assert told["machine"]["postgres"]
    assert told["commit"]
    assert told["date"]


def test_each_goal_is_judged_by_its_figures() -> None:
    figures = {"bare_echo_p50_ms": Figure((1.0,)), "echo_p50_ms": Figure((1.2,)), "remember_p50_ms": Figure((4.0,))}
    told = {verdict.what: verdict for verdict in FOUNDATION.verdicts(figures)}
    assert told["echo through the server / bare echo, p50"].met is True
    assert told["durable Remember / that echo, p50"].met is False
    assert told["recall from Postgres, p50"].met is None
