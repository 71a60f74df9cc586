"""Ports that stay free while nobody listens on them."""

import random
import socket

# Below those that the kernel gives to outgoing connections: a server that comes back finds its port as it left it.
LOWEST, HIGHEST = 20_000, 32_000
_chance = random.SystemRandom()


def free_port() -> int:
    """A port that nobody listens on now, and that no other process of the tests is likely to get."""
    while True:
        port = _chance.randrange(LOWEST, HIGHEST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
