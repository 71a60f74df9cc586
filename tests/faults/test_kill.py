"""SIGKILL of the server and its Postgres under write load: every acknowledged write is there, none twice."""

import asyncio
import os
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from camillo_client import AsyncCamillo, CamilloError
from camillo_server.assembly.processes.root_key import ROOT_KEY_FILE

from tests.faults.server_process import server_process
from tests.patience import PATIENCE_SECONDS
from tests.storage.embedded.embedded_child import is_running, postmaster_pid

KILLS = 10
WRITERS = 6
# Several writers share each scope, and those that wait are stored together.
AGENTS = 2
WRITES_BEFORE_A_KILL = 40

pytestmark = [pytest.mark.xdist_group("kill"), pytest.mark.timeout(110)]


def agent_of(writer: int) -> str:
    return f"agent-{writer % AGENTS}"


class Writers:
    """Writers that write on and on, several under one agent; each repeats a request id until it is answered."""

    def __init__(self) -> None:
        self.acknowledged: list[str] = []
        self.attempted: list[str] = []
        self._goal = 0
        self._reached = asyncio.Event()

    async def write(self, client: AsyncCamillo, writer: int, life: int) -> None:
        number = 0
        while True:
            content = f"{life}/{writer}/{number}"
            self.attempted.append(content)
            with suppress(CamilloError):
                await client.remember(content, agent_id=agent_of(writer), request_id=content, timeout=5)
                self.acknowledged.append(content)
                number += 1
                if len(self.acknowledged) >= self._goal:
                    self._reached.set()

    async def until_acknowledged(self, count: int) -> None:
        self._goal = len(self.acknowledged) + count
        self._reached.clear()
        await self._reached.wait()


async def test_no_acknowledged_write_is_lost_and_none_is_there_twice(data_directory: Path) -> None:
    writers = Writers()
    for life in range(KILLS):
        with server_process(data_directory) as process:
            address = await process.ready()
            key = (data_directory / ROOT_KEY_FILE).read_text().strip()
            async with AsyncCamillo.connect(address, key=key) as client:
                await repeat_last(client, writers)
                tasks = [asyncio.create_task(writers.write(client, writer, life)) for writer in range(WRITERS)]
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await writers.until_acknowledged(WRITES_BEFORE_A_KILL)
                postmaster = postmaster_pid(data_directory)
                await process.kill()
                if life % 2:
                    # Every other time Postgres is killed as hard; else it goes by itself, soon after.
                    with suppress(ProcessLookupError):
                        os.kill(postmaster, signal.SIGKILL)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
    with server_process(data_directory) as process:
        address = await process.ready()
        async with AsyncCamillo.connect(address, key=key) as client:
            stored = Counter(
                [
                    memory.content
                    for writer in range(AGENTS)
                    async for memory in client.export(agent_id=agent_of(writer))
                ]
            )
            assert len(writers.acknowledged) >= KILLS * WRITES_BEFORE_A_KILL
            assert not set(writers.acknowledged) - set(stored)
            assert not set(stored) - set(writers.attempted)
            assert set(stored.values()) == {1}
            postmaster = postmaster_pid(data_directory)
        assert await process.terminate() == 0
        assert not is_running(postmaster)


async def repeat_last(client: AsyncCamillo, writers: Writers) -> None:
    """Repeats writes that were answered before the kill: they are answered the same, and nothing is written again."""
    for content in writers.acknowledged[-5:]:
        agent = agent_of(int(content.split("/")[1]))
        memory = await client.remember(content, agent_id=agent, request_id=content)
        assert memory.content == content
