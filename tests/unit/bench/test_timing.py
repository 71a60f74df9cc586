"""Percentiles, rounds, ratios and rates of which the figures of benchmarks are made."""

import asyncio

import pytest

from bench.measure.timing import (
    MIN_CALLS,
    Figure,
    at_a_rate,
    calls_per_second,
    latencies_ms,
    percentile,
    rounds_of,
    taking_turns,
)


def test_a_percentile_lies_between_its_neighbours() -> None:
    values = [4.0, 1.0, 3.0, 2.0]
    assert percentile(values, 0) == 1.0
    assert percentile(values, 50) == 2.5
    assert percentile(values, 100) == 4.0


def test_a_percentile_of_one_value_is_that_value() -> None:
    assert percentile([7.0], 95) == 7.0


def test_no_values_have_no_percentile() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 50)


def test_rounds_go_there_and_back() -> None:
    assert list(taking_turns(["a", "b"], 3)) == ["a", "b", "b", "a", "a", "b"]


def test_a_ratio_is_taken_round_by_round() -> None:
    # The second round was slow for both: the ratio of the medians would be 2, each round's is 3.
    slow_for_both = Figure((3.0, 30.0, 3.0)).over(Figure((1.0, 10.0, 1.0)))
    assert slow_for_both.rounds == (3.0, 3.0, 3.0)


def test_a_figure_knows_its_median_and_extremes() -> None:
    figure = Figure((5.0, 1.0, 2.0))
    assert (figure.least, figure.median, figure.most) == (1.0, 2.0, 5.0)


async def test_each_call_has_a_latency() -> None:
    made = 0

    async def call() -> None:
        nonlocal made
        made += 1

    taken = await latencies_ms(call, 3)
    assert made == len(taken) == 3
    assert all(latency >= 0 for latency in taken)


async def test_a_rate_counts_the_calls_of_all_callers() -> None:
    made = 0

    async def call() -> None:
        nonlocal made
        made += 1
        await asyncio.sleep(0)

    # On a machine that is held up, a round may end with its first calls.
    for _ in range(50):
        made = 0
        rate = await calls_per_second([call, call], 0.02)
        assert 0 <= rate <= made / 0.02
        if made > 2 and rate:
            return
    raise AssertionError("no round had calls of both")


async def test_a_round_has_as_many_calls_as_asked_for() -> None:
    async def call() -> None: ...

    assert len(await latencies_ms(call, 7, 60)) == 7


async def test_a_slow_call_ends_a_round_early_but_not_at_once() -> None:
    async def call() -> None:
        await asyncio.sleep(0.001)

    assert len(await latencies_ms(call, 1_000, 0)) == MIN_CALLS


async def test_calls_take_turns_and_keep_their_rounds_apart() -> None:
    made: list[str] = []

    async def one() -> None:
        made.append("one")

    async def other() -> None:
        made.append("other")

    found = await rounds_of({"one": one, "other": other}, 2, 3, 60)
    assert made == [*["one"] * 3, *["other"] * 6, *["one"] * 3]
    assert {name: list(map(len, rounds)) for name, rounds in found.items()} == {"one": [3, 3], "other": [3, 3]}


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
