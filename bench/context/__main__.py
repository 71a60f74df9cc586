"""The goals of events and context bundles, measured: `python -m bench.context --json` (see bench/README.md)."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from bench.context import budgets, evidence, ingest, retrieval, speed
from bench.context.options import ContextOptions
from bench.measure import report
from bench.measure.report import Verdict, bound
from bench.measure.servers import ROOT, AppServer, Embedding, app_server, temporary_directory
from bench.measure.timing import Figure

KEYS = (
    "bundle_fast_p95_ms",
    "bundle_retrieval_p95_ms",
    "bundle_cold_ms",
    "bundle_16_p95_ms",
    "bundle_16_ratio",
    "record_p50_ms",
    "ingest_per_s",
    "over_budget",
    "evidence_4k_beam",
    "evidence_4k_locomo",
)
RESULTS = ROOT / "bench" / "results" / "context.json"
# Each: what it is, and the most or the least that it may be.
MOST: Mapping[str, tuple[str, float, str]] = {
    "bundle_fast_p95_ms": ("bundle without retrieval, warm, p95", 15, "ms"),
    "bundle_retrieval_p95_ms": ("bundle over 100,000 chunks, p95", 50, "ms"),
    "bundle_cold_ms": ("first bundle of a new server over 100,000 chunks", 300, "ms"),
    "bundle_16_ratio": ("16 callers at once, p95 / one caller's", 4, "x"),
    "record_p50_ms": ("RecordEvent, p50", 5, "ms"),
    "over_budget": ("random bundles over their budget, counted exactly", 0, ""),
}
LEAST: Mapping[str, tuple[str, float, str]] = {
    "ingest_per_s": ("whole chats recorded", 1_500, "events/s"),
    "evidence_4k_beam": ("evidence in bundles of 4,096 tokens, long messages", 0.60, ""),
    "evidence_4k_locomo": ("evidence in bundles of 4,096 tokens, short turns", 0.85, ""),
}
Measure = Callable[[ContextOptions, AppServer], dict[str, Figure]]
ON_ONE_SERVER: dict[str, Measure] = {
    "speed": speed.measure,
    "ingest": ingest.measure,
    "budgets": budgets.measure,
    "evidence": evidence.measure,
}
RETRIEVAL = "retrieval"


def verdicts(figures: Mapping[str, Figure]) -> list[Verdict]:
    """Every goal, with what was measured of it."""

    def median(name: str) -> float | None:
        return figures[name].median if name in figures else None

    most = [
        bound(what, median(name), most=limit, unit=u) for name, (what, limit, u) in MOST.items()
    ]
    least = [
        bound(what, median(name), least=limit, unit=u) for name, (what, limit, u) in LEAST.items()
    ]
    return [*most, *least]


def measure(options: ContextOptions, parts: list[str]) -> dict[str, Figure]:
    """Those parts, one after the other; retrieval on servers of its own."""
    embedding = Embedding("onnx", model=options.model) if options.model else Embedding("lexical")
    figures: dict[str, Figure] = {}
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:
        for name in (name for name in parts if name in ON_ONE_SERVER):
            print(f"{name} ...", file=sys.stderr, flush=True)
            figures |= ON_ONE_SERVER[name](options, app)
    if RETRIEVAL in parts:
        print(f"{RETRIEVAL} ...", file=sys.stderr, flush=True)
        figures |= retrieval.measure(options, embedding)
    return figures


def main() -> None:
    given = _arguments()
    # Else the server would go on when this process is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    options = (
        ContextOptions.quick(given.model, given.vocabulary)
        if given.quick
        else ContextOptions(
            model=given.model,
            beam=given.beam,
            locomo=given.locomo,
            vocabulary=given.vocabulary,
        )
    )
    if given.chunks:
        options = replace(options, chunks=given.chunks)
    figures = measure(options, given.only or [*ON_ONE_SERVER, RETRIEVAL])
    report.print_table("Context", verdicts(figures))
    for name, figure in figures.items():
        print(f"{name:26} median {figure.median:10.3f}   least {figure.least:10.3f}")
    if given.save:
        report.save(RESULTS, figures, {"quick": given.quick, "model": bool(given.model)})
    if given.json:
        print(json.dumps(report.medians(figures, KEYS)), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.context", description=__doc__)
    parts = [*ON_ONE_SERVER, RETRIEVAL]
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that measures nothing well"
    )
    parser.add_argument("--only", action="append", choices=parts, help="this part; may be repeated")
    parser.add_argument("--chunks", type=int, help="of the large scope")
    parser.add_argument("--model", type=Path, help="a directory with an ONNX model")
    parser.add_argument("--beam", type=Path, help="a directory of chats with long messages")
    parser.add_argument("--locomo", type=Path, help="a directory of chats of short turns")
    parser.add_argument("--vocabulary", type=Path, help="cl100k_base.tiktoken, to count exactly")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    return parser.parse_args()


if __name__ == "__main__":
    main()
