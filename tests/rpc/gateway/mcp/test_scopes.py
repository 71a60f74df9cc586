"""Who reaches what through MCP: the credential decides, or the agent in the address where the credential may act for
it."""

import json
from typing import Any

import httpx2
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1.admin_pb2 import ROLE_WRITER
from camillo_server.doors.gateway.json_bounds import MESSAGE_BOUNDS
from camillo_server.doors.gateway.mcp.json_rpc import MAX_REST_BYTES

from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.mcp.conftest import Connect, answered, failed

SAFE = "the safe opens with a turn to the left"
INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


async def test_neither_agents_nor_tenants_see_what_is_another_ones(web: Web, connect: Connect) -> None:
    keys = web.server.keys
    async with connect() as alice:
        stored = await alice.call_tool("remember", {"content": SAFE})
        memory_id = stored.structured_content["id"]
        event = await alice.call_tool("record_event", {"content": SAFE, "kind": "decision"})
        refs = [memory_id, *event.structured_content.values()]
        await answered(alice, "set_memory", key="/safe", json_content=SAFE, source="test")
        assert SAFE in await answered(alice, "recall", query="safe")
        for ref in [*refs, "/safe"]:
            assert SAFE in await answered(alice, "read", ref=ref)
    others = ((keys.admin, "/mcp/bob"), (keys.rival, "/mcp/alice"), (keys.rival, "/mcp"))
    for key, path in others:
        async with connect(key, path) as other:
            await answered(other, "remember", content="the safe is mine")
            found = await answered(other, "recall", query="safe")
            assert "the safe is mine" in found
            assert SAFE not in found
            assert SAFE not in await answered(other, "context", query="safe")
            assert SAFE not in await answered(other, "decisions", query="safe")
            for ref in [*refs, "/safe"]:
                assert "NOT_FOUND" in await failed(other, "read", ref=ref)
            assert "NOT_FOUND" in await failed(other, "forget", ids=[memory_id])
            await answered(other, "forget", ids=[memory_id], dry_run=False)
    async with connect() as alice:
        assert SAFE in await answered(alice, "read", ref=memory_id)


async def test_an_agent_in_the_address_needs_a_key_that_may_act_for_it(web: Web, connect: Connect) -> None:
    async with connect(path="/mcp/alice") as alice:
        await answered(alice, "remember", content="alice was here")
    async with connect(web.server.keys.admin, "/mcp/alice") as operator:
        assert "alice was here" in await answered(operator, "recall", query="alice")
    refused = await post(web, "/mcp/bob", web.server.keys.alice)
    assert refused.status_code == 403
    assert refused.json()["details"][0]["reason"] == "SCOPE_FORBIDDEN"


async def test_a_space_in_the_address_needs_a_grant_or_a_key_for_any_agent(web: Web, connect: Connect) -> None:
    async with connect(web.server.keys.admin, "/mcp/users/42") as operator:
        await answered(operator, "remember", content="tea 🍵 for 42")
    granting = admin.CreateKeyRequest(agent_id="alice", role=ROLE_WRITER, spaces=["users/42:write"])
    granted = (await web.server.admin(granting)).secret
    async with connect(granted, "/mcp/users/42") as alice:
        assert "tea 🍵 for 42" in await answered(alice, "recall", query="tea")
    async with connect(granted) as own:
        assert "for 42" not in await answered(own, "recall", query="tea")
    # As for an agent, at the door.
    for path in ("/mcp/users/43", "/mcp/customers/42"):
        refused = await post(web, path, granted)
        assert refused.status_code == 403
        assert refused.json()["details"][0]["reason"] == "SCOPE_FORBIDDEN"


async def test_a_key_for_any_agent_acts_for_the_default_one(web: Web, connect: Connect) -> None:
    async with connect(web.server.keys.admin) as operator:
        await answered(operator, "remember", content="of whom?")
    async with connect(web.server.keys.admin, "/mcp/default") as default:
        assert "of whom?" in await answered(default, "recall", query="whom")


async def test_a_reader_may_not_write(web: Web, connect: Connect) -> None:
    async with connect(web.server.keys.reader) as reader:
        await answered(reader, "recall", query="anything")
        reply = await failed(reader, "remember", content="not by me")
    assert reply.startswith("SCOPE_FORBIDDEN")


@pytest.mark.parametrize("key", ["", "wrong"])
async def test_without_a_valid_credential_there_is_a_challenge(web: Web, key: str) -> None:
    refused = await post(web, "/mcp", key)
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == 'Bearer realm="camillo"'
    assert (await post(web, "/mcp", web.server.keys.alice)).status_code == 200


async def test_a_page_of_the_web_does_not_reach_the_port(web: Web) -> None:
    key = web.server.keys.alice
    for headers in ({"host": "evil.example:80"}, {"origin": "http://evil.example"}):
        assert (await post(web, "/mcp", key, headers)).status_code in (403, 421)
    own = {"origin": f"http://127.0.0.1:{web.port}"}
    assert (await post(web, "/mcp", key, own)).status_code == 200


async def test_bodies_have_the_bound_of_messages(web: Web) -> None:
    key = web.server.keys.alice
    big = {**INITIALIZE, "padding": "x" * MESSAGE_BOUNDS.max_bytes}
    assert (await post(web, "/mcp", key, body=big)).status_code == 413
    # Beside the arguments of a tool there is less.
    assert (await post(web, "/mcp", key, body={**INITIALIZE, "padding": "x" * MAX_REST_BYTES})).status_code == 400
    most = {**INITIALIZE, "padding": "x" * (MAX_REST_BYTES - 1_000)}
    assert (await post(web, "/mcp", key, body=most)).status_code == 200
    deep = json.loads("[" * 150 + "]" * 150)
    paddings: list[list[Any]] = [[[]] * MESSAGE_BOUNDS.max_values, deep]
    for padding in paddings:
        answer = await post(web, "/mcp", key, body={**INITIALIZE, "padding": padding})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)


async def test_only_post_is_there_and_only_known_profiles(web: Web) -> None:
    key = web.server.keys.alice
    async with httpx2.AsyncClient(headers=web.with_key(key)) as client:
        for method in ("GET", "DELETE"):
            answer = await client.request(method, f"http://127.0.0.1:{web.port}/mcp")
            assert answer.status_code == 405
            assert "POST" in answer.headers["allow"]
    unknown = await post(web, "/mcp?profile=all", key)
    assert unknown.status_code == 400
    assert "minimal" in unknown.json()["message"]


async def post(
    web: Web, path: str, key: str, headers: dict[str, str] | None = None, body: dict[str, Any] | None = None
) -> httpx2.Response:
    sent = {"accept": "application/json, text/event-stream", **(headers or {})}
    if key:
        sent |= web.with_key(key)
    async with httpx2.AsyncClient(headers=sent, timeout=60) as client:
        return await client.post(f"http://127.0.0.1:{web.port}{path}", json=body or INITIALIZE)
