"""Latencies, rates, and rounds that take turns: a noisy machine slows every contender alike."""

import asyncio
import math
import statistics
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Name = TypeVar("Name")
Call = Callable[[], Awaitable[object]]
Work = Callable[[], object]
MIN_CALLS = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """One quantity, measured once in each round."""

    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    @property
    def least(self) -> float:
        return min(self.rounds)

    @property
    def most(self) -> float:
        return max(self.rounds)

    def over(self, other: "Figure") -> "Figure":
        """The quotients round by round: noise that lasts longer than a round cancels out."""
        pairs = zip(self.rounds, other.rounds, strict=True)
        return Figure(tuple(mine / theirs for mine, theirs in pairs))


Figures = dict[str, Figure]


class Rounds(defaultdict[str, list[float]]):
    """The values of several figures, added as they are measured."""

    def __init__(self) -> None:
        super().__init__(list)

    def add(self, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            self[name].append(value)

    def figures(self) -> Figures:
        return {name: Figure(tuple(values)) for name, values in self.items()}


@dataclass(frozen=True, slots=True)
class Repeats:
    """Rounds of one caller's calls, and rounds of many callers at once, in which calls a second are counted."""

    rounds: int = 9
    calls_a_round: int = 400
    rate_rounds: int = 5
    rate_seconds: float = 3.0
    callers: int = 16


FULL = Repeats()
# For two versions, each with its own server, started several times.
COMPARED = Repeats(rounds=15, calls_a_round=150, rate_rounds=8, rate_seconds=1.0)
# Enough to show that everything works.
QUICK = Repeats(rounds=2, calls_a_round=30, rate_rounds=1, rate_seconds=0.3)


@dataclass(frozen=True, slots=True)
class Rate:
    """Calls a second, and the cores that this process and the server used meanwhile, without Postgres."""

    per_second: float
    client_cores: float
    server_cores: float

    @property
    def server_ms(self) -> float:
        """Milliseconds of a core of the server for each call."""
        return 1000 * self.server_cores / self.per_second

    @property
    def client_ms(self) -> float:
        return 1000 * self.client_cores / self.per_second

    def named(self, name: str, callers: int) -> dict[str, float]:
        """The figures as results files name them."""
        return {
            f"{name}_qps_{callers}": self.per_second,
            f"{name}_client_cores": self.client_cores,
            f"{name}_server_cores": self.server_cores,
        }


def percentile(values: Sequence[float], percent: float) -> float:
    """The value below which so many percent lie, interpolated between neighbours. Raises ValueError for none."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    index = (len(ordered) - 1) * percent / 100
    below = int(index)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (index - below)


def p50_and_p95(name: str, latencies: Sequence[float]) -> Figures:
    """Both of milliseconds measured once, as results files name them."""
    return {f"{name}_p{n}_ms": Figure((percentile(latencies, n),)) for n in (50, 95)}


def percentiles(rounds: Iterable[Sequence[float]], percent: float) -> Figure:
    """The percentile of every round."""
    return Figure(tuple(percentile(latencies, percent) for latencies in rounds))


def taking_turns(names: Sequence[Name], rounds: int) -> Iterator[Name]:
    """Each name once a round, there and back: A B C, C B A, A B C, so that a drift favours none."""
    for number in range(rounds):
        yield from names if number % 2 == 0 else reversed(names)


async def latencies_ms(call: Call, count: int, seconds: float = math.inf) -> list[float]:
    """How long each of so many calls took, one after the other, in milliseconds; fewer once the time is over."""
    taken: list[float] = []
    end = time.perf_counter() + seconds
    while len(taken) < count:
        started = time.perf_counter()
        if len(taken) >= MIN_CALLS and started > end:
            break
        await call()
        taken.append((time.perf_counter() - started) * 1000)
    return taken


async def rounds_of(
    calls: Mapping[str, Call], rounds: int, count: int, seconds: float = math.inf
) -> dict[str, list[list[float]]]:
    """The latencies of each call in every round; the calls take turns."""
    found: dict[str, list[list[float]]] = {name: [] for name in calls}
    for name in taking_turns(list(calls), rounds):
        found[name].append(await latencies_ms(calls[name], count, seconds))
    return found


def seconds_of(work: Work, clock: Callable[[], float] = time.perf_counter) -> float:
    """How long it takes by this clock."""
    started = clock()
    work()
    return clock() - started


async def calls_per_second(callers: Sequence[Call], seconds: float) -> float:
    """The rate that all callers reach together, each sending its next call when the last is answered."""
    started = time.perf_counter()
    end = started + seconds
    counts = [0] * len(callers)

    async def keep_calling(number: int, call: Call) -> None:
        while time.perf_counter() < end:
            await call()
            counts[number] += 1

    await asyncio.gather(*(keep_calling(number, call) for number, call in enumerate(callers)))
    return sum(counts) / (time.perf_counter() - started)


async def measure_rate(callers: Sequence[Call], seconds: float, server_cpu_seconds: Callable[[], float]) -> Rate:
    """The rate of all callers together, and who used how much of a core."""
    client_before, server_before = time.process_time(), server_cpu_seconds()
    started = time.perf_counter()
    per_second = await calls_per_second(callers, seconds)
    taken = time.perf_counter() - started
    client = (time.process_time() - client_before) / taken
    return Rate(per_second, client, (server_cpu_seconds() - server_before) / taken)


async def rates_of(
    callers: Mapping[str, Sequence[Call]],
    repeats: Repeats,
    server_cpu_seconds: Callable[[], float],
) -> Figures:
    """The rates of each group of callers in every round, and who used how much of a core; the groups take turns."""
    found = Rounds()
    for calls in callers.values():
        await calls_per_second(calls, repeats.rate_seconds / 3)
    for name in taking_turns(list(callers), repeats.rate_rounds):
        rate = await measure_rate(callers[name], repeats.rate_seconds, server_cpu_seconds)
        found.add(rate.named(name, repeats.callers))
    return found.figures()


async def at_a_rate(call: Call, per_second: float, goes_on: Callable[[], bool], least: int = 1) -> list[float]:
    """Latencies of calls that start at even intervals, whether or not those before are answered, in milliseconds."""
    taken: list[float] = []
    running: set[asyncio.Task[None]] = set()

    async def one() -> None:
        taken.extend(await latencies_ms(call, 1))

    started, number = time.perf_counter(), 0
    while goes_on() or number < least:
        task = asyncio.create_task(one())
        running.add(task)
        task.add_done_callback(running.discard)
        number += 1
        await asyncio.sleep(max(0.0, started + number / per_second - time.perf_counter()))
    await asyncio.gather(*running)
    return taken
