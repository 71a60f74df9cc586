"""How long the pauses between repeated calls are."""

import pytest
from camillo_server.models.embedding.litellm import Retries

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")

RETRIES = Retries(max_retries=4, first_seconds=1.0, max_seconds=5.0)


def pauses(failures: int, retry_after: float | None = None) -> list[float]:
    found = [RETRIES.pause_seconds(failures, retry_after) for _ in range(200)]
    return sorted(seconds for seconds in found if seconds is not None)


@pytest.mark.parametrize(("failures", "longest"), [(1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0)])
def test_pauses_grow_to_a_bound_and_differ_from_each_other(failures: int, longest: float) -> None:
    found = pauses(failures)
    assert len(set(found)) > 100
    assert longest / 2 <= found[0] < found[-1] <= longest


def test_after_the_last_failure_allowed_it_ends() -> None:
    assert pauses(4)
    assert pauses(5) == []
    assert Retries(max_retries=0).pause_seconds(1, None) is None


def test_a_pause_is_never_shorter_than_the_provider_asks_for() -> None:
    assert pauses(1, retry_after=3.0)[0] >= 3.0
    assert pauses(1, retry_after=0.0)[0] >= 0.5


def test_a_provider_that_asks_for_too_much_is_not_waited_for() -> None:
    assert pauses(1, retry_after=5.0)
    assert pauses(1, retry_after=5.1) == []
