"""Runs, from their start to their end."""

from __future__ import annotations

import datetime

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo.v1.memory_pb2 import Sensitivity
from camillo_client import (
    AsyncCamillo,
    Camillo,
    SecretRedacted,
    errors,
    function_call,
    new_memory,
    to_datetime,
    to_dict,
)

NOON = datetime.datetime(2026, 11, 20, 12, tzinfo=datetime.UTC)


async def test_a_run_starts_with_a_snapshot_unless_told_otherwise(client: AsyncCamillo, server: FakeServer) -> None:
    started = await client.runs.start(
        "message",
        {"text": "订单迟到了", "n": 1},
        focus="the late order",
        session_id="s1",
        sensitivity="confidential",
        max_tokens=500,
        idle_seconds=60,
        snapshot_max_tokens=100,
    )
    assert "tea" in started.snapshot.prompt
    plain = await client.runs.start("schedule", skip_snapshot=True)
    assert not plain.HasField("snapshot")
    first, second = server.desk.of("StartRun")
    assert to_dict(first.trigger.payload) == {"text": "订单迟到了", "n": 1}
    assert (first.trigger.type, first.focus, first.session_id) == ("message", "the late order", "s1")
    assert (first.max_tokens, first.idle_seconds, first.snapshot_max_tokens) == (500, 60, 100)
    assert first.sensitivity == Sensitivity.SENSITIVITY_CONFIDENTIAL
    assert first.request_id != second.request_id
    assert not second.trigger.HasField("payload")
    with pytest.raises(TypeError, match="budget"):
        await client.runs.start("message", budget=1)  # type: ignore[call-arg]


async def test_runs_are_listed_over_all_pages(client: AsyncCamillo, server: FakeServer) -> None:
    for number in range(5):
        await client.runs.start("message", session_id=f"s{number % 2}")
    assert [run.run_id async for run in client.runs.list(page_size=2)] == ["r4", "r3", "r2", "r1", "r0"]
    assert [run.run_id async for run in client.runs.list(session_id="s1")] == ["r3", "r1"]
    await client.runs.end("r3")
    assert [run.run_id async for run in client.runs.list(session_id="s1", agent_id="bob")] == ["r1"]
    requests = server.desk.of("ListRuns")
    assert [request.page_size for request in requests] == [2, 2, 2, 0, 0]
    assert [request.agent_id for request in requests[-2:]] == [requests[0].agent_id, "bob"]


async def test_what_happened_is_appended_and_rendered(client: AsyncCamillo, server: FakeServer) -> None:
    run_id = (await client.runs.start("message")).run.run_id
    call = function_call("search", {"q": "tea", "deep": {"n": 1}}, "2 tins", is_error=True, occurred_at=NOON)
    with pytest.warns(SecretRedacted, match="number-sign"):
        run = await client.runs.append(run_id, call, "茶有两罐 #")
    assert run.rounds == 1
    with pytest.warns(SecretRedacted):
        assert (await client.runs.inject(run_id, "be brief #")).instructions == 1
    (request,) = server.desk.of("AppendRun")
    first, second = request.steps
    assert (first.function_call.name, first.function_call.is_error) == ("search", True)
    assert to_dict(first.function_call.arguments) == {"q": "tea", "deep": {"n": 1}}
    assert to_datetime(first.occurred_at) == NOON
    assert (second.llm_response, second.HasField("occurred_at")) == ("茶有两罐 #", False)
    rendered = await client.runs.render(run_id, max_tokens=300)
    assert "2 tins" in rendered.prompt
    assert server.desk.of("RenderRun")[0].max_tokens == 300


async def test_a_run_ends_and_leaves_what_is_to_be_kept(client: AsyncCamillo, server: FakeServer) -> None:
    run_id = (await client.runs.start("message")).run.run_id
    await client.runs.append(run_id, "done")
    ended = await client.runs.end(run_id, distill=True, memories=["Ada likes tea", new_memory("and cake", pinned=True)])
    assert [memory.content for memory in ended.memories] == ["done", "Ada likes tea", "and cake"]
    assert ended.rounds == 1
    assert server.desk.of("EndRun")[0].memories[1].pinned
    with pytest.raises(errors.RunNotFound):
        await client.runs.render(run_id)
    with pytest.raises(TypeError, match="a single text"):
        await client.runs.end(run_id, memories="Ada likes tea")


async def test_its_writes_are_the_clients_own_and_can_be_repeated(client: AsyncCamillo, server: FakeServer) -> None:
    run_id = (await client.runs.start("message", agent_id="bob", request_id="mine")).run.run_id
    await client.runs.append(run_id, "x", agent_id="bob")
    await client.recall("tea", agent_id="bob")
    assert server.desk.of("StartRun")[0].request_id == "mine"
    tokens = [request.freshness.at_least_as_fresh.token for request in server.desk.of("Recall")]
    assert tokens == ["db1/bob/2"]


def test_the_sync_twin_does_the_same(sync_client: Camillo) -> None:
    run_id = sync_client.runs.start("message", {"text": "tea"}).run.run_id
    sync_client.runs.append(run_id, function_call("look", result="2 tins"), "enough")
    sync_client.runs.inject(run_id, "be brief")
    assert "enough" in sync_client.runs.render(run_id).prompt
    assert sync_client.runs.end(run_id, distill=True).memories[0].content == "be brief"
