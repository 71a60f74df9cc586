"""Rounds in which the programs of all languages take turns."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.clients.options import ClientOptions
from bench.clients.order import NotComparable, Order, Round, round_of
from bench.measure.timing import Figure, taking_turns
from clients.conformance.runners import Recipe, Runner, RunnerFailed, build

PATIENCE_SECONDS = 600.0


@dataclass(slots=True)
class Outcome:
    """What was measured, and why a language was not."""

    rounds: dict[str, list[Round]] = field(default_factory=dict)
    unavailable: dict[str, str] = field(default_factory=dict)

    def figures(self) -> dict[str, Figure]:
        """Of each language its overhead, and what that is of."""
        figures: dict[str, Figure] = {}
        for language, rounds in self.rounds.items():
            figures[f"{language}_overhead"] = Figure(tuple(each.overhead for each in rounds))
            figures[f"{language}_added_ms"] = Figure(tuple(each.added_ms for each in rounds))
            figures[f"{language}_bare_p50_ms"] = Figure(tuple(each.bare_ms for each in rounds))
            figures[f"{language}_facade_p50_ms"] = Figure(tuple(each.facade_ms for each in rounds))
        return figures


async def built(recipes: Sequence[Recipe], logs: Path) -> tuple[dict[str, Recipe], Outcome]:
    """The programs that can be started, by language; why the others cannot is in the outcome."""
    ready: dict[str, Recipe] = {}
    outcome = Outcome()
    for recipe in recipes:
        print(f"building {recipe.language} ...", file=sys.stderr, flush=True)
        if missing := recipe.missing():
            outcome.unavailable[recipe.language] = f"{' and '.join(missing)} is not here"
            continue
        try:
            await build(recipe, logs / f"{recipe.language}.log")
        except (RunnerFailed, TimeoutError) as failed:
            outcome.unavailable[recipe.language] = f"not built: {failed}"
            continue
        ready[recipe.language] = recipe
    return ready, outcome


async def run(
    ready: Mapping[str, Recipe], outcome: Outcome, order: Order, options: ClientOptions, logs: Path
) -> None:
    """Adds the rounds to the outcome. A program that fails is not asked again, and its rounds do not count."""
    for language in taking_turns(list(ready), options.rounds):
        if language in outcome.unavailable:
            continue
        print(f"{language} ...", file=sys.stderr, flush=True)
        own = replace(order, warm_up_blocks=options.warm_up_blocks(language))
        try:
            measured = await _measured(ready[language], own, logs / f"{language}.log")
        except (RunnerFailed, NotComparable) as failed:
            outcome.unavailable[language] = str(failed)
            outcome.rounds.pop(language, None)
            continue
        outcome.rounds.setdefault(language, []).append(measured)


async def _measured(recipe: Recipe, order: Order, log: Path) -> Round:
    runner = await Runner.start(recipe, log)
    try:
        answer = await runner.ask(order.command(), PATIENCE_SECONDS)
    finally:
        await runner.stop()
    return round_of(answer["ok"], order)
