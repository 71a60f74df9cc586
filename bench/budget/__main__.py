"""Measures the server's processor time for each call: `python -m bench.budget --json` (see bench/README.md)."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from camillo_server.across.admin.profiler import py_spy

from bench.against.comparison import HERE, Comparison, Trees, both_servers, print_comparison
from bench.budget import loads
from bench.budget.calls import NAMES
from bench.budget.loads import LOAD
from bench.budget.rounds import BudgetOptions, measure
from bench.budget.sections import SECTION_NAMES
from bench.measure.command import Benchmark, add_against, add_model, parse, say
from bench.measure.report import Goal
from bench.measure.servers import ROOT
from bench.measure.timing import Figures

BUDGET = Benchmark(
    "budget",
    __doc__,
    keys=(
        "echo_cpu_ms",
        *(f"{name}_{figure}" for name in NAMES for figure in ("cpu_ms", "over_echo")),
    ),
    goals=(
        Goal("warm recall by vector, without FAISS", "recall_vector_over_echo", most=1.8, unit="x"),
        Goal("recall by a repeated text", "recall_repeat_over_echo", most=2, unit="x"),
        Goal("Remember, p50 of one caller", "remember_p50_over_echo", most=2.2, unit="x"),
        Goal("Remember, 16 callers", "remember_qps_16_of_echo", least=0.45, unit="of an echo's"),
        Goal("RecordEvent, p50 of one caller", "record_event_p50_over_echo", most=3, unit="x"),
    ),
    parts=(*NAMES, *SECTION_NAMES, LOAD),
)


def compare(trees: Trees, names: Sequence[str], options: BudgetOptions) -> Comparison:
    with both_servers(trees, options.embedding) as pair:
        return asyncio.run(measure(pair, names, options))


def main() -> None:
    parser = BUDGET.parser()
    parser.add_argument("--rounds", type=int, help="how often each call is measured")
    parser.add_argument("--stacks", type=Path, metavar="DIR", help="keep the sampled stacks and flame graphs there")
    add_model(parser)
    add_against(parser)
    given = parse(parser)
    options = BudgetOptions.quick() if given.quick else BudgetOptions()
    options = replace(options, model=given.model, stacks=given.stacks)
    if given.rounds:
        options = replace(options, rounds=given.rounds)
    if given.stacks:
        given.stacks.mkdir(parents=True, exist_ok=True)
    if py_spy() is None:
        say("py-spy is not installed (extra `bench`): no parts of a call are measured")
    names = [name for name in given.only or NAMES if name != LOAD]
    if given.against:
        print_comparison(given, lambda trees: compare(trees, names, options))
        return
    figures: Figures = {}
    if names:
        figures |= compare({HERE: ROOT}, names, options).figures(HERE)
    if LOAD in (given.only or [LOAD]):
        say("loads by phase")
        figures |= asyncio.run(loads.measure(options.loaded_memories, options.rounds))
    BUDGET.finish(given, figures, {"model": bool(given.model), "callers": options.callers})


if __name__ == "__main__":
    main()
