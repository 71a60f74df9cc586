"""Servers with a spool that are killed, while they spool and while they replay: all that was acknowledged is stored,
once."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from camillo.v1.consistency_pb2 import DURABILITY_SPOOLED
from camillo_client import AsyncCamillo, CamilloError
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.server_process import ServerProcess, server_process
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.tenant_keys import create_keys

pytestmark = [pytest.mark.xdist_group("kill"), pytest.mark.timeout(180)]
AGENTS = ("alice", "minsu", "bushra")
WRITES_BEFORE_A_KILL, WRITES_TO_REPLAY = 60, 300


@dataclass(slots=True)
class Written:
    """Acknowledged writes: ids of memories by content, and the last value of each agent's slot."""

    attempted: set[str] = field(default_factory=set)
    memories: dict[str, str] = field(default_factory=dict)
    slots: Counter[str] = field(default_factory=Counter)

    async def write(self, client: AsyncCamillo, agent: str, writer: str, count: int) -> None:
        """Writes `count` memories, each of which has to be spooled. A call that fails is repeated as it is."""
        for number in range(count):
            content = f"{agent} {writer} {number} 🧾 記憶 ذاكرة"
            self.attempted.add(content)
            while True:
                with suppress(CamilloError):
                    done = await client.remember(content, agent_id=agent, request_id=content, timeout=5)
                    break
            assert done.durability == DURABILITY_SPOOLED
            self.memories[content] = done.memory_id

    async def count(self, client: AsyncCamillo, agent: str, upto: int) -> None:
        """Sets one slot again and again: its versions tell the order."""
        for number in range(1, upto + 1):
            value = f'{{"number": {number}}}'
            slot = client.slots.set_memory("/count", value, "counted", agent_id=agent)
            assert (await slot).durability == DURABILITY_SPOOLED
            self.slots[agent] = number


@dataclass(frozen=True, slots=True)
class Fleet:
    """Servers beside one Postgres, with one directory for what they spool."""

    directory: Path
    url: str
    # Key of an administrator, who reaches every agent.
    key: str
    stack: AsyncExitStack

    async def start(self) -> tuple[ServerProcess, AsyncCamillo]:
        process = self.stack.enter_context(server_process(self.directory, database_url=self.url))
        address = await process.ready()
        connected = AsyncCamillo.connect(address, key=self.key)
        client = await self.stack.enter_async_context(connected)
        # While Postgres is away, only keys are known that have been used.
        await client.who_am_i()
        return process, client


@pytest.fixture
async def fleet(own_database: TestDatabase, tmp_path: Path) -> AsyncIterator[Fleet]:
    async with AsyncExitStack() as stack:
        key = create_keys(own_database, datetime.now(UTC)).admin
        yield Fleet(tmp_path / "servers", own_database.server_url, key, stack)


async def stored_by(client: AsyncCamillo, agent: str) -> list[tuple[str, str]]:
    return [(each.content, each.memory_id) async for each in client.export(agent_id=agent)]


async def until_stored(client: AsyncCamillo, written: Written) -> Sequence[tuple[str, str]]:
    """All memories, when each acknowledged one is there: others may be, whose answers nobody got."""
    async with asyncio.timeout(4 * PATIENCE_SECONDS):
        while True:
            with suppress(CamilloError):
                found = [each for agent in AGENTS for each in await stored_by(client, agent)]
                if written.memories.keys() <= {content for content, _ in found}:
                    return found


def check(written: Written, found: Sequence[tuple[str, str]]) -> None:
    """Checks that each acknowledged memory is there once, under the id its writer got, and none that nobody wrote."""
    assert {content: memory_id for content, memory_id in found if content in written.memories} == (written.memories)
    assert set(Counter(content for content, _ in found).values()) == {1}
    assert {content for content, _ in found} <= written.attempted


async def test_what_a_killed_server_has_spooled_another_one_stores(fleet: Fleet, postgres: EmbeddedPostgres) -> None:
    process, client = await fleet.start()
    _, other = await fleet.start()
    await asyncio.to_thread(postgres.stop)
    written = Written()
    writers = [asyncio.create_task(written.write(client, agent, "first", WRITES_BEFORE_A_KILL)) for agent in AGENTS]
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(written.memories) < WRITES_BEFORE_A_KILL:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await process.kill()
    for task in writers:
        task.cancel()
    await asyncio.gather(*writers, return_exceptions=True)
    await asyncio.to_thread(postgres.start)
    check(written, await until_stored(other, written))


async def test_a_server_that_is_killed_while_it_replays_doubles_nothing(
    fleet: Fleet, postgres: EmbeddedPostgres
) -> None:
    process, client = await fleet.start()
    await asyncio.to_thread(postgres.stop)
    written = Written()
    each = WRITES_TO_REPLAY // len(AGENTS)
    await asyncio.gather(*(written.write(client, agent, "first", each) for agent in AGENTS))
    await asyncio.gather(*(written.count(client, agent, 20) for agent in AGENTS))
    await asyncio.to_thread(postgres.start)
    counts = list[int]()
    for _ in range(3):
        async with asyncio.timeout(2 * PATIENCE_SECONDS):
            begun = counts[-1] if counts else 0
            while True:
                with suppress(CamilloError):
                    stored = sum([len(await stored_by(client, agent)) for agent in AGENTS])
                    if stored > begun or stored == len(written.memories):
                        break
        counts.append(stored)
        await process.kill()
        process, client = await fleet.start()
    # Else nothing was killed in the midst of it.
    assert counts[0] < len(written.memories)
    check(written, await until_stored(client, written))
    for agent in AGENTS:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                with suppress(CamilloError):
                    slot = await client.slots.get("/count", agent_id=agent)
                    if slot.version >= written.slots[agent]:
                        break
        assert (slot.version, slot.json_content) == (20, '{"number": 20}')
    assert not [write async for write in client.spool.list()]
