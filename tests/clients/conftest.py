"""The conformance suite's server and the Python client's runner, for all tests of this folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from clients.conformance.runners import Recipe, Runner, recipes
from clients.conformance.suite import Suite, suite

HERE = Path(__file__).parent
RUNNERS = HERE.parents[1] / "clients" / "conformance" / "runners.yaml"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs all of these, so that one server does. Before xdist reads the groups, also where only this folder
    runs."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("conformance"))


@pytest.fixture(scope="session")
async def ready() -> AsyncIterator[Suite]:
    async with suite() as running:
        yield running


@pytest.fixture(scope="session")
def python() -> Recipe:
    return next(each for each in recipes(RUNNERS) if each.language == "python")


@pytest.fixture(scope="session")
async def runner(ready: Suite, python: Recipe) -> AsyncIterator[Runner]:
    started = await ready.start(python)
    yield started
    await started.stop()
