"""Remembering, changing, forgetting."""

from __future__ import annotations

import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import status
from grpc import StatusCode

from camillo.v1.memory_pb2 import Memory
from camillo_client import SHARED, AsyncCamillo, errors, memory_filter, new_memory

EXHAUSTED = status(StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", metadata={"limit": "9"})


async def test_every_mutation_has_a_request_id_of_its_own(client: AsyncCamillo, server: FakeServer) -> None:
    memory = await client.remember("tea")
    await client.remember("tea")
    await client.remember_many(["tea"])
    await client.update(memory.memory_id, 1, content="coffee")
    await client.restore([memory.memory_id])
    await client.forget([memory.memory_id], dry_run=True)
    await client.forget([memory.memory_id])
    ids = [call.request.request_id for call in server.desk.calls]
    assert len(ids) == len(set(ids)) == 7
    assert all(len(request_id) == 32 for request_id in ids)


async def test_the_callers_request_id_is_sent(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea", request_id="r1")
    await client.forget(["m0"], dry_run=True, request_id="r2")
    assert [call.request.request_id for call in server.desk.calls] == ["r1", "r2"]


async def test_the_agent_of_a_call_stands_for_the_clients(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    await client.remember("tea", agent_id="bob")
    await client.remember("tea", agent_id=SHARED)
    assert [r.agent_id for r in server.desk.of("Remember")] == ["ada", "bob", SHARED]


async def test_many_have_a_result_each(client: AsyncCamillo) -> None:
    first, second, third = await client.remember_many(["a", new_memory(""), new_memory("c")])
    assert isinstance(first, Memory)
    assert isinstance(second, errors.InvalidField)
    assert second.field_violations[0].field == "content"
    assert isinstance(third, Memory)
    assert (first.content, third.content) == ("a", "c")


async def test_many_travel_in_batches_of_1000(client: AsyncCamillo, server: FakeServer) -> None:
    outcomes = await client.remember_many((str(n) for n in range(2100)), request_id="r1")
    assert [outcome.content for outcome in outcomes if isinstance(outcome, Memory)] == [str(n) for n in range(2100)]
    batches = server.desk.of("BatchRemember")
    assert [len(batch.memories) for batch in batches] == [1000, 1000, 100]
    assert [batch.request_id for batch in batches] == ["r1", "r1.1", "r1.2"]


async def test_many_large_ones_travel_within_the_size_of_a_message(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember_many(new_memory("a", vector=[0.5] * 4096) for _ in range(400))
    sizes = [batch.ByteSize() for batch in server.desk.of("BatchRemember")]
    assert len(sizes) == 3
    assert max(sizes) < 4 * 1024 * 1024


async def test_after_a_failed_batch_the_whole_can_be_repeated(client: AsyncCamillo, server: FakeServer) -> None:
    memories = [str(n) for n in range(1001)]
    server.desk.refuse("BatchRemember", status(StatusCode.INTERNAL, "INTERNAL"))
    with pytest.raises(errors.InternalError) as raised:
        await client.remember_many(memories)
    await client.remember_many(memories, request_id=raised.value.request_id)
    failed, first, second = (batch.request_id for batch in server.desk.of("BatchRemember"))
    assert (failed, f"{failed}.1") == (first, second)


async def test_an_update_sends_what_changes(client: AsyncCamillo, server: FakeServer) -> None:
    memory = await client.remember("tea")
    changed = await client.update(memory.memory_id, 1, content="coffee", tags=["drink"])
    assert (changed.content, list(changed.tags), changed.version) == ("coffee", ["drink"], 2)
    (request,) = server.desk.of("UpdateMemory")
    assert request.expected_version == 1
    assert list(request.update_mask.paths) == ["content", "tags"]


async def test_forgetting_is_by_ids_or_by_filter(client: AsyncCamillo, server: FakeServer) -> None:
    assert (await client.forget(["a", "b"])).forgotten == 2
    await client.forget(filter=memory_filter(session_id="s"))
    by_ids, by_filter = server.desk.of("ForgetMemories")
    assert list(by_ids.memory_ids.ids) == ["a", "b"]
    assert by_filter.filter.session_id == "s"
    with pytest.raises(ValueError, match="either"):
        await client.forget()


async def test_restoring_tells_how_many(client: AsyncCamillo) -> None:
    assert await client.restore(["a", "b"]) == 2


async def test_a_quota_tells_its_limit_and_the_request_id(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("Remember", EXHAUSTED)
    with pytest.raises(errors.QuotaExceeded) as raised:
        await client.remember("tea")
    assert raised.value.limit == 9
    assert raised.value.request_id == server.desk.of("Remember")[0].request_id


async def test_one_text_is_not_taken_for_several(client: AsyncCamillo, server: FakeServer) -> None:
    """It would fall apart into its characters."""
    for many in (client.remember_many, client.recall_many):
        with pytest.raises(TypeError, match="a single text"):
            await many("tea")
    assert not server.desk.calls
