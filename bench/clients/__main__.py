"""What each client adds to a bare stub, measured: `python -m bench.clients --json` (see bench/README.md)."""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.clients.options import ClientOptions
from bench.clients.rounds import Outcome, built, run
from bench.clients.stage import stage
from bench.measure import report
from bench.measure.report import Verdict, bound
from bench.measure.servers import ROOT
from bench.measure.timing import Figure
from clients.conformance.runners import Recipe, recipes

PROGRAMS = Path(__file__).with_name("programs.yaml")
RESULTS = ROOT / "bench" / "results" / "clients.json"
MOST_OVERHEAD = 0.10
# With a goal, by key; others are told beside them.
LANGUAGES = {
    "python_overhead": "Python, asyncio",
    "typescript_overhead": "TypeScript",
    "go_overhead": "Go",
    "java_overhead": "Java",
    "rust_overhead": "Rust",
}


def verdicts(figures: Mapping[str, Figure]) -> list[Verdict]:
    """Every goal, with what was measured of it."""
    return [
        bound(
            f"warm recall by the client over the bare stub, p50, {name}",
            figures[key].median * 100 if key in figures else None,
            most=MOST_OVERHEAD * 100,
            unit="%",
        )
        for key, name in LANGUAGES.items()
    ]


def measure(options: ClientOptions, asked: Sequence[Recipe]) -> Outcome:
    """Every language against the same server."""
    with tempfile.TemporaryDirectory(prefix="camillo-overhead-") as directory:
        logs = Path(directory)
        ready, outcome = asyncio.run(built(asked, logs))
        if ready:
            with stage(options) as order:
                asyncio.run(run(ready, outcome, order, options, logs))
    return outcome


def main() -> None:
    known = recipes(PROGRAMS)
    given = _arguments([recipe.language for recipe in known])
    # Else the server would go on when this process is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    wanted = [each for each in known if not given.language or each.language in given.language]
    outcome = measure(_options(given), wanted)
    figures = outcome.figures()
    _tell(figures, outcome.unavailable)
    if given.save:
        report.save(RESULTS, figures, {"quick": given.quick, "unavailable": outcome.unavailable})
    if given.json:
        print(json.dumps(report.medians(figures, [*LANGUAGES])), flush=True)


def _tell(figures: Mapping[str, Figure], unavailable: Mapping[str, str]) -> None:
    report.print_table("Clients", verdicts(figures))
    for name, figure in figures.items():
        print(f"{name:30} median {figure.median:8.3f}   least {figure.least:8.3f}")
    for language, cause in unavailable.items():
        print(f"not measured, {language}: {cause}")


def _options(given: argparse.Namespace) -> ClientOptions:
    options = ClientOptions.quick() if given.quick else ClientOptions()
    stated = {name: getattr(given, name) for name in ("rounds", "calls", "warm_up_calls")}
    stated["late_warm_up_calls"] = given.warm_up_calls
    return replace(options, **{name: value for name, value in stated.items() if value})


def _arguments(languages: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.clients", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that measures nothing well"
    )
    parser.add_argument(
        "--language", action="append", choices=languages, help="this one; may be repeated"
    )
    parser.add_argument("--rounds", type=int, help="how often each program is started")
    parser.add_argument("--calls", type=int, help="of either contender in a round")
    parser.add_argument("--warm-up-calls", type=int, help="before them, of either")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    return parser.parse_args()


if __name__ == "__main__":
    main()
