"""Entries of passes over a scope: what they removed, archived and merged, asked for or not."""

from typing import Any

import pytest
from camillo.v1.lifecycle_service_pb2 import CompactionCriteria, CompactRequest
from camillo_server.across.lifecycle.maintenance import Maintenance
from camillo_server.across.lifecycle.plan import NO_ORDER, LifecyclePolicy
from camillo_server.across.lifecycle.store.passes import PassStore
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, current_job

from tests.rpc.audit.test_audit import checks, entries, facts
from tests.rpc.lifecycle.calls import DAY, archive, maintain, pass_of, prune
from tests.rpc.memories.calls import remember
from tests.server_fixtures import Server


async def told(server: Server, method: str) -> list[dict[str, Any]]:
    found = await entries(server.admin, scope_agent_id="alice", method=method)
    return [facts(each) for each in found]


async def test_passes_that_are_asked_for_are_entered_with_counts(server: Server) -> None:
    for number, tag in enumerate(("gone", "gone", "away", "kept")):
        await remember(server.alice, f"{tag} 龙井茶 {number}", tags=[tag])
    plan = pass_of(await server.admin(prune(tags_any=["gone"], call={"agent_id": "alice", "dry_run": True})))
    # A plan changes nothing, and has no entry.
    assert await told(server, "LifecycleService/Prune") == []
    call = {"agent_id": "alice", "plan_token": plan.plan_token}
    pruned = pass_of(await server.admin(prune(tags_any=["gone"], call=call)))
    (entry,) = await told(server, "LifecycleService/Prune")
    assert entry["counts"] == {"remove_requested": 2}
    assert entry["receipt_id"] == pruned.receipt_id
    assert entry["stores"]["memories"] == 2
    assert len(entry["items"]) == 2
    await server.admin(archive(tags_any=["away"], call={"agent_id": "alice"}))
    (entry,) = await told(server, "LifecycleService/Archive")
    assert entry["counts"] == {"archive_requested": 1}
    for place in ("Kai 7", "the pilot's house", "潮汐站"):
        await remember(server.alice, f"{place} is merged.", tags=["merged"])
    criteria = CompactionCriteria(tags=["merged"], tag_threshold=2, skip_near_duplicates=True)
    await server.alice(CompactRequest(criteria=criteria, request_id="c"))
    (entry,) = await told(server, "LifecycleService/Compact")
    assert entry
    assert not any(each.problems for each in (await checks(server.admin)).values())


@pytest.mark.own_server
async def test_maintenance_is_entered_whoever_runs_it(server: Server) -> None:
    await remember(server.alice, "hardly anything 🦓", importance=0.05)
    server.clock.move(400 * DAY)
    await server.admin(maintain(agent_id="alice"))
    (entry,) = await told(server, "LifecycleService/RunMaintenance")
    assert sum(entry["counts"].values()) == 1
    assert all(name.startswith("archive_") for name in entry["counts"])
    await remember(server.alice, "and again", importance=0.05)
    server.clock.move(400 * DAY)
    kernel = server.app.kernel
    store = PassStore(kernel.writes, LifecyclePolicy.of(kernel.settings.lifecycle))
    current_job.set("maintain_scope")
    scope = Scope(TenantId("acme"), AgentId("alice"))
    await Maintenance(store, kernel.clock).run(scope, None, NO_ORDER, dry_run=False)
    (entry,) = await told(server, "maintain_scope")
    assert entry["counts"]
    assert "role" not in entry
