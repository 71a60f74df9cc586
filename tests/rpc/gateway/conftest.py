"""A server that answers by HTTP as well, and a caller of it."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import httpx
import pytest

from tests.patience import PATIENCE_SECONDS
from tests.server_fixtures import ANY_PORT, Server

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
def server_settings() -> dict[str, Any]:
    return {"server": {"http_port": ANY_PORT, "drain_seconds": DRAIN_SECONDS}}


@pytest.fixture
async def web(server: Server) -> AsyncIterator[Web]:
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{server.http_port}",
        headers={"authorization": f"Bearer {server.keys.alice}"},
        timeout=PATIENCE_SECONDS,
    ) as client:
        yield Web(server, client, server.http_port)
