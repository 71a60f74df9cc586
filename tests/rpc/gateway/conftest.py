"""A server that answers by HTTP as well, and a caller of it."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import httpx
import pytest

from tests.mesh.ports import free_port
from tests.patience import PATIENCE_SECONDS
from tests.server_fixtures import Server, StartServer

# Longer than anything that a stop has to wait for.
DRAIN_SECONDS = 60.0


class Web(NamedTuple):
    """A server, and a client of HTTP with the key of its agent `alice`."""

    server: Server
    alice: httpx.AsyncClient
    port: int

    def with_key(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"}


@pytest.fixture
async def web(start_server: StartServer) -> AsyncIterator[Web]:
    port = free_port()
    changed: dict[str, Any] = {"server": {"http_port": port, "drain_seconds": DRAIN_SECONDS}}
    server = await start_server(**changed)
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}",
        headers={"authorization": f"Bearer {server.keys.alice}"},
        timeout=PATIENCE_SECONDS,
    ) as client:
        yield Web(server, client, port)
