"""Postgres stopped and started under the load of several agents: degraded answers while it is away, and a spool that is
drained once, in order."""

import asyncio
from collections import Counter

import pytest
from camillo.v1.consistency_pb2 import DURABILITY_COMMITTED, DURABILITY_SPOOLED
from camillo.v1.event_service_pb2 import ListEventsRequest
from camillo_client import AsyncCamillo
from camillo_server.kernel.scope import Role
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.watching import Watch, told
from tests.server_fixtures import Server, StartServer
from tests.tenant_keys import create_key

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]
AGENTS = ("ada", "mei-ling", "noor")
SCRIPTS = ("紫藤 🌸", "شاي", "été")
PAUSE_SECONDS = 0.02


class Agent:
    """Remembers and records, one after the other, and keeps what it was told of each."""

    def __init__(self, name: str, script: str, client: AsyncCamillo) -> None:
        self.name = name
        self.client = client
        self.durabilities: list[int] = []
        self.memories: list[str] = []
        self.events: list[str] = []
        self._script = script
        self._over = asyncio.Event()

    async def work(self) -> None:
        number = 0
        while not self._over.is_set():
            text = f"{self.name} {number} {self._script}"
            stored = await self.client.remember(text)
            self.memories.append(text)
            recorded = await self.client.events.record(text, session_id="s", actor=("agent", self.name))
            self.events.append(text)
            self.durabilities += [stored.durability, recorded.durability]
            number += 1
            await asyncio.sleep(PAUSE_SECONDS)

    def stop(self) -> None:
        self._over.set()

    async def until(self, durability: int, count: int) -> None:
        """Returns when it has been told this so many times more."""
        wanted = self.durabilities.count(durability) + count
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self.durabilities.count(durability) < wanted:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_what_agents_write_through_outages_is_stored_once_and_in_order(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer
) -> None:
    database = {"connect_timeout_seconds": CONNECT_SECONDS}
    server = await start_server(on=own_database, database=database)
    agents = [
        Agent(name, script, server.client(key(server, own_database, name)))
        for name, script in zip(AGENTS, SCRIPTS, strict=True)
    ]
    async with asyncio.TaskGroup() as tasks:
        for agent in agents:
            tasks.create_task(agent.work())
        for _ in range(2):
            await asyncio.gather(*(each.until(DURABILITY_COMMITTED, 6) for each in agents))
            await asyncio.to_thread(postgres.stop)
            await asyncio.gather(*(each.until(DURABILITY_SPOOLED, 12) for each in agents))
            await asyncio.to_thread(postgres.start)
        await asyncio.gather(*(each.until(DURABILITY_COMMITTED, 6) for each in agents))
        for agent in agents:
            agent.stop()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while server.app.kernel.spooling.spool.waiting_count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    for agent in agents:
        caller = server.caller(key(server, own_database, agent.name))
        async with Watch(caller, from_beginning=True) as watch:
            assert told(await watch.until_caught_up()) == agent.memories
        events = [each.stated.text for each in (await caller(ListEventsRequest(page_size=1000))).events]
        assert Counter(events) == Counter(agent.events)
        await agent.client.close()


def key(server: Server, database: TestDatabase, agent: str) -> str:
    return create_key(database, "acme", agent, Role.WRITER, server.clock.now())
