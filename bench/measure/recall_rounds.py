"""Rounds of calls that end in time even where a call is slow."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping

from bench.measure.timing import Call, Figure, percentile, taking_turns

LEAST_CALLS = 3


async def latencies_within(call: Call, count: int, seconds: float) -> list[float]:
    """How long each call took, one after the other, in milliseconds: so many, or fewer once the time is over."""
    taken: list[float] = []
    started = time.perf_counter()
    while len(taken) < count:
        began = time.perf_counter()
        if len(taken) >= LEAST_CALLS and began - started > seconds:
            break
        await call()
        taken.append((time.perf_counter() - began) * 1000)
    return taken


async def rounds_of(
    calls: Mapping[str, Call], rounds: int, count: int, seconds: float
) -> dict[str, list[list[float]]]:
    """The latencies of each call in every round; the calls take turns."""
    found: dict[str, list[list[float]]] = {name: [] for name in calls}
    for name in taking_turns(list(calls), rounds):
        found[name].append(await latencies_within(calls[name], count, seconds))
    return found


def percentiles(rounds: Iterable[Iterable[float]], percent: float) -> Figure:
    """Of every round."""
    return Figure(tuple(percentile(list(latencies), percent) for latencies in rounds))


async def at_a_rate(
    call: Call, per_second: float, goes_on: Callable[[], bool], least: int = 1
) -> list[float]:
    """Latencies of calls that start at even intervals, whether or not those before are answered, in milliseconds."""
    taken: list[float] = []
    running: set[asyncio.Task[None]] = set()

    async def one() -> None:
        began = time.perf_counter()
        await call()
        taken.append((time.perf_counter() - began) * 1000)

    started, number = time.perf_counter(), 0
    while goes_on() or number < least:
        task = asyncio.create_task(one())
        running.add(task)
        task.add_done_callback(running.discard)
        number += 1
        await asyncio.sleep(max(0.0, started + number / per_second - time.perf_counter()))
    await asyncio.gather(*running)
    return taken
