"""Two server processes on one database: a read that demands a revision is never stale."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness

from tests.faults.server_process import server_process
from tests.postgres_fixtures import TestDatabase
from tests.server_fixtures import Caller
from tests.tenant_keys import Keys

PAIRS = 2000
AGENTS = 16

pytestmark = [pytest.mark.xdist_group("two_servers"), pytest.mark.timeout(110)]


async def test_no_read_is_stale(database: TestDatabase, keys: Keys, tmp_path: Path) -> None:
    with ExitStack() as processes:
        started = [
            processes.enter_context(server_process(tmp_path, database_url=database.server_url)) for _ in range(2)
        ]
        addresses = [await process.ready() for process in started]
        async with grpc.aio.insecure_channel(addresses[0]) as one, grpc.aio.insecure_channel(addresses[1]) as other:
            callers = [Caller(channel, keys.admin, 30) for channel in (one, other)]
            await asyncio.gather(*(write_and_read(callers, f"agent-{i}") for i in range(AGENTS)))
        for process in started:
            assert await process.terminate() == 0


async def write_and_read(callers: list[Caller], agent_id: str) -> None:
    """Writes on one server and looks for it on the other, alternately by recall and by list."""
    for number in range(PAIRS // AGENTS):
        writer, reader = callers[number % 2], callers[1 - number % 2]
        content = f"word{number}"
        new = pb.NewMemory(content=content, tags=[content])
        written = await writer(service.RememberRequest(agent_id=agent_id, memory=new))
        fresh = Freshness(at_least_as_fresh=written.revision)
        wanted = pb.MemoryFilter(tags_any=[content])
        if number % 4 < 2:
            request = service.ListMemoriesRequest(agent_id=agent_id, filter=wanted, freshness=fresh)
            found = [memory.content for memory in (await reader(request)).memories]
        else:
            recalled = service.RecallRequest(agent_id=agent_id, text=content, filter=wanted, freshness=fresh)
            found = [hit.memory.content for hit in (await reader(recalled)).hits]
        assert found == [content]
