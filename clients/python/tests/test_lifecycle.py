"""The lifecycle of memories."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from clients.python.tests.fake_lifecycle import TAKEN
from clients.python.tests.fake_server import FakeServer

from camillo.v1.lifecycle_pb2 import CompactionState, JobState, LifecycleAction
from camillo.v1.memory_pb2 import ArchivedFilter, MemoryKind
from camillo_client import AsyncCamillo, Camillo, errors

TEA = "Ада пьёт чай 茶 🍵 شاي"
SINCE = datetime(2026, 11, 22, tzinfo=UTC)


async def test_a_pass_is_planned_and_then_carried_out(client: AsyncCamillo, server: FakeServer) -> None:
    planned = await client.lifecycle.maintain(dry_run=True)
    assert (planned.receipt_id, planned.plan_token) == ("", "plan-RunMaintenance")
    done = await client.lifecycle.maintain(plan_token=planned.plan_token)
    assert [item.memory_id for item in done.items] == [TAKEN]
    assert done.receipt_id == "r1"
    first, second = server.desk.of("RunMaintenance")
    assert (first.agent_id, first.dry_run, second.dry_run) == ("ada", True, False)
    assert len({"", first.request_id, second.request_id}) == 3
    with pytest.raises(errors.PlanChanged):
        await client.lifecycle.maintain(plan_token="old")


async def test_a_selector_names_what_is_meant(client: AsyncCamillo, server: FakeServer) -> None:
    pruned = await client.lifecycle.prune(
        memory_ids=["m1"],
        unused_since=SINCE,
        created_before=SINCE,
        tags_any=["茶"],
        tags_all=["a", "b"],
        kinds=["fact", MemoryKind.MEMORY_KIND_ERROR],
        max_access_count=0,
        importance_below=0.5,
        archived="only",
        request_id="mine",
    )
    assert pruned.counts[0].action == LifecycleAction.LIFECYCLE_ACTION_REMOVE
    (request,) = server.desk.of("Prune")
    selector = request.selector
    assert (list(selector.memory_ids), list(selector.kinds)) == (["m1"], [1, 6])
    assert selector.unused_since.ToDatetime(UTC) == selector.created_before.ToDatetime(UTC) == SINCE
    assert (list(selector.tags_any), list(selector.tags_all)) == (["茶"], ["a", "b"])
    assert selector.HasField("max_access_count")
    assert selector.importance_below == 0.5
    assert selector.archived == ArchivedFilter.ARCHIVED_FILTER_ONLY
    assert request.request_id == "mine"
    await client.lifecycle.archive(tags_any=["a"], agent_id="bob", max_access_count=None)
    (archived,) = server.desk.of("Archive")
    assert (archived.agent_id, archived.selector.HasField("max_access_count")) == ("bob", False)
    with pytest.raises(TypeError, match="tag"):
        await client.lifecycle.prune(tag="a")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="tags_any"):
        await client.lifecycle.archive(tags_any="a")
    with pytest.raises(ValueError, match="timezone"):
        await client.lifecycle.prune(unused_since=datetime(2026, 1, 1))  # noqa: DTZ001


async def test_a_scope_is_emptied_by_who_types_its_name(client: AsyncCamillo) -> None:
    with pytest.raises(errors.ConfirmationRequired):
        await client.lifecycle.reset("bob")
    planned = await client.lifecycle.reset("ada", dry_run=True)
    receipt = await client.lifecycle.reset("ada")
    assert (planned.receipt_id, receipt.receipt_id, receipt.cause) == ("", "r1", "reset")


async def test_records_of_any_store_are_forgotten_or_what_states_a_value(
    client: AsyncCamillo, server: FakeServer
) -> None:
    planned = await client.lifecycle.forget(decision_ids=["d1"], view_names=["rules"], dry_run=True)
    assert (planned.receipt_id, list(planned.records.view_names)) == ("", ["rules"])
    receipt = await client.lifecycle.forget(value=TEA, all_scopes=True, allow_restating=True)
    assert (receipt.receipt_id, receipt.blocked_values) == ("r1", 0)
    first, second = server.desk.of("Forget")
    assert (list(first.records.decision_ids), first.dry_run) == (["d1"], True)
    assert (second.value, second.all_scopes, second.WhichOneof("selector")) == (TEA, True, "value")
    with pytest.raises(ValueError, match="either"):
        await client.lifecycle.forget()
    with pytest.raises(TypeError, match="task_ids"):
        await client.lifecycle.forget(task_ids="t1")


async def test_memories_are_put_together_and_taken_apart(client: AsyncCamillo, server: FakeServer) -> None:
    proposed = await client.lifecycle.compact(tags=["茶"], tag_threshold=3, dry_run=True)
    assert proposed.more
    first = proposed.compactions[0]
    assert first.state == CompactionState.COMPACTION_STATE_PROPOSED
    committed = await client.lifecycle.commit([first.compaction_id])
    assert committed.compactions[0].state == CompactionState.COMPACTION_STATE_COMMITTED
    searched, named = server.desk.of("Compact")
    assert (searched.criteria.tag_threshold, list(searched.criteria.tags)) == (3, ["茶"])
    assert (list(named.proposals.ids), named.dry_run) == (["c1"], False)
    reverted = await client.lifecycle.revert("c1")
    assert reverted.restored == 2
    with pytest.raises(errors.CompactionInWrongState) as told:
        await client.lifecycle.revert("c2")
    assert told.value.state == "refused"
    listed = client.lifecycle.compactions(state="refused", page_size=1)
    assert [each.compaction_id async for each in listed] == ["c0", "c1", "c2"]
    assert {request.state for request in server.desk.of("ListCompactions")} == {4}
    with pytest.raises(TypeError, match="proposals"):
        await client.lifecycle.commit("c1")


async def test_scopes_and_jobs_are_told(client: AsyncCamillo, server: FakeServer) -> None:
    assert (await client.lifecycle.usage()).agent_id == "ada"
    scopes = [scope.agent_id async for scope in client.lifecycle.all_usage()]
    assert scopes == ["agent0", "agent1", "agent2"]
    assert not server.desk.of("GetUsage")[1].agent_id
    assert [job.job_id async for job in client.lifecycle.jobs(state="dead")] == ["0", "1", "2"]
    assert server.desk.of("ListJobs")[0].state == JobState.JOB_STATE_DEAD
    assert (await client.lifecycle.retry("1")).state == JobState.JOB_STATE_WAITING
    with pytest.raises(errors.JobNotFound):
        await client.lifecycle.retry("2")


async def test_vectors_are_made_anew(client: AsyncCamillo, server: FakeServer) -> None:
    (started,) = await client.lifecycle.reembed()
    assert (started.agent_id, started.model_id, started.is_complete) == ("ada", "new", False)
    (of_all,) = await client.lifecycle.reembedding(all_scopes=True)
    assert (of_all.agent_id, of_all.embedded) == ("", 1)
    (request,) = server.desk.of("GetReembedding")
    assert (request.all_scopes, request.agent_id) == (True, "")


async def test_terms_are_found_again_and_recalls_wait_for_them(client: AsyncCamillo, server: FakeServer) -> None:
    done = await client.lifecycle.reindex(timeout=60)
    assert (done.rows, done.changed, done.unreadable) == (1_040, 1_012, 3)
    assert [request.agent_id for request in server.desk.of("Reindex")] == ["ada"]
    await client.recall("茶")
    (asked,) = server.desk.of("Recall")
    assert asked.freshness.at_least_as_fresh == done.revision


async def test_receipts_tell_and_blocks_are_lifted(client: AsyncCamillo, server: FakeServer) -> None:
    receipts = [receipt.receipt_id async for receipt in client.lifecycle.receipts(page_size=1)]
    assert receipts == ["r0", "r1", "r2"]
    assert await client.lifecycle.lift(TEA) == 1
    assert await client.lifecycle.lift(receipt_id="r1", request_id="mine") == 3
    by_text, by_receipt = server.desk.of("LiftValueBlocks")
    assert (by_text.content, by_receipt.receipt_id) == (TEA, "r1")
    assert by_text.request_id
    assert by_receipt.request_id == "mine"
    for wrong in ({}, {"content": TEA, "receipt_id": "r1"}):
        with pytest.raises(ValueError, match="content or by a receipt_id"):
            await client.lifecycle.lift(**wrong)


async def test_what_changes_a_scope_is_among_the_clients_own_writes(client: AsyncCamillo, server: FakeServer) -> None:
    await client.lifecycle.maintain(dry_run=True)
    await client.recall("tea")
    await client.lifecycle.maintain()
    await client.recall("tea")
    await client.lifecycle.commit(["c1"])
    await client.recall("tea")
    demands = [request.freshness.at_least_as_fresh.token for request in server.desk.of("Recall")]
    assert demands == ["", "db1/ada/1", "db1/ada/2"]


async def test_what_is_said_of_forgetting_and_of_lifetimes_is_sent(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember(TEA, never_expires=True)
    await client.forget(["m0"], allow_restating=True, include_events=True)
    await client.recall("tea", masked=True)
    await client.recall("tea")
    assert server.desk.of("Remember")[0].memory.never_expires
    (forgotten,) = server.desk.of("ForgetMemories")
    assert forgotten.allow_restating
    assert forgotten.include_events
    assert [request.masked for request in server.desk.of("Recall")] == [True, False]
    with pytest.raises(TypeError, match="never_expires"):
        await client.update("m0", 1, never_expires=True)  # type: ignore[call-arg]


def test_the_sync_twin_does_the_same(sync_client: Camillo) -> None:
    lifecycle = sync_client.lifecycle
    assert lifecycle.archive(tags_any=["a"], dry_run=True).plan_token.endswith("-Archive")
    assert [scope.agent_id for scope in lifecycle.all_usage()] == ["agent0", "agent1", "agent2"]
    assert lifecycle.lift(TEA) == 1
