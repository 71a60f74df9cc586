"""A watch of slots whose server is killed goes on at another one: nothing is lost, and nothing comes twice."""

import asyncio
from contextlib import ExitStack, suppress
from pathlib import Path

import grpc
import pytest
from camillo.v1 import slot_service_pb2 as service

from tests.faults.server_process import server_process
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Caller
from tests.tenant_keys import Keys

WRITES, BEFORE_THE_KILL = 60, 20

pytestmark = [pytest.mark.xdist_group("two_servers"), pytest.mark.timeout(110)]


async def test_a_watch_of_a_killed_server_goes_on_at_another(
    database: TestDatabase, keys: Keys, tmp_path: Path
) -> None:
    with ExitStack() as processes:
        started = [
            processes.enter_context(server_process(tmp_path, database_url=database.server_url)) for _ in range(2)
        ]
        addresses = [await process.ready() for process in started]
        async with grpc.aio.insecure_channel(addresses[0]) as dying, grpc.aio.insecure_channel(addresses[1]) as staying:
            writer = Caller(staying, keys.alice, PATIENCE_SECONDS)
            writing = asyncio.create_task(write(writer))
            watcher = Caller(dying, keys.alice, PATIENCE_SECONDS)
            seen, token = list[int](), ""
            call = watcher.begin(service.WatchSlotsRequest(from_beginning=True))
            with suppress(grpc.aio.AioRpcError):
                async for answer in call:
                    token = answer.change.resume_token
                    if answer.change.HasField("written"):
                        seen.append(answer.change.written.version)
                    if len(seen) == BEFORE_THE_KILL:
                        await started[0].kill()
            assert len(seen) >= BEFORE_THE_KILL
            await writing
            call = writer.begin(service.WatchSlotsRequest(resume_token=token))
            async for answer in call:
                if answer.change.HasField("checkpoint"):
                    break
                seen.append(answer.change.written.version)
            call.cancel()
        assert seen == [*range(1, WRITES + 1)]


async def write(caller: Caller) -> None:
    for number in range(WRITES):
        await set_memory(caller, "/user/状态", f'"{number}"')
