"""Spaces by HTTP: named in a header or a body, and in a path with their slash encoded."""

import httpx
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1.admin_pb2 import ROLE_WRITER

from tests.rpc.gateway.conftest import Web
from tests.rpc.memories.calls import remember

JSON_RPC = {"accept": "application/json, text/event-stream"}
RECALL = {"name": "recall", "arguments": {"query": "tea"}}
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": RECALL}


async def test_a_space_is_reached_by_its_path(web: Web) -> None:
    web.alice.headers.update({"authorization": f"Bearer {web.server.keys.admin}", "camillo-default-agent": "users/42"})
    http = web.alice
    stored = await http.post("/v1/memories", json={"memory": {"content": "tea 🍵"}})
    assert stored.json()["memory"]["agentId"] == "users/42"
    found = await http.post("/v1/memories:recall", json={"agentId": "users/42", "text": "tea"})
    assert [hit["memory"]["content"] for hit in found.json()["hits"]] == ["tea 🍵"]
    gone = await http.delete("/v1/agents/users%2F42", params={"confirmAgentId": "users/42"})
    assert (gone.status_code, gone.json()["forgottenMemories"]) == (200, "1")
    found = await http.post("/v1/memories:recall", json={"agentId": "users/42", "text": "tea"})
    assert "hits" not in found.json()


@pytest.mark.parametrize("name", ["spaces", "spaces.space"])
async def test_a_list_over_several_spaces_is_refused_with_the_door_that_has_it(web: Web, name: str) -> None:
    refused = await web.alice.get("/v1/memories", params={name: "users/42"})
    [violation] = refused.json()["details"][1]["fieldViolations"]
    assert (refused.status_code, violation["field"]) == (400, name)
    assert "call it by gRPC" in violation["description"]
    assert (await web.alice.get("/v1/memories")).status_code == 200


async def test_the_header_names_the_space_of_calls_that_name_none(web: Web) -> None:
    granting = admin.CreateKeyRequest(agent_id="alice", role=ROLE_WRITER, spaces=["users/42:read"])
    granted = (await web.server.admin(granting)).secret
    await remember(web.server.admin, "tea 🍵", agent_id="users/42")
    await remember(web.server.alice, "tea of alice", agent_id="alice")

    async def recalled(key: str, space: str, **named: str) -> list[str] | str:
        headers = {**web.with_key(key), "camillo-space": space}
        told = await web.alice.post("/v1/memories:recall", json={"text": "tea", **named}, headers=headers)
        if told.status_code == 200:
            return [hit["memory"]["content"] for hit in told.json().get("hits", [])]
        return str(told.json()["details"][0]["reason"])

    for key in (granted, web.server.keys.admin):
        assert await recalled(key, "users/42") == ["tea 🍵"]
        assert await recalled(key, "") == (["tea of alice"] if key == granted else [])
        assert await recalled(key, "users/42", agentId="alice") == ["tea of alice"]
    # Unlike the older header, it is not passed over.
    for space in ("users/43", "bob", "@shared"):
        assert await recalled(granted, space) == "SCOPE_FORBIDDEN"
    assert await recalled(granted, "users/42/") == "INVALID_FIELD"
    headers = {**web.with_key(granted), "camillo-space": "users/42"}
    told = await web.alice.post("/v1/memories", json={"memory": {"content": "milk"}}, headers=headers)
    assert told.json()["details"][0]["reason"] == "SCOPE_FORBIDDEN"


@pytest.mark.parametrize(
    ("path", "header", "status"),
    [
        ("/mcp/users/42", "", 200),
        ("/mcp?space=users/42", "", 200),
        ("/mcp?space=users%2F42&profile=minimal", "", 200),
        ("/mcp", "users/42", 200),
        ("/mcp/users/42?space=users/42", "users/42", 200),
        ("/mcp/users/42", "users/43", 400),
        ("/mcp/users/42?space=users/43", "", 400),
        ("/mcp?space=users/43", "users/42", 400),
        ("/mcp?space=users/43", "", 403),
        ("/mcp", "users/43", 403),
    ],
)
async def test_mcp_has_the_space_of_its_address_query_or_header(web: Web, path: str, header: str, status: int) -> None:
    granting = admin.CreateKeyRequest(agent_id="alice", role=ROLE_WRITER, spaces=["users/42:read"])
    granted = (await web.server.admin(granting)).secret
    for space in ("users/42", "users/43", "alice"):
        await remember(web.server.admin, f"tea of {space}", agent_id=space)
    headers = {**JSON_RPC, **web.with_key(granted), **({"camillo-space": header} if header else {})}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}", timeout=60, headers=headers) as client:
        told = await client.post(path, json=CALL)
    assert told.status_code == status, told.text
    if status == 200:
        assert "tea of users/42" in told.text
        assert "users/43" not in told.text
        assert "alice" not in told.text
    else:
        assert told.json()["details"][0]["reason"] == ("INVALID_FIELD" if status == 400 else "SCOPE_FORBIDDEN")
