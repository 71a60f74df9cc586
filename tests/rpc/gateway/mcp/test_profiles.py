"""The tools of the other profiles: those that ChatGPT calls, those that agent designs name, and administrative
reads."""

import json

import pytest
from camillo.v1.admin_service_pb2 import CreateAgentRequest
from camillo.v1.memory_pb2 import NewMemory
from camillo.v1.memory_service_pb2 import RememberRequest
from camillo.v1.slot_pb2 import SlotSource
from camillo.v1.slot_service_pb2 import SetMemoryRequest
from camillo_formats.fences import strip_fences
from camillo_server.doors.gateway.mcp.profile_tools import FETCH_TOKENS
from mcp_types import TextResourceContents

from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.mcp.conftest import Connect, answered, failed, text_of
from tests.rpc.knowledge.calls import publish

LONG = "\n".join(f"step {number}: compiled" for number in range(1, 3001))


async def test_chatgpt_searches_and_fetches_as_its_connectors_do(connect: Connect) -> None:
    async with connect(path="/mcp?profile=chatgpt") as client:
        stored = await client.call_tool("remember", {"content": "Ada prefers tea 🍵\nwith milk"})
        [result] = json.loads(await answered(client, "search", query="Ada"))["results"]
        memory_id = stored.structured_content["id"]
        assert result == {
            "id": memory_id,
            "title": "Ada prefers tea 🍵 with milk",
            "url": f"camillo://memory/{memory_id}",
        }
        fetched = json.loads(await answered(client, "fetch", id=memory_id))
        assert fetched.keys() == {"id", "title", "text", "url", "metadata"}
        assert "Ada prefers tea 🍵\nwith milk" in fetched["text"]
        assert strip_fences(fetched["text"]) == ""
        assert json.loads(await answered(client, "search", query="no such thing"))


async def test_whatever_search_finds_can_be_fetched(web: Web, connect: Connect) -> None:
    admin = web.server.admin
    content, source = '"獾 badgers: of the team"', SlotSource(text="x")
    team = SetMemoryRequest(agent_id="@shared", key="/team/獾", json_content=content, source=source)
    await admin(team)
    await publish(admin, "badgers.md", "# 獾\n\nbadgers: in a document 🦡\n")
    async with connect(path="/mcp?profile=chatgpt") as client:
        await answered(client, "remember", content="badgers: in a memory 🦡")
        await answered(client, "set_memory", key="/own/غرير", json_content={"badgers": "in a slot"}, source="test")
        await answered(client, "record_event", content="badgers: decided", kind="decision", session="s")
        found = json.loads(await answered(client, "search", query="badgers"))["results"]
        fetched = {each["url"]: json.loads(await answered(client, "fetch", id=each["id"]))["text"] for each in found}
        texts = "\n".join(fetched.values())
        for each in ("of the team", "in a document", "in a memory", "in a slot", "decided"):
            assert each in texts
        for url, text in fetched.items():
            [read] = (await client.read_resource(url)).contents
            assert isinstance(read, TextResourceContents)
            assert read.text == text
        for each in found:
            assert strip_fences(await answered(client, "read", ref=each["id"])).strip() == ""


async def test_memories_that_agents_share_are_read_by_keys_that_reach_them(web: Web, connect: Connect) -> None:
    memory = NewMemory(content="every agent knows this: 大家")
    stored = await web.server.admin(RememberRequest(memory=memory, agent_id="@shared"))
    memory_id = stored.memory.memory_id
    async with connect(web.server.keys.admin) as operator:
        assert "大家" in await answered(operator, "read", ref=memory_id)
    async with connect() as alice:
        assert "大家" in await answered(alice, "recall", query="every agent knows")
        assert "recall shows" in await failed(alice, "read", ref=memory_id)


async def test_the_tools_of_designs(connect: Connect) -> None:
    async with connect(path="/mcp?profile=designs") as client:
        kept = await client.call_tool(
            "store_memory", {"content": LONG, "description": "the build's log", "type": "log"}
        )
        assert text_of(kept).startswith("[MemoryRef: ")
        key = kept.structured_content["memory_key"]
        first = await client.call_tool("retrieve_memory", {"memory_key": text_of(kept)})
        assert "step 1: compiled" in text_of(first)
        page = first.structured_content["next"]
        assert "step 1: " not in await answered(client, "retrieve_memory", memory_key=key, page=page)
        assert "step 1: " in await answered(client, "memory.get_artifact", artifact_id=key)
        assert "build's log" in await answered(client, "search_memory", query="build log")
        await answered(client, "set_memory", key="/a/b", json_content={"x": 1}, source="test")
        event = {
            "session_id": "s1",
            "channel": "private",
            "actor": {"type": "human", "id": "user"},
            "kind": "message",
            "sensitivity": "none",
            "tags": ["topic:onboarding"],
            "content": {"text": "what is this project for?"},
            "refs": [],
        }
        recorded = await client.call_tool("memory.record_event", event)
        assert len(recorded.structured_content["chunk_ids"]) == 1
        content = {"tool": "fs.read_file", "path": "README.md", "excerpt_text": "a memory service"}
        result = {**event, "kind": "tool_result", "content": {**content, "line_range": [1, 1]}}
        await answered(client, "memory.record_event", **result)
        call = {"tool": "fs.read_file", "arguments": {"path": "README.md"}}
        await answered(client, "memory.record_event", **{**event, "kind": "tool_call", "content": call})
        bundle = await answered(client, "memory.build_acb", session_id="s1", query_text="what is it for?")
        assert "what is this project for?" in bundle
        assert "a memory service" in bundle
        await answered(client, "memory.query_decisions", query="anything")
        await answered(client, "search_my_memories", query="project")
        reply = await failed(client, "memory.record_event", **{**event, "actor": {"type": "cat"}})
        assert "actor must be" in reply
        reply = await failed(client, "memory.record_event", **{**event, "content": {}})
        assert "content must be" in reply


@pytest.mark.own_server
async def test_administrative_reads_show_what_the_key_may_see(web: Web, connect: Connect) -> None:
    path = "/mcp?profile=admin"
    async with connect(web.server.keys.admin, path) as operator:
        assert '"tenant_id": "acme"' in await answered(operator, "server_info")
        await answered(operator, "remember", content="counted")
        assert '"agent_id": "default"' in await answered(operator, "usage", all_scopes=True)
        assert "no spooled write" in await answered(operator, "spool_failures")
        agents = [f"agent-{number}-{'x' * 90}" for number in range(60)]
        for agent_id in agents:
            await web.server.admin(CreateAgentRequest(agent_id=agent_id))
        usage = await answered(operator, "usage", all_scopes=True)
        assert agents[0] in usage
        assert usage.endswith("there are more: the command line of the server lists them all")
        assert len(usage) < 4 * FETCH_TOKENS
    async with connect(path=path) as alice:
        assert '"agent_id": "alice"' in await answered(alice, "server_info")
        for tool in ("spool_failures", "usage"):
            more = {"all_scopes": True} if tool == "usage" else {}
            assert (await failed(alice, tool, **more)).startswith("SCOPE_FORBIDDEN")
