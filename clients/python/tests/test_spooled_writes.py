"""Writes while Postgres is away: they say so, have no revision, and reads that follow demand none of them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from clients.python.tests.fake_server import FakeServer
from google.protobuf.json_format import MessageToDict

from camillo.v1.consistency_pb2 import Durability
from camillo.v1.memory_pb2 import Memory
from camillo.v1.memory_service_pb2 import RecallRequest, RememberRequest, RememberResponse
from camillo_client import AsyncCamillo, Camillo, WrittenMemory, new_memory

REMEMBER, RECALL = "camillo.v1.MemoryService/Remember", "camillo.v1.MemoryService/Recall"
COMMITTED, SPOOLED = Durability.DURABILITY_COMMITTED, Durability.DURABILITY_SPOOLED

Write = Callable[[AsyncCamillo, str], Awaitable[Any]]
WRITES: dict[str, Write] = {
    "remember": lambda client, run_id: client.remember("茶 before dinner"),
    "remember again": lambda client, run_id: client.remember("tea", request_id="mine"),
    "record": lambda client, run_id: client.events.record("есть чай?", session_id="s1"),
    "workflow step": lambda client, run_id: client.events.record_workflow_step("backup", "copy"),
    "set_memory": lambda client, run_id: client.slots.set_memory("/user/drink", '"茶"', "chat"),
    "append": lambda client, run_id: client.runs.append(run_id, "there are 2 tins"),
}


@pytest.mark.parametrize("name", WRITES)
async def test_a_spooled_write_is_demanded_of_no_read(client: AsyncCamillo, server: FakeServer, name: str) -> None:
    run_id = (await client.runs.start("message", agent_id="bob")).run.run_id
    server.memories.is_away = True
    written = await WRITES[name](client, run_id)
    await client.recall("tea")
    assert (written.durability, written.spool_id) == (SPOOLED, "spooled-0")
    server.memories.is_away = False
    written = await WRITES[name](client, run_id)
    await client.recall("tea")
    assert (written.durability, written.spool_id) == (COMMITTED, None)
    away, back = server.desk.of("Recall")
    assert not away.HasField("freshness")
    assert back.freshness.at_least_as_fresh.token == "db1/ada/1"  # noqa: S105


async def test_what_was_stored_before_is_still_demanded(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    server.memories.is_away = True
    await client.remember("milk")
    await client.remember("tea", request_id="mine")
    await client.recall("tea")
    (request,) = server.desk.of("Recall")
    assert request.freshness.at_least_as_fresh.token == "db1/ada/1"  # noqa: S105


async def test_hits_tell_that_they_are_spooled(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("чай")
    assert [hit.is_spooled for hit in (await client.recall("чай")).hits] == [False]
    server.memories.is_away = True
    assert [hit.is_spooled for hit in (await client.recall("чай")).hits] == [True]


async def test_calls_by_name_demand_it_of_no_read_either(client: AsyncCamillo, server: FakeServer) -> None:
    server.memories.is_away = True
    answer = await client.call(REMEMBER, RememberRequest(memory=new_memory("tea")))
    assert (answer.durability, answer.spool_id) == (SPOOLED, "spooled-0")
    await client.call(RECALL, RecallRequest(text="tea"))
    assert not server.desk.of("Recall")[0].HasField("freshness")


async def test_what_is_written_reads_as_the_message_that_it_was(client: AsyncCamillo, server: FakeServer) -> None:
    written = await client.remember("ชา")
    found = await client.get(written.memory_id)
    assert (written.content, written.version) == ("ชา", 1)
    assert written == found
    assert found == written
    assert written.message == found
    assert MessageToDict(written) == MessageToDict(found)
    assert not written.HasField("expires_at")
    assert [each.durability for each in _copies(written)] == [COMMITTED, COMMITTED]
    assert (await client.import_memories([written, found])).imported == 2
    assert [*server.desk.of("ImportMemories")[0].memories] == [found, found]


def _copies(written: WrittenMemory) -> list[WrittenMemory]:
    return [copy.deepcopy(written), pickle.loads(pickle.dumps(written))]  # noqa: S301


def test_a_dropped_write_has_nothing_but_that() -> None:
    """Nothing says that such an answer has a memory."""
    answer = RememberResponse(durability=Durability.DURABILITY_DROPPED)
    written = WrittenMemory(answer.memory, answer)
    assert (written.durability, written.spool_id) == (Durability.DURABILITY_DROPPED, None)
    assert written.message == Memory()


def test_the_sync_twin_does_the_same(sync_client: Camillo, thread_server: FakeServer) -> None:
    thread_server.memories.is_away = True
    assert sync_client.remember("tea").spool_id == "spooled-0"
    assert sync_client.recall("tea").hits[0].is_spooled
    assert not thread_server.desk.of("Recall")[0].HasField("freshness")
