"""The goals of recall, measured: `python -m bench.recall --json` (see bench/README.md)."""

import argparse
import asyncio
from collections.abc import Mapping
from dataclasses import replace

from bench.against.comparison import print_comparison
from bench.against.recall import compare
from bench.material.corpus import Corpus
from bench.measure import report
from bench.measure.command import Benchmark, add_against, add_model, parse, print_json, say
from bench.measure.timing import COMPARED, Figure, Figures
from bench.recall import cold, exactness, warm, writes
from bench.recall.goals import named, verdicts
from bench.recall.stage import RecallOptions, Stage, stage

SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000, "1M": 1_000_000}
DEFAULT_SIZES = ("1k", "10k", "100k")
KEYS = (
    "echo_p50_ms",
    "echo_qps_16",
    "recall_vector_p50_ms",
    "recall_vector_p95_ms",
    "recall_vector_qps_16",
    "recall_text_p50_ms",
    "recall_text_repeat_p50_ms",
    "bytes_per_memory",
    "rss_over_counted",
    "load_ms",
)
# Figures that belong to no size in particular.
OTHER_KEYS = ("replica_visible_p95_ms", "remember_text_p50_ms", "remember_text_ratio")
RECALL = Benchmark("recall", __doc__)


def main() -> None:
    given = _arguments()
    options = replace(RecallOptions.quick() if given.quick else RecallOptions(), model=given.model)
    if given.against:
        options = options if given.quick else replace(options, repeats=COMPARED)
        sizes = {size: SIZES[size] for size in given.sizes}
        print_comparison(given, lambda trees: compare(trees, sizes, options))
        return
    figures: Figures = {}
    with stage(options) as set_stage:
        facts = {"embedding": set_stage.model_id, "has_cache": set_stage.has_cache}
        for size in given.sizes:
            found = _measure(set_stage, size)
            figures |= {named(size, name): figure for name, figure in found.items()}
        say("writes")
        figures |= asyncio.run(writes.measure_freshness(set_stage))
        figures |= asyncio.run(writes.measure_remember_text(set_stage))
    who = "from memory" if facts["has_cache"] else "by Postgres"
    title = f"Recall ({facts['embedding']}; answered {who})"
    report.print_table(title, verdicts(figures, given.sizes))
    report.print_figures(figures)
    if given.save:
        more = {"quick": given.quick, "sizes": given.sizes, **facts}
        report.save(RECALL.results, figures, more)
    if given.json:
        print_json(by_size(figures, given.sizes) | facts)


def by_size(figures: Mapping[str, Figure], sizes: list[str]) -> dict[str, object]:
    """Medians: an object for each size, null where nothing was measured, then what belongs to no size."""
    found: dict[str, object] = {}
    for size in sizes:
        prefix = named(size, "")
        own = {name.removeprefix(prefix): figure for name, figure in figures.items() if name.startswith(prefix)}
        found[size] = report.medians(own, KEYS) | {"answered_by": _answered_by(own)}
    others = {name: figure for name, figure in figures.items() if "." not in name}
    return found | dict(report.medians(others, OTHER_KEYS))


def _answered_by(figures: Mapping[str, Figure]) -> str | None:
    """`CACHE`, `POSTGRES`, or `BOTH`; None where nothing was asked."""
    if "cache_share" not in figures:
        return None
    share = figures["cache_share"].median
    return "CACHE" if share == 1 else "BOTH" if share else "POSTGRES"


def _measure(set_stage: Stage, size: str) -> Figures:
    """A scope of this size, cold in another server, then in use in this one."""
    words = set_stage.options.known_words
    corpus, agent_id = Corpus(SIZES[size], known_words=words), f"scope-{size}"
    say(f"{size}: filling")
    filled = set_stage.fill(agent_id, corpus)
    say(f"{size}: cold")
    figures = asyncio.run(cold.measure(set_stage, agent_id, corpus, filled))
    say(f"{size}: warm")
    figures |= asyncio.run(warm.measure(set_stage, agent_id, corpus))
    say(f"{size}: exactness")
    return figures | asyncio.run(exactness.measure(set_stage, agent_id, corpus))


def _arguments() -> argparse.Namespace:
    parser = RECALL.parser()
    sizes = f"some of {','.join(SIZES)}; default {','.join(DEFAULT_SIZES)}"
    parser.add_argument("--sizes", type=_sizes, default=list(DEFAULT_SIZES), help=sizes)
    add_model(parser)
    add_against(parser)
    return parse(parser)


def _sizes(text: str) -> list[str]:
    sizes = text.split(",")
    if unknown := [size for size in sizes if size not in SIZES]:
        raise argparse.ArgumentTypeError(f"unknown size {unknown[0]!r}")
    return sizes


if __name__ == "__main__":
    main()
