"""The goals of the foundation, measured: `python -m bench.foundation --json` (see bench/README.md)."""

from collections.abc import Callable
from dataclasses import replace

from bench.against.comparison import print_comparison
from bench.against.foundation import PARTS as COMPARED_PARTS
from bench.against.foundation import compare
from bench.foundation import calls, postgres_recall, startup
from bench.foundation.calls import Options
from bench.measure.command import Benchmark, add_against, add_model, parse, say
from bench.measure.report import Goal
from bench.measure.timing import COMPARED, Figures

# The server's memory may grow by so much while a stream goes on and count as constant.
CONSTANT_MEMORY_MB = 32.0
PARTS: dict[str, Callable[[Options], Figures]] = {
    "echo": calls.measure_echo,
    "remember": calls.measure_remember,
    "import": calls.measure_imports,
    "recall": postgres_recall.measure,
    "restart": startup.measure_restart,
    "run": startup.measure_run,
}
FOUNDATION = Benchmark(
    "foundation",
    __doc__,
    keys=(
        "bare_echo_p50_ms",
        "echo_p50_ms",
        "echo_qps_16",
        "remember_p50_ms",
        "remember_qps_16",
        "import_per_s",
        "import_over_echo",
        "recall_sql_p50_ms",
        "run_s",
        "restart_s",
    ),
    goals=(
        Goal(
            "echo through the server / bare echo, p50",
            "echo_p50_ms",
            over="bare_echo_p50_ms",
            most=1.25,
            unit="x",
        ),
        Goal(
            "durable Remember / that echo, p50",
            "remember_p50_ms",
            over="echo_p50_ms",
            most=2.5,
            unit="x",
        ),
        Goal(
            "16 callers in 16 scopes / the echo's calls/s",
            "remember_qps_16",
            over="echo_qps_16",
            least=0.35,
            unit="x",
        ),
        Goal("import with vectors", "import_per_s", least=10_000, unit="memories/s"),
        Goal(
            "growth of the server's memory during an import",
            "import_rss_growth_mb",
            most=CONSTANT_MEMORY_MB,
            unit="MB",
        ),
        Goal("recall from Postgres, p50", "recall_sql_p50_ms", most=25, unit="ms"),
        Goal("`make run`, from nothing to answers", "run_s", most=60, unit="s"),
        Goal("restart to the first answer", "restart_s", most=2, unit="s"),
    ),
    parts=PARTS,
)


def main() -> None:
    parser = FOUNDATION.parser()
    add_model(parser)
    add_against(parser)
    given = parse(parser)
    options = replace(Options.quick() if given.quick else Options(), model=given.model)
    if given.against:
        wanted = given.only or COMPARED_PARTS
        if not set(wanted) <= set(COMPARED_PARTS):
            parser.error(f"--against compares {', '.join(COMPARED_PARTS)}")
        options = options if given.quick else replace(options, repeats=COMPARED)
        print_comparison(given, lambda trees: compare(trees, wanted, options))
        return
    figures: Figures = {}
    skipped: dict[str, str] = {}
    for name in _wanted(given.only, quick=given.quick):
        say(name)
        try:
            figures |= PARTS[name](options)
        except startup.Skipped as reason:
            skipped[name] = str(reason)
    for name, cause in skipped.items():
        print(f"skipped {name}: {cause}")
    FOUNDATION.finish(given, figures, {"skipped": skipped})


def _wanted(only: list[str] | None, *, quick: bool) -> list[str]:
    """`remember` measures the echo, too; installing from nothing is not quick."""
    return only or [name for name in PARTS if name != "echo" and not (quick and name == "run")]


if __name__ == "__main__":
    main()
