"""Steps of workflows, recorded and listed."""

from __future__ import annotations

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo.v1.actor_pb2 import Actor, ActorType, EventKind, WorkflowStatus
from camillo.v1.channel_pb2 import Channel
from camillo.v1.event_pb2 import WorkflowStep
from camillo_client import AsyncCamillo, EventTooLarge, new_event, workflow_step

OUTPUT = "готово 茶 🍵 e\u0301"


async def test_a_step_is_recorded_in_the_session_of_its_run(client: AsyncCamillo, server: FakeServer) -> None:
    await client.events.record_workflow_step("nightly", "fetch", OUTPUT, status="failed", run="7")
    await client.events.record_workflow_step("nightly", "load")
    await client.events.record_workflow_step(
        "nightly", "check", session_id="s1", actor="human:ada", tags=["a"], agent_id="bob"
    )
    first, second, third = (request.event for request in server.desk.of("RecordEvent"))
    assert first.workflow_step == WorkflowStep(
        workflow="nightly", run="7", step="fetch", status=WorkflowStatus.WORKFLOW_STATUS_FAILED, output=OUTPUT
    )
    assert (first.session_id, first.kind) == ("7", EventKind.EVENT_KIND_WORKFLOW_STEP)
    assert first.actor == Actor(type=ActorType.ACTOR_TYPE_SYSTEM, id="nightly")
    assert second.workflow_step.status == WorkflowStatus.WORKFLOW_STATUS_SUCCEEDED
    assert (second.session_id, third.session_id) == ("nightly", "s1")
    assert (third.actor.id, list(third.tags)) == ("ada", ["a"])
    assert server.desk.of("RecordEvent")[2].agent_id == "bob"


async def test_the_steps_of_a_workflow_come_page_by_page(client: AsyncCamillo, server: FakeServer) -> None:
    for name in ("fetch", "load", "check"):
        await client.events.record_workflow_step("nightly", name)
    await client.events.record_workflow_step("weekly", "fetch")
    steps = client.workflows.list("nightly", run="7", statuses=["failed", "started"], channel="team", page_size=2)
    names = [each.stated.workflow_step.step async for each in steps]
    assert names == ["fetch", "load", "check"]
    request, _ = server.desk.of("ListWorkflow")
    assert (request.workflow, request.run, request.agent_id) == ("nightly", "7", "ada")
    assert (list(request.statuses), request.channel) == ([3, 1], Channel.CHANNEL_TEAM)


async def test_events_are_filtered_by_workflow(client: AsyncCamillo, server: FakeServer) -> None:
    found = client.events.list(workflow="nightly", workflow_run="7", workflow_step="fetch", workflow_status="failed")
    assert [each async for each in found] == []
    (request,) = server.desk.of("ListEvents")
    told = request.filter
    assert (told.workflow, told.workflow_run, told.workflow_step) == ("nightly", "7", "fetch")
    assert told.workflow_status == WorkflowStatus.WORKFLOW_STATUS_FAILED


async def test_what_is_no_step_is_refused_before_a_call(client: AsyncCamillo, server: FakeServer) -> None:
    with pytest.raises(ValueError, match="none of started, succeeded, failed, skipped"):
        await client.events.record_workflow_step("nightly", "fetch", status="done")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one of text, json"):
        new_event("text", workflow_step=workflow_step("nightly", "fetch"))
    with pytest.raises(EventTooLarge) as caught:
        await client.events.record_workflow_step("nightly", "fetch", "x" * (8 * 1024 * 1024 + 1))
    assert caught.value.field_violations[0].field == "content.workflow_step.output"
    assert server.desk.of("RecordEvent") == []
