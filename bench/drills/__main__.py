"""Faults on purpose, and what has to hold all the same: `python -m bench.drills --json` (see bench/README.md)."""

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import grpc
import psycopg
from rich.console import Console
from rich.table import Table

from bench.drills.drill import COUNTS, Drill, DrillReport
from bench.drills.registry import DRILLS
from bench.drills.soak import HOURS_VARIABLE
from bench.measure import report
from bench.measure.command import parse, print_json, say
from bench.measure.servers import ROOT

RESULTS = ROOT / "bench" / "results" / "drills.json"
# With these a drill ends before it is over: that is a problem of it, and the next one runs.
BROKEN = (AssertionError, LookupError, OSError, RuntimeError, grpc.RpcError, psycopg.Error)

INTERNAL = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.drills", description=__doc__)
    parser.add_argument("--short", action="store_true", help="three minutes instead of thirty")
    parser.add_argument("--only", action="append", choices=[*DRILLS], help="this drill; may be repeated")
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    parser.add_argument("--hours", type=float, help="of the soak; two minutes unless stated")
    where = RESULTS.relative_to(ROOT)
    parser.add_argument("--save", action="store_true", help=f"write these drills into {where}")
    return parser


def run(drill: Drill, short: bool) -> DrillReport:
    """One drill, which fails where it breaks."""
    say(f"{drill.name}: {drill.what}")
    started = time.monotonic()
    found = DrillReport(drill.name)
    try:
        found = drill.run(short)
    except BROKEN as error:
        broke(found, error)
    except ExceptionGroup as errors:
        if errors.split(BROKEN)[1] is not None:
            raise
        broke(found, errors)
    found.figures["seconds"] = time.monotonic() - started
    return found


def broke(found: DrillReport, error: Exception) -> None:
    traceback.print_exception(error)
    found.found("internal", [*internal_errors(error)])
    found.problems.append(f"it broke: {type(error).__name__}: {error}")


def internal_errors(error: BaseException) -> Iterator[str]:
    """The answers that no server may give, however many calls failed at once."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from internal_errors(each)
    elif isinstance(error, grpc.aio.AioRpcError) and error.code() in INTERNAL:
        yield f"{error.code().name}: {error.details()}"


def print_reports(reports: Sequence[DrillReport], console: Console) -> None:
    """A row for each drill, then its figures and problems."""
    table = Table(title="Drills", title_justify="left")
    for heading in ("drill", *COUNTS, "seconds", ""):
        table.add_column(heading)
    for each in reports:
        counts = [str(each.counts.get(count, "-")) for count in COUNTS]
        seconds = f"{each.figures['seconds']:.0f}"
        table.add_row(each.name, *counts, seconds, "ok" if each.passed else "failed")
    console.print(table)
    for each in reports:
        for name, value in each.figures.items():
            console.print(f"{each.name:10} {name:36} {value:14,.3f}", highlight=False)
        for problem in each.problems:
            console.print(f"{each.name:10} {problem}", markup=False, highlight=False)


def summary(reports: Sequence[DrillReport]) -> dict[str, Any]:
    """The sums of what must be 0, and every drill."""
    sums: dict[str, Any] = {count: sum(each.counts.get(count, 0) for each in reports) for count in COUNTS}
    drills = {each.name: each.as_json() for each in reports}
    return {**sums, "passed": all(each.passed for each in reports), "drills": drills}


def save(reports: Sequence[DrillReport], short: bool) -> None:
    """Each drill with the commit and the date; of those that were not run, what is there stays."""
    made = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": report.commit(),
        "short": short,
    }
    before = json.loads(RESULTS.read_text("utf-8"))["drills"] if RESULTS.exists() else {}
    drills = {**before, **{each.name: {**made, **each.as_json()} for each in reports}}
    written = {"machine": report.machine(), "drills": drills}
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(written, indent=2) + "\n", "utf-8")


def main() -> None:
    given = parse(arguments())
    if given.hours is not None:
        os.environ[HOURS_VARIABLE] = str(given.hours)
    chosen = given.only or [*DRILLS]
    reports = [run(drill, given.short) for name, drill in DRILLS.items() if name in chosen]
    print_reports(reports, Console(width=110))
    found = summary(reports)
    if given.save:
        save(reports, given.short)
    if given.json:
        print_json(found)
    sys.exit(not found["passed"])


if __name__ == "__main__":
    main()
