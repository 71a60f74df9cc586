"""Collections whose answers are known, asked of a real server: `python -m bench.quality.suites` (see
docs/quality.md)."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from camillo_server.models.embedding.providers import choose_embedder

from bench.measure.client import connected
from bench.measure.command import Benchmark, add_model, parse, print_json, say
from bench.measure.servers import app_server, embedding_by, temporary_directory
from bench.quality.measures import flat
from bench.quality.suites.results import SuiteRun, named, print_runs, save, worst_against_arms
from bench.quality.suites.running import run
from bench.quality.suites.suites import QUICK_CASES, SUITES

BENCHMARK = Benchmark("quality", __doc__, parts=[*SUITES])
WITH_EVENTS = [name for name, suite in SUITES.items() if suite.has_events]


def measure(
    names: Sequence[str],
    model: Path | None,
    cases: int | None = None,
    seed: int = 1,
    *,
    as_events: bool = False,
) -> list[SuiteRun]:
    """These suites, all asked of one server."""
    embedding = embedding_by(model)
    name_of_embedder = model.name if model else "lexical"
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:

        async def ask() -> list[SuiteRun]:
            runs = []
            embedder = choose_embedder(embedding.settings()).embedder
            async with connected(app.port, app.secret) as client:
                for name in names:
                    say(name)
                    suite = SUITES[name]
                    count = cases or suite.cases
                    figures = await run(client, suite, embedder, count, seed, is_timed=True, as_events=as_events)
                    run_ = SuiteRun(name, name_of_embedder, count, seed, figures, as_events)
                    runs.append(run_)
            await embedder.close()
            return runs

        return asyncio.run(ask())


def main() -> None:
    parser = BENCHMARK.parser(save_help=": these suites in it")
    parser.prog = "python -m bench.quality.suites"
    add_model(parser)
    parser.add_argument("--cases", type=int, help="of each suite")
    parser.add_argument("--seed", type=int, default=1, help="of the cases; tune on another than 1")
    parser.add_argument(
        "--as",
        dest="kept_as",
        choices=["memories", "events"],
        default="memories",
        help=f"how statements are kept; as events only {', '.join(WITH_EVENTS)}",
    )
    given = parse(parser)
    as_events = given.kept_as == "events"
    names = given.only or (WITH_EVENTS if as_events else [*SUITES])
    if as_events and (without := sorted({*names} - {*WITH_EVENTS})):
        parser.error(f"argument --as: {without[0]} cannot be kept as events")
    cases = QUICK_CASES if given.quick else given.cases
    runs = measure(names, given.model, cases, given.seed, as_events=as_events)
    print_runs(runs)
    if given.save:
        save(BENCHMARK.results, runs)
    if given.json:
        print_json(flat(named(runs)))
    worst = worst_against_arms(runs)
    # A quick run has too few questions to tell.
    sys.exit(bool(worst and not worst.met and not given.quick))


if __name__ == "__main__":
    main()
