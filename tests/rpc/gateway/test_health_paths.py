"""Liveness and readiness by HTTP, as health by gRPC says it."""

import asyncio

import httpx
import pytest

from tests.rpc.gateway.conftest import Web


async def test_health_is_told_without_a_credential(web: Web) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}") as stranger:
        for path in ("/healthz", "/readyz", "/readyz?service=camillo.postgres"):
            # A probe names the address of the pod, which is no name of this machine.
            found = await stranger.get(path, headers={"host": "10.1.2.3:7071"})
            assert (found.status_code, found.text) == (200, "ok\n"), path
            assert (await stranger.head(path)).status_code == 200
        assert (await stranger.get("/readyz?service=tea")).status_code == 404
        assert (await stranger.post("/readyz")).status_code == 405
        assert (await stranger.get("/v1/whoami")).status_code == 401


@pytest.mark.own_server
async def test_readiness_follows_health_by_grpc(web: Web) -> None:
    app = web.server.app
    assert app._rpc is not None
    app._rpc.report("camillo.postgres", is_serving=False)
    assert (await web.alice.get("/readyz?service=camillo.postgres")).status_code == 503
    assert (await web.alice.get("/readyz")).status_code == 200
    hurried = asyncio.Event()
    hurried.set()
    await app.leave(hurried)
    assert (await web.alice.get("/readyz")).status_code == 503
    # It goes on answering, and lives.
    assert (await web.alice.get("/healthz")).status_code == 200
    assert (await web.alice.get("/v1/whoami")).status_code == 200
