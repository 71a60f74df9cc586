"""The end of a run: what is kept of it is there with the same commit, and the rest is nowhere."""

import asyncio
from typing import Any

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness

from tests.rpc.memories.calls import UNKNOWN_ID, get, listed, remember
from tests.rpc.records import decide, get_event
from tests.rpc.runs.calls import answer, append, call, end, inject, render, start, starting, trigger
from tests.rpc.test_secrets import CONTROL, stored_texts
from tests.server_fixtures import Server, refused

FORGOTTEN = "Ada lives at 12 Harbour Road"


def new(content: str, **fields: object) -> pb.NewMemory:
    return pb.NewMemory(content=content, **fields)  # type: ignore[arg-type]


async def forget(server: Server, content: str) -> None:
    """Remembers and forgets a text, so that it may not be stated again."""
    memory = await remember(server.alice, content)
    await server.alice(service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=[memory.memory_id])))


@pytest.mark.own_server
async def test_what_is_distilled_and_what_the_agent_wants_is_kept_and_the_rest_is_gone(server: Server) -> None:
    run_id = await start(server.alice, focus="the late order", session_id="s1")
    await append(server.alice, run_id, call("ship", "No such address.", is_error=True))
    await append(server.alice, run_id, call("look", CONTROL), answer("Order 7 goes out tomorrow."))
    await inject(server.alice, run_id, "be brief 🙂")
    assert CONTROL in stored_texts(server.database)
    ended = await end(
        server.alice,
        run_id,
        distill=True,
        memories=[new("客户住在柏林", tags=["a"]), new("Ada likes tea", pinned=True)],
    )
    assert ended.rounds == 2
    distilled, *others = ended.memories
    assert distilled.content == (
        "Trigger: message: text: the order is late\nFocus: the late order\n"
        "Failed: ship: No such address.\nOutcome: Order 7 goes out tomorrow."
    )
    assert (distilled.kind, distilled.session_id) == (pb.MEMORY_KIND_TASK_OUTCOME, "s1")
    assert list(distilled.source_refs) == [run_id]
    assert [each.content for each in others] == ["客户住在柏林", "Ada likes tea"]
    assert distilled.HasField("expires_at")
    fresh = Freshness(at_least_as_fresh=ended.revision)
    found = await listed(server.reader, freshness=fresh)
    assert set(found) == {each.content for each in ended.memories}
    assert (await refused(render(server.alice, run_id))).reason == "RUN_NOT_FOUND"
    stored = stored_texts(server.database)
    assert CONTROL not in stored
    assert "be brief" not in stored
    assert "Ada likes tea" in stored


async def test_what_a_distilled_memory_cites_is_there_when_the_run_has_ended(server: Server) -> None:
    run_id = await start(server.alice, session_id="s1", sensitivity=pb.SENSITIVITY_CONFIDENTIAL)
    await append(server.alice, run_id, answer("It is done."))
    (distilled,) = (await end(server.alice, run_id, distill=True)).memories
    (source,) = distilled.source_refs
    event = (await get_event(server.alice, source)).stated
    assert (event.session_id, event.sensitivity) == ("s1", pb.SENSITIVITY_CONFIDENTIAL)
    assert event.json["rounds"] == 1
    decision = await decide(server.alice, "It stays done", source)
    assert list(decision.stated.refs) == [source]
    forgotten = service.ForgetMemoriesRequest(
        memory_ids=service.MemoryIds(ids=[distilled.memory_id]), include_events=True
    )
    await server.alice(forgotten)
    assert (await refused(get_event(server.alice, source))).reason == "EVENT_NOT_FOUND"


async def test_an_end_that_keeps_nothing_keeps_nothing(server: Server) -> None:
    run_id = await start(server.alice)
    await append(server.alice, run_id, answer("hello"))
    ended = await end(server.alice, run_id)
    assert (ended.rounds, list(ended.memories)) == (1, [])
    assert await listed(server.alice) == []
    assert (await refused(end(server.alice, run_id))).reason == "RUN_NOT_FOUND"


async def test_a_repeated_end_tells_of_the_same_memories(server: Server) -> None:
    run_id = await start(server.alice)
    request = {"distill": True, "memories": [new("Ada likes tea")], "request_id": "once"}
    first = await end(server.alice, run_id, **request)
    server.clock.move(60)
    assert await end(server.alice, run_id, **request) == first
    assert len(await listed(server.alice)) == 2
    gone = [first.memories[0].memory_id]
    await server.alice(service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=gone)))
    again = await end(server.alice, run_id, **request)
    assert [each.content for each in again.memories] == ["Ada likes tea"]


async def test_what_is_there_already_is_not_stored_twice(server: Server) -> None:
    known = await remember(server.alice, "Ada likes tea", tags=["a"])
    runs = [await start(server.alice) for _ in range(2)]
    kept = [
        await end(server.alice, run_id, distill=True, memories=[new("Ada  likes tea", tags=["b"])]) for run_id in runs
    ]
    assert {each.memories[1].memory_id for each in kept} == {known.memory_id}
    assert kept[0].memories[0].memory_id == kept[1].memories[0].memory_id
    assert list(kept[1].memories[0].source_refs) == runs
    assert len(await listed(server.alice)) == 2
    found = await get(server.alice, known.memory_id)
    assert (list(found.tags), found.stated_count) == (["a", "b"], 3)


async def test_an_end_keeps_all_or_nothing(server: Server) -> None:
    taken = await remember(server.alice, "there before")
    run_id = await start(server.alice)
    await append(server.alice, run_id, answer("hello"))
    wanted = [new("Ada likes tea"), new("other", memory_id=taken.memory_id)]
    told = await refused(end(server.alice, run_id, distill=True, memories=wanted))
    assert (told.code, told.reason) == (grpc.StatusCode.ALREADY_EXISTS, "MEMORY_ID_TAKEN")
    assert await listed(server.alice) == ["there before"]
    assert (await render(server.alice, run_id)).run.rounds == 1
    wanted[1].memory_id = UNKNOWN_ID
    kept = await end(server.alice, run_id, distill=True, memories=wanted)
    assert len(kept.memories) == 3


async def test_what_was_forgotten_comes_back_through_no_part_of_a_run(server: Server) -> None:
    run_id = await start(server.alice)
    await append(server.alice, run_id, answer(f"{FORGOTTEN}."))
    await forget(server, FORGOTTEN)
    spelled = FORGOTTEN.upper().replace("ADA", "\u0391da").replace(" ", "\u200b ")
    stated = {
        "trigger.payload[1]": server.alice(starting(trigger=trigger(a=[FORGOTTEN]))),
        "trigger.payload[0]": server.alice(starting(trigger=trigger(**dict[str, Any]({FORGOTTEN: 1})))),
        # Beside a text whose path reads the same.
        "trigger.payload[3]": server.alice(starting(trigger=trigger(a={"b": {"c": FORGOTTEN}, "b.c": "fine"}))),
        "focus": start(server.alice, focus=f"Note.\n{spelled}"),
        "steps[0].function_call.arguments[2]": append(server.alice, run_id, call("f", a={"b": FORGOTTEN})),
        "steps[1].function_call.result": append(
            server.alice, run_id, answer("x"), call("f", f"It says: {spelled}. And more.")
        ),
        "steps[0].llm_response": append(server.alice, run_id, answer(spelled)),
        "instruction": inject(server.alice, run_id, FORGOTTEN),
        "memories[0].content": end(server.alice, run_id, memories=[new(spelled)]),
        "distill": end(server.alice, run_id, distill=True, memories=[new("fine")]),
    }
    for field, call_ in stated.items():
        told = await refused(call_)
        assert (told.reason, told.metadata) == ("VALUE_REJECTED", {"field": field})
    paraphrased = "The home of Ada is in Harbour Road"
    assert (await append(server.alice, run_id, answer(paraphrased))).run.rounds == 2
    kept = await end(server.alice, run_id, memories=[new(paraphrased)])
    assert [each.content for each in kept.memories] == [paraphrased]


async def test_no_round_that_was_acknowledged_is_missing_from_what_is_distilled(server: Server) -> None:
    """Appends race with the end, fewer than it has attempts: each is refused, or comes before it."""
    for attempt in range(5):
        run_id = await start(server.alice, focus=f"attempt {attempt}")

        async def failing(number: int, run_id: str = run_id) -> int:
            step = call(f"f{number}", "Broke down.", is_error=True)
            return (await append(server.alice, run_id, step)).run.rounds and number

        async def ending(run_id: str = run_id) -> str:
            return (await end(server.alice, run_id, distill=True)).memories[0].content

        appends = [asyncio.create_task(failing(number)) for number in range(4)]
        text = await ending()
        done = await asyncio.gather(*appends, return_exceptions=True)
        acknowledged = [each for each in done if isinstance(each, int)]
        assert all(f"f{number}: Broke down." in text for number in acknowledged)
        assert all(
            isinstance(each, int)
            or (isinstance(each, grpc.aio.AioRpcError) and each.code() is grpc.StatusCode.NOT_FOUND)
            for each in done
        )
