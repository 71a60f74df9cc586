"""Output of a benchmark: a table for people, a line of JSON for programs, a file for later."""

import json
import os
import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from camillo_server.storage.embedded.account import Account, binaries_for
from rich.console import Console
from rich.table import Table

from bench.measure.servers import ROOT
from bench.measure.timing import Figure

MARKS = {True: "ok", False: "missed", None: "skipped"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One goal and what was measured of it; `met` is None where nothing was."""

    what: str
    goal: str
    measured: str
    met: bool | None


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound of one figure's median, or, with `over`, of its ratio to another one, taken round by round."""

    what: str
    figure: str
    most: float | None = None
    least: float | None = None
    unit: str = ""
    over: str = ""

    def verdict(self, figures: Mapping[str, Figure]) -> Verdict:
        value = ratio(figures, self.figure, self.over) if self.over else median(figures, self.figure)
        return bound(self.what, value, least=self.least, most=self.most, unit=self.unit)


def median(figures: Mapping[str, Figure], name: str) -> float | None:
    """The median of a figure; None if it was not measured."""
    return figures[name].median if name in figures else None


def ratio(figures: Mapping[str, Figure], name: str, of: str) -> float | None:
    """Round by round; None where one of them was not measured."""
    both = name in figures and of in figures
    return figures[name].over(figures[of]).median if both else None


def bound(
    what: str,
    value: float | None,
    *,
    least: float | None = None,
    most: float | None = None,
    unit: str = "",
) -> Verdict:
    """The verdict over a value that has to be at least or at most so much."""
    limit, sign = (least, ">=") if least is not None else (most, "<=")
    assert limit is not None
    goal = f"{sign} {_number(limit)} {unit}".strip()
    if value is None:
        return Verdict(what, goal, "-", None)
    met = value >= limit if least is not None else value <= limit
    return Verdict(what, goal, f"{_number(value)} {unit}".strip(), met)


def print_table(title: str, verdicts: Sequence[Verdict], console: Console | None = None) -> None:
    """Goal, measured value and verdict, a row each."""
    table = Table(title=title, title_justify="left")
    for heading in ("what", "goal", "measured", ""):
        table.add_column(heading)
    for verdict in verdicts:
        table.add_row(verdict.what, verdict.goal, verdict.measured, MARKS[verdict.met])
    (console or Console(width=110)).print(table)


def print_figures(figures: Mapping[str, Figure]) -> None:
    """A line for each."""
    for name, figure in figures.items():
        print(f"{name:36} median {figure.median:12.3f}   least {figure.least:12.3f}")


def medians(figures: Mapping[str, Figure], keys: Sequence[str]) -> dict[str, float | None]:
    """One object: these keys first, null where nothing was measured, then every other figure."""
    ordered = [*keys, *(name for name in figures if name not in keys)]
    return {name: round(figures[name].median, 4) if name in figures else None for name in ordered}


def save(path: Path, figures: Mapping[str, Figure], more: Mapping[str, Any]) -> None:
    """Writes all rounds of all figures with the machine, the commit and the date."""
    written = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": machine(),
        **more,
        "figures": {
            name: {
                "median": round(figure.median, 4),
                "least": round(figure.least, 4),
                "most": round(figure.most, 4),
                "rounds": [round(value, 4) for value in figure.rounds],
            }
            for name, figure in figures.items()
        },
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(written, indent=2) + "\n", "utf-8")


def machine() -> dict[str, Any]:
    """The machine and the versions that the figures depend on."""
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "grpcio": version("grpcio"),
        "psycopg": version("psycopg"),
        "postgres": _postgres_version(),
    }


def commit() -> str:
    """The commit that was measured; marked where the working tree differed from it."""
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True)
    if head.returncode:
        return "unknown"
    changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True)
    return head.stdout.strip() + (" with changes" if changed.stdout.strip() else "")


def _cpu_model() -> str:
    found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found[1] if found else platform.machine()


def _postgres_version() -> str:
    ourselves = Account(os.geteuid(), os.getegid(), is_other=False)
    postgres = binaries_for(ourselves) / "postgres"
    asked = subprocess.run([str(postgres), "--version"], capture_output=True, text=True)
    return asked.stdout.strip().rpartition(" ")[2]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
