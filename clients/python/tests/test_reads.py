"""Memories by id, in pages, as a stream."""

from __future__ import annotations

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo_client import AsyncCamillo, errors, memory_filter
from camillo_client.errors import CamilloError


async def test_a_memory_that_is_not_there_is_named(client: AsyncCamillo) -> None:
    memory = await client.remember("tea")
    assert (await client.get(memory.memory_id)).content == "tea"
    with pytest.raises(errors.MemoryNotFound) as raised:
        await client.get("nobody")
    assert raised.value.metadata == {"memory_id": "nobody"}


async def test_all_pages_of_a_list_are_read(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember_many([f"memory {number}" for number in range(5)])
    only_facts = memory_filter(kinds=["fact"])
    listed = [memory.content async for memory in client.list_memories(only_facts, page_size=2)]
    assert listed == [f"memory {number}" for number in range(5)]
    requests = server.desk.of("ListMemories")
    assert [request.page_token for request in requests] == ["", "2", "4"]
    assert all(request.filter == only_facts for request in requests)
    assert all(request.HasField("freshness") for request in requests)


async def test_a_page_is_not_asked_for_before_it_is_needed(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember_many(["a", "b", "c"])
    async for _ in client.list_memories(page_size=1):
        break
    assert len(server.desk.of("ListMemories")) == 1


async def test_history_is_read_to_its_beginning(client: AsyncCamillo) -> None:
    versions = [revision.memory.version async for revision in client.history("m1")]
    assert versions == [3, 2, 1]


async def test_an_export_is_one_stream(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember_many(["a", "b"])
    exported = [memory.content async for memory in client.export(include_vectors=True)]
    assert exported == ["a", "b"]
    assert [request.include_vectors for request in server.desk.of("ExportMemories")] == [True]


async def test_many_recalls_travel_in_batches_of_32(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("query 40")
    answers = await client.recall_many(f"query {number}" for number in range(70))
    hits = [len(answer.hits) for answer in answers if not isinstance(answer, CamilloError)]
    assert len(hits) == 70
    assert [number for number, count in enumerate(hits) if count] == [4, 40]
    assert [len(batch.requests) for batch in server.desk.of("BatchRecall")] == [32, 32, 6]
