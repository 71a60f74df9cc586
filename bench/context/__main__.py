"""The goals of events and context bundles, measured: `python -m bench.context --json` (see bench/README.md)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bench.context import budgets, events, retrieval
from bench.context.calls import ContextOptions
from bench.measure.command import Benchmark, add_model, parse, say
from bench.measure.report import Goal
from bench.measure.servers import AppServer, app_server, embedding_by, temporary_directory
from bench.measure.timing import Figures

ON_ONE_SERVER: dict[str, Callable[[ContextOptions, AppServer], Figures]] = {
    "speed": events.measure_speed,
    "ingest": events.measure_ingest,
    "budgets": budgets.measure,
    "evidence": events.measure_evidence,
}
RETRIEVAL = "retrieval"
CONTEXT = Benchmark(
    "context",
    __doc__,
    keys=(
        "bundle_fast_p95_ms",
        "bundle_fast_echo_p95_ms",
        "bundle_retrieval_p95_ms",
        "recall_p95_ms",
        "echo_p95_ms",
        "bundle_cold_ms",
        "cold_echo_ms",
        "bundle_retrieval_16_p95_ms",
        "echo_16_p95_ms",
        "record_p50_ms",
        "ingest_per_s",
        "ingest_of_embedding",
        "over_budget",
        "evidence_4k_beam",
        "evidence_4k_locomo",
    ),
    goals=(
        Goal(
            "bundle without a query, p95 / an echo's",
            "bundle_fast_p95_ms",
            most=6,
            unit="x",
            over="bundle_fast_echo_p95_ms",
        ),
        Goal(
            "bundle with retrieval over 100,000 chunks, p95 / a recall's there",
            "bundle_retrieval_p95_ms",
            most=3,
            unit="x",
            over="recall_p95_ms",
        ),
        Goal(
            "first bundle of a new server over 100,000 chunks",
            "bundle_cold_ms",
            most=300,
            unit="ms",
        ),
        Goal(
            "16 bundles at once, p95 / one caller's",
            "bundle_retrieval_16_p95_ms",
            most=5,
            unit="x",
            over="bundle_retrieval_p95_ms",
        ),
        Goal("RecordEvent, p50", "record_p50_ms", most=5, unit="ms"),
        Goal("random bundles over their budget, counted exactly", "over_budget", most=0),
        Goal("whole chats recorded", "ingest_per_s", least=4_000, unit="events/s"),
        Goal(
            "embedding alone / recorded until all vectors are there",
            "ingest_of_embedding",
            least=0.7,
        ),
        Goal("evidence in bundles of 4,096 tokens, long messages", "evidence_4k_beam", least=0.60),
        Goal("evidence in bundles of 4,096 tokens, short turns", "evidence_4k_locomo", least=0.85),
    ),
    parts=[*ON_ONE_SERVER, RETRIEVAL],
)


def measure(options: ContextOptions, parts: Sequence[str]) -> Figures:
    """Measures these parts, one after the other; retrieval on servers of its own."""
    figures: Figures = {}
    with (
        temporary_directory() as directory,
        app_server(embedding_by(options.model), directory / "data") as app,
    ):
        for name in (name for name in parts if name in ON_ONE_SERVER):
            say(name)
            figures |= ON_ONE_SERVER[name](options, app)
    if RETRIEVAL in parts:
        say(RETRIEVAL)
        figures |= retrieval.measure(options)
    return figures


def main() -> None:
    parser = CONTEXT.parser()
    parser.add_argument("--chunks", type=int, help="of the large scope")
    add_model(parser)
    parser.add_argument("--beam", type=Path, help="a directory of chats with long messages")
    parser.add_argument("--locomo", type=Path, help="a directory of chats of short turns")
    parser.add_argument("--vocabulary", type=Path, help="cl100k_base.tiktoken, to count exactly")
    given = parse(parser)
    options = ContextOptions.quick() if given.quick else ContextOptions()
    options = replace(options, model=given.model, vocabulary=given.vocabulary)
    if not given.quick:
        options = replace(options, beam=given.beam, locomo=given.locomo)
    if given.chunks:
        options = replace(options, chunks=given.chunks)
    figures = measure(options, given.only or [*CONTEXT.parts])
    CONTEXT.finish(given, figures, {"model": bool(given.model)})


if __name__ == "__main__":
    main()
