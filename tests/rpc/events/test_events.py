"""Events: recorded in order, never changed, found by their words, and forgotten with a receipt."""

from typing import Any

import grpc
import pytest
from camillo.v1 import actor_pb2, artifact_service_pb2, memory_pb2
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from google.protobuf.struct_pb2 import Struct

from tests.rpc.artifacts.calls import read
from tests.rpc.memories.calls import UNKNOWN_ID, remember
from tests.rpc.records import get_event, listed, recalled, record, record_all, text_event, texts, tool_event
from tests.secret_samples import samples
from tests.server_fixtures import Server, refusal_of, refused

PAT = samples(7)["github-pat"]


def struct(**values: Any) -> Struct:
    found = Struct()
    found.update(values)
    return found


async def test_an_event_that_names_nobody_has_the_obvious_actor(server: Server) -> None:
    call = pb.ToolCall(tool="grep")
    result = pb.ToolResult(tool="搜索 🔎", excerpt_text="found")
    step = pb.WorkflowStep(workflow="nightly", step="one")
    events = [
        pb.NewEvent(session_id="s", **content)
        for content in (
            {"text": "hello"},
            {"json": struct(a=1)},
            {"tool_call": call, "kind": actor_pb2.EVENT_KIND_TOOL_CALL},
            {"tool_result": result, "kind": actor_pb2.EVENT_KIND_TOOL_RESULT},
            {"workflow_step": step, "kind": actor_pb2.EVENT_KIND_WORKFLOW_STEP},
        )
    ]
    batch = await record_all(server.alice, events)
    single = [(await server.alice(service.RecordEventRequest(event=event))).recorded.event_id for event in events]
    ids = [each.recorded.event_id for each in batch.results]
    told = [await get_event(server.alice, each) for each in (*ids, *single)]
    assert [(each.stated.actor.type, each.stated.actor.id) for each in told] == 2 * [
        *3 * [(actor_pb2.ACTOR_TYPE_AGENT, "alice")],
        (actor_pb2.ACTOR_TYPE_TOOL, "搜索 🔎"),
        (actor_pb2.ACTOR_TYPE_SYSTEM, "nightly"),
    ]
    shared = service.RecordEventRequest(event=events[0])
    kept = (await server.admin(shared)).recorded.event_id
    assert (await get_event(server.admin, kept)).stated.actor.id == "default"


async def test_what_was_recorded_is_read_as_it_was_stated(server: Server) -> None:
    answer = await server.alice(
        service.RecordEventRequest(event=text_event("مرحبا 👩‍👩‍👧 e\u0301", tags=["b", "a", "b"]))
    )
    told = await server.reader(service.GetEventRequest(event_id=answer.recorded.event_id))
    stated = told.event.stated
    assert (stated.text, list(stated.tags)) == ("مرحبا 👩‍👩‍👧 e\u0301", ["b", "a"])
    assert (stated.kind, stated.channel, stated.sensitivity) == (
        actor_pb2.EVENT_KIND_MESSAGE,
        channels.CHANNEL_PRIVATE,
        memory_pb2.SENSITIVITY_INTERNAL,
    )
    assert (stated.actor.type, stated.actor.id) == (actor_pb2.ACTOR_TYPE_HUMAN, "user")
    assert stated.occurred_at == told.event.recorded_at == answer.recorded.recorded_at
    assert not stated.HasField("importance")
    assert told.event.agent_id == "alice"
    assert told.event.revision == answer.revision
    assert list(told.chunk_ids) == list(answer.recorded.chunk_ids)
    assert told.chunk_ids


@pytest.mark.parametrize(
    "event",
    [
        text_event(json=struct(ключ=[1, 2.5, None, True, {"深": "い"}]), kind=5),
        text_event(json=struct(), kind=6),
        text_event(
            kind=actor_pb2.EVENT_KIND_TOOL_CALL,
            tool_call=pb.ToolCall(tool="grep", call_id="c1", arguments=struct(pattern="é")),
        ),
        tool_event("one\ntwo\n", call_id="c1", path="a.py", is_error=True, exit_code=0),
        tool_event("x\ny", line_range=pb.LinesHeld(first=10, last=11)),
    ],
)
async def test_every_kind_of_content_comes_back(server: Server, event: pb.NewEvent) -> None:
    recorded = (await server.alice(service.RecordEventRequest(event=event))).recorded
    stated = (await get_event(server.alice, recorded.event_id)).stated
    name = event.WhichOneof("content")
    assert stated.WhichOneof("content") == name
    if name == "tool_result" and not event.tool_result.HasField("line_range"):
        assert (stated.tool_result.line_range.first, stated.tool_result.line_range.last) == (1, 2)
        stated.tool_result.ClearField("line_range")
    assert getattr(stated, name) == getattr(event, name)


async def test_a_repeated_request_records_nothing_more(server: Server) -> None:
    request = service.RecordEventRequest(request_id="once", event=text_event("one"))
    first = await server.alice(request)
    server.clock.move(60)
    assert await server.alice(request) == first
    batch = service.BatchRecordEventsRequest(request_id="twice", events=[text_event("two"), text_event("three")])
    results = await server.alice(batch)
    assert await server.alice(batch) == results
    assert await texts(server.alice) == ["one", "two", "three"]
    request.event.text = "other"
    told = await refused(server.alice(request))
    assert (told.code, told.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")


async def test_events_of_a_batch_keep_their_order_and_fail_alone(server: Server) -> None:
    events = [text_event(f"number {i}") for i in range(40)]
    events[7] = text_event("bad", session_id="")
    events[30] = text_event("dangling", refs=[UNKNOWN_ID])
    answer = await record_all(server.alice, events)
    outcomes = [result.WhichOneof("outcome") for result in answer.results]
    assert [i for i, outcome in enumerate(outcomes) if outcome == "error"] == [7, 30]
    bad, dangling = (refusal_of(answer.results[i].error) for i in (7, 30))
    assert (bad.reason, bad.fields) == ("INVALID_FIELD", ("events[7].session_id",))
    assert (dangling.reason, dangling.metadata) == ("REF_NOT_FOUND", {"ref": UNKNOWN_ID})
    ids = [each.recorded.event_id for each in answer.results if each.HasField("recorded")]
    assert ids == sorted(ids)
    found = await listed(server.alice)
    assert [event.event_id for event in found] == ids
    assert {event.revision.token for event in found} == {answer.revision.token}


async def test_a_batch_of_which_nothing_can_be_stored_writes_nothing(server: Server) -> None:
    answer = await record_all(server.alice, [text_event("x", session_id=""), text_event("y", refs=["nope"])])
    assert [refusal_of(each.error).reason for each in answer.results] == ["INVALID_FIELD", "REF_NOT_FOUND"]
    assert await texts(server.alice) == []
    await record(server.alice, "there")
    assert await texts(server.alice) == ["there"]


async def test_an_event_is_found_by_its_words_when_the_call_returns(server: Server) -> None:
    await remember(server.alice, "wisteria in a memory")
    await record(server.alice, "紫藤 wisteria in the garden")
    assert await recalled(server.alice, "wisteria") == ["user: 紫藤 wisteria in the garden"]
    assert await recalled(server.alice, "紫藤") == ["user: 紫藤 wisteria in the garden"]


async def test_rebuilt_chunks_are_the_same(server: Server) -> None:
    text = "\n\n".join(f"# Part {i}\nneedle number {i} " + "word " * 300 for i in range(6))
    recorded = await record(server.alice, text)
    assert len(recorded.chunk_ids) > 3
    found = sorted(await recalled(server.alice, "needle"))
    rebuilt = await server.alice(service.RebuildChunksRequest())
    assert rebuilt.dropped == rebuilt.made == len(recorded.chunk_ids)
    told = await server.alice(service.GetEventRequest(event_id=recorded.event_id))
    assert list(told.chunk_ids) == list(recorded.chunk_ids)
    # In whichever order: random vectors, which follow, decide it.
    assert sorted(await recalled(server.alice, "needle")) == found


async def test_a_long_tool_result_is_an_excerpt_and_an_artifact(server: Server) -> None:
    text = "".join(f"line {i} 行\n" for i in range(20_000))
    answer = await server.alice(service.RecordEventRequest(event=tool_event(text, path="a.log")))
    result = (await get_event(server.alice, answer.recorded.event_id)).stated.tool_result
    assert (result.truncated, result.artifact_id) == (True, answer.recorded.artifact_id)
    assert len(result.excerpt_text.encode()) <= 64 * 1024
    assert text.startswith(result.excerpt_text)
    assert result.excerpt_text.endswith("\n")
    assert (result.line_range.first, result.line_range.last) == (1, result.excerpt_text.count("\n"))
    assert await read(server.alice, result.artifact_id) == text.encode()
    listing = await server.alice(artifact_service_pb2.ListArtifactsRequest())
    assert [each.session_id for each in listing.artifacts] == ["s"]


async def test_a_short_tool_result_makes_no_artifact(server: Server) -> None:
    recorded = (await server.alice(service.RecordEventRequest(event=tool_event("ok\n")))).recorded
    assert recorded.artifact_id == ""
    result = (await get_event(server.alice, recorded.event_id)).stated.tool_result
    assert (result.truncated, result.artifact_id, result.excerpt_text) == (False, "", "ok\n")


async def test_refs_name_what_is_there(server: Server) -> None:
    event = await record(server.alice, "one")
    memory = await remember(server.alice, "a memory")
    refs = [event.event_id, event.chunk_ids[0], memory.memory_id]
    named = await record(server.alice, "two", refs=refs)
    assert list((await get_event(server.alice, named.event_id)).stated.refs) == refs
    bobs = await record(server.admin, "bob's", agent_id="bob")
    for ref in (UNKNOWN_ID, bobs.event_id, "no id at all"):
        told = await refused(record(server.alice, "three", refs=[event.event_id, ref]))
        assert (told.code, told.reason, told.metadata) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "REF_NOT_FOUND",
            {"ref": ref},
        )
    assert await texts(server.alice) == ["one", "two"]


async def test_secrets_are_taken_out_of_every_content(server: Server) -> None:
    events = [
        text_event(f"鍵 🔑 {PAT} after", tags=["plain", PAT]),
        text_event(json=struct(a=[{"deep": f"x {PAT}"}])),
        tool_event(f"token: {PAT}\n"),
    ]
    answer = await record_all(server.alice, events)
    fields = [{each.field for each in result.recorded.redactions} for result in answer.results]
    assert {"content.text", "tags[1]"} <= fields[0]
    assert any(field.startswith("content.json") for field in fields[1])
    assert "content.tool_result.excerpt_text" in fields[2]
    stored = await listed(server.alice)
    assert len(stored) == 3
    assert PAT not in "".join(map(str, stored))
    assert stored[0].stated.text.startswith("鍵 🔑 [redacted")
    assert stored[0].stated.text.endswith("] after")


async def test_forgotten_events_are_gone_with_all_that_was_made_of_them(server: Server) -> None:
    kept = await record(server.alice, "needle kept")
    gone = await record(server.alice, "needle gone")
    ids = service.EventIds(ids=[gone.event_id, UNKNOWN_ID])
    trial = await server.alice(service.ForgetEventsRequest(event_ids=ids, dry_run=True))
    assert (trial.forgotten, trial.receipt.receipt_id) == (1, "")
    assert await texts(server.alice) == ["needle kept", "needle gone"]
    assert len(await recalled(server.alice, "needle")) == 2
    done = await server.alice(service.ForgetEventsRequest(event_ids=ids, request_id="f"))
    assert (done.forgotten, list(done.receipt.event_ids)) == (1, [gone.event_id])
    rows = {each.store: each.rows for each in done.receipt.stores}
    assert (rows["events"], rows["chunks"]) == (1, 1)
    assert list(rows) == sorted(rows)
    assert done.receipt.receipt_id
    assert await texts(server.alice) == ["needle kept"]
    assert await recalled(server.alice, "needle") == ["user: needle kept"]
    assert (await refused(get_event(server.alice, gone.event_id))).reason == "EVENT_NOT_FOUND"
    await get_event(server.alice, kept.event_id)
    again = await server.alice(service.ForgetEventsRequest(event_ids=ids, request_id="f"))
    assert again.receipt.receipt_id == done.receipt.receipt_id


async def test_a_session_is_forgotten_whole(server: Server) -> None:
    await record_all(server.alice, [text_event(f"number {i}", session_id=f"s{i % 2}") for i in range(10)])
    done = await server.alice(service.ForgetEventsRequest(session_id="s1"))
    assert done.forgotten == 5
    assert await texts(server.alice) == [f"number {i}" for i in range(0, 10, 2)]
