"""A server of this checkout, with an embedded Postgres and an empty database."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from camillo_client.testing import server_for_tests


@contextmanager
def server() -> Iterator[dict[str, str]]:
    """Starts it, and stops it in the end; variables by which clients find it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # Tests of frameworks look at the machine's clock.
    with server_for_tests({"server": {"http_port": port}}, clock_stands=False) as running:
        yield {
            "CAMILLO_ADDRESS": running.address,
            "CAMILLO_HTTP_ADDRESS": f"127.0.0.1:{port}",
            "CAMILLO_DATA_DIR": str(running.data_dir),
        }
