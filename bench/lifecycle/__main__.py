"""The goals of lifecycle and forgetting, measured: `python -m bench.lifecycle --json` (see bench/README.md)."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

from bench.lifecycle import forgetting, kills, maintenance, repeats
from bench.lifecycle.options import LifecycleOptions
from bench.measure import report
from bench.measure.report import Verdict, bound
from bench.measure.servers import ROOT
from bench.measure.timing import Figure

KEYS = (
    "maintain_10k_s",
    "maintain_1m_s",
    "maintain_recall_ratio",
    "forget_1000_ms",
    "forget_replica_p95_ms",
    "kill_lost",
    "kill_doubled",
    "dedupe_rows",
)
RESULTS = ROOT / "bench" / "results" / "lifecycle.json"
# Each: what it is, and the most that it may be.
MOST: Mapping[str, tuple[str, float, str]] = {
    "maintain_10k_s": ("maintenance of 10,000 memories, a tenth put away", 1, "s"),
    "maintain_1m_s": ("maintenance of 1,000,000 memories in 100 scopes", 60, "s"),
    "maintain_recall_ratio": ("recall beside it, p95 / idle p95", 2, "x"),
    "forget_1000_ms": ("a memory with 1,000 that rest on it forgotten", 200, "ms"),
    "forget_replica_p95_ms": ("gone from another server's recall, p95", 50, "ms"),
    "kill_lost": ("acknowledged writes lost after 30 SIGKILLs", 0, ""),
    "kill_doubled": ("acknowledged writes done twice after 30 SIGKILLs", 0, ""),
    "kill_violations": ("invariants that do not hold after 30 SIGKILLs", 0, ""),
    "dedupe_rows": ("rows of 500 texts that 32 writers stated at once", 500, "rows"),
}
Measure = Callable[[LifecycleOptions], dict[str, Figure]]
PARTS: dict[str, Measure] = {
    "maintenance": maintenance.measure,
    "forgetting": forgetting.measure,
    "repeats": repeats.measure,
    "kills": kills.measure,
}


def verdicts(figures: Mapping[str, Figure]) -> list[Verdict]:
    """Every goal, with what was measured of it."""
    return [
        bound(what, figures[name].median if name in figures else None, most=limit, unit=unit)
        for name, (what, limit, unit) in MOST.items()
    ]


def measure(options: LifecycleOptions, parts: list[str]) -> dict[str, Figure]:
    """Those parts, one after the other, each on servers of its own."""
    figures: dict[str, Figure] = {}
    for name in parts:
        print(f"{name} ...", file=sys.stderr, flush=True)
        figures |= PARTS[name](options)
    return figures


def main() -> None:
    given = _arguments()
    # Else the server would go on when this process is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    options = LifecycleOptions.quick() if given.quick else LifecycleOptions()
    if given.scopes:
        options = replace(options, scopes=given.scopes)
    if given.kills:
        options = replace(options, kills=given.kills)
    figures = measure(options, given.only or [*PARTS])
    report.print_table("Lifecycle", verdicts(figures))
    for name, figure in figures.items():
        print(f"{name:26} median {figure.median:10.3f}   least {figure.least:10.3f}")
    if given.save:
        report.save(RESULTS, figures, {"quick": given.quick})
    if given.json:
        print(json.dumps(report.medians(figures, KEYS)), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.lifecycle", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that measures nothing well"
    )
    parser.add_argument(
        "--only", action="append", choices=[*PARTS], help="this part; may be repeated"
    )
    parser.add_argument("--scopes", type=int, help="of 10,000 memories, for maintain_1m_s")
    parser.add_argument("--kills", type=int, help="of a server that writes")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    return parser.parse_args()


if __name__ == "__main__":
    main()
