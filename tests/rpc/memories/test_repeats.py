"""Exact repeats through every way of storing memories: one memory, that counts how often it was stated."""

from datetime import timedelta
from typing import Any

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.lifecycle.lifetimes import end
from tests.rpc.memories.calls import UNKNOWN_ID, get, listed, recall, remember
from tests.rpc.memories.test_import_export import exported, importing
from tests.rpc.memories.test_update import update, versions
from tests.server_fixtures import Caller, Server, StartServer, refusal_of, refused

TEXT = "Zoë trinkt gern 茶 🍵, אבל לא קפה"
SPELLINGS = (TEXT, f"  {TEXT}\n", TEXT.replace(" ", "\u00a0\t"), TEXT.replace("ë", "e\u0308"))
EVERYTHING = pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE)


async def batch(caller: Caller, *memories: pb.NewMemory, **fields: Any) -> Any:
    return await caller(service.BatchRememberRequest(memories=memories, **fields))


def statement(content: str = TEXT, **fields: Any) -> pb.NewMemory:
    return pb.NewMemory(content=content, **fields)


async def test_a_repeat_is_the_same_memory_stated_once_more(server: Server) -> None:
    first = await remember(server.alice, TEXT)
    server.clock.move(60)
    for number, spelling in enumerate(SPELLINGS[1:], 2):
        repeated = await remember(server.alice, spelling)
        first.stated_count = number
        assert repeated == first
    assert await get(server.alice, first.memory_id) == first
    assert await listed(server.alice) == [TEXT]
    assert len(await versions(server.alice, first.memory_id)) == 1
    # The control: what differs by a sign is another memory.
    other = await remember(server.alice, f"{TEXT}.")
    assert (other.stated_count, len(await listed(server.alice))) == (1, 2)


async def test_the_count_is_told_wherever_a_memory_is(start_server: StartServer) -> None:
    server = await start_server(memory={"embedding_model": "lexical"})
    first = await remember(server.alice, TEXT)
    once = await remember(server.alice, "stated once 一次")
    for _ in range(2):
        await remember(server.alice, TEXT)
    counts = {first.memory_id: 3, once.memory_id: 1}

    def told(memories: Any) -> dict[str, int]:
        return {memory.memory_id: memory.stated_count for memory in memories}

    assert told([await get(server.alice, each) for each in counts]) == counts
    assert told((await server.alice(service.ListMemoriesRequest())).memories) == counts
    assert told(await exported(server.alice)) == counts
    hits = (await recall(server.alice, "Zoë trinkt stated once")).hits
    assert told(hit.memory for hit in hits) == counts


async def test_memory_and_postgres_tell_one_count(start_server: StartServer) -> None:
    server = await start_server()
    first = await remember(server.alice, TEXT, tags=["a"])
    await remember(server.alice, TEXT, tags=["b"])
    without_memory = await start_server(retrieval={"cache_bytes": 0})
    for each in (server, without_memory):
        (hit,) = (await recall(each.alice, "trinkt")).hits
        assert (hit.memory.memory_id, hit.memory.stated_count) == (first.memory_id, 2)
        assert list(hit.memory.tags) == ["a", "b"]


async def test_what_a_repeat_adds_makes_a_new_version(server: Server) -> None:
    first = await remember(server.alice, TEXT, tags=["a"], source_refs=["x"], metadata={"k": 1})
    server.clock.move(60)
    joined = await remember(
        server.alice,
        TEXT,
        tags=["b", "a"],
        source_refs=["y"],
        metadata={"k": 2, "新": True},
        importance=0.9,
        pinned=True,
    )
    assert (joined.memory_id, joined.version, joined.stated_count) == (first.memory_id, 2, 2)
    assert (list(joined.tags), list(joined.source_refs)) == (["a", "b"], ["x", "y"])
    assert dict(joined.metadata) == {"k": 2, "新": True}
    assert joined.pinned
    assert joined.importance == pytest.approx(0.9)
    assert joined.created_at == first.created_at
    assert joined.updated_at.ToDatetime() == first.updated_at.ToDatetime() + timedelta(minutes=1)
    assert await get(server.alice, first.memory_id) == joined
    history = [revision.memory for revision in await versions(server.alice, first.memory_id)]
    assert [list(memory.tags) for memory in history] == [["a", "b"], ["a"]]


@pytest.mark.parametrize("fields", [{"kind": pb.MEMORY_KIND_PREFERENCE}, {"sensitivity": pb.SENSITIVITY_PUBLIC}])
async def test_other_kinds_and_sensitivities_are_other_memories(server: Server, fields: dict[str, Any]) -> None:
    await remember(server.alice, TEXT)
    other = await remember(server.alice, TEXT, **fields)
    assert other.stated_count == 1
    assert (await remember(server.alice, TEXT, **fields)).stated_count == 2
    assert await listed(server.alice) == [TEXT, TEXT]


async def test_turns_of_a_conversation_are_told_apart_by_session_and_moment(server: Server) -> None:
    turn: dict[str, Any] = {"kind": pb.MEMORY_KIND_CONVERSATION, "session_id": "一"}
    first = await remember(server.alice, "ok", **turn)
    server.clock.move(1)
    assert (await remember(server.alice, "ok", **turn)).stated_count == 1
    assert (await remember(server.alice, "ok", **turn | {"session_id": "二"})).stated_count == 1
    again = await remember(server.alice, "ok", occurred_at=first.occurred_at, **turn)
    assert (again.memory_id, again.stated_count) == (first.memory_id, 2)
    assert await listed(server.alice) == ["ok"] * 3


async def test_agents_and_tenants_are_told_apart(server: Server) -> None:
    ids = {
        (await remember(caller, TEXT, agent_id=agent_id)).memory_id
        for caller in (server.admin, server.rival)
        for agent_id in ("alice", "bob", "")
    }
    assert len(ids) == 6
    assert (await remember(server.rival, TEXT, agent_id="bob")).stated_count == 2


@pytest.mark.parametrize("level", [pb.SENSITIVITY_CONFIDENTIAL, pb.SENSITIVITY_RESTRICTED])
@pytest.mark.caches
async def test_what_is_sealed_is_merged_too(server: Server, level: pb.Sensitivity) -> None:
    first = await remember(server.alice, TEXT, sensitivity=level, metadata={"a": "一"})
    joined = await remember(server.alice, SPELLINGS[1], sensitivity=level, metadata={"b": "二"})
    assert (joined.memory_id, joined.content) == (first.memory_id, TEXT)
    assert dict(joined.metadata) == {"a": "一", "b": "二"}
    assert await get(server.alice, first.memory_id) == joined
    assert [hit.memory.memory_id for hit in (await recall(server.alice, "trinkt")).hits] == [first.memory_id]


async def test_restating_brings_an_archived_memory_back(server: Server) -> None:
    first = await remember(server.alice, TEXT)
    await server.alice(update(first.memory_id, 1, archived=True))
    assert await listed(server.alice) == []
    back = await remember(server.alice, TEXT)
    assert (back.memory_id, back.archived, back.version) == (first.memory_id, False, 3)
    assert await listed(server.alice) == [TEXT]
    assert len((await recall(server.alice, "trinkt")).hits) == 1


async def test_restating_brings_an_expired_memory_back(server: Server) -> None:
    error = await remember(server.alice, TEXT, kind=pb.MEMORY_KIND_ERROR)
    server.clock.move(15 * 86_400)
    assert await listed(server.alice) == []
    assert (await refused(get(server.alice, error.memory_id))).reason == "MEMORY_NOT_FOUND"
    back = await remember(server.alice, TEXT, kind=pb.MEMORY_KIND_ERROR)
    assert (back.memory_id, back.stated_count) == (error.memory_id, 2)
    assert back.expires_at.ToDatetime() == end(server.clock.now(), days=14)
    assert await listed(server.alice) == [TEXT]


async def test_a_batch_merges_with_what_is_there_and_within_itself(server: Server) -> None:
    before = await remember(server.alice, TEXT, tags=["old"])
    answer = await batch(
        server.alice,
        statement("new 新", tags=["a"]),
        statement(tags=["b"]),
        statement(" new  新 ", tags=["c"]),
        statement(tags=["d"]),
        statement("alone"),
    )
    memories = [result.memory for result in answer.results]
    assert [memory.stated_count for memory in memories] == [1, 3, 2, 3, 1]
    assert [list(memory.tags) for memory in memories] == [["a"], ["old", "b", "d"], ["a", "c"], ["old", "b", "d"], []]
    assert {memories[1].memory_id, memories[3].memory_id} == {before.memory_id}
    assert memories[0].memory_id == memories[2].memory_id
    assert sorted(await listed(server.alice)) == sorted([TEXT, "new 新", "alone"])


async def test_an_id_that_is_taken_is_told_first(server: Server) -> None:
    await remember(server.alice, "taken", memory_id=UNKNOWN_ID)
    told = await refused(remember(server.alice, "taken", memory_id=UNKNOWN_ID))
    assert (told.code, told.reason) == (grpc.StatusCode.ALREADY_EXISTS, "MEMORY_ID_TAKEN")
    answer = await batch(server.alice, statement("taken", memory_id=UNKNOWN_ID))
    assert refusal_of(answer.results[0].error).reason == "MEMORY_ID_TAKEN"
    assert (await get(server.alice, UNKNOWN_ID)).stated_count == 1
    # The control: an id that is free is not used where the text is there.
    free = UNKNOWN_ID[:-1] + "8"
    merged = await remember(server.alice, "taken", memory_id=free)
    assert (merged.memory_id, merged.stated_count) == (UNKNOWN_ID, 2)
    assert (await refused(get(server.alice, free))).reason == "MEMORY_NOT_FOUND"


async def test_a_repeated_request_gets_the_first_answer_of_a_merge(server: Server) -> None:
    await remember(server.alice, TEXT, tags=["a"])
    requests = [
        service.RememberRequest(request_id="one", memory=statement(tags=["b"])),
        service.RememberRequest(request_id="counted", memory=statement()),
        service.BatchRememberRequest(
            request_id="many", memories=[statement("new"), statement(tags=["c"]), statement("new")]
        ),
    ]
    answers = [await server.alice(request) for request in requests]
    assert [answers[0].memory.stated_count, answers[1].memory.stated_count] == [2, 3]
    later = await remember(server.alice, TEXT, tags=["d"])
    await recall(server.alice, "trinkt")
    server.clock.move(60)
    for request, answer in zip(requests, answers, strict=True):
        assert await server.alice(request) == answer
    assert (await get(server.alice, later.memory_id)).version == later.version
    # Under another id it is stated once more.
    another = service.RememberRequest(request_id="another", memory=statement(tags=["b"]))
    assert (await server.alice(another)).memory.stated_count == later.stated_count + 1


async def test_a_repeated_request_tells_that_what_it_was_added_to_is_gone(server: Server) -> None:
    first = await remember(server.alice, TEXT)
    request = service.RememberRequest(request_id="again", memory=statement())
    assert (await server.alice(request)).memory.stated_count == 2
    await server.alice(forget(first.memory_id))
    told = await refused(server.alice(request))
    assert told.reason in ("MEMORY_NOT_FOUND", "VALUE_REJECTED")
    assert await listed(server.alice) == []


async def test_an_import_counts_what_it_merges(server: Server) -> None:
    before = await remember(server.alice, TEXT, tags=["a"])
    memories = [
        pb.Memory(content="once 一次"),
        pb.Memory(content=TEXT, tags=["b"], stated_count=4, access_count=5),
        pb.Memory(content="once  一次", stated_count=2),
        pb.Memory(content="other"),
    ]
    answer = await server.alice.send(importing(memories[:2]) + importing(memories[2:]))
    assert (answer.imported, answer.merged, answer.skipped, answer.failed) == (2, 2, 0, 0)
    joined = await get(server.alice, before.memory_id)
    assert (joined.stated_count, joined.access_count, list(joined.tags)) == (5, 5, ["a", "b"])
    counts = {memory.content: memory.stated_count for memory in await exported(server.alice)}
    assert counts == {TEXT: 5, "once 一次": 3, "other": 1}


async def test_an_import_keeps_the_count(server: Server) -> None:
    await remember(server.alice, TEXT)
    await remember(server.alice, TEXT)
    (memory,) = await exported(server.alice)
    answer = await server.rival.send(importing([memory], "copy"))
    assert (answer.imported, answer.merged) == (1, 0)
    assert (await get(server.rival, memory.memory_id, agent_id="copy")).stated_count == 2
    # With the same id it takes its own place.
    memory.stated_count = 7
    answer = await server.alice.send(importing([memory], replace=True))
    assert (answer.imported, answer.merged) == (1, 0)
    assert (await get(server.alice, memory.memory_id)).stated_count == 7


async def test_an_archived_memory_that_is_imported_stays_out_of_recall(server: Server) -> None:
    await server.alice.send(importing([pb.Memory(content=TEXT, archived=True)]))
    await server.alice.send(importing([pb.Memory(content=TEXT, archived=True)]))
    assert await listed(server.alice) == []
    assert await listed(server.alice, EVERYTHING) == [TEXT]
    await server.alice.send(importing([pb.Memory(content=TEXT)]))
    assert await listed(server.alice) == [TEXT]


async def test_a_replacing_import_says_nothing_twice(server: Server) -> None:
    first = await remember(server.alice, TEXT)
    other = await remember(server.alice, "other")
    there = pb.Memory(memory_id=other.memory_id, content=TEXT)
    stream = importing([pb.Memory(), pb.Memory(content="new"), there], replace=True)
    answer = await server.alice.send(stream)
    assert (answer.imported, answer.merged, answer.failed) == (1, 0, 2)
    failures = {failure.index: refusal_of(failure.error) for failure in answer.failures}
    assert {index: told.reason for index, told in failures.items()} == {0: "INVALID_FIELD", 2: "MEMORY_REPEATED"}
    assert failures[2].metadata == {"memory_id": first.memory_id}
    assert sorted(await listed(server.alice)) == sorted(["new", "other", TEXT])
    # A memory that gets another text makes room for its old one, within one message too.
    moved = pb.Memory(memory_id=first.memory_id, content="moved")
    answer = await server.alice.send(importing([moved, there], replace=True))
    assert (answer.imported, answer.failed) == (2, 0)
    assert (await get(server.alice, other.memory_id)).content == TEXT


async def test_an_update_to_what_another_says_is_refused(server: Server) -> None:
    first = await remember(server.alice, TEXT)
    other = await remember(server.alice, "other")
    told = await refused(server.alice(update(other.memory_id, 1, content=SPELLINGS[2])))
    assert (told.code, told.reason) == (grpc.StatusCode.ALREADY_EXISTS, "MEMORY_REPEATED")
    assert told.metadata == {"memory_id": first.memory_id}
    assert (await get(server.alice, other.memory_id)).content == "other"
    # The controls: what it says itself, and what nobody says any more.
    await server.alice(update(first.memory_id, 1, content=SPELLINGS[1]))
    await server.alice(update(first.memory_id, 2, content="changed"))
    assert (await server.alice(update(other.memory_id, 1, content=TEXT))).memory.content == TEXT
    assert (await remember(server.alice, "changed")).memory_id == first.memory_id


async def test_an_update_keeps_the_count(server: Server) -> None:
    first = await remember(server.alice, TEXT)
    await remember(server.alice, TEXT)
    request = update(first.memory_id, 1, tags=["a"])
    request.request_id = "once"
    updated = await server.alice(request)
    assert updated.memory.stated_count == 2
    await remember(server.alice, TEXT)
    assert await server.alice(request) == updated


async def test_what_was_forgotten_fails_alone_in_a_batch_and_an_import(server: Server) -> None:
    stored = await remember(server.alice, TEXT)
    await server.alice(forget(stored.memory_id))
    request = service.BatchRememberRequest(
        request_id="batch",
        memories=[
            statement("one"),
            statement(SPELLINGS[3]),
            statement("two", metadata={"a": 1, "b": "harmless", "c": SPELLINGS[2]}),
        ],
    )
    answer = await server.alice(request)
    told = [refusal_of(result.error) for result in answer.results[1:]]
    assert [each.reason for each in told] == ["VALUE_REJECTED", "VALUE_REJECTED"]
    assert [each.metadata["field"] for each in told] == ["content", "metadata.c"]
    assert await server.alice(request) == answer
    imported = await server.alice.send(
        importing([pb.Memory(content="three"), pb.Memory(content=TEXT)])
        + importing([pb.Memory(), pb.Memory(content=TEXT), pb.Memory(content="four")])
    )
    assert (imported.imported, imported.failed) == (2, 3)
    reasons = {each.index: refusal_of(each.error).reason for each in imported.failures}
    assert reasons == {1: "VALUE_REJECTED", 2: "INVALID_FIELD", 3: "VALUE_REJECTED"}
    assert sorted(await listed(server.alice)) == ["four", "one", "three"]


async def test_what_was_forgotten_is_refused_by_remember_and_update(server: Server) -> None:
    other = await remember(server.alice, "other", metadata={"k": "old"})
    stored = await remember(server.alice, TEXT)
    await server.alice(forget(stored.memory_id))
    calls = [
        remember(server.alice, SPELLINGS[1]),
        remember(server.alice, "new", metadata={"note": TEXT}),
        server.alice(update(other.memory_id, 1, content=TEXT)),
        server.alice(update(other.memory_id, 1, metadata={"note": TEXT})),
    ]
    for call, field in zip(calls, ("content", "metadata.note") * 2, strict=True):
        told = await refused(call)
        assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "VALUE_REJECTED")
        assert told.metadata == {"field": field}
    # The control: with other texts the same calls go through.
    await server.alice(update(other.memory_id, 1, tags=["a"]))
    await remember(server.alice, "new", metadata={"note": "harmless"})
    assert sorted(await listed(server.alice)) == ["new", "other"]


@pytest.mark.parametrize("count", [-1, 2**31])
async def test_an_impossible_count_fails_alone(server: Server, count: int) -> None:
    memories = [pb.Memory(content="a", stated_count=count), pb.Memory(content="b")]
    answer = await server.alice.send(importing(memories))
    assert (answer.imported, answer.failed) == (1, 1)
    assert refusal_of(answer.failures[0].error).fields == ("memory.stated_count",)
