"""A7 and A8 through MCP: channels show what they may, and secrets are kept nowhere."""

import json
import logging
from typing import Any

import pytest
from camillo.v1.admin_service_pb2 import CreateKeyRequest
from camillo.v1.memory_pb2 import NewMemory
from camillo.v1.memory_service_pb2 import RememberRequest
from camillo.v1.slot_pb2 import SlotSource
from camillo.v1.slot_service_pb2 import SetMemoryRequest
from camillo_server.kernel.scope import Role
from mcp.client import Client

from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.mcp.conftest import Connect, answered, failed, text_of
from tests.rpc.test_secrets import CONTROL, assert_nowhere, telling_lines
from tests.secret_samples import samples

LEVELS = ("PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED")
ALLOWED = {"PUBLIC": LEVELS[:1], "PRIVATE": LEVELS, "TEAM": LEVELS[:3], "AGENT": LEVELS[:2]}
SECRETS = samples(11)


@pytest.mark.parametrize("channel", ALLOWED)
async def test_a_key_of_a_channel_shows_what_the_channel_may(web: Web, connect: Connect, channel: str) -> None:
    server = web.server
    for level in LEVELS:
        content, sensitivity = f"The lighthouse keeper noted {level}.", f"SENSITIVITY_{level}"
        new = NewMemory(content=content, sensitivity=sensitivity, pinned=True)
        stored = await server.alice(RememberRequest(memory=new))
        slot = SetMemoryRequest(
            key=f"/{level}", json_content=json.dumps(content), source=SlotSource(text="a test"), sensitivity=sensitivity
        )
        await server.alice(slot)
    request = CreateKeyRequest(agent_id="alice", role="ROLE_WRITER", channel=f"CHANNEL_{channel}")
    key = (await server.admin(request)).secret
    async with connect(key) as client:
        shown = {
            "recall": await answered(client, "recall", query="lighthouse keeper", limit=20),
            "context": await answered(client, "context", query="lighthouse keeper"),
            "forget": await answered(client, "forget", query="lighthouse keeper"),
            "read": "".join([text_of(await client.call_tool("read", {"ref": f"/{level}"})) for level in LEVELS]),
        }
        for tool, text in shown.items():
            found = {level for level in LEVELS if f"noted {level}." in text}
            assert found == set(ALLOWED[channel]), tool
        # By its id no key that is bound to a channel reads a memory, whatever its level.
        memory_id = stored.memory.memory_id
        assert (await failed(client, "read", ref=memory_id)).startswith("SCOPE_FORBIDDEN")
    async with connect() as unbound:
        assert "noted RESTRICTED" in await answered(unbound, "read", ref=memory_id)


@pytest.mark.own_server
@pytest.mark.timeout(300)
async def test_no_secret_is_kept_and_the_model_is_told(
    web: Web, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for number, secret in enumerate(SECRETS.values()):
        key = web.server.new_key(f"writer-{number}", Role.WRITER)
        shown = await write_and_read(connect, key, secret)
        for line in telling_lines(secret):
            assert line not in "\n".join(shown)
            assert line not in server_log(caplog)
    assert_nowhere(web.server.database, [*SECRETS.values()])


async def write_and_read(connect: Connect, key: str, secret: str) -> list[str]:
    """Texts that a model is shown when it writes the secret everywhere and reads what it wrote."""
    text = f"前 {CONTROL} {secret} 後"
    async with connect(key) as client, connect(key, path="/mcp?profile=designs") as designs:
        reply = [text_of(each) for each in await write_everywhere(client, designs, text)]
        assert len([each for each in reply if "secrets were taken out" in each]) >= 6, reply
        shown = [
            *reply,
            await answered(client, "recall", query=CONTROL, limit=20),
            await answered(client, "context", query=CONTROL),
            await answered(client, "decisions", query=CONTROL),
            await answered(client, "read", ref="/note"),
        ]
    for each in shown[-4:]:
        assert CONTROL in each
        assert "後" in each
    return shown


async def write_everywhere(client: Client, designs: Client, text: str) -> list[Any]:
    """Writes a text by each tool that writes."""
    event = {"session_id": "s", "actor": {"type": "human", "id": "ann"}}
    return [
        await client.call_tool("remember", {"content": text}),
        await client.call_tool("record_event", {"content": text}),
        await client.call_tool("record_event", {"content": text, "kind": "tool_result"}),
        await client.call_tool("record_event", {"content": text, "kind": "decision"}),
        await client.call_tool("set_memory", {"key": "/note", "json_content": {"a": [text]}, "source": "test"}),
        await designs.call_tool("store_memory", {"content": text, "description": CONTROL}),
        await designs.call_tool("memory.record_event", {**event, "content": {"text": text}}),
        await designs.call_tool("memory.record_event", {**event, "content": {"deep": [text]}}),
    ]


def server_log(caplog: pytest.LogCaptureFixture) -> str:
    """The server's own log; the client under test logs what it sends."""
    ours = ("camillo_server", "mcp.server", "uvicorn")
    return "\n".join(r.getMessage() for r in caplog.records if r.name.startswith(ours))
