"""Decisions and tasks."""

from __future__ import annotations

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo.v1.channel_pb2 import Channel
from camillo.v1.decision_pb2 import DecisionReach, DecisionStatus
from camillo.v1.task_pb2 import TaskStatus
from camillo_client import AsyncCamillo, Camillo, SecretRedacted, errors

TEXT = "Мы отгружаем по пятницам 金曜日 🚚 يوم الجمعة"


async def test_a_decision_is_recorded_with_what_it_rests_on(client: AsyncCamillo, server: FakeServer) -> None:
    with pytest.warns(SecretRedacted, match="content"):
        decision = await client.decisions.record(
            TEXT + "#", refs=["e1"], reach="global", rationale=["a", "b"], alternatives=["c"], channel="public"
        )
    assert (decision.decision_id, decision.version) == ("d0", 1)
    (request,) = server.desk.of("RecordDecision")
    stated = request.decision
    assert (stated.decision, list(stated.refs)) == (TEXT + "#", ["e1"])
    assert stated.reach == DecisionReach.DECISION_REACH_GLOBAL
    assert (list(stated.rationale), list(stated.alternatives)) == (["a", "b"], ["c"])
    assert stated.channel == Channel.CHANNEL_PUBLIC
    assert request.request_id
    with pytest.raises(errors.ProvenanceRequired):
        await client.decisions.record(TEXT)
    with pytest.raises(TypeError, match="rationale"):
        await client.decisions.record(TEXT, rationale="because")


async def test_a_decision_takes_the_place_of_another(client: AsyncCamillo, server: FakeServer) -> None:
    old = await client.decisions.record("weekly", refs=["e1"])
    answer = await client.decisions.supersede(old.decision_id, 1, "daily", refs=["e2"])
    assert answer.superseded.status == DecisionStatus.DECISION_STATUS_SUPERSEDED
    assert answer.superseded.superseded_by == answer.decision.decision_id == "d1"
    other = await client.decisions.record("hourly", refs=["e3"])
    await client.decisions.supersede("d1", 1, successor_id=other.decision_id)
    first, second = server.desk.of("SupersedeDecision")
    assert first.WhichOneof("successor") == "decision"
    assert (second.successor_id, second.expected_version) == ("d2", 1)
    with pytest.raises(ValueError, match="new one or by a successor_id"):
        await client.decisions.supersede("d1", 1)
    with pytest.raises(ValueError, match="new one or by a successor_id"):
        await client.decisions.supersede("d1", 1, "daily", successor_id="d2")
    with pytest.raises(ValueError, match="its own fields"):
        await client.decisions.supersede("d1", 1, successor_id="d2", refs=["e1"])


async def test_decisions_are_found(client: AsyncCamillo, server: FakeServer) -> None:
    for number in range(5):
        await client.decisions.record(f"{TEXT} {number}", refs=["e1"])
    listed = client.decisions.list(page_size=2, statuses=["active", "superseded"], reaches=["user"], ref="e1")
    ids = [decision.decision_id async for decision in listed]
    assert ids == ["d4", "d3", "d2", "d1", "d0"]
    first = server.desk.of("QueryDecisions")[0]
    assert (first.text, list(first.filter.statuses), first.filter.ref) == ("", [1, 2], "e1")
    answer = await client.decisions.query("金曜日", limit=2, channel="team")
    assert [(found.decision.decision_id, found.score) for found in answer.decisions] == [("d4", 0.5), ("d3", 0.5)]
    assert (await client.decisions.get("d0", channel="team")).stated.decision == f"{TEXT} 0"
    with pytest.raises(errors.DecisionNotFound):
        await client.decisions.get("d9")


async def test_a_task_is_opened_and_moved(client: AsyncCamillo, server: FakeServer) -> None:
    with pytest.warns(SecretRedacted):
        task = await client.tasks.open("茶 #", goal="guests", constraints=["cheap"], refs=["e1"])
    assert (task.stated.status, task.version) == (TaskStatus.TASK_STATUS_OPEN, 1)
    moved = await client.tasks.move(task.task_id, 1, "doing")
    assert (moved.stated.status, moved.stated.goal, moved.version) == (TaskStatus.TASK_STATUS_DOING, "guests", 2)
    changed = await client.tasks.update(task.task_id, 2, title="お茶", goal=None)  # type: ignore[arg-type]
    assert (changed.stated.title, changed.stated.goal) == ("お茶", "")
    opened, first, second = server.desk.of("UpsertTask")
    assert not opened.HasField("update_mask")
    assert list(first.update_mask.paths) == ["status"]
    assert list(second.update_mask.paths) == ["title", "goal"]
    with pytest.raises(errors.VersionConflict):
        await client.tasks.move(task.task_id, 1, "done")
    with pytest.raises(ValueError, match="open, doing"):
        await client.tasks.move(task.task_id, 3, "finished")  # type: ignore[arg-type]


async def test_tasks_are_listed(client: AsyncCamillo) -> None:
    for number in range(4):
        await client.tasks.open(f"task {number}")
    await client.tasks.move("t1", 1, "done")
    assert [task.task_id async for task in client.tasks.list(page_size=2)] == ["t0", "t2", "t3"]
    done = [task.task_id async for task in client.tasks.list(statuses=["done"])]
    assert done == ["t1"]
    assert (await client.tasks.get("t1", channel="agent")).version == 2
    with pytest.raises(errors.TaskNotFound):
        await client.tasks.get("t9")


async def test_their_writes_are_the_clients_own(client: AsyncCamillo, server: FakeServer) -> None:
    await client.decisions.record("weekly", refs=["e1"])
    await client.recall("tea")
    await client.tasks.open("tea")
    await client.recall("tea")
    tokens = [request.freshness.at_least_as_fresh.token for request in server.desk.of("Recall")]
    assert tokens == ["db1/ada/1", "db1/ada/2"]


def test_the_sync_twin_does_the_same(sync_client: Camillo) -> None:
    old = sync_client.decisions.record("weekly", refs=["e1"])
    new = sync_client.decisions.supersede(old.decision_id, 1, "daily", refs=["e1"]).decision
    assert [decision.decision_id for decision in sync_client.decisions.list()] == [new.decision_id]
    task = sync_client.tasks.open("tea")
    assert sync_client.tasks.move(task.task_id, 1, "done").version == 2
    assert list(sync_client.tasks.list()) == []
    assert [task.task_id for task in sync_client.tasks.list(statuses=["done"])] == ["t0"]
