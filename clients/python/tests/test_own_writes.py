"""A client reads its own writes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import status
from grpc import StatusCode

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_service_pb2 import BatchRecallRequest, GetMemoryRequest
from camillo_client import SHARED, AsyncCamillo, errors, minimize_latency, recall_request
from camillo_client.errors import CamilloError

GET, BATCH = "camillo.v1.MemoryService/GetMemory", "camillo.v1.MemoryService/BatchRecall"
UNKNOWN = status(StatusCode.OUT_OF_RANGE, "REVISION_UNKNOWN")


async def test_reads_demand_the_revision_of_the_last_write(client: AsyncCamillo, server: FakeServer) -> None:
    await client.recall("tea")
    memory = await client.remember("tea")
    await client.recall("tea")
    await client.get(memory.memory_id)
    [memory async for memory in client.list_memories()]
    before, after = server.desk.of("Recall")
    assert not before.HasField("freshness")
    for request in (after, *server.desk.of("GetMemory"), *server.desk.of("ListMemories")):
        assert request.freshness.at_least_as_fresh.token == "db1/ada/1"  # noqa: S105


async def test_every_kind_of_write_counts(client: AsyncCamillo, server: FakeServer) -> None:
    memory = await client.remember("tea")
    await client.update(memory.memory_id, 1, content="coffee")
    await client.remember_many(["milk"])
    await client.restore([memory.memory_id])
    await client.import_memories([memory])
    await client.forget([memory.memory_id])
    await client.recall("tea")
    (request,) = server.desk.of("Recall")
    assert request.freshness.at_least_as_fresh.token == "db1/ada/6"  # noqa: S105


async def test_a_dry_run_is_no_write(client: AsyncCamillo, server: FakeServer) -> None:
    await client.forget(["m0"], dry_run=True)
    await client.recall("tea")
    assert not server.desk.of("Recall")[0].HasField("freshness")


async def test_the_callers_demand_goes_before(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    await client.recall("tea", freshness=minimize_latency())
    assert server.desk.of("Recall")[0].freshness.minimize_latency


async def test_scopes_do_not_mix(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    await client.recall("tea", agent_id=SHARED)
    assert not server.desk.of("Recall")[0].HasField("freshness")


async def test_a_repeated_request_id_makes_the_next_read_fully_consistent(
    client: AsyncCamillo, server: FakeServer
) -> None:
    await client.remember("tea")
    await client.remember("milk", request_id="r1")
    for _ in range(2):
        await client.recall("tea")
    first, second = server.desk.of("Recall")
    assert first.freshness.fully_consistent
    assert second.freshness.at_least_as_fresh.token == "db1/ada/2"  # noqa: S105


async def test_a_restored_database_is_asked_once_more_without_the_revision(
    client: AsyncCamillo, server: FakeServer
) -> None:
    await client.remember("tea")
    server.memories.database = "db2"
    answer = await client.recall("tea")
    assert len(answer.hits) == 1
    await client.recall("tea")
    demands = [request.HasField("freshness") for request in server.desk.of("Recall")]
    assert demands == [True, False, False]


async def test_an_unknown_revision_of_the_caller_is_the_callers_error(client: AsyncCamillo, server: FakeServer) -> None:
    with pytest.raises(errors.RevisionUnknown):
        await client.recall("tea", freshness=Revision(token="other"))
    server.desk.refuse("Recall", UNKNOWN)
    with pytest.raises(errors.RevisionUnknown):
        await client.recall("tea")


async def test_many_recalls_demand_it_too(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    mine = recall_request("tea", freshness=minimize_latency())
    other = recall_request("tea", agent_id="bob")
    await client.recall_many(["tea", mine, other])
    (batch,) = server.desk.of("BatchRecall")
    first, second, third = batch.requests
    assert first.freshness.at_least_as_fresh.token == "db1/ada/1"  # noqa: S105
    assert second.freshness.minimize_latency
    assert not third.HasField("freshness")
    assert (first.agent_id, third.agent_id, mine.agent_id) == ("ada", "bob", "")


async def test_many_recalls_survive_a_restored_database_one_by_one(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    server.memories.database = "db2"
    mine = recall_request("tea", freshness=Revision(token="other"))
    first, second = await client.recall_many(["tea", mine])
    assert not isinstance(first, CamilloError)
    assert [hit.memory.content for hit in first.hits] == ["tea"]
    assert isinstance(second, errors.RevisionUnknown)
    assert [len(batch.requests) for batch in server.desk.of("BatchRecall")] == [2, 1]


async def test_each_page_of_a_list_demands_the_last_write_by_then(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember_many(["a", "b"])
    async for memory in client.list_memories(page_size=1):
        await client.update(memory.memory_id, memory.version, pinned=True)
    tokens = [r.freshness.at_least_as_fresh.token for r in server.desk.of("ListMemories")]
    assert tokens == ["db1/ada/1", "db1/ada/2"]


async def test_a_read_that_is_asked_once_more_has_the_rest_of_its_time(
    client: AsyncCamillo, server: FakeServer
) -> None:
    batch = BatchRecallRequest(requests=[recall_request("tea")])
    reads: dict[str, Callable[[], Awaitable[object]]] = {
        "Recall": lambda: client.recall("tea", timeout=2),
        "GetMemory": lambda: client.call(GET, GetMemoryRequest(memory_id="m0"), timeout=2),
        "BatchRecall": lambda: client.recall_many(["tea"], timeout=2),
        "BatchRecall again": lambda: client.call(BATCH, batch, timeout=2),
    }
    for number, read in enumerate(reads.values()):
        await client.remember("tea")
        # The read goes to another database, which does not know the revision of the write.
        server.memories.database = f"db{number + 2}"
        server.desk.delays = [0.4]
        server.desk.calls.clear()
        await read()
        first, second = (call.seconds_left for call in server.desk.calls)
        assert first is not None
        assert second is not None
        assert second < first - 0.3


async def test_recalls_demand_of_the_shared_scope_what_was_written_there(
    client: AsyncCamillo, server: FakeServer
) -> None:
    await client.remember("tea")
    await client.remember("茶 for all", agent_id=SHARED)
    await client.recall("tea")
    await client.recall("tea", include_shared=True)
    await client.search_my_memories("tea")
    await client.recall("tea", include_shared=True, shared_freshness=minimize_latency())
    own, both, four, stated = server.desk.of("Recall")
    assert not own.HasField("shared_freshness")
    for request in (both, four):
        assert request.freshness.at_least_as_fresh.token == "db1/ada/1"  # noqa: S105
        written = request.shared_freshness.at_least_as_fresh.token
        assert written.startswith(f"db1/{SHARED}/")
    assert stated.shared_freshness.minimize_latency
    assert (four.limit, four.profile.name, len(four.sources)) == (5, "blended", 4)
    requests = [recall_request("tea"), recall_request("tea", include_shared=True)]
    await client.recall_many(requests)
    (batch,) = server.desk.of("BatchRecall")
    assert [each.HasField("shared_freshness") for each in batch.requests] == [False, True]
