"""A server of this checkout, with an embedded Postgres and an empty database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from camillo_client.testing import server_for_tests


@contextmanager
def server() -> Iterator[dict[str, str]]:
    """Starts it, and stops it in the end; variables by which clients find it."""
    # Tests of frameworks look at the machine's clock.
    with server_for_tests(clock_stands=False) as running:
        yield {"CAMILLO_ADDRESS": running.address, "CAMILLO_DATA_DIR": str(running.data_dir)}
