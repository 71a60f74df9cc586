"""The goals of the foundation, measured: `python -m bench.foundation --json` (see bench/README.md)."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from bench.against.foundation import PARTS as COMPARED
from bench.against.foundation import compare
from bench.against.versions import trees_with
from bench.foundation import imports, latency, postgres_recall, rate, startup
from bench.foundation.options import Options
from bench.measure import report
from bench.measure.repeats import COMPARED as COMPARED_REPEATS
from bench.measure.report import Verdict, bound
from bench.measure.servers import ROOT
from bench.measure.timing import Figure

KEYS = (
    "bare_echo_p50_ms",
    "echo_p50_ms",
    "echo_qps_16",
    "remember_p50_ms",
    "remember_qps_16",
    "import_per_s",
    "recall_sql_p50_ms",
    "run_s",
    "restart_s",
)
RESULTS = ROOT / "bench" / "results" / "foundation.json"
# What the server's memory may grow by while a stream goes on, before it no longer counts as constant.
CONSTANT_MEMORY_MB = 32.0

Measure = Callable[[Options], dict[str, Figure]]


def _echo(options: Options) -> dict[str, Figure]:
    return {
        **latency.measure(options, with_remember=False),
        **rate.measure(options, with_remember=False),
    }


def _remember(options: Options) -> dict[str, Figure]:
    """With the echo, whose rounds it takes turns with."""
    return {
        **latency.measure(options, with_remember=True),
        **rate.measure(options, with_remember=True),
    }


PARTS: dict[str, Measure] = {
    "echo": _echo,
    "remember": _remember,
    "import": imports.measure,
    "recall": postgres_recall.measure,
    "restart": startup.measure_restart,
    "run": startup.measure_run,
}


def verdicts(figures: Mapping[str, Figure]) -> list[Verdict]:
    """Every goal, with what was measured of it."""

    def median(name: str) -> float | None:
        return figures[name].median if name in figures else None

    def ratio(name: str, of: str) -> float | None:
        both = name in figures and of in figures
        return figures[name].over(figures[of]).median if both else None

    return [
        bound(
            "echo through the server / bare echo, p50",
            ratio("echo_p50_ms", "bare_echo_p50_ms"),
            most=1.25,
            unit="x",
        ),
        bound(
            "durable Remember / that echo, p50",
            ratio("remember_p50_ms", "echo_p50_ms"),
            most=2.5,
            unit="x",
        ),
        bound(
            "16 callers in 16 scopes / the echo's calls/s",
            ratio("remember_qps_16", "echo_qps_16"),
            least=0.35,
            unit="x",
        ),
        bound("import with vectors", median("import_per_s"), least=10_000, unit="memories/s"),
        bound(
            "growth of the server's memory during an import",
            median("import_rss_growth_mb"),
            most=CONSTANT_MEMORY_MB,
            unit="MB",
        ),
        bound("recall from Postgres, p50", median("recall_sql_p50_ms"), most=25, unit="ms"),
        bound("`make run`, from nothing to answers", median("run_s"), most=60, unit="s"),
        bound("restart to the first answer", median("restart_s"), most=2, unit="s"),
    ]


def main() -> None:
    given = _arguments()
    # Else the servers would go on when this process is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    options = Options.quick(given.model) if given.quick else Options(model=given.model)
    if given.against:
        options = options if given.quick else replace(options, repeats=COMPARED_REPEATS)
        with trees_with(given.against) as trees:
            comparison = compare(trees, given.only or COMPARED, options)
        comparison.tell(given.against, as_json=given.json)
        return
    figures: dict[str, Figure] = {}
    skipped: dict[str, str] = {}
    for name in _wanted(given.only, quick=given.quick):
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            figures |= PARTS[name](options)
        except startup.Skipped as reason:
            skipped[name] = str(reason)
    _tell(figures, skipped)
    if given.save:
        more = {"quick": given.quick, "skipped": skipped}
        report.save(RESULTS, figures, more)
    if given.json:
        print(json.dumps(report.medians(figures, KEYS)), flush=True)


def _wanted(only: list[str] | None, *, quick: bool) -> list[str]:
    """`remember` measures the echo, too; installing from nothing is not quick."""
    return only or [name for name in PARTS if name != "echo" and not (quick and name == "run")]


def _tell(figures: Mapping[str, Figure], skipped: Mapping[str, str]) -> None:
    report.print_table("Foundation", verdicts(figures))
    for name, figure in figures.items():
        print(f"{name:28} median {figure.median:10.3f}   least {figure.least:10.3f}")
    for name, reason in skipped.items():
        print(f"skipped {name}: {reason}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.foundation", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that measures nothing well"
    )
    parser.add_argument("--only", action="append", choices=PARTS, help="this part; may be repeated")
    parser.add_argument("--model", type=Path, help="recall with the ONNX model of this directory")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    parser.add_argument(
        "--against",
        metavar="DIR-OR-COMMIT",
        help="compare with this other checkout or commit, in rounds that take turns; nothing is saved",
    )
    given = parser.parse_args()
    if given.against and not set(given.only or ()) <= set(COMPARED):
        parser.error(f"--against compares {', '.join(COMPARED)}")
    return given


if __name__ == "__main__":
    main()
