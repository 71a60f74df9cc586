"""The goals of recall, measured: `python -m bench.recall --json` (see bench/README.md)."""

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bench.against.recall import compare
from bench.against.versions import trees_with
from bench.material.corpus import Corpus
from bench.measure import report
from bench.measure.repeats import COMPARED as COMPARED_REPEATS
from bench.measure.servers import ROOT
from bench.measure.timing import Figure
from bench.recall import cold, exactness, freshness, remember_text, warm
from bench.recall.goals import named, verdicts
from bench.recall.options import DEFAULT_SIZES, SIZES, RecallOptions
from bench.recall.stage import Stage, stage

KEYS = (
    "echo_p50_ms",
    "echo_qps_16",
    "recall_vector_p50_ms",
    "recall_vector_p95_ms",
    "recall_vector_qps_16",
    "recall_text_p50_ms",
    "recall_text_repeat_p50_ms",
    "bytes_per_memory",
    "load_ms",
)
# Of no size in particular.
OTHER_KEYS = ("replica_visible_p95_ms", "remember_text_p50_ms", "remember_text_ratio")
RESULTS = ROOT / "bench" / "results" / "recall.json"

Figures = dict[str, Figure]


def main() -> None:
    given = _arguments()
    # Else the servers would go on when this process is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    options = RecallOptions.quick(given.model) if given.quick else RecallOptions(model=given.model)
    if given.against:
        options = options if given.quick else replace(options, repeats=COMPARED_REPEATS)
        with trees_with(given.against) as trees:
            sizes = {size: SIZES[size] for size in given.sizes}
            comparison = compare(trees, sizes, options)
        comparison.tell(given.against, as_json=given.json)
        return
    figures: Figures = {}
    with stage(options) as set_stage:
        facts = {"embedding": set_stage.model_id, "has_cache": set_stage.has_cache}
        for size in given.sizes:
            figures |= {
                named(size, name): figure for name, figure in _measure(set_stage, size).items()
            }
        _say("writes")
        figures |= asyncio.run(freshness.measure(set_stage))
        figures |= asyncio.run(remember_text.measure(set_stage))
    _tell(figures, given.sizes, facts)
    if given.save:
        report.save(RESULTS, figures, {"quick": given.quick, "sizes": given.sizes, **facts})
    if given.json:
        print(json.dumps(by_size(figures, given.sizes) | facts), flush=True)


def by_size(figures: Mapping[str, Figure], sizes: list[str]) -> dict[str, object]:
    """Medians: an object for each size, null where nothing was measured, then what belongs to no size."""
    found: dict[str, object] = {}
    for size in sizes:
        prefix = named(size, "")
        own = {
            name.removeprefix(prefix): figure
            for name, figure in figures.items()
            if name.startswith(prefix)
        }
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
    _say(f"{size}: filling")
    filled = set_stage.fill(agent_id, corpus)
    _say(f"{size}: cold")
    figures = asyncio.run(cold.measure(set_stage, agent_id, corpus, filled))
    _say(f"{size}: warm")
    figures |= asyncio.run(warm.measure(set_stage, agent_id, corpus))
    _say(f"{size}: exactness")
    return figures | asyncio.run(exactness.measure(set_stage, agent_id, corpus))


def _say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


def _tell(figures: Mapping[str, Figure], sizes: list[str], facts: Mapping[str, object]) -> None:
    who = "from memory" if facts["has_cache"] else "by Postgres"
    report.print_table(f"Recall ({facts['embedding']}; answered {who})", verdicts(figures, sizes))
    for name, figure in figures.items():
        print(f"{name:36} median {figure.median:12.3f}   least {figure.least:12.3f}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.recall", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that measures nothing well"
    )
    parser.add_argument(
        "--sizes",
        type=_sizes,
        default=list(DEFAULT_SIZES),
        help=f"some of {','.join(SIZES)}; default {','.join(DEFAULT_SIZES)}",
    )
    parser.add_argument(
        "--model", type=Path, help="the ONNX model of this directory, else the lexical embedder"
    )
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    parser.add_argument(
        "--against",
        metavar="DIR-OR-COMMIT",
        help="compare with this other checkout or commit, in rounds that take turns; nothing is saved",
    )
    return parser.parse_args()


def _sizes(text: str) -> list[str]:
    sizes = text.split(",")
    if unknown := [size for size in sizes if size not in SIZES]:
        raise argparse.ArgumentTypeError(f"unknown size {unknown[0]!r}")
    return sizes


if __name__ == "__main__":
    main()
