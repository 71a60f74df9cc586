"""Servers that embed by words, so that a question finds what shares its meaning and its words, and clients of them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Protocol, TypeVar

import pytest
from camillo.v1.memory_pb2 import ANSWERED_BY_CACHE, SOURCE_EVENT
from camillo_client import AsyncCamillo
from camillo_server.kernel.scope import Role

from tests import caches
from tests.patience import PATIENCE_SECONDS
from tests.server_fixtures import Server


class Degradable(Protocol):
    """An answer that says why it is less good than it could be."""

    @property
    def degraded(self) -> Sequence[Any]: ...


Answer = TypeVar("Answer", bound=Degradable)
AsAgent = Callable[[str], Awaitable[AsyncCamillo]]


async def settled(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """The answer when memory holds the scope with all its vectors: nothing is missing in it."""
    async with asyncio.timeout(2 * PATIENCE_SECONDS):
        while (answer := await ask()).degraded:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return answer


async def in_memory(client: AsyncCamillo) -> None:
    """Returns when memory answers in the client's scope, with all its vectors; where caches are off, when Postgres has
    them."""
    async with asyncio.timeout(3 * PATIENCE_SECONDS):
        while True:
            answer = await client.recall("anything", sources=[SOURCE_EVENT])
            is_there = caches.ARE_OFF or answer.answered_by == ANSWERED_BY_CACHE
            if is_there and not answer.degraded:
                return
            await asyncio.sleep(0.02)


@pytest.fixture
def server_settings() -> dict[str, Any]:
    """Vectors that come from words."""
    return {"memory": {"embedding_model": "lexical", "embedding_dimensions": None}}


@pytest.fixture
async def agent(server: Server) -> AsyncIterator[AsAgent]:
    """A client with a key of its own for an agent of the tenant `acme`; made known first."""
    async with AsyncExitStack() as closing:
        admin = await closing.enter_async_context(server.client(server.keys.admin))
        known: set[str] = set()

        async def client(agent_id: str) -> AsyncCamillo:
            if agent_id not in known:
                known.add(agent_id)
                await admin.admin.create_agent(agent_id)
            key = server.new_key(agent_id, Role.WRITER)
            return await closing.enter_async_context(server.client(key))

        yield client


@pytest.fixture
async def alice(agent: AsAgent) -> AsyncCamillo:
    """The client of the agent `alice`."""
    return await agent("alice")


@pytest.fixture
async def operator(server: Server) -> AsyncIterator[AsyncCamillo]:
    """The client of an administrator of the tenant, for any of its agents."""
    async with server.client(server.keys.admin) as client:
        yield client
