"""SIGKILL while reads are entered behind their answers: what was written stays, and no chain is broken."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from camillo_client import AsyncCamillo, CamilloError
from camillo_server.assembly.processes.root_key import ROOT_KEY_FILE

from tests.faults.server_process import server_process
from tests.patience import PATIENCE_SECONDS

KILLS = 4
READS = 60

pytestmark = [pytest.mark.xdist_group("kill"), pytest.mark.timeout(110)]


async def entered(client: AsyncCamillo) -> int:
    found = client.audit.list(method="MemoryService/Recall", page_size=1_000)
    return len([each async for each in found])


async def read_on(client: AsyncCamillo, agent_id: str) -> None:
    """Reads and writes until the server is gone."""
    with suppress(CamilloError):
        while True:
            await client.recall("龙井茶", agent_id=agent_id, timeout=5)
            await client.remember(f"of {agent_id}", agent_id=agent_id, timeout=5)


async def test_a_killed_server_loses_what_it_had_not_written_and_breaks_no_chain(data_directory: Path) -> None:
    read = 0
    for life in range(KILLS + 1):
        with server_process(data_directory) as process:
            address = await process.ready()
            key = (data_directory / ROOT_KEY_FILE).read_text().strip()
            async with AsyncCamillo.connect(address, key=key) as client:
                checks = [each async for each in client.audit.verify()]
                assert not any(each.problems for each in checks)
                assert await entered(client) >= read
                if life == KILLS:
                    return
                await client.audit.set_policy(audit_reads=True)
                await client.remember("龙井茶 🍵", agent_id="alice")
                before = await entered(client)
                for _ in range(READS):
                    await client.recall("龙井茶", agent_id="alice")
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while await entered(client) < before + READS:
                        pass
                read = before + READS
                readers = [asyncio.create_task(read_on(client, agent_id)) for agent_id in ("alice", "bob")]
                async with asyncio.timeout(PATIENCE_SECONDS):
                    # In the midst of writing: after what was written, more is.
                    while await entered(client) == read:
                        pass
                await process.kill()
                await asyncio.gather(*readers)
