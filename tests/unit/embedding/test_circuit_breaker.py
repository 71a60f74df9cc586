"""When a provider is left alone, and when it is tried again."""

import pytest
from camillo_server.models.embedding.circuit_breaker import CircuitBreaker, CircuitOpen


class Monotonic:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def monotonic() -> Monotonic:
    return Monotonic()


@pytest.fixture
def breaker(monotonic: Monotonic) -> CircuitBreaker:
    return CircuitBreaker(max_failures=3, pause_seconds=30, monotonic=monotonic)


def state(breaker: CircuitBreaker) -> str:
    return breaker.state.value


def fail(breaker: CircuitBreaker, times: int) -> None:
    for _ in range(times):
        breaker.admit()
        breaker.failed()


def is_open(breaker: CircuitBreaker) -> bool:
    try:
        breaker.admit()
    except CircuitOpen:
        return True
    return False


def test_it_opens_after_so_many_failures_in_a_row(breaker: CircuitBreaker) -> None:
    fail(breaker, 2)
    assert not is_open(breaker)
    breaker.failed()
    assert state(breaker) == "open"
    assert is_open(breaker)
    assert breaker.openings == 1


def test_an_answer_between_failures_starts_the_count_anew(breaker: CircuitBreaker) -> None:
    fail(breaker, 2)
    breaker.admit()
    breaker.succeeded()
    fail(breaker, 2)
    assert state(breaker) == "closed"


def test_after_the_pause_one_call_goes_through_and_closes_it(breaker: CircuitBreaker, monotonic: Monotonic) -> None:
    fail(breaker, 3)
    monotonic.now += 29.9
    assert is_open(breaker)
    monotonic.now += 0.1
    assert state(breaker) == "half_open"
    breaker.admit()
    assert is_open(breaker), "a second call beside the one that tries"
    breaker.succeeded()
    assert state(breaker) == "closed"
    fail(breaker, 2)
    assert state(breaker) == "closed"


def test_a_failed_try_opens_it_for_another_pause(breaker: CircuitBreaker, monotonic: Monotonic) -> None:
    fail(breaker, 3)
    monotonic.now += 30
    fail(breaker, 1)
    assert is_open(breaker)
    monotonic.now += 29
    assert is_open(breaker)
    monotonic.now += 1
    assert not is_open(breaker)
    assert breaker.openings == 2


def test_a_try_whose_caller_went_away_lets_the_next_one_try(breaker: CircuitBreaker, monotonic: Monotonic) -> None:
    fail(breaker, 3)
    monotonic.now += 30
    breaker.admit()
    assert is_open(breaker)
    breaker.abandoned()
    assert not is_open(breaker)
