"""Resources and prompts."""

import json

import pytest
from camillo_formats.fences import strip_fences
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.mcp.conftest import Connect, answered


async def read(client: Client, uri: str) -> str:
    [content] = (await client.read_resource(uri)).contents
    text: str = content.text  # type: ignore[union-attr]
    return text


async def test_each_kind_of_resource_is_read_by_its_template(alice: Client) -> None:
    templates = (await alice.list_resource_templates()).resource_templates
    assert [each.uri_template for each in templates] == [
        "camillo://memory/{id}",
        "camillo://artifact/{ref}",
        "camillo://bundle/{recipe}{?query,session}",
        "camillo://slot/{key}",
    ]
    stored = await alice.call_tool("remember", {"content": "Ada prefers tea"})
    await answered(alice, "set_memory", key="/user/样式", json_content={"x": "short"}, source="t")
    reply = await answered(alice, "record_event", content="log line\n" * 20_000, kind="tool_result")
    artifact_id = reply.rpartition("MemoryRef: ")[2].rstrip("]")
    expected = {
        f"camillo://memory/{stored.structured_content['id']}": "Ada prefers tea",
        "camillo://slot/%2Fuser%2F%E6%A0%B7%E5%BC%8F": '"short"',
        "camillo://slot/user/样式": '"short"',
        f"camillo://artifact/{artifact_id}": "log line",
        "camillo://bundle/active_context": "log line",
        "camillo://bundle/active_context?query=%E6%A0%B7%E5%BC%8F%20tea&session=none": "Ada prefers",
    }
    for uri, text in expected.items():
        shown = await read(alice, uri)
        assert text in shown
        assert text not in strip_fences(shown)
    listed = [str(each.uri) for each in (await alice.list_resources()).resources]
    assert "camillo://bundle/active_context" in listed


@pytest.mark.parametrize(
    "uri",
    [
        "camillo://memory/00000000-0000-4000-8000-000000000000",
        "camillo://slot/none",
        "camillo://artifact/none_such",
        "camillo://artifact/%00",
        "camillo://bundle/none",
        "camillo://other/x",
        "file:///etc/passwd",
    ],
)
async def test_what_is_not_there_is_an_error_of_the_protocol(alice: Client, uri: str) -> None:
    with pytest.raises(MCPError) as caught:
        await alice.read_resource(uri)
    assert caught.value.error.code == -32602


async def test_prompts(alice: Client) -> None:
    listed = (await alice.list_prompts()).prompts
    assert [each.name for each in listed] == ["recall_context", "save_session"]
    await answered(alice, "remember", content="Deployments happen on Mondays", kind="instruction")
    found = await alice.get_prompt("recall_context", {"task": "plan a deployment"})
    text = json.dumps(found.model_dump(mode="json"))
    assert "plan a deployment" in text
    assert "happen on Mondays" in text
    saved = await alice.get_prompt("save_session")
    assert "Call remember once" in json.dumps(saved.model_dump(mode="json"))
    for name in ("recall_context", "none"):
        with pytest.raises(MCPError):
            await alice.get_prompt(name)


async def test_resources_of_another_agent_are_not_there(web: Web, connect: Connect) -> None:
    async with connect() as alice:
        stored = await alice.call_tool("remember", {"content": "alice's own"})
        uri = f"camillo://memory/{stored.structured_content['id']}"
        assert "alice's own" in await read(alice, uri)
    async with connect(web.server.keys.admin, "/mcp/bob") as bob:
        with pytest.raises(MCPError):
            await bob.read_resource(uri)
