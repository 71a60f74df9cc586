"""Rounds of every call, of one version of the server or of two in turns, and what is made of them."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.against.comparison import Comparison, Pair, clients_of, vacuum
from bench.budget.calls import Sizes, calls_of, fill
from bench.budget.sections import SECTION_NAMES, fill_sections, section_calls
from bench.budget.stacks import Stacks, draw, sample
from bench.material.texts import Texts, known_words
from bench.measure.client import Client
from bench.measure.command import say
from bench.measure.servers import DIMENSIONS, Embedding, embedding_by
from bench.measure.timing import (
    Call,
    Rate,
    calls_per_second,
    latencies_ms,
    measure_rate,
    percentile,
    taking_turns,
)

ECHO = "echo"
# Taken off before a call is compared with an echo: no code of ours can make it shorter.
NOT_OURS = ("faiss", "onnx")


@dataclass(frozen=True, slots=True)
class BudgetOptions:
    """A full run; `quick()` is one that only shows that everything works."""

    sizes: Sizes = field(default_factory=Sizes)
    rounds: int = 5
    seconds: float = 2.0
    # Calls of one caller alone, in each round.
    calls: int = 200
    sampled_seconds: float = 8.0
    callers: int = 16
    # The memories of a scope whose load is measured.
    loaded_memories: int = 50_000
    model: Path | None = None
    # Where the stacks of each call are written, and their flame graphs.
    stacks: Path | None = None

    @classmethod
    def quick(cls) -> "BudgetOptions":
        sizes = Sizes(memories=500, events=100, queries=50)
        return cls(sizes, rounds=2, seconds=0.3, calls=10, sampled_seconds=1.0, callers=4, loaded_memories=2_000)

    @property
    def embedding(self) -> Embedding:
        return embedding_by(self.model, DIMENSIONS)


Callers = Mapping[str, Mapping[str, Sequence[Call]]]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of one version: rates of each call, and median milliseconds of one caller alone; and its stacks."""

    rates: dict[str, list[Rate]] = field(default_factory=dict)
    p50s: dict[str, list[float]] = field(default_factory=dict)
    stacks: dict[str, Stacks] = field(default_factory=dict)


async def measure(pair: Pair, names: Sequence[str], options: BudgetOptions) -> Comparison:
    """Measures the processor time that each of these calls takes of each server. The echo is always among them."""
    async with AsyncExitStack() as stack:
        clients = await clients_of(pair, stack)
        for version, client in clients.items():
            say(f"filling {version}")
            await fill(client, options.sizes)
            if set(SECTION_NAMES).intersection(names):
                await fill_sections(client)
        vacuum(pair)
        callers = {version: await _callers(client, options) for version, client in clients.items()}
        names = [ECHO, *(name for name in names if name != ECHO)]
        rounds = {version: Rounds() for version in pair}
        await _rates(rounds, pair, callers, names, options)
        for name, version in itertools.product(names, pair):
            say(f"stacks of {name}, {version}")
            calls, process = callers[version][name], pair[version].process
            if (found := await sample(process, calls, options.sampled_seconds)) is not None:
                rounds[version].stacks[name] = found
                if options.stacks is not None:
                    drawn = options.stacks / f"{name}-{version}.svg"
                    await draw(process, calls, options.sampled_seconds, drawn)
    comparison = Comparison()
    for version, measured in rounds.items():
        _add(comparison, version, measured, options)
    return comparison if len(pair) == 1 else _with_ratios(comparison)


async def _callers(client: Client, options: BudgetOptions) -> dict[str, list[Call]]:
    """The calls of all callers by name; each has questions of its own."""
    known, callers = known_words(options.model), []
    for number in range(options.callers):
        questions = _questions(Texts(1_000 + number, known=known))
        own = await calls_of(client, options.sizes, questions, number)
        callers.append(own | section_calls(client, questions))
    return {name: [caller[name] for caller in callers] for name in callers[0]}


def _questions(texts: Texts) -> Iterator[str]:
    """Yields questions without end, hardly one of them twice."""
    return itertools.chain.from_iterable(texts.queries(500) for _ in itertools.count())


async def _rates(
    rounds: Mapping[str, Rounds],
    pair: Pair,
    callers: Callers,
    names: Sequence[str],
    options: BudgetOptions,
) -> None:
    contenders = list(itertools.product(names, pair))
    for name, version in contenders:
        await calls_per_second(callers[version][name], options.seconds / 2)
    for number, (name, version) in enumerate(taking_turns(contenders, options.rounds)):
        if number % len(contenders) == 0:
            say(f"round {number // len(contenders) + 1} of {options.rounds}")
        cpu_seconds = pair[version].process.cpu_seconds
        rate = await measure_rate(callers[version][name], options.seconds, cpu_seconds)
        rounds[version].rates.setdefault(name, []).append(rate)
        alone = await latencies_ms(callers[version][name][0], options.calls, options.seconds)
        rounds[version].p50s.setdefault(name, []).append(percentile(alone, 50))


def _with_ratios(comparison: Comparison) -> Comparison:
    """The figures that took some time in both versions, so that they have a ratio."""
    return Comparison(
        {
            name: versions
            for name, versions in comparison.rounds.items()
            if all(values and all(values) for values in versions.values())
        }
    )


def _add(comparison: Comparison, version: str, rounds: Rounds, options: BudgetOptions) -> None:
    echoes, echo_p50s = rounds.rates[ECHO], rounds.p50s[ECHO]
    qps = f"qps_{options.callers}"
    for name, rates in rounds.rates.items():
        stacks = rounds.stacks.get(name)
        if stacks is not None and options.stacks is not None:
            stacks.write(options.stacks / f"{name}-{version}.txt")
        for rate, p50, echo, echo_p50 in zip(rates, rounds.p50s[name], echoes, echo_p50s, strict=True):
            figures = {"cpu_ms": rate.server_ms, qps: rate.per_second, "p50_ms": p50}
            if name != ECHO:
                figures[f"{qps}_of_echo"] = rate.per_second / echo.per_second
                figures["p50_over_echo"] = p50 / echo_p50
            if stacks is not None:
                figures |= _parts(name, rate.server_ms, stacks.shares(), echo.server_ms)
            for key, value in figures.items():
                comparison.add(f"{name}_{key}", version, value)


def _parts(name: str, cpu_ms: float, shares: Mapping[str, float], echo_ms: float) -> dict[str, float]:
    """Milliseconds of a call by part, and what it takes beside an echo without what no code of ours can make
    shorter."""
    ours = cpu_ms * (1 - sum(shares[part] for part in NOT_OURS))
    parts = {f"{part}_ms": share * cpu_ms for part, share in shares.items()}
    if name == ECHO:
        return parts
    return {**parts, "over_echo": ours / echo_ms, "overhead_ms": ours - echo_ms}
