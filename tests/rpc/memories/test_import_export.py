"""ExportMemories and ImportMemories: out and in again without loss."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import UNKNOWN_ID, get, listed, recall, remember
from tests.rpc.memories.test_update import update, versions
from tests.server_fixtures import Caller, Server, StartServer, refusal_of, refused

EVERYTHING = pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE)


async def exported(caller: Caller, **fields: object) -> list[pb.Memory]:
    request = service.ExportMemoriesRequest(filter=EVERYTHING, include_vectors=True, **fields)  # type: ignore[arg-type]
    return [memory async for part in caller.begin(request) for memory in part.memories]


def importing(
    memories: list[pb.Memory], agent_id: str = "", replace: bool = False
) -> list[service.ImportMemoriesRequest]:
    policy = service.CONFLICT_POLICY_REPLACE if replace else service.CONFLICT_POLICY_UNSPECIFIED
    return [service.ImportMemoriesRequest(agent_id=agent_id, on_conflict=policy, memories=memories)]


async def fill(server: Server) -> None:
    """Memories with something in every field."""
    alice, now = server.alice, server.clock.now()
    rich = await remember(
        alice,
        "rich \U0001f9e0 ä\t\n",
        kind=pb.MEMORY_KIND_SUMMARY,
        session_id="s",
        occurred_at=now - timedelta(days=3, microseconds=1),
        tags=["z", "a"],
        sensitivity=pb.SENSITIVITY_RESTRICTED,
        importance=0.3,
        metadata={"t": "ü", "n": 0.1, "big": 1e300, "small": 5e-324, "f": False, "null": None},
        expires_at=now + timedelta(days=1),
        pinned=True,
        source_refs=["e1"],
        vector=pb.Vector(model_id="mine", values=[0.1, 0.2, 0.3]),
    )
    server.clock.move(1)
    archived = await remember(alice, "archived")
    await alice(update(archived.memory_id, 1, archived=True))
    server.clock.move(1)
    await alice(update(rich.memory_id, 1, content="rich, in its second version"))
    await remember(alice, "plain")
    await recall(alice, "plain", limit=1)
    # Otherwise its access may be stored between two exports.
    await server.app.search.access.flush()
    await alice(service.BatchRememberRequest(memories=[pb.NewMemory(content=f"number {i}") for i in range(600)]))


@pytest.mark.own_server
async def test_a_scope_comes_back_whole_in_another_one(server: Server) -> None:
    await fill(server)
    before = await exported(server.alice)
    assert len(before) == 603
    assert all(memory.HasField("vector") for memory in before)
    created = [(m.created_at.ToMicroseconds(), m.memory_id) for m in before]
    assert created == sorted(created)
    answer = await server.rival.send(importing(before[:500], "copy") + importing(before[500:]))
    assert (answer.imported, answer.skipped, answer.failed) == (603, 0, 0)
    after = await exported(server.rival, agent_id="copy")
    # Who imports vouches for it.
    assert len({memory.credential for memory in after} - {before[0].credential}) == 1
    for memory in (*before, *after):
        memory.agent_id = memory.credential = ""
    assert after == before


async def test_access_statistics_travel_with_a_memory(server: Server) -> None:
    memory = pb.Memory(content="counted", access_count=7, memory_id=UNKNOWN_ID)
    memory.accessed_at.FromDatetime(server.clock.now())
    await server.alice.send(importing([memory]))
    found = await get(server.alice, UNKNOWN_ID)
    assert (found.access_count, found.accessed_at) == (7, memory.accessed_at)


async def test_what_is_there_is_skipped_or_replaced_as_asked(server: Server) -> None:
    stored = await remember(server.alice, "old", tags=["old"])
    server.clock.move(60)
    new = pb.Memory(memory_id=stored.memory_id, content="new", version=5, access_count=3)
    new.created_at.FromDatetime(server.clock.now() - timedelta(days=9))
    answer = await server.alice.send(importing([new]))
    assert (answer.imported, answer.skipped) == (0, 1)
    assert await listed(server.alice) == ["old"]
    answer = await server.alice.send(importing([new], replace=True))
    assert (answer.imported, answer.skipped) == (1, 0)
    found = await get(server.alice, stored.memory_id)
    assert (found.content, found.version, list(found.tags)) == ("new", 5, [])
    history = await versions(server.alice, stored.memory_id)
    assert [revision.memory.content for revision in history] == ["new", "old"]


async def test_a_replacing_import_keeps_times_and_statistics(server: Server) -> None:
    stored = await remember(server.alice, "old")
    new = pb.Memory(memory_id=stored.memory_id, content="new", access_count=3)
    new.created_at.FromDatetime(server.clock.now() - timedelta(days=9))
    new.accessed_at.FromDatetime(server.clock.now() - timedelta(days=8))
    await server.alice.send(importing([new], replace=True))
    found = await get(server.alice, stored.memory_id)
    assert found.created_at == new.created_at
    assert (found.access_count, found.accessed_at) == (3, new.accessed_at)


@pytest.mark.own_server
async def test_an_import_sent_again_changes_nothing(server: Server) -> None:
    await fill(server)
    before = await exported(server.alice)
    answer = await server.alice.send(importing(before))
    assert (answer.imported, answer.skipped) == (0, len(before))
    assert await exported(server.alice) == before


async def test_failures_are_named_by_their_place_and_the_others_are_stored(server: Server) -> None:
    messages = importing([pb.Memory(content="a"), pb.Memory()], "") + importing(
        [pb.Memory(content="b"), pb.Memory(content="c", version=-1)]
    )
    answer = await server.alice.send(messages)
    assert (answer.imported, answer.failed) == (2, 2)
    assert [failure.index for failure in answer.failures] == [1, 3]
    told = [refusal_of(failure.error) for failure in answer.failures]
    assert [one.reason for one in told] == ["INVALID_FIELD", "INVALID_FIELD"]
    assert [one.fields for one in told] == [("memory.content",), ("memory.version",)]
    assert sorted(await listed(server.alice)) == ["a", "b"]


async def test_a_hundred_failures_are_named_and_all_are_counted(server: Server) -> None:
    answer = await server.alice.send(importing([pb.Memory()] * 150))
    assert (answer.failed, len(answer.failures)) == (150, 100)
    assert answer.revision.token


async def test_a_stream_has_to_begin_with_a_message_that_holds_something(server: Server) -> None:
    for messages in ([], [service.ImportMemoriesRequest()], importing([pb.Memory()] * 1001)):
        told = await refused(server.alice.send(messages))
        assert (told.reason, told.fields) == ("INVALID_FIELD", ("memories",))


async def test_only_the_first_message_says_where_to(server: Server) -> None:
    first, second = importing([pb.Memory(content="a")]) + importing([pb.Memory(content="b")], "alice")
    told = await refused(server.alice.send([first, second]))
    assert (told.reason, told.fields) == ("INVALID_FIELD", ("agent_id",))
    assert await listed(server.alice) == ["a"]


async def test_imported_memories_get_their_vectors_afterwards(server: Server) -> None:
    answer = await server.alice.send(importing([pb.Memory(content="a late vector")]))
    assert answer.imported == 1
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await recall(server.alice, "a late vector")).degraded:
            pass
    hit = (await recall(server.alice, "a late vector")).hits[0]
    assert hit.breakdown.dense.raw > 0.999


async def test_an_import_may_take_longer_than_a_call_without_a_deadline(start_server: StartServer) -> None:
    server = await start_server(server={"default_deadline_seconds": 0.05})
    alice = server.caller(server.keys.alice, timeout_seconds=None)
    loop = asyncio.get_running_loop()

    async def slowly() -> AsyncIterator[service.ImportMemoriesRequest]:
        yield importing([pb.Memory(content="a")])[0]
        end = loop.time() + 0.1
        while loop.time() < end:
            await listed(server.alice)
        yield importing([pb.Memory(content="b")])[0]

    answer = await alice.send(slowly())
    assert answer.imported == 2


async def test_an_export_is_of_one_revision(server: Server) -> None:
    memories = [pb.NewMemory(content=f"number {i}") for i in range(1000)]
    await server.alice(service.BatchRememberRequest(memories=memories))
    await server.alice(service.BatchRememberRequest(memories=memories))
    parts = aiter(server.alice.begin(service.ExportMemoriesRequest()))
    first = await anext(parts)
    server.clock.move(1)
    await remember(server.alice, "written meanwhile")
    revisions, contents = {first.revision.token}, {m.content for m in first.memories}
    async for part in parts:
        assert 1 <= len(part.memories) <= 500
        revisions.add(part.revision.token)
        contents.update(m.content for m in part.memories)
    assert len(revisions) == 1
    assert "written meanwhile" not in contents
    assert contents == {m.content for m in memories}
    assert "written meanwhile" in {m.content for m in await exported(server.alice)}


async def test_the_client_exports_and_imports(server: Server) -> None:
    async with server.client(server.keys.alice) as client, server.client(server.keys.rival, agent_id="copy") as copy:
        await client.remember_many([f"number {i}" for i in range(700)])
        answer = await copy.import_memories(client.export(include_vectors=True))
        assert answer.imported == 700
        assert len([memory async for memory in copy.export()]) == 700
