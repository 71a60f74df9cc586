"""Collections whose answers are known, asked of a real server: `python -m bench.quality.suites` (see docs/quality.md)."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.measure import report
from bench.measure.client import connected
from bench.measure.command import Benchmark, add_model, parse, print_json, say
from bench.measure.servers import app_server, embedding_by, temporary_directory
from bench.measure.timing import Figure
from bench.quality.measures import Estimate, Estimates, flat
from bench.quality.suites.running import run
from bench.quality.suites.suites import QUICK_CASES, SUITES

BENCHMARK = Benchmark("quality.suites", __doc__, parts=[*SUITES])
RESULTS = BENCHMARK.results.with_name("quality.json")


def measure(names: Sequence[str], model: Path | None, cases: int | None) -> Estimates:
    """The figures of these suites by `suite.variant.figure`, all from one server."""
    embedding = embedding_by(model)
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:

        async def ask() -> Estimates:
            found: Estimates = {}
            async with connected(app.port, app.secret) as client:
                for name in names:
                    say(name)
                    figures = await run(client, SUITES[name], cases or SUITES[name].cases)
                    found |= {f"{name}.{figure}": each for figure, each in figures.items()}
            return found

        return asyncio.run(ask())


def save(estimates: Estimates, embedder: str, more: Mapping[str, Any]) -> None:
    """Into the file of results, beside what it has of other suites and embedders."""
    written: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    names = {name: f"{embedder}.{name}" for name in estimates}
    intervals = {**written.get("intervals", {})}
    intervals |= {names[name]: each.as_json() for name, each in estimates.items()}
    figures = {
        name: Figure(tuple(each["rounds"])) for name, each in written.get("figures", {}).items()
    }
    known = {name: each for name, each in estimates.items() if each.count}
    figures |= {names[name]: Figure((each.value,)) for name, each in known.items()}
    report.save(RESULTS, figures, {**more, "intervals": intervals})


def print_estimates(title: str, estimates: Mapping[str, Estimate]) -> None:
    """A row for each."""
    table = Table(title=title, title_justify="left")
    for heading in ("figure", "value (95 %)", "questions"):
        table.add_column(heading, justify="left" if heading == "figure" else "right")
    for name, each in estimates.items():
        table.add_row(name, str(each), str(each.count))
    Console(width=110).print(table)


def verdicts(names: Sequence[str], estimates: Estimates) -> list[report.Verdict]:
    """Of the goals of these suites."""
    figures = {name: Figure((each.value,)) for name, each in estimates.items() if each.count}
    return [
        replace(goal, figure=f"{name}.{goal.figure}").verdict(figures)
        for name in names
        for goal in SUITES[name].goals
    ]


def main() -> None:
    parser = BENCHMARK.parser()
    add_model(parser)
    parser.add_argument("--cases", type=int, help="of each suite")
    given = parse(parser)
    names = given.only or [*SUITES]
    cases = QUICK_CASES if given.quick else given.cases
    estimates = measure(names, given.model, cases)
    embedder = given.model.name if given.model else "lexical"
    print_estimates(f"Suites, {embedder}", estimates)
    report.print_table(f"Suites, {embedder}", verdicts(names, estimates))
    if given.save:
        save(estimates, embedder, {"quick": given.quick})
    if given.json:
        print_json(flat(estimates))


if __name__ == "__main__":
    main()
