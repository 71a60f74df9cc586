"""Rounds that end in time."""

import asyncio

from bench.measure.recall_rounds import LEAST_CALLS, at_a_rate, latencies_within, rounds_of


async def test_a_round_has_as_many_calls_as_asked_for() -> None:
    async def call() -> None: ...

    assert len(await latencies_within(call, 7, 60)) == 7


async def test_a_slow_call_ends_a_round_early_but_not_at_once() -> None:
    async def call() -> None:
        await asyncio.sleep(0.001)

    assert len(await latencies_within(call, 1_000, 0)) == LEAST_CALLS


async def test_calls_take_turns_and_keep_their_rounds_apart() -> None:
    made: list[str] = []

    async def one() -> None:
        made.append("one")

    async def other() -> None:
        made.append("other")

    found = await rounds_of({"one": one, "other": other}, 2, 3, 60)
    assert made == [*["one"] * 3, *["other"] * 6, *["one"] * 3]
    assert {name: list(map(len, rounds)) for name, rounds in found.items()} == {
        "one": [3, 3],
        "other": [3, 3],
    }


async def test_calls_at_a_rate_do_not_wait_for_each_other() -> None:
    made = 0
    over = asyncio.Event()

    async def slow_at_first() -> None:
        nonlocal made
        made += 1
        if made == 1:
            await over.wait()
        elif made == 5:
            over.set()

    taken = await at_a_rate(slow_at_first, 1_000, lambda: not over.is_set())
    assert len(taken) == made >= 5
    assert max(taken) > sorted(taken)[0]


async def test_at_least_one_call_is_made_at_a_rate() -> None:
    async def call() -> None: ...

    assert len(await at_a_rate(call, 1_000, lambda: False)) == 1
