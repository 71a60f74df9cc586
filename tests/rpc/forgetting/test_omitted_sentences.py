"""A text of which a sentence was forgotten is kept without that sentence, if the caller says so; the answer tells where."""

from typing import Any

from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_pb2 as memory
from camillo.v1 import memory_service_pb2 as memories

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import get, remember
from tests.rpc.records import get_event, said, tool_said
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


async def test_a_memory_is_kept_without_a_forgotten_sentence_if_its_caller_says_so(
    server: Server,
) -> None:
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
    told = await refused(server.alice(remembering(f"{VALUE}.\n{TWO}", omit_forgotten=True)))
    assert (told.reason, told.metadata["field"]) == ("VALUE_REJECTED", "content")
    # What is no sentence is refused as ever.
    new = memory.NewMemory(content="We met at noon.", tags=[VALUE])
    request = memories.RememberRequest(memory=new, omit_forgotten=True)
    assert (await refused(server.alice(request))).metadata["field"] == "tags[0]"


async def test_an_event_is_kept_without_it_as_well(server: Server) -> None:
    await forgotten(server.alice)
    lines = "a line of no interest\n" * 2_000
    for new, field in (
        (said(f"{BEFORE}{VALUE}.\n{AFTER}"), "content.text"),
        (tool_said(f"{lines}{VALUE}\n{AFTER}"), "content.tool_result.excerpt_text"),
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
