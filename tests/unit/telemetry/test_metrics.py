"""Figures: what is counted, in which bucket, and that nobody can fill the memory with names."""

import asyncio

import pytest
from camillo_server.telemetry.instruments import REQUEST_BOUNDS, Distribution, Instruments
from camillo_server.telemetry.tracing import watch_loop_lag


def test_a_value_is_counted_in_the_bucket_whose_bound_it_does_not_exceed() -> None:
    distribution = Distribution((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 2.0, 2.5):
        distribution.record(value)
    assert distribution.counts == [2, 2, 1]
    assert (distribution.total, distribution.minimum, distribution.maximum) == (7.5, 0.5, 2.5)


def test_the_bounds_run_from_a_quarter_of_a_millisecond_to_ten_seconds() -> None:
    assert (REQUEST_BOUNDS[0], REQUEST_BOUNDS[-1]) == (0.00025, 10.0)
    assert list(REQUEST_BOUNDS) == sorted(set(REQUEST_BOUNDS))


def test_requests_are_told_apart_by_method_and_code() -> None:
    instruments = Instruments()
    for code in ("OK", "OK", "NOT_FOUND"):
        instruments.record_request("/s/Get", code, 0.001)
    instruments.record_request("/s/List", "OK", 0.001)
    counts = {key: sum(series.counts) for key, series in instruments.request_seconds.items()}
    assert counts == {("/s/Get", "OK"): 2, ("/s/Get", "NOT_FOUND"): 1, ("/s/List", "OK"): 1}


def test_invented_methods_are_counted_together_once_there_are_too_many() -> None:
    instruments = Instruments()
    instruments.record_request("/s/Get", "OK", 0.001)
    for number in range(5_000):
        instruments.record_request(f"/s/{number}", "UNIMPLEMENTED", 0.001)
    instruments.record_request("/s/Get", "OK", 0.001)
    assert len(instruments.request_seconds) == 1_001
    assert sum(instruments.request_seconds["other", "other"].counts) == 4_001
    assert sum(instruments.request_seconds["/s/Get", "OK"].counts) == 2


async def test_the_lag_of_the_loop_is_recorded_until_the_watch_is_cancelled() -> None:
    instruments = Instruments()
    task = asyncio.create_task(watch_loop_lag(instruments, interval_seconds=0))
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    recorded = sum(instruments.loop_lag_seconds.counts)
    assert recorded >= 3
    await asyncio.sleep(0)
    assert sum(instruments.loop_lag_seconds.counts) == recorded
