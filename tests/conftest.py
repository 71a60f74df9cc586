"""Fixtures that every test may ask for."""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests import caches
from tests.patience import FACTOR

pytest_plugins = ["tests.postgres_fixtures", "tests.server_fixtures", "tests.shared_servers"]

# The same examples every time, so that a failure is of the change that is tested; CAMILLO_RANDOM_TESTS=1 looks for
# new ones, and for more of them. Without a deadline: the machine may be busy.
IS_RANDOM = "CAMILLO_RANDOM_TESTS" in os.environ
settings.register_profile("camillo", deadline=None, derandomize=not IS_RANDOM, max_examples=400 if IS_RANDOM else 100)
settings.load_profile("camillo")

# A shell starts what runs in the background deaf to SIGINT, and so would be the processes that tests end by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def user_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps what a user's processes keep between their runs out of the home of who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Spares the garbage collector the tests and modules, which stay: each full pass over them takes a third of a
    second."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """The limits of tests follow the machine, too."""
    marker = item.get_closest_marker("timeout")
    asked = item.config.getoption("timeout") or item.config.getini("timeout")
    seconds = marker.args[0] if marker else float(asked)
    item.add_marker(pytest.mark.timeout(seconds * FACTOR), append=False)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips tests of caches that are turned off, and keeps a group with one worker. xdist 3.8 writes it to where pytest
    9.2 does not look for it any more."""
    for item in items:
        if caches.ARE_OFF and item.get_closest_marker("caches"):
            item.add_marker(pytest.mark.skip(reason=caches.REASON))
        grouped = vars(item).get("_nodeid")
        if grouped and grouped != item.nodeid:
            item._id = type(item._id).parse(grouped)
