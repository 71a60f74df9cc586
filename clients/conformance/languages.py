"""All languages of a run, several at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from clients.conformance.runners import Recipe, RunnerFailed, build
from clients.conformance.scenarios import Scenario
from clients.conformance.suite import Outcome, Suite

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tour:
    """The scenarios that every language plays, and who is told how it goes."""

    scenarios: Sequence[Scenario]
    jobs: int
    # Called with each outcome when its scenario has been played; with the first alone if nothing could be built.
    tell: Callable[[Outcome], None]
    # Called with all outcomes of a language when it is through.
    tell_all: Callable[[Sequence[Outcome]], None]

    async def through(self, ready: Suite, recipes: Sequence[Recipe]) -> list[Outcome]:
        """Outcomes in the order of the recipes.

        Everything is built first: what one language builds would take the time of what another plays.
        """
        unbuilt = await _at_once(self.jobs, [_built(ready, recipe) for recipe in recipes])
        pairs = zip(recipes, unbuilt, strict=True)
        played = await _at_once(self.jobs, [self._played(ready, *pair) for pair in pairs])
        return [outcome for outcomes in played for outcome in outcomes]

    async def _played(self, ready: Suite, recipe: Recipe, unbuilt: str) -> Sequence[Outcome]:
        if unbuilt:
            outcomes = [Outcome(recipe.language, s.name, 0.0, unbuilt) for s in self.scenarios]
            # Once: all of them fail alike.
            self.tell(outcomes[0])
        else:
            outcomes = await ready.play_all(recipe, self.scenarios, self.tell)
        self.tell_all(outcomes)
        return outcomes


async def _at_once(jobs: int, asked: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in the order of what was asked, so many at a time; one that fails ends the others."""
    turns = asyncio.Semaphore(jobs)

    async def in_turn(one: Coroutine[Any, Any, T]) -> T:
        async with turns:
            return await one

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(in_turn(one)) for one in asked]
    return [task.result() for task in tasks]


async def _built(ready: Suite, recipe: Recipe) -> str:
    """Why a runner could not be built; empty if it was."""
    try:
        await build(recipe, ready.log_of(recipe))
    except RunnerFailed as failed:
        return str(failed)
    return ""
