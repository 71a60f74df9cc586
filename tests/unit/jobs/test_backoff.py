"""How long a job waits after it failed."""

import asyncio

import pytest
from camillo_server.across.lifecycle.job_tasks import Backoff
from procrastinate.jobs import Job


def job(attempts: int) -> Job:
    return Job(id=1, queue="q", lock=None, queueing_lock=None, task_name="t", attempts=attempts)


def pauses(backoff: Backoff, told: list[float], count: int) -> list[float | None]:
    """Pauses that `on_retry` was told after each attempt; None where there is no further one."""
    found: list[float | None] = []
    for attempts in range(count):
        told.clear()
        decision = backoff.get_retry_decision(exception=TimeoutError(), job=job(attempts))
        found.append(told[0] if decision else None)
    return found


def test_the_pause_doubles_up_to_the_longest_and_ends_with_the_last_attempt() -> None:
    told: list[float] = []
    found = pauses(Backoff(6, 1.0, 5.0, told.append), told, 7)
    for pause, middle in zip(found[:5], (1.0, 2.0, 4.0, 5.0, 5.0), strict=True):
        assert pause == pytest.approx(middle, rel=0.21)
    assert found[5:] == [None, None]


def test_jobs_that_fail_together_do_not_come_back_together() -> None:
    told: list[float] = []
    backoff = Backoff(5, 100.0, 900.0, told.append)
    for _ in range(20):
        backoff.get_retry_decision(exception=TimeoutError(), job=job(0))
    assert len(set(told)) > 10


def test_no_number_of_attempts_overflows() -> None:
    told: list[float] = []
    backoff = Backoff(10_000, 1.0, 900.0, told.append)
    assert backoff.get_retry_decision(exception=TimeoutError(), job=job(9_000))
    assert told[0] == pytest.approx(900.0, rel=0.21)


def test_what_a_stopping_server_cuts_short_is_due_at_once_whatever_was_before() -> None:
    backoff = Backoff(3)
    assert backoff.get_retry_decision(exception=TimeoutError(), job=job(2)) is None
    assert backoff.get_retry_decision(exception=asyncio.CancelledError(), job=job(2)) is not None
