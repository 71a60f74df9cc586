"""Arguments that are wrong in every way: each is answered by something that the model can act on, and none by a
defect."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from camillo_server.doors.gateway.mcp.offers import PROFILES
from camillo_server.doors.gateway.mcp.tool import ToolDefinition

from tests.rpc.gateway.conftest import Web

DEEP: Any = "x"
for _ in range(150):
    DEEP = {"a": [DEEP]}
JUNK: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 1.5, -0.0, 1e308, float("inf"), float("nan")),
    *("", "x", "\x00", "\u202e", "a" * 5000, "/", "camillo://memory/x", "0~~", "1-2-3", "[MemoryRef: "),
    *([], [None], ["x"], [["x"]], {}, {"a": None}, {"type": "human", "id": 7}, DEEP),
    {"type": "agent", "id": "a" * 500},
    {"text": 7},
    {"text": "\ud800"},
    {"tool": "t", "line_range": [10**30, -1], "arguments": [1], "excerpt_text": {"a": 1}},
    {"kind": "tool", "name": "\ud800", "locator": DEEP, "retrieved_at": "never"},
    {"kind": "web", "locator": {"a": float("nan")}},
)
DISTINCT = {tool.name: tool for tools in PROFILES.values() for tool in tools}
PROFILE_OF = {tool.name: name for name, tools in PROFILES.items() for tool in tools}


def calls(tool: ToolDefinition) -> Iterator[dict[str, Any]]:
    """The tool with each junk in each argument, the others being plausible."""
    usual: dict[str, Any] = {
        name: _plausible(name, schema) for name, schema in tool.arguments.items() if name in tool.required
    }
    yield usual
    for name in tool.arguments:
        for junk in JUNK:
            yield {**usual, name: junk}


def _plausible(name: str, schema: Any) -> Any:
    if name == "actor":
        return {"type": "human", "id": "ann"}
    if name == "content" and schema.get("type") == "object":
        return {"tool": "t", "text": "x"}
    return "/key" if name == "key" else "x"


@pytest.mark.parametrize("name", DISTINCT)
@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25"])
async def test_no_argument_makes_a_defect(web: Web, name: str, version: str) -> None:
    headers = {
        **web.with_key(web.server.keys.admin),
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": version,
        "mcp-method": "tools/call",
        "mcp-name": name,
    }
    meta = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}
    failures = 0
    url = f"http://127.0.0.1:{web.port}/mcp?profile={PROFILE_OF[name]}"
    async with httpx2.AsyncClient(headers=headers, timeout=60) as client:
        for arguments in calls(DISTINCT[name]):
            params = {"name": name, "arguments": arguments}
            if version == "2026-07-28":
                params["_meta"] = meta
            request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            answer = await client.post(url, content=json.dumps(request))
            reply = answer.json()
            if "result" not in reply:
                # The SDK refuses text that is no JSON, such as NaN or half of a character.
                assert reply["error"]["code"] in (-32700, -32600, -32602), reply
                continue
            text = reply["result"]["content"][0]["text"]
            assert "INTERNAL" not in text, (arguments, text)
            assert "Traceback" not in text
            failures += reply["result"]["isError"]
    assert failures or not DISTINCT[name].arguments
