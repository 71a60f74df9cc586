"""Rounds in which the programs of all languages take turns, calling one server whose memory holds one scope."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from camillo.v1 import memory_service_pb2 as service

from bench.clients.order import NotComparable, Order, Round, round_of
from bench.material.texts import Texts
from bench.measure.client import connected
from bench.measure.command import say
from bench.measure.servers import (
    DIMENSIONS,
    AppServer,
    Embedding,
    app_server,
    temporary_directory,
)
from bench.measure.timing import Figures, Rounds, taking_turns
from bench.recall.calls import Recaller
from clients.conformance.runners import Recipe, Runner, RunnerFailed, build

PATIENCE_SECONDS = 600.0
WARM_SECONDS = 60.0
AGENT = "overhead"
# The questions are drawn like the memories, but by another seed: they cite no memory by chance of order.
QUERY_SEED = 2
# Languages that compile while they run: they settle only after thousands of calls.
COMPILED_LATE = ("typescript", "java")


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """A full run; `quick()` is one that only shows that everything works."""

    # How often each program is started: a process may be lucky or unlucky from its start.
    rounds: int = 3
    # Calls of either contender in a round.
    calls: int = 2_000
    warm_up_calls: int = 500
    late_warm_up_calls: int = 5_000
    memories: int = 500
    # A block: contenders take turns after so many calls.
    queries: int = 10
    limit: int = 5

    @classmethod
    def quick(cls) -> "ClientOptions":
        return cls(rounds=1, calls=50, warm_up_calls=50, late_warm_up_calls=50, memories=50)

    @property
    def blocks(self) -> int:
        """Blocks of either contender; at least one."""
        return max(1, self.calls // self.queries)

    def warm_up_blocks(self, language: str) -> int:
        """Blocks that do not count; at least one."""
        late = language in COMPILED_LATE
        calls = self.late_warm_up_calls if late else self.warm_up_calls
        return max(1, calls // self.queries)


class NotWarm(Exception):
    """The scope is not answered from memory."""


@dataclass(slots=True)
class Outcome:
    """The rounds of each language, or why it was not measured."""

    rounds: dict[str, list[Round]] = field(default_factory=dict)
    unavailable: dict[str, str] = field(default_factory=dict)

    def figures(self) -> Figures:
        """The overhead of each language, and the milliseconds that it is computed from."""
        found = Rounds()
        for language, rounds in self.rounds.items():
            for each in rounds:
                found.add(
                    {
                        f"{language}_overhead": each.overhead,
                        f"{language}_added_ms": each.added_ms,
                        f"{language}_bare_p50_ms": each.bare_ms,
                        f"{language}_facade_p50_ms": each.facade_ms,
                    }
                )
        return found.figures()


@contextmanager
def stage(options: ClientOptions) -> Iterator[Order]:
    """Yields the order to the programs, while the server runs."""
    with (
        temporary_directory() as directory,
        app_server(Embedding("lexical", DIMENSIONS), directory / "data") as app,
    ):
        order = Order(
            address=f"127.0.0.1:{app.port}",
            key=app.secret,
            agent_id=AGENT,
            queries=Texts(QUERY_SEED).queries(options.queries),
            limit=options.limit,
            warm_up_blocks=1,  # each language has its own
            blocks=options.blocks,
        )
        asyncio.run(_fill_and_warm_up(app, order, options.memories))
        yield order


async def _fill_and_warm_up(app: AppServer, order: Order, memories: int) -> None:
    """Every query once, answered from memory, so that none of a program's calls is a question's first."""
    async with connected(app.port, app.secret) as client:
        for text in Texts().sentences(memories):
            await client.remember(AGENT, text)
        recaller = Recaller(client, AGENT)
        for query in order.queries:
            request = service.RecallRequest(agent_id=AGENT, text=query, limit=order.limit)
            if await recaller.until_warm(request, WARM_SECONDS) is None:
                raise NotWarm(f"not within {WARM_SECONDS:g} s")


async def build_all(recipes: Sequence[Recipe], logs: Path) -> tuple[dict[str, Recipe], Outcome]:
    """The programs that can be started, by language; why the others cannot is in the outcome."""
    ready: dict[str, Recipe] = {}
    outcome = Outcome()
    for recipe in recipes:
        say(f"building {recipe.language}")
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


async def run(ready: Mapping[str, Recipe], outcome: Outcome, order: Order, options: ClientOptions, logs: Path) -> None:
    """Adds the rounds to the outcome. A program that fails is not asked again, and its rounds do not count."""
    for language in taking_turns(list(ready), options.rounds):
        if language in outcome.unavailable:
            continue
        say(language)
        own = replace(order, warm_up_blocks=options.warm_up_blocks(language))
        try:
            measured = await _measure(ready[language], own, logs / f"{language}.log")
        except (RunnerFailed, NotComparable) as failed:
            outcome.unavailable[language] = str(failed)
            outcome.rounds.pop(language, None)
            continue
        outcome.rounds.setdefault(language, []).append(measured)


async def _measure(recipe: Recipe, order: Order, log: Path) -> Round:
    runner = await Runner.start(recipe, log)
    try:
        answer = await runner.ask(order.command(), PATIENCE_SECONDS)
    finally:
        await runner.stop()
    return round_of(answer["ok"], order)
