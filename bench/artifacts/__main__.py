"""The goals of artifacts, measured: `python -m bench.artifacts --json` (see bench/README.md)."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.artifacts import offload, parts, streams, texts
from bench.artifacts.options import ArtifactOptions
from bench.measure import report
from bench.measure.report import Verdict, bound
from bench.measure.servers import ROOT, VECTORS_GIVEN, AppServer, app_server, temporary_directory
from bench.measure.timing import Figure

KEYS = (
    "upload_ratio",
    "download_ratio",
    "server_rss_mb",
    "client_rss_mb",
    "tail_p95_ms",
    "line_p95_ms",
    "range_p95_ms",
    "search_mb_s",
    "search_first_ms",
    "offload_1mib_p50_ms",
    "secret_tp",
    "secret_fp",
    "summary_hits",
    "tokens_left",
)
RESULTS = ROOT / "bench" / "results" / "artifacts.json"
# Each: what it is, and the most or the least that it may be.
MOST: Mapping[str, tuple[str, float, str]] = {
    "server_rss_mb": ("growth of the server while 1 GiB passes", 64, "MB"),
    "client_rss_mb": ("growth of the client while 1 GiB passes", 64, "MB"),
    "tail_p95_ms": ("last line of a log of 1 GiB, first message, p95", 10, "ms"),
    "line_p95_ms": ("its line 5,000,000", 10, "ms"),
    "range_p95_ms": ("a byte range in its middle", 10, "ms"),
    "offload_1mib_p50_ms": ("OffloadOutput of 1 MiB, p50", 40, "ms"),
    "secret_fp": ("what is no secret, flagged", 0.08, ""),
    "tokens_left": ("tokens left in contexts", 0.35, ""),
}
LEAST: Mapping[str, tuple[str, float, str]] = {
    "upload_ratio": ("upload / a bare stream", 0.25, "x"),
    "download_ratio": ("download / a bare stream", 0.5, "x"),
    "search_mb_s": ("search for a literal", 200, "MB/s"),
    "secret_tp": ("secrets found", 0.9, ""),
    "summary_hits": ("summaries that name what failed", 1.0, ""),
}
Measure = Callable[[ArtifactOptions, AppServer], dict[str, Figure]]
PARTS: dict[str, Measure] = {
    "streams": streams.measure,
    "parts": parts.measure,
    "offload": offload.measure,
    "texts": texts.measure,
}


def verdicts(figures: Mapping[str, Figure]) -> list[Verdict]:
    """Every goal, with what was measured of it."""

    def median(name: str) -> float | None:
        return figures[name].median if name in figures else None

    least = [
        bound(what, median(name), least=limit, unit=unit)
        for name, (what, limit, unit) in LEAST.items()
    ]
    most = [
        bound(what, median(name), most=limit, unit=unit)
        for name, (what, limit, unit) in MOST.items()
    ]
    return [*least, *most]


def main() -> None:
    given = _arguments()
    # Else the server would go on when this process is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sources = (given.cases, given.trajectories)
    options = (
        ArtifactOptions.quick(*sources)
        if given.quick
        else ArtifactOptions(cases=given.cases, trajectories=given.trajectories)
    )
    figures: dict[str, Figure] = {}
    with temporary_directory() as directory, app_server(VECTORS_GIVEN, directory / "data") as app:
        for name in given.only or PARTS:
            print(f"{name} ...", file=sys.stderr, flush=True)
            figures |= PARTS[name](options, app)
    report.print_table("Artifacts", verdicts(figures))
    for name, figure in figures.items():
        print(f"{name:24} median {figure.median:10.3f}   least {figure.least:10.3f}")
    if given.save:
        report.save(RESULTS, figures, {"quick": given.quick})
    if given.json:
        print(json.dumps(report.medians(figures, KEYS)), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.artifacts", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that measures nothing well"
    )
    parser.add_argument("--only", action="append", choices=PARTS, help="this part; may be repeated")
    parser.add_argument("--cases", type=Path, help="a file of texts with and without secrets")
    parser.add_argument("--trajectories", type=Path, help="a directory of agents' runs")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    return parser.parse_args()


if __name__ == "__main__":
    main()
