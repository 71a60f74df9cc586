"""Camillo beside other stores of memories: `python -m bench.peers --json` (see bench/README.md)."""

import os
import sys
from dataclasses import replace

from rich.console import Console

from bench.measure.command import Benchmark, parse
from bench.measure.timing import Figure
from bench.peers import environment
from bench.peers.contenders import CONTENDERS, GOALS, KEYS, contenders_table, ratios
from bench.peers.race import Length, run

BENCHMARK = Benchmark("peers", __doc__, keys=KEYS, goals=GOALS, parts=tuple(CONTENDERS))


def main() -> None:
    parser = BENCHMARK.parser()
    parser.add_argument("--install", action="store_true", help=f"put the peers into {environment.DIRECTORY.name}")
    parser.add_argument("--fresh", action="store_true", help="ask before Postgres has statistics of what was filled")
    parser.add_argument("--rounds", type=int, help="how often each contender is measured")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="processes of Camillo's server")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="among which 16 callers are divided")
    given = parse(parser)
    if given.install:
        sys.exit(_install())
    length = replace(
        Length.quick() if given.quick else Length(),
        is_fresh=given.fresh,
        workers=given.workers,
        processes=given.processes,
    )
    if given.rounds:
        length = replace(length, rounds=given.rounds)
    outcome = run(length, given.only or list(CONTENDERS))
    figures: dict[str, Figure] = {**outcome.figures, **ratios(outcome.figures)}
    Console(width=140).print(contenders_table(figures))
    for name, cause in outcome.unavailable.items():
        print(f"not measured, {name}: {cause}")
    more = {
        "fresh": given.fresh,
        "workers": given.workers,
        "processes": given.processes,
        "unavailable": outcome.unavailable,
        "versions": outcome.versions,
        # Over the last one, five and fifteen minutes: if far above the number of cores, others shared them.
        "load_average": [round(load, 1) for load in os.getloadavg()],
    }
    BENCHMARK.finish(given, figures, more)


def _install() -> int:
    """The exit code: 1 where something is not installable."""
    causes = environment.install()
    for requirement, cause in causes.items():
        print(f"{requirement} is not installable: {cause}", file=sys.stderr)
    return 1 if causes else 0


if __name__ == "__main__":
    main()
