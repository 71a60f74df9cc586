"""WatchMemories: every change of a scope in the order of revisions, from wherever the watcher was."""

import asyncio
from base64 import urlsafe_b64decode

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.patience import PATIENCE_SECONDS
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.rpc.watching import Watch, told
from tests.server_fixtures import Server, StartServer, refusal


async def test_a_watch_from_the_beginning_tells_what_is_there_then_what_changes(server: Server) -> None:
    one = await remember(server.alice, "one")
    await remember(server.alice, "two")
    async with Watch(server.reader, from_beginning=True) as watch:
        assert told(await watch.until_caught_up()) == ["one", "two"]
        await remember(server.alice, "three")
        assert told(await watch.until("three")) == ["three"]
        await watch.until_caught_up()
        await server.alice(update(one.memory_id, 1, content="one again"))
        assert told(await watch.until("one again")) == ["one again"]
        await watch.until_caught_up()
        await server.alice(forget(one.memory_id))
        assert told(await watch.until_caught_up()) == [one.memory_id]


async def test_an_empty_scope_begins_with_a_checkpoint(server: Server) -> None:
    async with Watch(server.alice, from_beginning=True) as watch:
        assert told(await watch.until_caught_up()) == []
        await remember(server.alice, "first")
        assert told(await watch.until("first")) == ["first"]


async def test_a_memory_that_changed_several_times_is_sent_once_in_its_latest_state(server: Server) -> None:
    stored = await remember(server.alice, "v1")
    for version in (1, 2):
        await server.alice(update(stored.memory_id, version, content=f"v{version + 1}"))
    async with Watch(server.alice, from_beginning=True) as watch:
        changes = await watch.until_caught_up()
    assert told(changes) == ["v3"]
    assert changes[0].changed.version == 3


async def test_a_watch_resumes_after_any_message(server: Server) -> None:
    """A watch resumes also in the middle of one revision, which a batch makes."""
    memories = [pb.NewMemory(content=f"number {i}") for i in range(5)]
    await server.alice(service.BatchRememberRequest(memories=memories))
    await remember(server.alice, "last")
    async with Watch(server.alice, from_beginning=True) as watch:
        changes = await watch.until_caught_up()
    everything = told(changes)
    assert len(everything) == 6
    for place, change in enumerate(changes):
        async with Watch(server.alice, resume_token=change.resume_token) as watch:
            assert told(await watch.until_caught_up()) == everything[place + 1 :]


async def test_a_watch_begins_after_a_revision(server: Server) -> None:
    await remember(server.alice, "one")
    written = await server.alice(service.RememberRequest(memory=pb.NewMemory(content="two")))
    await remember(server.alice, "three")
    async with Watch(server.alice, after_revision=written.revision) as watch:
        assert told(await watch.until_caught_up()) == ["three"]


async def test_revisions_of_messages_never_go_back(server: Server) -> None:
    async with Watch(server.alice, from_beginning=True) as watch:
        await watch.until_caught_up()
        await asyncio.gather(*(remember(server.alice, f"number {i}") for i in range(50)))
        seen: list[pb.MemoryChange] = []
        while len(told(seen)) < 50:
            seen += await watch.until_caught_up()
    # The number is at the end of what is opaque to everyone but this test.
    revisions = [urlsafe_b64decode(change.revision.token + "=") for change in seen]
    assert revisions == sorted(revisions)
    assert sorted(told(seen)) == sorted(f"number {i}" for i in range(50))


async def test_more_changes_than_fit_in_a_page_all_arrive(server: Server) -> None:
    memories = [pb.NewMemory(content=f"number {i}") for i in range(450)]
    answer = await server.alice(service.BatchRememberRequest(memories=memories))
    ids = [result.memory.memory_id for result in answer.results]
    await server.alice(forget(*ids[:250]))
    async with Watch(server.alice, from_beginning=True) as watch:
        changes = await watch.until_caught_up()
    # Who begins with nothing need not hear of what was gone before.
    assert {c.changed.memory_id for c in changes if c.HasField("changed")} == set(ids[250:])
    assert len(changes) == 201
    async with Watch(server.alice, after_revision=answer.revision) as watch:
        changes = await watch.until_caught_up()
    assert {c.forgotten_memory_id for c in changes} - {""} == set(ids[:250])
    assert len(changes) == 251


async def test_another_scopes_changes_do_not_arrive(server: Server) -> None:
    async with Watch(server.alice, from_beginning=True) as watch:
        await remember(server.rival, "theirs", agent_id="alice")
        await remember(server.admin, "bob's", agent_id="bob")
        await remember(server.alice, "mine")
        assert told(await watch.until("mine")) == ["mine"]


async def test_changes_through_another_server_arrive(start_server: StartServer) -> None:
    here, there = await start_server(), await start_server()
    async with Watch(here.alice, from_beginning=True) as watch:
        await watch.until_caught_up()
        for i in range(20):
            await remember(there.alice, f"number {i}")
        assert told(await watch.until("number 19")) == [f"number {i}" for i in range(20)]


async def test_an_expired_memory_is_not_sent(server: Server) -> None:
    await remember(server.alice, "short", expires_at=server.clock.now())
    await remember(server.alice, "long")
    async with Watch(server.alice, from_beginning=True) as watch:
        assert told(await watch.until_caught_up()) == ["long"]


async def test_a_watch_misses_nothing_when_its_agent_is_removed_and_writes_again(server: Server) -> None:
    """The counter of a scope must not begin again below what watchers have seen."""
    for i in range(5):
        await remember(server.admin, f"number {i}", agent_id="carol")
    async with Watch(server.admin, agent_id="carol", from_beginning=True) as watch:
        await watch.until_caught_up()
        await server.admin(admin.DeleteAgentRequest(agent_id="carol", confirm_agent_id="carol"))
        await remember(server.admin, "after", agent_id="carol")
        try:
            changes = await watch.until("after")
        except grpc.aio.AioRpcError as error:
            # To say that the position is void would do as well.
            if refusal(error).reason != "REVISION_UNKNOWN":
                raise
        else:
            assert "after" in told(changes)


@pytest.mark.parametrize("from_the_caller", [True, False])
async def test_a_watch_that_its_caller_leaves_ends_at_the_server(
    start_server: StartServer, from_the_caller: bool
) -> None:
    server = await start_server(server={"max_streams": 1})
    watch = Watch(server.alice, from_beginning=True)
    await watch.until_caught_up()
    async with Watch(server.alice, from_beginning=True) as other:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await other.next()
    told_so = refusal(refused.value)
    assert (told_so.code, told_so.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")
    assert told_so.metadata == {"limit": "1"}
    assert told_so.retry_seconds
    if from_the_caller:
        await watch.__aexit__(None, None, None)
    else:
        await server.channel.close()
        server = await start_server(server={"max_streams": 1})
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            async with Watch(server.alice, from_beginning=True) as next_one:
                try:
                    await next_one.next()
                except grpc.aio.AioRpcError:
                    continue
            return


async def test_the_client_watches(server: Server) -> None:
    async with server.client(server.keys.alice) as client:
        await client.remember("one")
        changes = client.watch(from_beginning=True)
        assert (await anext(changes)).changed.content == "one"
        assert (await anext(changes)).HasField("checkpoint")
        await changes.aclose()
