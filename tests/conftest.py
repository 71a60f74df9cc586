"""Fixtures that every test may ask for."""

import os
import signal

from hypothesis import settings

pytest_plugins = ["tests.postgres_fixtures", "tests.server_fixtures"]

# The same examples every time, so that a failure is of the change that is tested; CAMILLO_RANDOM_TESTS=1 looks for
# new ones. Without a deadline: the machine may be busy.
settings.register_profile(
    "camillo", deadline=None, derandomize="CAMILLO_RANDOM_TESTS" not in os.environ
)
settings.load_profile("camillo")

# A shell starts what runs in the background deaf to SIGINT, and so would be the processes that tests end by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
