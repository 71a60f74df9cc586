"""Any method by its name, with what the client does for all of them."""

from __future__ import annotations

from contextlib import aclosing

import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import UNAVAILABLE, status
from grpc import StatusCode

from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_service_pb2 as pb
from camillo.v1.memory_pb2 import NewMemory
from camillo_client import AsyncCamillo, Camillo, errors, minimize_latency
from camillo_client.methods import method_named

MEMORIES = "camillo.v1.MemoryService"
TEA = pb.RememberRequest(memory=NewMemory(content="茶 tea"))


async def test_a_write_gets_the_clients_agent_and_a_request_id(client: AsyncCamillo, server: FakeServer) -> None:
    answer = await client.call(f"{MEMORIES}/Remember", TEA)
    assert answer.memory.content == "茶 tea"
    (sent,) = server.desk.of("Remember")
    assert (sent.agent_id, bool(sent.request_id)) == ("ada", True)
    # The caller's own message is as it was.
    assert (TEA.agent_id, TEA.request_id) == ("", "")


async def test_what_a_request_says_itself_stays(client: AsyncCamillo, server: FakeServer) -> None:
    request = pb.RememberRequest(agent_id="bob", request_id="r1", memory=TEA.memory)
    await client.call(f"/{MEMORIES}/Remember", request, agent_id="carol")
    await client.call(f"{MEMORIES}/Remember", TEA, agent_id="carol")
    assert [sent.agent_id for sent in server.desk.of("Remember")] == ["bob", "carol"]
    assert server.desk.of("Remember")[0].request_id == "r1"


async def test_reads_see_writes_of_both_ways(client: AsyncCamillo, server: FakeServer) -> None:
    await client.call(f"{MEMORIES}/Remember", TEA)
    await client.recall("tea")
    await client.remember("more tea")
    await client.call(f"{MEMORIES}/Recall", pb.RecallRequest(text="tea"))
    fresh = minimize_latency()
    await client.call(f"{MEMORIES}/Recall", pb.RecallRequest(text="tea", freshness=fresh))
    demands = [sent.freshness for sent in server.desk.of("Recall")]
    assert [demand.at_least_as_fresh.token for demand in demands[:2]] == ["db1/ada/1", "db1/ada/2"]
    assert demands[2] == fresh


async def test_a_dry_run_is_no_write(client: AsyncCamillo, server: FakeServer) -> None:
    request = pb.ForgetMemoriesRequest(memory_ids=pb.MemoryIds(ids=["m0"]), dry_run=True)
    await client.call(f"{MEMORIES}/ForgetMemories", request)
    await client.recall("tea")
    assert server.desk.of("ForgetMemories")[0].request_id
    assert not server.desk.of("Recall")[0].HasField("freshness")


async def test_an_own_request_id_makes_the_next_read_fully_consistent(client: AsyncCamillo, server: FakeServer) -> None:
    await client.call(f"{MEMORIES}/Remember", TEA)
    mine = pb.RememberRequest(request_id="r1", memory=NewMemory(content="milk"))
    await client.call(f"{MEMORIES}/Remember", mine)
    await client.call(f"{MEMORIES}/Recall", pb.RecallRequest(text="tea"))
    assert server.desk.of("Recall")[0].freshness.fully_consistent


async def test_each_recall_of_a_batch_demands_for_itself(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    batch = pb.BatchRecallRequest(requests=[pb.RecallRequest(text="tea"), pb.RecallRequest(text="tea", agent_id="bob")])
    await client.call(f"{MEMORIES}/BatchRecall", batch)
    server.memories.database = "db2"
    answer = await client.call(f"{MEMORIES}/BatchRecall", batch)
    first, void, again = server.desk.of("BatchRecall")
    assert [request.agent_id for request in first.requests] == ["ada", "bob"]
    for sent in (first, void):
        demands = [request.HasField("freshness") for request in sent.requests]
        assert demands == [True, False]
    assert not any(request.HasField("freshness") for request in again.requests)
    assert [result.WhichOneof("outcome") for result in answer.results] == ["response"] * 2


async def test_an_agent_is_not_filled_in_where_it_takes_another_choices_place(
    client: AsyncCamillo, server: FakeServer
) -> None:
    key = admin.CreateKeyRequest(any_agent=True)
    await client.call("camillo.v1.AdminService/CreateKey", key)
    usage = lifecycle.GetUsageRequest(all_scopes=True)
    await client.call("camillo.v1.LifecycleService/GetUsage", usage)
    assert server.desk.of("CreateKey")[0].WhichOneof("reach") == "any_agent"
    assert server.desk.of("GetUsage")[0].agent_id == ""


async def test_failures_are_typed_and_unavailable_is_retried(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("Remember", UNAVAILABLE)
    await client.call(f"{MEMORIES}/Remember", TEA)
    assert len({sent.request_id for sent in server.desk.of("Remember")}) == 1
    server.desk.refuse("Remember", status(StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED"))
    with pytest.raises(errors.RequestIdReused) as raised:
        await client.call(f"{MEMORIES}/Remember", TEA)
    assert raised.value.request_id == server.desk.of("Remember")[-1].request_id


async def test_all_pages_come(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember_many(["a", "b", "c"])
    request = pb.ListMemoriesRequest(page_size=2)
    pages = [page async for page in client.pages(f"{MEMORIES}/ListMemories", request)]
    assert [[memory.content for memory in page.memories] for page in pages] == [["a", "b"], ["c"]]
    assert request.page_token == ""
    for sent in server.desk.of("ListMemories"):
        assert sent.freshness.at_least_as_fresh.token == "db1/ada/1"  # noqa: S105


async def test_a_stream_comes_and_a_watch_goes_on(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    export = client.stream(f"{MEMORIES}/ExportMemories", pb.ExportMemoriesRequest())
    assert [m.content async for part in export for m in part.memories] == ["tea"]
    for number in (1, 2, 3):
        server.memories.change(number)
    server.memories.breaks = [2]
    start = pb.WatchMemoriesRequest(from_beginning=True)
    taken = []
    async with aclosing(client.stream(f"{MEMORIES}/WatchMemories", start)) as watch:
        async for answer in watch:
            taken.append(answer.change.forgotten_memory_id)
            if len(taken) == 3:
                break
    assert taken == ["m1", "m2", "m3"]
    assert start.WhichOneof("start") == "from_beginning"


async def test_a_name_of_nothing_and_a_wrong_kind_are_told(client: AsyncCamillo) -> None:
    with pytest.raises(ValueError, match="no method is named"):
        await client.call(f"{MEMORIES}/Somersault", TEA)
    with pytest.raises(ValueError, match="called otherwise"):
        await client.call(f"{MEMORIES}/ExportMemories", pb.ExportMemoriesRequest())
    with pytest.raises(ValueError, match="called otherwise"):
        [part async for part in client.stream(f"{MEMORIES}/Remember", TEA)]


def test_methods_are_described_by_the_generated_code() -> None:
    recall = method_named("camillo.v1.MemoryService/Recall")
    assert recall.path == "/camillo.v1.MemoryService/Recall"
    assert (recall.request, recall.response) == (pb.RecallRequest, pb.RecallResponse)
    assert recall.is_unary
    assert method_named("camillo.v1.MemoryService/WatchMemories").answers_stream
    assert method_named("camillo.v1.ArtifactService/PutArtifact").sends_stream


def test_the_sync_twin_does_the_same(sync_client: Camillo, thread_server: FakeServer) -> None:
    sync_client.call(f"{MEMORIES}/Remember", TEA)
    request = pb.ListMemoriesRequest(page_size=1)
    (page,) = sync_client.pages(f"{MEMORIES}/ListMemories", request)
    assert [memory.content for memory in page.memories] == ["茶 tea"]
    assert thread_server.desk.of("ListMemories")[0].freshness.HasField("at_least_as_fresh")
