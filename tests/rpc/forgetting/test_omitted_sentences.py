"""A text of which a sentence was forgotten is kept without that sentence, if the caller says so; the answer tells
where."""

from typing import Any

import pytest
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_pb2 as memory
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1.actor_pb2 import TRUST_REPORTED
from camillo.v1.run_pb2 import FunctionCall, RunStep, Trigger
from camillo.v1.run_service_pb2 import AppendRunRequest, RenderRunRequest, StartRunRequest

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import get, remember
from tests.rpc.records import get_event, text_event, tool_event
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Caller, Server, refused

VALUE = "The user lives at 12 Main Street, Basel"
TWO = "The key is under the mat. Nobody knows that."
BEFORE, AFTER = "We met at noon. ", "Then we had tea.\nIt rained."


def remembering(text: str, **fields: Any) -> memories.RememberRequest:
    return memories.RememberRequest(memory=memory.NewMemory(content=text), **fields)


async def forgotten(caller: Caller) -> None:
    for text in (VALUE, TWO):
        stored = await remember(caller, text)
        await caller(forget(stored.memory_id))


@pytest.mark.own_server
async def test_a_memory_is_kept_without_a_forgotten_sentence_if_its_caller_says_so(server: Server) -> None:
    kept = await server.alice(remembering(f"{BEFORE}{VALUE}. {AFTER}", omit_forgotten=True))
    assert (kept.memory.content, len(kept.omitted)) == (f"{BEFORE}{VALUE}. {AFTER}", 0)
    await server.alice(forget(kept.memory.memory_id, allow_restating=True))
    await forgotten(server.alice)
    text = f"{BEFORE}Note: {VALUE.upper()}! {TWO} {AFTER}"
    assert (await refused(server.alice(remembering(text)))).reason == "VALUE_REJECTED"
    request = remembering(text, omit_forgotten=True, request_id="once")
    answer = await server.alice(request)
    assert answer.memory.content == f"{BEFORE}{AFTER}"
    assert [(each.field, each.offset) for each in answer.omitted] == [("content", len(BEFORE))]
    assert await server.alice(request) == answer
    assert (await get(server.alice, answer.memory.memory_id)).content == f"{BEFORE}{AFTER}"
    stored = stored_texts(server.database)
    assert "Main Street" not in stored
    assert "under the mat" not in stored


async def test_nothing_is_stored_where_nothing_is_left(server: Server) -> None:
    await forgotten(server.alice)
    failed = await refused(server.alice(remembering(f"{VALUE}.\n{TWO}", omit_forgotten=True)))
    assert (failed.reason, failed.metadata["field"]) == ("VALUE_REJECTED", "content")
    # A value outside of sentences is refused as ever.
    new = memory.NewMemory(content="We met at noon.", tags=[VALUE])
    request = memories.RememberRequest(memory=new, omit_forgotten=True)
    assert (await refused(server.alice(request))).metadata["field"] == "tags[0]"


async def test_an_event_is_kept_without_it_as_well(server: Server) -> None:
    await forgotten(server.alice)
    lines = "a line of no interest\n" * 2_000
    for new, field in (
        (text_event(f"{BEFORE}{VALUE}.\n{AFTER}"), "content.text"),
        (tool_event(f"{lines}{VALUE}\n{AFTER}"), "content.tool_result.excerpt_text"),
    ):
        request = events.RecordEventRequest(event=new)
        assert (await refused(server.alice(request))).reason == "VALUE_REJECTED"
        request.omit_forgotten = True
        recorded = (await server.alice(request)).recorded
        assert [each.field for each in recorded.omitted] == [field]
        stated = (await get_event(server.alice, recorded.event_id)).stated
        text = stated.text or stated.tool_result.excerpt_text
        assert VALUE not in text
        assert text.endswith(AFTER)
        assert text[recorded.omitted[0].offset :] == AFTER


async def test_each_of_a_batch_is_kept_without_it(server: Server) -> None:
    await forgotten(server.alice)
    texts = [f"{BEFORE}{VALUE}. {AFTER}", VALUE, "今日は晴れ。"]
    batch = memories.BatchRememberRequest(memories=[memory.NewMemory(content=text) for text in texts])
    reasons = [each.HasField("error") for each in (await server.alice(batch)).results]
    assert reasons == [True, True, False]
    batch.omit_forgotten = True
    first, second, third = (await server.alice(batch)).results
    assert (first.memory.content, third.memory.content) == (f"{BEFORE}{AFTER}", texts[2])
    assert [each.offset for each in first.omitted] == [len(BEFORE)]
    assert (second.error.code != 0, list(third.omitted)) == (True, [])
    recorded = events.BatchRecordEventsRequest(events=[text_event(text) for text in texts], omit_forgotten=True)
    first_event, second_event, _ = (await server.alice(recorded)).results
    assert [each.offset for each in first_event.recorded.omitted] == [len(BEFORE)]
    stated = (await get_event(server.alice, first_event.recorded.event_id)).stated
    assert (stated.text, second_event.HasField("error")) == (f"{BEFORE}{AFTER}", True)


async def test_an_update_and_a_round_of_a_run_are_kept_without_it(server: Server) -> None:
    await forgotten(server.alice)
    stored = await remember(server.alice, BEFORE)
    update = memories.UpdateMemoryRequest(
        memory_id=stored.memory_id, expected_version=1, memory={"content": f"{AFTER} {VALUE}"}
    )
    update.update_mask.paths.append("content")
    assert (await refused(server.alice(update))).reason == "VALUE_REJECTED"
    update.omit_forgotten = True
    answer = await server.alice(update)
    assert (answer.memory.content, len(answer.omitted)) == (AFTER, 1)
    run = (await server.alice(StartRunRequest(trigger=Trigger(type="t")))).run
    steps = [
        RunStep(llm_response=f"{BEFORE}{TWO} {AFTER}"),
        RunStep(function_call=FunctionCall(name="f", result=f"{BEFORE}\n{VALUE}\n{AFTER}")),
    ]
    append = AppendRunRequest(run_id=run.run_id, steps=steps)
    assert (await refused(server.alice(append))).reason == "VALUE_REJECTED"
    append.omit_forgotten = True
    assert [each.field for each in (await server.alice(append)).omitted] == [
        "steps[0].llm_response",
        "steps[1].function_call.result",
    ]
    shown = (await server.alice(RenderRunRequest(run_id=run.run_id))).prompt
    assert ("We met at noon" in shown, "under the mat" in shown) == (True, False)


async def test_marks_of_secrets_and_sentences_are_where_they_say_they_are(server: Server) -> None:
    await forgotten(server.alice)
    key = "AKIA" + "QZ7XW3ME5RTY6UBN"
    text = f"{BEFORE}The key {key} is old. {VALUE}. Take {key} instead."
    for answer in (
        await server.alice(remembering(text, omit_forgotten=True)),
        (await server.alice(events.RecordEventRequest(event=text_event(text), omit_forgotten=True))).recorded,
    ):
        if isinstance(answer, events.RecordedEvent):
            event = await get_event(server.alice, answer.event_id)
            kept = event.stated.text
            assert (event.trust, event.credential != "") == (TRUST_REPORTED, True)
        else:
            kept = answer.memory.content
        assert VALUE not in kept
        [omitted] = answer.omitted
        assert kept[omitted.offset :].startswith("Take ")
        assert len(answer.redactions) == 2
        assert all(kept[each.offset :].startswith("[redacted") for each in answer.redactions)
