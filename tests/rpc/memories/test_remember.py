"""Remember and BatchRemember: what is stored is what was said, once."""

from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_client import to_dict

from tests.rpc.memories.calls import UNKNOWN_ID, get, listed, remember
from tests.server_fixtures import Server, refusal_of, refused

MOMENT = datetime(2029, 5, 4, 3, 2, 1, 123456, tzinfo=UTC)


async def test_a_memory_is_stored_with_everything_that_was_said_of_it(server: Server) -> None:
    said: dict[str, Any] = {
        "kind": pb.MEMORY_KIND_DECISION,
        "session_id": "session-1",
        "occurred_at": MOMENT,
        "tags": ["b", "a", "b"],
        "sensitivity": pb.SENSITIVITY_CONFIDENTIAL,
        "importance": 0.75,
        "metadata": {"text": "ä", "number": 1.5, "true": True, "nothing": None},
        "expires_at": MOMENT + timedelta(days=3650),
        "pinned": True,
        "source_refs": ["event-1", "chunk-2"],
    }
    stored = await remember(server.alice, "We chose Postgres.", **said)
    assert stored == await get(server.alice, stored.memory_id)
    assert stored.content == "We chose Postgres."
    assert stored.agent_id == "alice"
    assert stored.kind == pb.MEMORY_KIND_DECISION
    assert stored.session_id == "session-1"
    assert stored.occurred_at.ToDatetime(tzinfo=UTC) == MOMENT
    assert list(stored.tags) == ["b", "a"]
    assert stored.sensitivity == pb.SENSITIVITY_CONFIDENTIAL
    assert stored.importance == 0.75
    assert to_dict(stored.metadata) == said["metadata"]
    assert stored.expires_at.ToDatetime(tzinfo=UTC) == said["expires_at"]
    assert stored.pinned
    assert list(stored.source_refs) == ["event-1", "chunk-2"]
    assert stored.version == 1
    assert not stored.archived
    assert stored.vector_model_id == "random-16"


async def test_what_is_left_out_gets_its_default(server: Server) -> None:
    stored = await remember(server.alice, "plain")
    assert stored.kind == pb.MEMORY_KIND_FACT
    assert stored.sensitivity == pb.SENSITIVITY_INTERNAL
    assert stored.importance == 0.5
    now = server.clock.now()
    moments = (stored.occurred_at, stored.created_at, stored.updated_at)
    assert [moment.ToDatetime(tzinfo=UTC) for moment in moments] == [now] * 3
    assert not stored.HasField("expires_at")
    assert not stored.HasField("accessed_at")


async def test_the_longest_and_the_least_of_everything_is_taken(server: Server) -> None:
    greatest = await remember(
        server.alice,
        "\U0001f9e0" * 2000,
        tags=["ü" * 127 + str(i % 10) + "x" * (i // 10 > 0) for i in range(10)],
        session_id="s" * 128,
        source_refs=["r" * 250 + f"{i:06}" for i in range(64)],
        metadata={"k" * 128: "v" * 15_000},
        importance=1.0,
        occurred_at=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        vector=pb.Vector(model_id="m" * 200, values=[0.5] * 4096),
    )
    assert greatest == await get(server.alice, greatest.memory_id)
    least = await remember(server.alice, "x", importance=0.0, occurred_at=datetime(1, 1, 1, tzinfo=UTC))
    assert least == await get(server.alice, least.memory_id)
    assert least.importance == 0.0


async def test_the_clients_id_is_kept_and_cannot_be_taken_twice(server: Server) -> None:
    stored = await remember(server.alice, "first", memory_id=UNKNOWN_ID)
    assert stored.memory_id == UNKNOWN_ID
    again = service.RememberRequest(memory=pb.NewMemory(content="second", memory_id=UNKNOWN_ID))
    told = await refused(server.alice(again))
    assert (told.code, told.reason) == (grpc.StatusCode.ALREADY_EXISTS, "MEMORY_ID_TAKEN")
    assert told.metadata == {"memory_id": UNKNOWN_ID}
    assert (await get(server.alice, UNKNOWN_ID)).content == "first"
    # Another scope has ids of its own.
    assert (await remember(server.rival, "theirs", memory_id=UNKNOWN_ID)).content == "theirs"


async def test_the_clients_vector_is_kept_at_unit_length(server: Server) -> None:
    given = pb.Vector(model_id="mine", values=[3.0, 4.0])
    stored = await remember(server.alice, "with a vector", vector=given)
    assert stored.vector_model_id == "mine"
    found = await get(server.alice, stored.memory_id, include_vector=True)
    assert found.vector.model_id == "mine"
    assert [round(value, 6) for value in found.vector.values] == [0.6, 0.8]


async def test_a_repeated_request_gets_the_first_answer_and_writes_nothing(server: Server) -> None:
    request = service.RememberRequest(request_id="once", memory=pb.NewMemory(content="once"))
    first = await server.alice(request)
    server.clock.move(60)
    again = await server.alice(request)
    assert again == first
    assert await listed(server.alice) == ["once"]
    # The control: under another id it is stated once more.
    request.request_id = "twice"
    assert (await server.alice(request)).memory.stated_count == 2
    assert (await server.alice(request)).memory.stated_count == 2


async def test_a_request_id_with_other_content_is_refused(server: Server) -> None:
    request = service.RememberRequest(request_id="once", memory=pb.NewMemory(content="one"))
    await server.alice(request)
    request.memory.content = "other"
    told = await refused(server.alice(request))
    assert (told.code, told.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")
    assert told.metadata == {"request_id": "once"}
    assert await listed(server.alice) == ["one"]


async def test_a_request_id_is_free_again_after_a_day(server: Server) -> None:
    request = service.RememberRequest(request_id="daily", memory=pb.NewMemory(content="one"))
    first = await server.alice(request)
    server.clock.move(24 * 3600 + 1)
    second = await server.alice(request)
    assert (first.memory.stated_count, second.memory.stated_count) == (1, 2)
    assert await server.alice(request) == second


async def test_a_batch_answers_each_item_in_its_place(server: Server) -> None:
    await remember(server.alice, "there before", memory_id=UNKNOWN_ID)
    request = service.BatchRememberRequest(
        memories=[
            pb.NewMemory(content="first"),
            pb.NewMemory(content=""),
            pb.NewMemory(content="taken", memory_id=UNKNOWN_ID),
            pb.NewMemory(content="fourth", tags=["x" * 129]),
            pb.NewMemory(content="last"),
        ]
    )
    answer = await server.alice(request)
    outcomes = [result.WhichOneof("outcome") for result in answer.results]
    assert outcomes == ["memory", "error", "error", "error", "memory"]
    assert [answer.results[i].memory.content for i in (0, 4)] == ["first", "last"]
    refusals = [refusal_of(answer.results[i].error) for i in (1, 2, 3)]
    assert [told.reason for told in refusals] == ["INVALID_FIELD", "MEMORY_ID_TAKEN", "INVALID_FIELD"]
    assert refusals[0].fields == ("memories[1].content",)
    assert refusals[2].fields == ("memories[3].tags[0]",)
    assert sorted(await listed(server.alice)) == ["first", "last", "there before"]


async def test_of_two_items_with_one_id_the_first_is_stored(server: Server) -> None:
    twice = [pb.NewMemory(content=content, memory_id=UNKNOWN_ID) for content in ("one", "two")]
    answer = await server.alice(service.BatchRememberRequest(memories=twice))
    assert answer.results[0].memory.content == "one"
    assert refusal_of(answer.results[1].error).reason == "MEMORY_ID_TAKEN"


async def test_a_repeated_batch_gets_the_first_answer(server: Server) -> None:
    request = service.BatchRememberRequest(
        request_id="batch", memories=[pb.NewMemory(content="good"), pb.NewMemory(content="")]
    )
    first = await server.alice(request)
    server.clock.move(60)
    assert await server.alice(request) == first
    assert await listed(server.alice) == ["good"]


async def test_a_thousand_memories_fit_in_a_batch(server: Server) -> None:
    memories = [pb.NewMemory(content=f"number {i}") for i in range(1000)]
    answer = await server.alice(service.BatchRememberRequest(memories=memories))
    assert [result.memory.content for result in answer.results] == [m.content for m in memories]
    memories.append(pb.NewMemory(content="one too many"))
    told = await refused(server.alice(service.BatchRememberRequest(memories=memories)))
    assert told.fields == ("memories",)


async def test_an_operator_remembers_for_any_agent_and_for_the_shared_scope(server: Server) -> None:
    for_alice = await remember(server.admin, "for alice", agent_id="alice")
    shared = await remember(server.admin, "for everyone")
    assert (for_alice.agent_id, shared.agent_id) == ("alice", "")
    assert await listed(server.alice) == ["for alice"]
    assert await listed(server.admin) == ["for everyone"]
