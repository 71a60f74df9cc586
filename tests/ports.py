"""Ports that stay free while nobody listens on them."""

import os
import random
import socket
from collections.abc import Iterator, Mapping

# Below those that the kernel gives to outgoing connections: a server that comes back finds its port as it left it.
LOWEST, HIGHEST = 20_000, 32_000


def ports_of_worker(environment: Mapping[str, str]) -> Iterator[int]:
    """Even ports in random order, each once, and none that another worker of the run gets: an Envoy of an earlier test
    goes on with health checks of a replica that is gone, and whoever got its port would be asked."""
    index = int(environment.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    count = int(environment.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    own = range(LOWEST + 2 * index, HIGHEST, 2 * count)
    yield from random.SystemRandom().sample(own, len(own))


_ports = ports_of_worker(os.environ)


def free_port() -> int:
    """A port that nobody listens on now, and that no test of this run had or gets.

    The one after it is as free: a server with two workers takes a port for each.
    """
    for port in _ports:
        if _is_free(port) and _is_free(port + 1):
            return port
    raise RuntimeError(f"no port from {LOWEST} to {HIGHEST} is left for this worker")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
