"""Changes of resources, as clients of 2026-07-28 listen for them."""

import asyncio
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.subscriptions import ResourceUpdated

from tests.patience import PATIENCE_SECONDS
from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.mcp.conftest import MODERN, Connect, answered
from tests.rpc.gateway.mcp.test_stdio import program

SLOT, OTHER = "camillo://slot/user/style", "camillo://slot/%2Fother"


async def next_uri(subscription: Any) -> str:
    """The address of the next resource that changed."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        event = await anext(aiter(subscription))
    assert isinstance(event, ResourceUpdated)
    return event.uri


async def test_who_listens_is_told_of_changes_and_of_nothing_else(connect: Connect) -> None:
    async with connect() as client:
        stored = await client.call_tool("remember", {"content": "the cat is called Tibbles"})
        memory_id = stored.structured_content["id"]
        memory = f"camillo://memory/{memory_id}"
        async with client.listen(resource_subscriptions=[memory, SLOT]) as subscription:
            await answered(client, "remember", content="nobody listens for this one")
            await answered(client, "set_memory", key="/other", json_content=1, source="test")
            await answered(client, "set_memory", key="/user/style", json_content=1, source="test")
            assert await next_uri(subscription) == SLOT
            await answered(client, "forget", ids=[memory_id], dry_run=False)
            assert await next_uri(subscription) == memory


async def test_changes_of_another_agent_are_not_told(web: Web, connect: Connect) -> None:
    async with (
        connect() as alice,
        connect(web.server.keys.admin, "/mcp/bob") as bob,
        alice.listen(resource_subscriptions=[SLOT, OTHER]) as subscription,
    ):
        await answered(bob, "set_memory", key="/user/style", json_content=1, source="test")
        await answered(alice, "set_memory", key="/other", json_content=2, source="test")
        # The control: its own change comes, and nothing was told before it.
        assert await next_uri(subscription) == OTHER


async def test_over_standard_input_too(web: Web) -> None:
    started = program("--address", web.server.address, key=web.server.keys.alice)
    async with Client(started, mode=MODERN) as client, client.listen(resource_subscriptions=[SLOT]) as subscription:
        await answered(client, "set_memory", key="/user/style", json_content=1, source="test")
        assert await next_uri(subscription) == SLOT


@pytest.mark.own_server
async def test_a_server_that_stops_ends_the_streams(web: Web, connect: Connect) -> None:
    async with connect() as client, client.listen(resource_subscriptions=[SLOT]) as subscription:
        stopping = asyncio.create_task(web.server.app.stop())
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert [event async for event in subscription] == []
            await stopping
