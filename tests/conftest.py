"""Fixtures that every test may ask for."""

import signal

pytest_plugins = ["tests.postgres_fixtures", "tests.server_fixtures"]

# A shell starts what runs in the background deaf to SIGINT, and so would be the processes that tests end by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
