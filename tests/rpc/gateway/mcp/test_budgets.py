"""Tokens: what the tools cost in every conversation, and what an answer may take."""

import json

import pytest
from camillo_server.doors.gateway.mcp import offers
from camillo_server.doors.gateway.mcp.offers import PROFILES
from camillo_server.lib.text.exact_tokens import ExactCounter
from camillo_server.lib.text.tokens import ESTIMATE
from mcp.client import Client

from bench.gateway.mcp_messages import o200k_counter
from tests.rpc.gateway.mcp.conftest import Connect, answered

MAX_TOOL_TOKENS = 1_500
MAX_INSTRUCTION_TOKENS = 250


@pytest.fixture(scope="module")
def counter() -> ExactCounter:
    """Counter of a vocabulary that the development dependency litellm brings, under its name there."""
    return o200k_counter()


@pytest.mark.parametrize("profile", PROFILES)
async def test_the_list_of_tools_is_short(profile: str, connect: Connect, counter: ExactCounter) -> None:
    async with connect(path=f"/mcp?profile={profile}") as client:
        listed = (await client.list_tools()).model_dump(by_alias=True, exclude_none=True)
        assert [each["name"] for each in listed["tools"]] == [t.name for t in PROFILES[profile]]
    whole = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    assert 300 < counter.count(whole) <= MAX_TOOL_TOKENS
    assert counter.count(offers.instructions(profile)) <= MAX_INSTRUCTION_TOKENS
    assert len(listed["tools"]) <= 11
    for tool in listed["tools"]:
        assert tool["title"]
        assert tool["annotations"].keys() == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        has_output = profile == "chatgpt" and tool["name"] in ("search", "fetch")
        assert ("outputSchema" in tool) != has_output


@pytest.mark.parametrize("max_tokens", [200, 1000])
async def test_an_answer_takes_no_more_than_its_budget(alice: Client, max_tokens: int) -> None:
    for number in range(12):
        await answered(alice, "remember", content=f"tea {number}: " + "milk and sugar " * 30)
    long = await alice.call_tool("remember", {"content": "深色模式 tea " * 150})
    for tool, more in (
        ("recall", {"query": "tea", "limit": 12}),
        ("context", {"query": "tea"}),
        ("decisions", {"query": "tea"}),
        ("read", {"ref": long.structured_content["id"]}),
    ):
        text = await answered(alice, tool, **more, max_tokens=max_tokens)
        assert ESTIMATE.count(text) <= max_tokens, tool
    found = await answered(alice, "recall", query="tea", limit=12, max_tokens=max_tokens)
    assert "did not fit" in found
    assert "milk" in found or "深色" in found
