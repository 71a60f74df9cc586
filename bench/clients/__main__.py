"""Measures what each client adds to a bare stub: `python -m bench.clients --json` (see bench/README.md)."""

import argparse
import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.clients.rounds import ClientOptions, Outcome, build_all, run, stage
from bench.measure.command import Benchmark, parse
from bench.measure.report import Verdict, bound
from bench.measure.timing import Figure
from clients.conformance.runners import Recipe, recipes

PROGRAMS = Path(__file__).with_name("programs.yaml")
MAX_OVERHEAD = 0.10
# With a goal, by key; others are printed beside them.
LANGUAGES = {
    "python_overhead": "Python, asyncio",
    "typescript_overhead": "TypeScript",
    "go_overhead": "Go",
    "java_overhead": "Java",
    "rust_overhead": "Rust",
}
CLIENTS = Benchmark("clients", __doc__, keys=[*LANGUAGES])


def verdicts(figures: Mapping[str, Figure]) -> list[Verdict]:
    """Every goal, with what was measured of it."""
    return [
        bound(
            f"warm recall by the client over the bare stub, p50, {name}",
            figures[key].median * 100 if key in figures else None,
            most=MAX_OVERHEAD * 100,
            unit="%",
        )
        for key, name in LANGUAGES.items()
    ]


def measure(options: ClientOptions, asked: Sequence[Recipe]) -> Outcome:
    """Every language against the same server."""
    with tempfile.TemporaryDirectory(prefix="camillo-overhead-") as directory:
        logs = Path(directory)
        ready, outcome = asyncio.run(build_all(asked, logs))
        if ready:
            with stage(options) as order:
                asyncio.run(run(ready, outcome, order, options, logs))
    return outcome


def main() -> None:
    known = recipes(PROGRAMS)
    given = _arguments([recipe.language for recipe in known])
    wanted = [each for each in known if not given.language or each.language in given.language]
    outcome = measure(_options(given), wanted)
    for language, cause in outcome.unavailable.items():
        print(f"not measured, {language}: {cause}")
    figures = outcome.figures()
    CLIENTS.finish(given, figures, {"unavailable": outcome.unavailable}, verdicts(figures))


def _options(given: argparse.Namespace) -> ClientOptions:
    options = ClientOptions.quick() if given.quick else ClientOptions()
    stated = {name: getattr(given, name) for name in ("rounds", "calls", "warm_up_calls")}
    stated["late_warm_up_calls"] = given.warm_up_calls
    return replace(options, **{name: value for name, value in stated.items() if value})


def _arguments(languages: Sequence[str]) -> argparse.Namespace:
    parser = CLIENTS.parser()
    parser.add_argument("--language", action="append", choices=languages, help="this one; may be repeated")
    parser.add_argument("--rounds", type=int, help="how often each program is started")
    parser.add_argument("--calls", type=int, help="of either contender in a round")
    parser.add_argument("--warm-up-calls", type=int, help="before them, of either")
    return parse(parser)


if __name__ == "__main__":
    main()
