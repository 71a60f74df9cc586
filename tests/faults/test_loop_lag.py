"""No request stops the event loop: every method with its worst texts, listed from the contract."""

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_service_pb2 as service
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from tests.faults.lag_server import WORST
from tests.faults.server_process import ServerProcess, python_process
from tests.faults.worst_messages import WorstMessages
from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import put_text
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.rpc.random_messages import ID
from tests.rpc.test_random_requests import METHODS, ground
from tests.server_fixtures import Caller
from tests.tenant_keys import Keys

MAX_LAG_SECONDS = 0.05 * FACTOR
# The shortest of several attempts counts, since other work of the machine seldom delays all of them.
ATTEMPTS = 3
# Size of a request; the variable may ask for the most that the server receives.
REQUEST_BYTES = int(os.environ.get("CAMILLO_TEST_LAG_BYTES", "200000"))
SORTS = os.environ.get("CAMILLO_TEST_LAG_TEXTS", "secrets").split(",")
READ_SECONDS = 0.2


class Lag(NamedTuple):
    """How long the loop stood still, how much of it was garbage collection, and where all threads were."""

    seconds: float
    collecting: float
    stacks: str

    def __str__(self) -> str:
        return f"{self.seconds * 1000:.0f} ms, {self.collecting * 1000:.0f} of garbage collection"


@contextmanager
def lag_server(data_dir: Path, database_url: str) -> Iterator[ServerProcess]:
    """A server that tells by how much its loop is late."""
    settings = {
        "data_dir": str(data_dir),
        "server": {"port": 0},
        "memory": {"embedding_model": "lexical"},
        "telemetry": {"log_level": "error"},
        "lifecycle": {"cron": None},
    }
    configuration = json.dumps({"settings": settings, "database_url": database_url})
    with python_process("-m", "tests.faults.lag_server", configuration) as process:
        yield ServerProcess(process)


async def send(caller: Caller, method: MethodDescriptor, requests: list[Message]) -> str:
    """The outcome."""
    try:
        if method.client_streaming:
            await caller.send(requests, method.name)
        elif method.server_streaming:
            await read(caller.begin(requests[0]))
        else:
            await caller(requests[0])
    except grpc.aio.AioRpcError as error:
        return f"{error.code().name} {(error.details() or '')[:200]}"
    return "OK"


async def read(call: Any) -> None:
    """Reads a stream for a moment, since some streams have no end."""
    try:
        async with asyncio.timeout(READ_SECONDS):
            async for _ in call:
                pass
    except TimeoutError:
        call.cancel()


class Probe:
    """Sends requests, and sees what becomes of the loop."""

    def __init__(self, channel: grpc.aio.Channel, caller: Caller) -> None:
        self._ask: Any = channel.unary_unary(WORST)
        self._caller = caller

    async def least_lag(self, method: MethodDescriptor, requests: list[Message]) -> tuple[Lag, str]:
        """The shortest lag of several attempts, and the outcome of the last one."""
        found = []
        for _ in range(ATTEMPTS):
            await self.lag()
            outcome = await send(self._caller, method, requests)
            found.append(await self.lag())
            if found[-1].seconds <= MAX_LAG_SECONDS:
                break
        return min(found), outcome

    async def assert_a_busy_loop_is_seen(self) -> None:
        """A loop that computes for ten times as long as it may."""
        await self._ask(str(10 * MAX_LAG_SECONDS).encode(), metadata=self._caller.metadata)
        control = await self.lag()
        assert control.seconds > 5 * MAX_LAG_SECONDS
        assert "busy_wait" in control.stacks

    async def lag(self) -> Lag:
        """The longest since the last time."""
        return Lag(*json.loads(await self._ask(b"", metadata=self._caller.metadata)))


async def known_ids(caller: Caller) -> dict[str, list[str]]:
    """Values that requests may name, by field."""
    await remember(caller, "known", memory_id=ID)
    await caller(update(ID, 1, content="known still"))
    await caller(admin.CreateAgentRequest(agent_id="bob"))
    page = await caller(service.ListMemoriesRequest(page_size=1))
    artifact = await put_text(caller, "one word\ntwo words\n")
    return {**await ground(caller), "artifact_id": [artifact.artifact_id], "token": [page.revision.token]}


@pytest.mark.timeout(120 + REQUEST_BYTES // 5_000)
async def test_no_method_stops_the_event_loop(database: TestDatabase, keys: Keys, tmp_path: Path) -> None:
    late = []
    with lag_server(tmp_path, database.server_url) as process:
        options = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
        async with grpc.aio.insecure_channel(await process.ready(), options) as channel:
            caller = Caller(channel, keys.root, PATIENCE_SECONDS)
            probe, known = Probe(channel, caller), await known_ids(caller)
            messages = {sort: WorstMessages(sort, known, REQUEST_BYTES) for sort in SORTS}
            for sort, method in product(SORTS, METHODS):
                for requests in messages[sort].of(method):
                    lag, outcome = await probe.least_lag(method, requests)
                    if lag.seconds > MAX_LAG_SECONDS:
                        late.append(f"{method.name} ({sort}), {outcome}: {lag}\n{lag.stacks}")
            await probe.assert_a_busy_loop_is_seen()
    assert not late, "\n".join(late)
