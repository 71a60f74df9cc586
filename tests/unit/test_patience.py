"""One factor for all waits of a run."""

import os
import subprocess
import sys

import pytest

from tests.patience import FACTOR, MAX_FACTOR, PATIENCE_SECONDS, VARIABLE

SHOW = "from tests.patience import FACTOR, PATIENCE_SECONDS; print(FACTOR, PATIENCE_SECONDS)"


def shown(**environ: str) -> tuple[float, float]:
    """The factor and the patience of a process of its own."""
    others = {name: value for name, value in os.environ.items() if name != VARIABLE}
    ran = subprocess.run(
        [sys.executable, "-c", SHOW],
        env=others | environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    factor, seconds = map(float, ran.stdout.split())
    return factor, seconds


def test_a_factor_that_is_set_is_taken_as_it_is() -> None:
    assert shown(**{VARIABLE: "4"}) == (4.0, 240.0)


def test_without_one_this_machine_is_measured() -> None:
    factor, seconds = shown()
    assert 1 <= factor <= MAX_FACTOR
    assert seconds == 60 * factor


def test_every_process_of_a_run_has_the_same() -> None:
    assert shown(**{VARIABLE: os.environ[VARIABLE]}) == (FACTOR, PATIENCE_SECONDS)


@pytest.mark.timeout(100)
def test_the_limit_of_a_test_is_a_multiple_of_it(request: pytest.FixtureRequest) -> None:
    marker = request.node.get_closest_marker("timeout")
    assert marker is not None
    assert marker.args == (100 * FACTOR,)
