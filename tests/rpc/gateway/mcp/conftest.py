"""The MCP SDK's own client, against the HTTP port of a running server, in both eras of the protocol."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.patience import PATIENCE_SECONDS
from tests.rpc.gateway.conftest import Web

MODERN = "2026-07-28"
# By the handshake of the eras before.
LEGACY = "legacy"
ERAS = (MODERN, LEGACY)

Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
def connect(web: Web) -> Connect:
    """Connects with a key, by default that of `alice`, to `/mcp` or below it."""

    @asynccontextmanager
    async def connected(key: str = "", path: str = "/mcp", mode: Any = MODERN) -> AsyncIterator[Client]:
        headers = web.with_key(key or web.server.keys.alice)
        url = f"http://127.0.0.1:{web.port}{path}"
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE_SECONDS) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            yield client

    return connected


@asynccontextmanager
async def client_of_own_task(
    connecting: Callable[[], AbstractAsyncContextManager[Client]],
) -> AsyncIterator[tuple[Client, Callable[[], Awaitable[None]]]]:
    """A client that any task may leave, by what comes with it; the SDK's own must be left by the task that entered
    it."""
    connected: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
    leaving = asyncio.Event()

    async def hold() -> None:
        async with connecting() as client:
            connected.set_result(client)
            await leaving.wait()

    async def leave() -> None:
        leaving.set()
        await holding

    holding = asyncio.create_task(hold())
    either: set[asyncio.Future[Any]] = {connected, holding}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if holding.done():
        await holding
    try:
        yield connected.result(), leave
    finally:
        await leave()


@pytest.fixture(params=ERAS)
async def alice(request: pytest.FixtureRequest, connect: Connect) -> AsyncIterator[Client]:
    """A client of the agent `alice`, once in each era."""
    async with client_of_own_task(lambda: connect(mode=request.param)) as (client, _):
        yield client


def text_of(result: Any) -> str:
    """The one text of a tool's answer."""
    [block] = result.content
    text: str = block.text
    return text


async def answered(client: Client, tool: str, /, **arguments: Any) -> str:
    """The text of an answer that is no failure."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return text_of(result)


async def failed(client: Client, tool: str, /, **arguments: Any) -> str:
    """The text of a failure."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, text_of(result)
    return text_of(result)
