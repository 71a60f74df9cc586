"""The goals of lifecycle and forgetting, measured: `python -m bench.lifecycle --json` (see bench/README.md)."""

from collections.abc import Callable
from dataclasses import replace

from bench.lifecycle import forgetting, kills, maintenance
from bench.lifecycle.options import LifecycleOptions
from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.timing import Figures

PARTS: dict[str, Callable[[LifecycleOptions], Figures]] = {
    "maintenance": maintenance.measure,
    "forgetting": forgetting.measure,
    "repeats": forgetting.measure_repeats,
    "kills": kills.measure,
}
LIFECYCLE = Benchmark(
    "lifecycle",
    __doc__,
    keys=(
        "maintain_10k_s",
        "maintain_1m_s",
        "maintain_recall_ratio",
        "forget_1000_ms",
        "forget_replica_p95_ms",
        "kill_lost",
        "kill_doubled",
        "dedupe_rows",
    ),
    goals=(
        Goal("maintenance of 10,000 memories, a tenth archived", "maintain_10k_s", most=1, unit="s"),
        Goal("maintenance of 1,000,000 memories in 100 scopes", "maintain_1m_s", most=60, unit="s"),
        Goal("recall beside it, p95 / idle p95", "maintain_recall_ratio", most=2, unit="x"),
        Goal("a memory with 1,000 that rest on it forgotten", "forget_1000_ms", most=200, unit="ms"),
        Goal("gone from another server's recall, p95", "forget_replica_p95_ms", most=50, unit="ms"),
        Goal("acknowledged writes lost after 30 SIGKILLs", "kill_lost", most=0),
        Goal("acknowledged writes done twice after 30 SIGKILLs", "kill_doubled", most=0),
        Goal("invariants that do not hold after 30 SIGKILLs", "kill_violations", most=0),
        Goal("rows of 500 texts that 32 writers stated at once", "dedupe_rows", most=500, unit="rows"),
    ),
    parts=PARTS,
)


def main() -> None:
    parser = LIFECYCLE.parser()
    parser.add_argument("--scopes", type=int, help="of 10,000 memories, for maintain_1m_s")
    parser.add_argument("--rows", type=int, help="of a scope, instead of 10,000")
    parser.add_argument("--rounds", type=int, help="of a pass over one scope")
    parser.add_argument("--kills", type=int, help="of a server that writes")
    given = parse(parser)
    options = LifecycleOptions.quick() if given.quick else LifecycleOptions()
    if given.scopes:
        options = replace(options, scopes=given.scopes)
    if given.rows:
        options = replace(options, scope_rows=given.rows)
    if given.rounds:
        options = replace(options, rounds=given.rounds)
    if given.kills:
        options = replace(options, kills=given.kills)
    figures: Figures = {}
    for name in given.only or PARTS:
        say(name)
        figures |= PARTS[name](options)
    LIFECYCLE.finish(given, figures)


if __name__ == "__main__":
    main()
