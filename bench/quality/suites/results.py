"""Results of a run of suites: for people, and for `bench/results/quality.json`."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.measure import report
from bench.measure.timing import Figure
from bench.quality.arms import MAX_BEHIND
from bench.quality.measures import Estimate, Estimates
from bench.quality.suites.judging import AGAINST_BEST_ARM
from bench.quality.suites.suites import SUITES

# A figure of the file of results stays on one line.
NUMBERS = re.compile(r"\[\s+([^\[\]{}]+?)\s+\]")


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The figures of one suite, by `variant.figure`, and what they were measured with."""

    suite: str
    embedder: str
    cases: int
    seed: int
    estimates: Estimates
    as_events: bool = False

    @property
    def name(self) -> str:
        """The suite's name, with a suffix if its statements were kept as events."""
        return f"{self.suite}_as_events" if self.as_events else self.suite

    def as_json(self) -> dict[str, Any]:
        """The run, with its figures as value, lower and upper bound, and number of questions."""
        figures = {name: [*each.as_json().values()] for name, each in self.estimates.items()}
        return {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "commit": report.commit(),
            "machine": report.machine(),
            "cases": self.cases,
            "seed": self.seed,
            "figures": figures,
        }

    def verdicts(self) -> list[report.Verdict]:
        """Verdicts on the goals of the suite."""
        known = {name: each for name, each in self.estimates.items() if each.count}
        figures = {name: Figure((each.value,)) for name, each in known.items()}
        return [goal.verdict(figures) for goal in SUITES[self.suite].goals]


def save(path: Path, runs: Sequence[SuiteRun]) -> None:
    """Writes the runs into a file, beside what it has of other suites and embedders."""
    written: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    for run in runs:
        written.setdefault(run.embedder, {})[run.name] = run.as_json()
    text = json.dumps(written, indent=2)
    lines = NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text)
    path.write_text(f"{lines}\n", "utf-8")


def named(runs: Sequence[SuiteRun]) -> dict[str, Estimate]:
    """Estimates by `suite.variant.figure`; for events by `suite_as_events.variant.figure`."""
    return {f"{run.name}.{name}": each for run in runs for name, each in run.estimates.items()}


def print_runs(runs: Sequence[SuiteRun]) -> None:
    """A row for each figure, then the goals."""
    title = f"Suites, {runs[0].embedder}"
    print_estimates(title, named(runs))
    verdicts = [replace(verdict, what=f"{run.name}: {verdict.what}") for run in runs for verdict in run.verdicts()]
    if worst := worst_against_arms(runs):
        verdicts.append(worst)
    report.print_table(title, verdicts)


def worst_against_arms(runs: Sequence[SuiteRun]) -> report.Verdict | None:
    """The verdict on that kind of questions whose R@10 is furthest behind that of its better arm; None without any."""
    changes = {name: each.value for name, each in named(runs).items() if name.endswith(AGAINST_BEST_ARM)}
    if not changes:
        return None
    worst = min(changes, key=lambda name: changes[name])
    which = worst.removesuffix(f".{AGAINST_BEST_ARM}")
    return report.bound(f"worst against its best arm: {which}", changes[worst], least=-MAX_BEHIND)


def print_estimates(title: str, estimates: Mapping[str, Estimate]) -> None:
    """A row for each."""
    table = Table(title=title, title_justify="left")
    for heading in ("figure", "value (95 %)", "questions"):
        table.add_column(heading, justify="left" if heading == "figure" else "right")
    for name, each in estimates.items():
        table.add_row(name, str(each), str(each.count))
    Console(width=110).print(table)
