"""The goals of artifacts, measured: `python -m bench.artifacts --json` (see bench/README.md)."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bench.artifacts import chunks, parts, streams, texts
from bench.artifacts.calls import ArtifactOptions
from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.servers import VECTORS_GIVEN, AppServer, app_server, temporary_directory
from bench.measure.timing import Figures

PARTS: dict[str, Callable[[ArtifactOptions, AppServer], Figures]] = {
    "streams": streams.measure,
    "parts": parts.measure,
    "offload": parts.measure_offload,
    "chunks": chunks.measure,
    "texts": texts.measure,
}
ARTIFACTS = Benchmark(
    "artifacts",
    __doc__,
    keys=(
        "upload_ratio",
        "download_ratio",
        "download_zstd_ratio",
        "upload_limit_ratio",
        "upload_searched_limit_ratio",
        "download_limit_ratio",
        "download_zstd_limit_ratio",
        "disk_ratio",
        "server_rss_mb",
        "client_rss_mb",
        "tail_p95_ms",
        "line_p95_ms",
        "range_p95_ms",
        "search_mb_s",
        "search_first_ms",
        "offload_1mib_p50_ms",
        "offload_1mib_chunk_overhead",
        "offload_16kib_chunk_overhead",
        "secret_tp",
        "secret_fp",
        "summary_hits",
        "tokens_left",
    ),
    goals=(
        Goal("upload / a bare stream", "upload_ratio", least=0.35, unit="x"),
        Goal("download / a bare stream", "download_ratio", least=0.6, unit="x"),
        Goal("the same by parts as stored", "download_zstd_ratio", least=0.85, unit="x"),
        Goal("search for a literal", "search_mb_s", least=200, unit="MB/s"),
        Goal("secrets found", "secret_tp", least=0.9),
        Goal("summaries that name what failed", "summary_hits", least=1.0),
        Goal("growth of the server while 1 GiB passes", "server_rss_mb", most=64, unit="MB"),
        Goal("growth of the client while 1 GiB passes", "client_rss_mb", most=64, unit="MB"),
        Goal("last line of a log of 1 GiB, first message, p95", "tail_p95_ms", most=10, unit="ms"),
        Goal("its line 5,000,000", "line_p95_ms", most=10, unit="ms"),
        Goal("a byte range in its middle", "range_p95_ms", most=10, unit="ms"),
        Goal("OffloadOutput of 1 MiB, p50", "offload_1mib_p50_ms", most=20, unit="ms"),
        Goal("the chunk of 1 MiB", "offload_1mib_chunk_overhead", most=10, unit="%"),
        Goal("the chunk of 16 KiB", "offload_16kib_chunk_overhead", most=10, unit="%"),
        Goal("what is no secret, flagged", "secret_fp", most=0.08),
        Goal("tokens left in contexts", "tokens_left", most=0.35),
    ),
    parts=PARTS,
)


def main() -> None:
    parser = ARTIFACTS.parser()
    parser.add_argument("--cases", type=Path, help="a file of texts with and without secrets")
    parser.add_argument("--trajectories", type=Path, help="a directory of agents' runs")
    given = parse(parser)
    options = replace(
        ArtifactOptions.quick() if given.quick else ArtifactOptions(),
        cases=given.cases,
        trajectories=given.trajectories,
    )
    figures: Figures = {}
    with temporary_directory() as directory, app_server(VECTORS_GIVEN, directory / "data") as app:
        for name in given.only or PARTS:
            say(name)
            figures |= PARTS[name](options, app)
    ARTIFACTS.finish(given, figures)


if __name__ == "__main__":
    main()
