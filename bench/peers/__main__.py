"""Camillo beside other stores of memories: `python -m bench.peers` (see bench/README.md)."""

import argparse
import os
import sys
from collections.abc import Mapping
from dataclasses import replace

from rich.console import Console

from bench.measure import report
from bench.measure.command import parse, print_json
from bench.measure.servers import ROOT
from bench.measure.timing import Figure
from bench.peers import environment
from bench.peers.contenders import (
    CONTENDERS,
    KEYS,
    REFERENCE,
    contenders_table,
    ratios,
    verdicts,
)
from bench.peers.race import Length, run

RESULTS = ROOT / "bench" / "results" / "peers.json"


def main() -> None:
    given = _arguments()
    if given.install:
        sys.exit(_install())
    length = replace(Length.quick() if given.quick else Length(), is_fresh=given.fresh)
    outcome = run(length, given.only or list(CONTENDERS))
    figures = {**outcome.figures, **ratios(outcome.figures)}
    _print(figures, outcome.unavailable)
    if given.save:
        more = {
            "quick": given.quick,
            "fresh": given.fresh,
            "unavailable": outcome.unavailable,
            "versions": outcome.versions,
            # Of the last one, five and fifteen minutes: far above the number of cores, others shared them.
            "load_average": [round(load, 1) for load in os.getloadavg()],
        }
        report.save(RESULTS, figures, more)
    print_json(report.medians(figures, KEYS))


def _install() -> int:
    """The exit code: 1 where something is not installable."""
    causes = environment.install()
    for requirement, cause in causes.items():
        print(f"{requirement} is not installable: {cause}", file=sys.stderr)
    return 1 if causes else 0


def _print(figures: Mapping[str, Figure], unavailable: Mapping[str, str]) -> None:
    Console(width=130).print(contenders_table(figures))
    report.print_table("Goals", verdicts(figures))
    for name, cause in unavailable.items():
        print(f"not measured, {name}: {cause}")


def _only(given: str) -> list[str]:
    names = given.split(",")
    if unknown := [name for name in names if name not in CONTENDERS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(CONTENDERS)}")
    return names


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument(
        "--install", action="store_true", help=f"put the peers into {environment.DIRECTORY.name}"
    )
    parser.add_argument(
        "--quick", action="store_true", help="a short run that measures nothing well"
    )
    parser.add_argument(
        "--fresh", action="store_true", help="ask before Postgres has statistics of what was filled"
    )
    parser.add_argument(
        "--only", type=_only, metavar="A,B", help=f"these; without {REFERENCE} there are no ratios"
    )
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    return parse(parser)


if __name__ == "__main__":
    main()
