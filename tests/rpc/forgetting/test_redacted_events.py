"""A value is cut out of events, which stay in their places with what cites them."""

import asyncio
from typing import Any

import pytest
from camillo.v1 import event_pb2 as pb
from camillo.v1.actor_pb2 import (
    ACTOR_TYPE_HUMAN,
    EVENT_KIND_TOOL_CALL,
    EVENT_KIND_WORKFLOW_STEP,
    WORKFLOW_STATUS_SUCCEEDED,
    Actor,
)
from camillo.v1.consistency_pb2 import Freshness
from camillo.v1.event_service_pb2 import (
    EventIds,
    ForgetEventsRequest,
    GetEventRequest,
    ListWorkflowRequest,
    RebuildChunksRequest,
    RecordEventRequest,
)
from camillo.v1.forgetting_pb2 import FORGET_MODE_REDACT_SPANS
from camillo.v1.lifecycle_service_pb2 import ForgetRequest
from camillo.v1.memory_pb2 import SENSITIVITY_RESTRICTED, SOURCE_EVENT, RecallHit
from camillo.v1.memory_service_pb2 import RecallRequest
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Struct

from tests.patience import PATIENCE_SECONDS
from tests.rpc.artifacts.calls import put_text
from tests.rpc.events.test_event_watch import changes_of, told
from tests.rpc.forgetting.test_forgetting_holes import invariants_hold
from tests.rpc.forgetting.test_redaction import TEXTS, redact
from tests.rpc.memories.calls import get, remember
from tests.rpc.records import (
    bundle,
    get_event,
    listed,
    recalled,
    record,
    record_all,
    shown,
    text_event,
    texts,
    tool_event,
)
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Caller, Server, refused

VALUE = "617-555-0143"
CUT = "[forgotten]"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.storage.jobs.board.GATHER_SECONDS", 0.02)


def struct(value: dict[str, Any]) -> Struct:
    return ParseDict(value, Struct())


def step_event(output: str, **fields: Any) -> pb.NewEvent:
    step = pb.WorkflowStep(
        workflow="deliver", run="1", step="ring", status=WORKFLOW_STATUS_SUCCEEDED, output=output, **fields
    )
    return text_event(kind=EVENT_KIND_WORKFLOW_STEP, workflow_step=step)


def call_event(arguments: dict[str, Any]) -> pb.NewEvent:
    call = pb.ToolCall(tool="dial", call_id="c1", arguments=struct(arguments))
    return text_event(kind=EVENT_KIND_TOOL_CALL, tool_call=call)


def contents(number: str) -> list[pb.NewEvent]:
    """Events of every content that tell of a number."""
    json = {"who": "Bea 茶", "numbers": [f"ring {number}!", 7], "at": {"six": True}}
    return [
        text_event(f"ring Bea at {number}, please 📞"),
        text_event(f"the private line of Bea is {number} at night", sensitivity=SENSITIVITY_RESTRICTED),
        text_event(json=struct(json)),
        call_event({"number": number, "note": f"Bea said {number}", "times": 3}),
        tool_event(f"line 1\nline 2: {number} answered\nline 3", path=f"/calls/{number}.log"),
        step_event(f"Bea's {number} was busy"),
    ]


@pytest.mark.own_server
async def test_events_of_every_content_stay_in_their_places(server: Server) -> None:
    alice = server.alice
    await record_all(alice, [*contents(f"({VALUE[:3]}) {VALUE[4:]}"), *contents("617-555-0144")])
    before = await listed(alice)
    receipt, rows = await redact(alice, VALUE)
    assert (rows, list(receipt.records.event_ids), receipt.scopes) == ({"redacted_events": 6}, [], 1)
    after = await listed(alice)
    expected = [pb.Event.FromString(each.SerializeToString()) for each in before]
    for event, stated in zip(expected, contents(CUT), strict=False):
        # All else that the server says of a result stays as it was.
        event.stated.MergeFrom(pb.NewEvent.FromString(stated.SerializeToString()))
        if event.stated.HasField("json"):
            event.stated.json.CopyFrom(stated.json)
        if event.stated.HasField("tool_call"):
            event.stated.tool_call.CopyFrom(stated.tool_call)
    assert after == expected
    assert after[6:] == before[6:]
    steps = await alice(ListWorkflowRequest(workflow="deliver"))
    assert [each.event_id for each in steps.steps] == [before[5].event_id, before[11].event_id]
    left = stored_texts(server.database)
    assert "555-0143" not in left
    assert "555-0144" in left
    assert invariants_hold(server.database)


async def test_a_value_is_cut_out_in_every_language(server: Server) -> None:
    stored = {value: await record(server.alice, text) for value, (text, _) in TEXTS.items()}
    for value, (_, expected) in TEXTS.items():
        assert (await redact(server.alice, value))[1] == {"redacted_events": 1}
        event = await get_event(server.alice, stored[value].event_id)
        assert event.stated.text == expected
        # The words around it find the event, now as before.
        assert any(expected in each for each in await recalled(server.alice, expected))


async def hits_of(caller: Caller, text: str) -> list[RecallHit]:
    request = RecallRequest(
        text=text, sources=[SOURCE_EVENT], limit=20, explain=True, freshness=Freshness(fully_consistent=True)
    )
    return list((await caller(request)).hits)


async def until_by_meaning(caller: Caller, event_id: str, text: str) -> RecallHit:
    """The hit of an event once it is found by its vector, too."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            [hit] = [each for each in await hits_of(caller, text) if event_id in each.chunk.source_refs]
            if hit.breakdown.HasField("dense"):
                return hit


async def test_other_words_find_a_redacted_event_by_words_and_by_meaning(server: Server) -> None:
    alice = server.alice
    event = await record(alice, f"the gardener's number is {VALUE}, he prunes apple trees on Fridays")
    await record(alice, "the plumber comes on Mondays")
    question = "who prunes the apple trees"
    before = await until_by_meaning(alice, event.event_id, question)
    await redact(alice, VALUE)
    after = await until_by_meaning(alice, event.event_id, question)
    assert before.chunk.text.replace(VALUE, CUT) == after.chunk.text
    assert [*after.chunk.source_refs] == [*before.chunk.source_refs] == [event.event_id]
    assert before.breakdown.HasField("lexical")
    assert after.breakdown.HasField("lexical")
    # The vector is that of the new text, and not of the old one.
    assert after.breakdown.dense.raw != pytest.approx(before.breakdown.dense.raw, abs=1e-6)
    answer = await recalled(alice, VALUE)
    assert not any("0143" in each for each in answer)
    built = shown(await bundle(alice, question))
    assert any(CUT in text and "apple trees" in text for texts_of in built.values() for text in texts_of)


@pytest.mark.own_server
@pytest.mark.parametrize(
    ("value", "count"), [("Annabella Maria Konstantinopolitana " * 4 + "Žofie", 80), ("王芳", 300)]
)
async def test_chunks_are_cut_anew(server: Server, value: str, count: int) -> None:
    """Fewer than before, where the placeholder is shorter, and more of them, where it is longer."""
    alice = server.alice
    text = "\n".join(f"{value}, {value}, {value}: day {day}." for day in range(count))
    event = await record(alice, text)
    other = await record(alice, text.replace(value, "Nobody"))
    request = GetEventRequest(event_id=event.event_id)
    before = list((await alice(request)).chunk_ids)
    _, rows = await redact(alice, value)
    assert rows == {"redacted_events": 1}
    answer = await alice(request)
    assert answer.event.stated.text == text.replace(value, CUT)
    after = list(answer.chunk_ids)
    assert len(after) != len(before)
    assert set(after) < set(before) or set(before) < set(after)
    left = stored_texts(server.database)
    assert value.split()[-1] not in left
    assert "Nobody" in left
    assert invariants_hold(server.database)
    found = [each for each in await recalled(alice, f"{CUT}: day {count - 1}") if CUT in each]
    assert any(f"day {count - 1}." in each for each in found)
    # Chunks that are made anew are these.
    rebuilt = await alice(RebuildChunksRequest())
    assert list((await alice(request)).chunk_ids) == after
    others = (await alice(GetEventRequest(event_id=other.event_id))).chunk_ids
    assert rebuilt.made == len(after) + len(others)


async def test_events_that_cannot_be_redacted_are_deleted(server: Server) -> None:
    alice = server.alice
    kept = await record(alice, f"ring {VALUE} at noon")
    artifact = await put_text(alice, "nothing of that")
    gone = [
        text_event(f"{VALUE}."),
        text_event("the line is busy", tags=[VALUE]),
        text_event("the line is free", session_id=VALUE),
        text_event("the line is dead", actor=Actor(type=ACTOR_TYPE_HUMAN, id=VALUE)),
        text_event(json=struct({f"({VALUE[:3]}) {VALUE[4:]}": "is the number of Bea"})),
        tool_event(VALUE),
        tool_event(f"{VALUE} answered again", artifact_id=artifact.artifact_id),
        step_event(VALUE),
    ]
    answer = await record_all(alice, gone)
    receipt, rows = await redact(alice, VALUE)
    assert (rows["events"], rows["redacted_events"]) == (len(gone), 1)
    assert set(receipt.records.event_ids) == {each.recorded.event_id for each in answer.results}
    assert [each.event_id for each in await listed(alice)] == [kept.event_id]


async def test_a_shared_source_event_keeps_the_evidence_of_its_other_claims(server: Server) -> None:
    alice = server.alice
    text = f"Bea moved to Porto in May 🏠; her number is {VALUE} now"
    event = await record(alice, text)
    moved = await remember(alice, "Bea lives in Porto", source_refs=[event.event_id])
    number = await remember(alice, f"Bea's number is {VALUE}", source_refs=[event.event_id])
    only = await remember(alice, VALUE, source_refs=[event.event_id])
    receipt, rows = await redact(alice, VALUE)
    assert (rows["redacted_events"], rows["redacted_memories"], rows["memories"]) == (1, 1, 1)
    assert list(receipt.memory_ids) == [only.memory_id]
    # It is not left for another forgetting either: it holds nothing.
    assert "events" not in {each.place for each in receipt.remains}
    for each in (moved, number):
        assert list((await get(alice, each.memory_id)).source_refs) == [event.event_id]
    assert (await get(alice, moved.memory_id)).version == 1
    assert (await get_event(alice, event.event_id)).stated.text == text.replace(VALUE, CUT)
    assert (await recalled(alice, "where did Bea move in May"))[0] == f"user: {text.replace(VALUE, CUT)}"


async def test_an_event_under_what_goes_is_redacted_and_stays(server: Server) -> None:
    alice = server.alice
    event = await record(alice, f"Bea has {VALUE} and a cat 🐈")
    other = await record(alice, "Bea has a dog")
    await remember(alice, VALUE, source_refs=[event.event_id, other.event_id])
    cat = await remember(alice, "Bea has a cat", source_refs=[event.event_id])
    dog = await remember(alice, "Bea likes dogs", source_refs=[other.event_id])
    receipt, rows = await redact(alice, VALUE, include_events=True)
    assert (rows["redacted_events"], rows["events"]) == (1, 1)
    assert list(receipt.records.event_ids) == [other.event_id]
    assert dog.memory_id in receipt.memory_ids
    assert cat.memory_id not in receipt.memory_ids
    assert await texts(alice) == [f"Bea has {CUT} and a cat 🐈"]


async def test_a_watch_tells_redacted_events_anew(server: Server) -> None:
    alice = server.alice
    await record(alice, f"ring Bea at {VALUE}")
    await record(alice, "the tea 茶 is ready")
    await record(alice, VALUE)
    await record(alice, f"ring Bea at {VALUE} again", session_id="other")
    seen = await changes_of(alice, from_beginning=True)
    ids = [each.event_id for each in await listed(alice)]
    await redact(alice, VALUE)
    changes = await changes_of(alice, resume_token=seen[-1].resume_token)
    assert told(changes) == [ids[2], f"ring Bea at {CUT}", f"ring Bea at {CUT} again"]
    again, old = changes[1].recorded, seen[0].recorded
    assert (again.event_id, again.revision) == (old.event_id, old.revision)
    assert all(each.revision == changes[3].revision for each in changes[:3])
    # Each message can be resumed after.
    for place in range(4):
        rest = await changes_of(alice, resume_token=changes[place].resume_token)
        assert told(rest) == told(changes)[place + 1 :]
    # One that does not pass the filter is told like one that was forgotten.
    wanted = pb.EventFilter(session_id="other")
    some = await changes_of(alice, resume_token=seen[-1].resume_token, filter=wanted)
    assert told(some) == [ids[2], ids[0], f"ring Bea at {CUT} again"]
    everything = told(await changes_of(alice, from_beginning=True))
    assert everything[:3] == [f"ring Bea at {CUT}", "the tea 茶 is ready", f"ring Bea at {CUT} again"]
    assert not any("0143" in each for each in everything)


@pytest.mark.own_server
async def test_an_event_is_redacted_again_and_forgotten(server: Server) -> None:
    alice = server.alice
    event = await record(alice, f"Bea and Zoë have {VALUE}, ring twice")
    await redact(alice, VALUE)
    await redact(alice, "Zoë")
    assert await texts(alice) == [f"Bea and {CUT} have {CUT}, ring twice"]
    assert invariants_hold(server.database)
    seen = await changes_of(alice, from_beginning=True)
    await alice(ForgetEventsRequest(event_ids=EventIds(ids=[event.event_id])))
    assert await texts(alice) == []
    assert told(await changes_of(alice, resume_token=seen[-1].resume_token)) == [event.event_id]
    assert invariants_hold(server.database)


async def test_a_repeated_request_brings_nothing_back(server: Server) -> None:
    alice = server.alice
    request = RecordEventRequest(event=text_event(f"ring Bea at {VALUE}"), request_id="once")
    first = await alice(request)
    await redact(alice, VALUE)
    assert await alice(request) == first
    assert await texts(alice) == [f"ring Bea at {CUT}"]
    request.request_id = "twice"
    assert (await refused(alice(request))).reason == "VALUE_REJECTED"
    assert await texts(alice) == [f"ring Bea at {CUT}"]


async def test_a_plan_of_events_changes_with_them(server: Server) -> None:
    alice = server.alice
    await record(alice, f"ring Bea at {VALUE}")
    planned = await alice(ForgetRequest(value=VALUE, mode=FORGET_MODE_REDACT_SPANS, dry_run=True, excerpts={}))
    assert {each.store: each.rows for each in planned.receipt.stores if each.rows} == {"redacted_events": 1}
    assert [each.store for each in planned.receipt.excerpts] == ["events"]
    await record(alice, f"ring Zoë at {VALUE}")
    request = ForgetRequest(value=VALUE, mode=FORGET_MODE_REDACT_SPANS, plan_token=planned.receipt.plan_token)
    assert (await refused(alice(request))).reason == "PLAN_CHANGED"
    assert len(await texts(alice)) == 2
