"""Prints the outcomes of a run for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from clients.conformance.suite import Outcome


def print_table(console: Console, outcomes: Sequence[Outcome]) -> None:
    """A row for each scenario, a column for each language; what failed with its first difference below."""
    languages = list(dict.fromkeys(outcome.language for outcome in outcomes))
    cells = {(each.scenario, each.language): each for each in outcomes}
    table = Table("scenario", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in languages:
        table.add_column(name, justify="right")
    for scenario in dict.fromkeys(outcome.scenario for outcome in outcomes):
        table.add_row(scenario, *(_cell(cells.get((scenario, name))) for name in languages))
    table.add_section()
    table.add_row("[bold]passed[/bold]", *(_passed(outcomes, name) for name in languages))
    table.add_row("[bold]seconds[/bold]", *(f"{_seconds(outcomes, name):.1f}" for name in languages))
    console.print(table)
    for line in _differences(outcomes):
        # As it is: it may hold brackets.
        console.print(line, markup=False, highlight=False)


def _cell(outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    return f"[red]FAILED {outcome.seconds:.1f}[/red]" if outcome.difference else f"{outcome.seconds:.1f}"


def passed(outcomes: Sequence[Outcome], language: str) -> str:
    """How many came as expected in a language, and how long all of them took."""
    return f"{_passed(outcomes, language)} in {_seconds(outcomes, language):.0f} s"


def _passed(outcomes: Sequence[Outcome], language: str) -> str:
    own = [outcome for outcome in outcomes if outcome.language == language]
    return f"{sum(not outcome.difference for outcome in own)}/{len(own)}"


def _seconds(outcomes: Sequence[Outcome], language: str) -> float:
    return sum(outcome.seconds for outcome in outcomes if outcome.language == language)


def _differences(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Each difference of a language once: a runner that does not start fails in the same way everywhere."""
    scenarios: dict[tuple[str, str], list[str]] = {}
    for outcome in outcomes:
        if outcome.difference:
            scenarios.setdefault((outcome.language, outcome.difference), []).append(outcome.scenario)
    for (language, difference), names in scenarios.items():
        others = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
        yield f"{language}, {names[0]}{others}: {difference}"
