"""Latencies, rates, and rounds that take turns: a noisy machine slows every contender alike."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

Name = TypeVar("Name")
Call = Callable[[], Awaitable[object]]


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


def percentile(values: Sequence[float], percent: float) -> float:
    """The value below which so many percent lie, interpolated between neighbours. Raises ValueError for none."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def taking_turns(names: Sequence[Name], rounds: int) -> Iterator[Name]:
    """Each name once a round, there and back: A B C, C B A, A B C, so that a drift favours none."""
    for number in range(rounds):
        yield from names if number % 2 == 0 else reversed(names)


async def latencies_ms(call: Call, count: int) -> list[float]:
    """How long each of so many calls took, one after the other, in milliseconds."""
    taken = []
    for _ in range(count):
        started = time.perf_counter()
        await call()
        taken.append((time.perf_counter() - started) * 1000)
    return taken


async def calls_per_second(callers: Sequence[Call], seconds: float) -> float:
    """The rate that all callers reach together, each sending its next call when the last is answered."""
    started = time.perf_counter()
    end = started + seconds
    counts = [0] * len(callers)

    async def keep_calling(place: int, call: Call) -> None:
        while time.perf_counter() < end:
            await call()
            counts[place] += 1

    await asyncio.gather(*(keep_calling(place, call) for place, call in enumerate(callers)))
    return sum(counts) / (time.perf_counter() - started)
