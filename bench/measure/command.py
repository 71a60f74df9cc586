"""The command line that all benchmarks share: flags, goals, a table, a line of JSON, a results file."""

import argparse
import json
import signal
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.measure import report
from bench.measure.report import Goal, Verdict
from bench.measure.servers import ROOT
from bench.measure.timing import Figure

NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Benchmark:
    """`python -m bench.NAME`: the keys that its JSON begins with, its goals, and the parts that `--only` chooses
    from."""

    name: str
    doc: str | None
    keys: Sequence[str] = ()
    goals: Sequence[Goal] = ()
    parts: Collection[str] = ()

    @property
    def results(self) -> Path:
        return ROOT / "bench" / "results" / f"{self.name}.json"

    def parser(self, save_help: str = "") -> argparse.ArgumentParser:
        """A parser with the flags that all benchmarks have."""
        parser = argparse.ArgumentParser(prog=f"python -m bench.{self.name}", description=self.doc)
        parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
        parser.add_argument("--quick", action="store_true", help="a short run that measures nothing well")
        if self.parts:
            parser.add_argument("--only", action="append", choices=[*self.parts], help="this part; may be repeated")
        where = f"write {self.results.relative_to(ROOT)}{save_help}"
        parser.add_argument("--save", action="store_true", help=where)
        return parser

    def verdicts(self, figures: Mapping[str, Figure]) -> list[Verdict]:
        """Every goal, with what was measured of it."""
        return [goal.verdict(figures) for goal in self.goals]

    def finish(
        self,
        given: argparse.Namespace,
        figures: Mapping[str, Figure],
        more: Mapping[str, Any] = NOTHING,
        verdicts: Sequence[Verdict] | None = None,
    ) -> None:
        """Prints goals and figures; saves and prints JSON where that is asked for."""
        report.print_table(self.name.capitalize(), self.verdicts(figures) if verdicts is None else verdicts)
        report.print_figures(figures)
        if given.save:
            report.save(self.results, figures, {"quick": given.quick, **more})
        if given.json:
            print_json(report.medians(figures, self.keys))


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, help="the ONNX model of this directory, else the lexical embedder")


def add_against(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against",
        metavar="DIR-OR-COMMIT",
        help="compare with this other checkout or commit, in rounds that take turns; nothing is saved",
    )


def parse(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments; from now on SIGTERM ends the servers, too, that this process starts."""
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    return given


def say(what: str) -> None:
    """Prints on standard error what is measured now."""
    print(f"{what} ...", file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    print(json.dumps(value), flush=True)
