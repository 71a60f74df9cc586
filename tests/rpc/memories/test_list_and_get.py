"""GetMemory and ListMemories: one by its id, all in pages."""

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness

from tests.rpc.memories.calls import UNKNOWN_ID, get, listed, remember
from tests.server_fixtures import Server, refused


async def test_a_memory_is_read_with_its_vector_only_when_asked_for(server: Server) -> None:
    stored = await remember(server.alice, "with a vector")
    assert not (await get(server.alice, stored.memory_id)).HasField("vector")
    found = await get(server.alice, stored.memory_id, include_vector=True)
    assert found.vector.model_id == "random-16"
    assert len(found.vector.values) == 16


async def test_pages_hold_everything_once_newest_first(server: Server) -> None:
    expected = []
    for i in range(7):
        # Two at a time at one moment: ids decide between them.
        server.clock.move(i % 2)
        expected.append(await remember(server.alice, f"number {i}"))
    expected.sort(key=lambda m: (m.created_at.ToMicroseconds(), m.memory_id), reverse=True)
    request = service.ListMemoriesRequest(page_size=3)
    pages = []
    while True:
        page = await server.alice(request)
        pages.append(len(page.memories))
        assert list(page.memories) == expected[: len(page.memories)]
        expected = expected[len(page.memories) :]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert pages == [3, 3, 1]
    assert not expected


async def test_a_page_that_ends_exactly_at_the_end_is_the_last(server: Server) -> None:
    for i in range(4):
        await remember(server.alice, f"number {i}")
    first = await server.alice(service.ListMemoriesRequest(page_size=2))
    assert first.next_page_token
    token = first.next_page_token
    second = await server.alice(service.ListMemoriesRequest(page_size=2, page_token=token))
    assert len(second.memories) == 2
    assert not second.next_page_token


async def test_pages_end_before_they_become_too_large_for_a_message(server: Server) -> None:
    """A client that was told nothing takes messages of 4 MiB."""
    large = {"note": "字" * 5_000}
    drafts = [pb.NewMemory(content=f"number {i}", metadata=large) for i in range(300)]
    for start in range(0, 300, 100):
        await server.alice(service.BatchRememberRequest(memories=drafts[start : start + 100]))
    seen, sizes = list[str](), list[int]()
    request = service.ListMemoriesRequest(page_size=1_000)
    while True:
        page = await server.alice(request)
        seen += [memory.memory_id for memory in page.memories]
        sizes.append(page.ByteSize())
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert len(seen) == len(set(seen)) == 300
    assert max(sizes) < 4 * 2**20 < sum(sizes)
    exported = [message async for message in server.alice.begin(service.ExportMemoriesRequest())]
    assert sum(len(message.memories) for message in exported) == 300
    assert max(message.ByteSize() for message in exported) < 4 * 2**20


async def test_pages_of_a_filter_go_on_behind_rows_that_were_forgotten(server: Server) -> None:
    for i in range(6):
        server.clock.move(1)
        await remember(server.alice, f"number {i}", tags=["even"] if i % 2 == 0 else [])
    request = service.ListMemoriesRequest(filter=pb.MemoryFilter(tags_any=["even"]), page_size=1)
    page = await server.alice(request)
    assert [m.content for m in page.memories] == ["number 4"]
    ids = service.MemoryIds(ids=[page.memories[0].memory_id])
    await server.alice(service.ForgetMemoriesRequest(memory_ids=ids))
    request.page_token = page.next_page_token
    page = await server.alice(request)
    assert [m.content for m in page.memories] == ["number 2"]


async def test_a_list_has_fifty_unless_said_otherwise(server: Server) -> None:
    memories = [pb.NewMemory(content=str(i)) for i in range(60)]
    await server.alice(service.BatchRememberRequest(memories=memories))
    assert len(await listed(server.alice)) == 50
    assert len(await listed(server.alice, page_size=1000)) == 60


async def test_reads_tell_the_revision_they_saw(server: Server) -> None:
    written = await server.alice(service.RememberRequest(memory=pb.NewMemory(content="x")))
    fresh = Freshness(at_least_as_fresh=written.revision)
    page = await server.alice(service.ListMemoriesRequest(freshness=fresh))
    one = await server.alice(service.GetMemoryRequest(memory_id=written.memory.memory_id, freshness=fresh))
    assert page.revision == one.revision == written.revision


async def test_another_tenants_and_agents_memories_are_not_there(server: Server) -> None:
    """The answer is the same as for an id that nobody has."""
    mine = await remember(server.alice, "mine")
    bobs = await remember(server.admin, "bob's", agent_id="bob")
    theirs = await remember(server.rival, "theirs", agent_id="alice")
    assert (await get(server.alice, mine.memory_id)).content == "mine"
    for memory_id in (bobs.memory_id, theirs.memory_id, UNKNOWN_ID):
        told = await refused(server.alice(service.GetMemoryRequest(memory_id=memory_id)))
        assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "MEMORY_NOT_FOUND")
        assert told.metadata == {"memory_id": memory_id}
        assert told.message == "memory not found"
    assert await listed(server.alice) == ["mine"]


async def test_the_client_reads_pages_and_its_own_writes(server: Server) -> None:
    async with server.client(server.keys.alice) as client:
        stored = [await client.remember(f"number {i}", tags=["t"]) for i in range(5)]
        found = [memory async for memory in client.list_memories(page_size=2)]
        assert {m.memory_id for m in found} == {m.memory_id for m in stored}
        assert (await client.get(stored[0].memory_id)).content == "number 0"
        hits = (await client.recall("number 3", explain=True)).hits
        assert hits[0].memory.content == "number 3"
