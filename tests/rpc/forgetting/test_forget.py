"""ForgetMemories and RestoreMemories: gone for good with a receipt, or back in recall."""

from uuid import UUID

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.memories.calls import UNKNOWN_ID, found_by_words, get, listed, recall, remember
from tests.rpc.memories.test_update import update, versions
from tests.server_fixtures import Server, refused


def forget(*ids: str, **fields: object) -> service.ForgetMemoriesRequest:
    return service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=ids), **fields)  # type: ignore[arg-type]


def stores(answer: service.ForgetMemoriesResponse) -> dict[str, int]:
    return {count.store: count.rows for count in answer.receipt.stores}


@pytest.mark.own_server
async def test_what_is_forgotten_is_gone_from_every_answer_and_every_table(server: Server) -> None:
    secret, other = "the xylophone is hidden", "the piano stays"
    gone = await remember(server.alice, secret)
    await remember(server.alice, other)
    await server.alice(update(gone.memory_id, 1, content=f"{secret} twice"))
    assert await found_by_words(server.alice, "xylophone") == {f"{secret} twice"}

    answer = await server.alice(forget(gone.memory_id))

    assert answer.forgotten == 1
    assert list(answer.receipt.memory_ids) == [gone.memory_id]
    assert UUID(answer.receipt.receipt_id)
    assert {"memories": 1, "memory_history": 1, "memory_vectors": 1}.items() <= stores(answer).items()
    assert await listed(server.alice) == [other]
    assert [hit.memory.content for hit in (await recall(server.alice, secret)).hits] == [other]
    for request in (
        service.GetMemoryRequest(memory_id=gone.memory_id),
        service.ListMemoryRevisionsRequest(memory_id=gone.memory_id),
    ):
        assert (await refused(server.alice(request))).reason == "MEMORY_NOT_FOUND"
    parts = server.alice.begin(service.ExportMemoriesRequest())
    assert [m.content async for part in parts for m in part.memories] == [other]
    with psycopg.connect(server.database.superuser_url) as connection:
        tables = [
            row[0]
            for row in connection.execute(
                "select table_name::text from information_schema.tables where table_schema = 'camillo'"
            )
        ]

        def tables_with(text: str) -> set[str]:
            return {
                table
                for table in tables
                if connection.execute(
                    f"select 1 from camillo.{table} t where t::text like %s", (f"%{text}%",)
                ).fetchone()
            }

        assert tables_with("xylophone") == set()
        assert "memories" in tables_with("piano")


async def test_a_dry_run_tells_what_would_go_and_removes_nothing(server: Server) -> None:
    one = await remember(server.alice, "one", tags=["t"])
    two = await remember(server.alice, "two", tags=["t"])
    wanted = pb.MemoryFilter(tags_any=["t"])
    told = await server.alice(service.ForgetMemoriesRequest(filter=wanted, dry_run=True))
    assert told.forgotten == 2
    assert told.receipt.receipt_id == ""
    assert list(told.receipt.memory_ids) == sorted([one.memory_id, two.memory_id])
    assert sorted(await listed(server.alice)) == ["one", "two"]
    done = await server.alice(service.ForgetMemoriesRequest(filter=wanted))
    assert (done.forgotten, done.receipt.memory_ids) == (2, told.receipt.memory_ids)
    assert stores(done) == stores(told)
    assert await listed(server.alice) == []


async def test_ids_that_are_not_there_are_passed_over(server: Server) -> None:
    mine = await remember(server.alice, "mine")
    theirs = await remember(server.rival, "theirs", agent_id="alice")
    answer = await server.alice(forget(UNKNOWN_ID, theirs.memory_id, mine.memory_id))
    assert list(answer.receipt.memory_ids) == [mine.memory_id]
    assert await listed(server.rival, agent_id="alice") == ["theirs"]


async def test_a_repeated_forgetting_gets_the_same_receipt(server: Server) -> None:
    stored = await remember(server.alice, "one")
    request = forget(stored.memory_id, request_id="forget")
    first = await server.alice(request)
    server.clock.move(60)
    assert await server.alice(request) == first
    assert first.forgotten == 1


async def test_a_receipt_names_a_thousand_and_counts_all(server: Server) -> None:
    for start in (0, 1000):
        memories = [pb.NewMemory(content=str(start + i), tags=["t"]) for i in range(600)]
        await server.alice(service.BatchRememberRequest(memories=memories))
    wanted = pb.MemoryFilter(tags_all=["t"])
    shown = await server.alice(service.ForgetMemoriesRequest(filter=wanted, dry_run=True))
    answer = await server.alice(service.ForgetMemoriesRequest(filter=wanted, plan_token=shown.plan_token))
    assert answer.forgotten == stores(answer)["memories"] == 1200
    assert len(answer.receipt.memory_ids) == 1000
    assert await listed(server.alice) == []


async def test_every_store_that_the_contract_names_is_in_the_receipt(server: Server) -> None:
    stored = await remember(server.alice, "one")
    answer = await server.alice(forget(stored.memory_id))
    assert set(stores(answer)) == {"memories", "memory_history", "memory_vectors", "memory_access"}


async def test_a_forgotten_id_may_be_used_again(server: Server) -> None:
    await remember(server.alice, "first", memory_id=UNKNOWN_ID)
    await server.alice(forget(UNKNOWN_ID))
    await remember(server.alice, "second", memory_id=UNKNOWN_ID)
    assert len(await versions(server.alice, UNKNOWN_ID)) == 1
    assert (await get(server.alice, UNKNOWN_ID)).content == "second"


async def test_an_archived_memory_comes_back_into_recall(server: Server) -> None:
    stored = await remember(server.alice, "an archived ostrich")
    untouched = await remember(server.alice, "never archived")
    await server.alice(update(stored.memory_id, 1, archived=True))
    assert await found_by_words(server.alice, "ostrich") == set()
    ids = service.MemoryIds(ids=[stored.memory_id, untouched.memory_id, UNKNOWN_ID])
    request = service.RestoreMemoriesRequest(memory_ids=ids, request_id="restore")
    answer = await server.alice(request)
    assert answer.restored == 1
    assert await found_by_words(server.alice, "ostrich") == {"an archived ostrich"}
    assert [r.memory.archived for r in await versions(server.alice, stored.memory_id)] == [False, True, False]
    assert (await get(server.alice, untouched.memory_id)).version == 1
    assert await server.alice(request) == answer


async def test_the_client_forgets_by_ids_and_by_filter(server: Server) -> None:
    async with server.client(server.keys.alice) as client:
        stored = await client.remember("one", tags=["t"])
        await client.remember("two", tags=["t"])
        assert (await client.forget([stored.memory_id])).forgotten == 1
        rest = await client.forget(filter=pb.MemoryFilter(tags_any=["t"]), dry_run=True)
        assert rest.forgotten == 1
        assert [memory.content async for memory in client.list_memories()] == ["two"]
