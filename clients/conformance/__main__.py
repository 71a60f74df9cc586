"""`python -m clients.conformance`: plays the scenarios through the clients and tells which of them differ."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from rich.console import Console

from clients.conformance.languages import Tour
from clients.conformance.runners import Recipe, recipes
from clients.conformance.scenarios import Scenario, load
from clients.conformance.suite import Outcome, suite
from clients.conformance.table import passed, print_table

HERE = Path(__file__).parent
SCENARIOS = HERE.parent / "scenarios.yaml"
RUNNERS = HERE / "runners.yaml"
LOG_WIDTH = 120
# More than half of the time is waiting, for deadlines and between repetitions.
DEFAULT_JOBS = (os.cpu_count() or 1) + 1


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if every scenario came out as expected in every language, 1 if not, 2 if there was nothing to play."""
    options = _parsed(arguments)
    console = _console(sys.stderr if options.json else sys.stdout)
    known = recipes(RUNNERS)
    if unknown := {*options.language} - {recipe.language for recipe in known}:
        console.print(f"nothing to play: no language is named {', '.join(sorted(unknown))}")
        return 2
    languages, missing = playable(known, options.language)
    for recipe in missing:
        console.print(f"{recipe.language} is skipped: no {', '.join(recipe.missing())} here")
    scenarios = _chosen(options)
    if not languages or not scenarios:
        console.print("nothing to play: no such scenario, or no tools for it")
        return 2
    if options.no_build:
        languages = [replace(recipe, build=()) for recipe in languages]
    outcomes = asyncio.run(_run(languages, scenarios, options.jobs, console))
    print_table(console, outcomes)
    if options.json:
        print(json.dumps([outcome.as_dict() for outcome in outcomes], indent=2))
    # A tool may be missing on somebody's machine, but not where it is decided what is good.
    is_incomplete = bool(missing and os.environ.get("CI"))
    return int(is_incomplete or any(outcome.difference for outcome in outcomes))


async def _run(
    languages: Sequence[Recipe], scenarios: Sequence[Scenario], jobs: int, console: Console
) -> list[Outcome]:
    def tell(outcome: Outcome) -> None:
        if outcome.difference:
            # On one line, however long: it may be looked for.
            told = f"{outcome.language}: {outcome.scenario} FAILED"
            console.print(told, markup=False, highlight=False, soft_wrap=True)

    def tell_all(outcomes: Sequence[Outcome]) -> None:
        language = outcomes[0].language
        console.print(f"{language}: {passed(outcomes, language)}", highlight=False)

    async with suite() as ready:
        return await Tour(scenarios, jobs, tell, tell_all).through(ready, languages)


def _console(stream: TextIO) -> Console:
    """A console as wide as the terminal; in a log as wide as most names."""
    return Console(file=stream, width=None if stream.isatty() else LOG_WIDTH)


def playable(known: Sequence[Recipe], wanted: Sequence[str]) -> tuple[list[Recipe], list[Recipe]]:
    """Wanted recipes (all, if none is named) that can be played here, and those whose tools are missing."""
    asked = [recipe for recipe in known if not wanted or recipe.language in wanted]
    missing = [recipe for recipe in asked if recipe.missing()]
    return [recipe for recipe in asked if recipe not in missing], missing


def _chosen(options: argparse.Namespace) -> list[Scenario]:
    scenarios = [each for each in load(SCENARIOS) if options.large or not each.large]
    return [each for each in scenarios if options.only.lower() in each.name.lower()]


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return int(text)


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m clients.conformance",
        description="Plays the scenarios through the clients of all languages and tells which of them differ.",
        epilog="Ends with 0 if everything came as expected, with 1 if not, with 2 if there was nothing to play.",
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="scenarios whose name holds it")
    parser.add_argument(
        "--language",
        action="append",
        default=[],
        metavar="NAME",
        help="one that runners.yaml names; may be given several times; default: all",
    )
    parser.add_argument(
        "--jobs",
        type=_count,
        default=DEFAULT_JOBS,
        metavar="N",
        help=f"so many languages at a time; default: {DEFAULT_JOBS}, one more than there are cores",
    )
    parser.add_argument("--large", action="store_true", help="those that take long, too")
    parser.add_argument("--no-build", action="store_true", help="runners as they were built before")
    parser.add_argument("--json", action="store_true", help="outcomes on the standard output")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
