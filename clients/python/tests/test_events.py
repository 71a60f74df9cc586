"""Recording, listing, watching and forgetting events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from datetime import UTC, datetime

import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import UNAVAILABLE

from camillo.v1.actor_pb2 import Actor, ActorType, EventKind
from camillo.v1.channel_pb2 import Channel
from camillo.v1.event_pb2 import NewEvent
from camillo.v1.event_service_pb2 import RecordedEvent
from camillo.v1.memory_pb2 import Sensitivity
from camillo_client import (
    AsyncCamillo,
    Camillo,
    EventTooLarge,
    SecretRedacted,
    errors,
    new_event,
    tool_call,
    tool_result,
)

TEXT = "чай, お茶, شاي, 🍵 e\u0301"
MIB = 1024 * 1024


def text_event(text: str, **fields: str) -> NewEvent:
    return new_event(text, session_id="s1", actor="human:ada", **fields)  # type: ignore[arg-type]


async def test_what_is_said_is_recorded(client: AsyncCamillo, server: FakeServer) -> None:
    recorded = await client.events.record(
        TEXT,
        session_id="s1",
        actor=("human", "Ада"),
        channel="team",
        sensitivity="public",
        tags=["a"],
        refs=["m1"],
        occurred_at=datetime(2026, 1, 2, tzinfo=UTC),
        importance=0.5,
    )
    assert (recorded.event_id, list(recorded.chunk_ids)) == ("e0", ["e0-0"])
    (request,) = server.desk.of("RecordEvent")
    stated = request.event
    assert (request.agent_id, stated.text, stated.session_id) == ("ada", TEXT, "s1")
    assert stated.actor == Actor(type=ActorType.ACTOR_TYPE_HUMAN, id="Ада")
    assert stated.channel == Channel.CHANNEL_TEAM
    assert stated.sensitivity == Sensitivity.SENSITIVITY_PUBLIC
    assert (list(stated.tags), list(stated.refs), stated.importance) == (["a"], ["m1"], 0.5)
    assert stated.occurred_at.ToDatetime(tzinfo=UTC) == datetime(2026, 1, 2, tzinfo=UTC)
    assert request.request_id


async def test_tools_and_objects_are_recorded(client: AsyncCamillo, server: FakeServer) -> None:
    whose = {"session_id": "s1", "actor": "tool:shell"}
    call = tool_call("shell", {"command": ["ls", {"depth": 2}]}, call_id="c1")
    result = tool_result("shell", "ok", path="a.py", lines=(3, 9), exit_code=0, call_id="c1")
    await client.events.record(tool_call=call, **whose)  # type: ignore[arg-type]
    await client.events.record(tool_result=result, **whose)  # type: ignore[arg-type]
    await client.events.record(json={"step": {"ended": True}}, kind="workflow_step", **whose)  # type: ignore[arg-type]
    called, answered, step = (request.event for request in server.desk.of("RecordEvent"))
    assert called.kind == EventKind.EVENT_KIND_TOOL_CALL
    assert called.tool_call.arguments["command"][1]["depth"] == 2
    assert answered.kind == EventKind.EVENT_KIND_TOOL_RESULT
    assert (answered.tool_result.line_range.first, answered.tool_result.line_range.last) == (3, 9)
    assert answered.tool_result.HasField("exit_code")
    assert step.kind == EventKind.EVENT_KIND_WORKFLOW_STEP
    assert step.json["step"]["ended"] is True


async def test_an_event_has_one_content_and_an_actor_has_a_name(client: AsyncCamillo) -> None:
    with pytest.raises(ValueError, match="one of text"):
        await client.events.record(session_id="s1", actor="human:ada")
    with pytest.raises(ValueError, match="one of text"):
        await client.events.record("a", json={}, session_id="s1", actor="human:ada")
    with pytest.raises(ValueError, match="names nobody"):
        await client.events.record("a", session_id="s1", actor="ada")
    with pytest.raises(ValueError, match="robot"):
        await client.events.record("a", session_id="s1", actor="robot:ada")
    with pytest.raises(TypeError, match="colour"):
        await client.events.record("a", session_id="s1", colour="red")  # type: ignore[call-arg]


async def test_what_is_larger_than_an_event_is_not_sent(client: AsyncCamillo, server: FakeServer) -> None:
    # A character of three bytes: the limit is one of bytes.
    await client.events.record("茶" * (MIB // 3), session_id="s1", actor="human:ada")
    with pytest.raises(EventTooLarge, match=r"1,048,578 bytes.*1,048,576.*artifacts\.put.*refs"):
        await client.events.record("茶" * (MIB // 3 + 1), session_id="s1", actor="human:ada")
    fits = tool_result("shell", "a" * 8 * MIB)
    await client.events.record(tool_result=fits, session_id="s1", actor="tool:shell")
    large = tool_result("shell", "a" * (8 * MIB + 1))
    with pytest.raises(errors.InvalidArgument, match=r"excerpt_text.*artifact_id"):
        await client.events.record(tool_result=large, session_id="s1", actor="tool:shell")
    assert len(server.desk.of("RecordEvent")) == 2


async def test_many_are_recorded_in_order_and_fail_one_by_one(client: AsyncCamillo, server: FakeServer) -> None:
    large = text_event("a" * (MIB + 1))
    events = [large, text_event("one"), text_event("two", refs=["r0"]), large, text_event(TEXT)]  # type: ignore[arg-type]
    first, one, two, third, last = await client.events.record_many(events)
    assert isinstance(first, EventTooLarge)
    assert isinstance(third, EventTooLarge)
    assert isinstance(two, errors.RefNotFound)
    assert isinstance(one, RecordedEvent)
    assert isinstance(last, RecordedEvent)
    assert (one.event_id, two.ref, last.event_id) == ("e0", "r0", "e1")
    (batch,) = server.desk.of("BatchRecordEvents")
    assert [event.text for event in batch.events] == ["one", "two", TEXT]


async def test_many_go_in_batches_while_they_are_made(client: AsyncCamillo, server: FakeServer) -> None:
    sent_when_made: list[int] = []

    def made() -> Iterator[NewEvent]:
        for number in range(2500):
            sent_when_made.append(len(server.desk.calls))
            yield text_event(str(number))

    outcomes = await client.events.record_many(made(), request_id="r")
    assert [outcome.event_id for outcome in outcomes if isinstance(outcome, RecordedEvent)] == [
        f"e{number}" for number in range(2500)
    ]
    batches = server.desk.of("BatchRecordEvents")
    assert [len(batch.events) for batch in batches] == [1000, 1000, 500]
    assert [batch.request_id for batch in batches] == ["r", "r.1", "r.2"]
    # No more than two batches are ever held.
    assert (sent_when_made[1000], sent_when_made[2001]) == (0, 2)


async def test_large_events_share_no_batch(client: AsyncCamillo, server: FakeServer) -> None:
    await client.events.record_many([text_event("a" * MIB)] * 4)
    assert [len(batch.events) for batch in server.desk.of("BatchRecordEvents")] == [2, 2]


async def test_a_batch_that_fails_names_the_id_to_repeat_it_with(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("BatchRecordEvents", *[UNAVAILABLE] * 4)
    with pytest.raises(errors.StorageUnavailable) as raised:
        await client.events.record_many([text_event("a")])
    sent = {batch.request_id for batch in server.desk.of("BatchRecordEvents")}
    assert sent == {raised.value.request_id}


async def test_secrets_are_told(client: AsyncCamillo) -> None:
    with pytest.warns(SecretRedacted):
        await client.events.record("#", session_id="s1", actor="human:ada")
    with pytest.warns(SecretRedacted):
        await client.events.record_many([text_event("a"), text_event("#")])


async def test_recalls_see_the_events_of_this_client(client: AsyncCamillo, server: FakeServer) -> None:
    await client.recall("tea")
    await client.events.record("a", session_id="s1", actor="human:ada")
    await client.recall("tea", sources=["event", "decision"], channel="public")
    await client.events.rebuild_chunks()
    await client.recall("tea")
    await client.events.forget(session_id="s1", dry_run=True)
    await client.recall("tea")
    await client.events.forget(["e0"])
    await client.recall("tea")
    requests = server.desk.of("Recall")
    tokens = [request.freshness.at_least_as_fresh.token for request in requests]
    assert tokens == ["", "db1/ada/1", "db1/ada/2", "db1/ada/2", "db1/ada/3"]
    assert [int(source) for source in requests[1].sources] == [2, 5]
    assert requests[1].channel == Channel.CHANNEL_PUBLIC


async def test_lists_go_over_all_pages(client: AsyncCamillo, server: FakeServer) -> None:
    await client.events.record_many([text_event(str(number)) for number in range(5)])
    listed = client.events.list(
        newest_first=True,
        page_size=2,
        channel="agent",
        session_id="s1",
        kinds=["message", "tool_call"],
        actor_types=["human"],
        tags_any=["a"],
        occurred_from=datetime(2026, 1, 1, tzinfo=UTC),
        max_sensitivity="internal",
        ref="m1",
    )
    assert [event.stated.text async for event in listed] == ["4", "3", "2", "1", "0"]
    requests = server.desk.of("ListEvents")
    assert len(requests) == 3
    filter_ = requests[0].filter
    assert list(filter_.kinds) == [EventKind.EVENT_KIND_MESSAGE, EventKind.EVENT_KIND_TOOL_CALL]
    assert list(filter_.actor_types) == [ActorType.ACTOR_TYPE_HUMAN]
    assert (filter_.session_id, filter_.ref, list(filter_.tags_any)) == ("s1", "m1", ["a"])
    assert requests[0].channel == Channel.CHANNEL_AGENT
    with pytest.raises(TypeError, match="a single text"):
        await anext(client.events.list(kinds="message"))  # type: ignore[arg-type]


async def test_one_is_read_with_the_ids_of_its_chunks(client: AsyncCamillo) -> None:
    await client.events.record(TEXT, session_id="s1", actor="human:ada")
    found = await client.events.get("e0", channel="team")
    assert (found.event.stated.text, list(found.chunk_ids)) == (TEXT, ["e0-0"])
    with pytest.raises(errors.EventNotFound):
        await client.events.get("e9")


async def test_a_watch_resumes_where_it_broke(client: AsyncCamillo, server: FakeServer) -> None:
    await client.events.record_many([text_event(str(number)) for number in range(5)])
    server.events.breaks = [2, 0, 1]
    taken: list[str] = []
    watch = client.events.watch(from_beginning=True, session_id="s1", kinds=["message"])
    async with aclosing(watch) as changes:
        async for change in changes:
            taken.append(change.recorded.stated.text)
            if len(taken) == 5:
                break
    assert taken == ["0", "1", "2", "3", "4"]
    requests = server.desk.of("WatchEvents")
    assert [request.resume_token for request in requests] == ["", "2", "2", "3"]
    assert all(request.filter.session_id == "s1" for request in requests)


async def test_forgetting_takes_ids_or_a_session(client: AsyncCamillo) -> None:
    await client.events.record_many([text_event("a"), text_event("b")])
    answer = await client.events.forget(session_id="s1", dry_run=True)
    assert (answer.forgotten, answer.receipt.receipt_id) == (2, "")
    answer = await client.events.forget(["e0"])
    assert (answer.forgotten, answer.receipt.receipt_id) == (1, "receipt_1")
    for selector in ({}, {"ids": ["e0"], "session_id": "s1"}):
        with pytest.raises(ValueError, match="either ids or a session"):
            await client.events.forget(**selector)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a single text"):
        await client.events.forget("e0")


def test_the_sync_twin_does_the_same(sync_client: Camillo, thread_server: FakeServer) -> None:
    outcomes = sync_client.events.record_many([text_event(str(number)) for number in range(3)])
    assert len(outcomes) == 3
    assert [event.stated.text for event in sync_client.events.list(page_size=2)] == ["0", "1", "2"]
    thread_server.events.breaks = [1]
    changes = sync_client.events.watch(from_beginning=True)
    assert [next(changes).recorded.event_id for _ in range(3)] == ["e0", "e1", "e2"]
    changes.close()
    sync_client.recall("tea")
    (request,) = thread_server.desk.of("Recall")
    assert request.freshness.at_least_as_fresh.token == "db1/ada/1"  # noqa: S105
