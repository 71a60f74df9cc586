"""Metadata by which a client of MCP learns who issues tokens: only served where the server takes tokens."""

import json
import tomllib
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.ports import free_port
from tests.rpc.gateway.conftest import Web
from tests.server_fixtures import StartServer
from tests.unit.identity.moving_clock import MovingClock
from tests.unit.identity.token_issuer import TokenIssuer

WELL_KNOWN = "/.well-known/oauth-protected-resource"
ISSUER = "https://login.example"


@pytest.mark.parametrize("audience", ["camillo", "https://memory.example/mcp"])
async def test_the_challenge_points_to_metadata_that_name_the_issuer(
    start_server: StartServer, clock: MovingClock, tmp_path: Path, audience: str
) -> None:
    issuer = TokenIssuer(tmp_path / "jwks.json", clock)
    jwt = {"issuer": ISSUER, "audience": audience, "jwks_path": str(issuer.path)}
    port = free_port()
    changed: dict[str, Any] = {"server": {"http_port": port}, "identity": {"jwt": jwt}}
    await start_server(**changed)
    base = f"http://127.0.0.1:{port}"
    async with httpx2.AsyncClient(base_url=base) as client:
        refused = await client.post("/mcp", json={})
        assert refused.status_code == 401
        challenge = refused.headers["www-authenticate"]
        assert challenge.endswith(f'resource_metadata="{base}{WELL_KNOWN}/mcp"')
        for path in (WELL_KNOWN, f"{WELL_KNOWN}/mcp"):
            reply = (await client.get(path)).json()
            expected = audience if audience.startswith("https") else f"{base}/mcp"
            assert reply["resource"] == expected
            assert reply["authorization_servers"] == [ISSUER]
        token = issuer.token(iss=ISSUER, aud=audience)
        whose = {"authorization": f"Bearer {token}", "accept": "application/json"}
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        assert (await client.post("/mcp", json=ping, headers=whose)).status_code == 200
        assert (await client.post("/mcp/bob", json=ping, headers=whose)).status_code == 403


async def test_without_an_issuer_there_are_no_metadata(web: Web) -> None:
    assert (await web.alice.get(WELL_KNOWN)).status_code == 404


def test_the_entry_for_the_registry_is_of_this_version() -> None:
    root = Path(__file__).parents[4]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    entry = json.loads((root / "deploy" / "mcp" / "server.json").read_text())
    [package] = entry["packages"]
    assert (package["identifier"], package["version"]) == (project["name"], project["version"])
    assert entry["version"] == project["version"]
    assert len(entry["description"]) <= 100
    # By this the registry knows that who publishes the package publishes the entry.
    assert f"mcp-name: {entry['name']}" in (root / "README.md").read_text()
    assert project["name"] in project["scripts"]
