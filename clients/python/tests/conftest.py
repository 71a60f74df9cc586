"""A fake server, and clients of it that do not really wait."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from clients.python.tests.fake_server import FakeServer, Pauses, running, running_in_thread

from camillo_client import AsyncCamillo, Camillo
from camillo_client._async import calls as async_calls
from camillo_client._sync import calls as sync_calls
from camillo_client.target import Target


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest_asyncio.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with running() as fake:
        yield fake


@pytest_asyncio.fixture
async def client(server: FakeServer, pauses: Pauses) -> AsyncIterator[AsyncCamillo]:
    channel = async_calls.open_channel(Target(server.address))
    async with AsyncCamillo(channel, key="k-1", agent_id="ada", pause=pauses.wait) as camillo:
        yield camillo


@pytest.fixture
def thread_server() -> Iterator[FakeServer]:
    with running_in_thread() as fake:
        yield fake


@pytest.fixture
def sync_client(thread_server: FakeServer, pauses: Pauses) -> Iterator[Camillo]:
    channel = sync_calls.open_channel(Target(thread_server.address))
    with Camillo(channel, key="k-1", agent_id="ada", pause=pauses.append) as camillo:
        yield camillo
