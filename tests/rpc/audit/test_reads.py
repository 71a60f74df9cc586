"""Entries of what changes nothing: administration and exports always, refused administration within bounds, other reads
where the tenant asks for it, and what working memory left out."""

import asyncio
from typing import Any

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import audit_pb2 as pb
from camillo.v1 import audit_service_pb2 as service
from camillo.v1.admin_pb2 import ROLE_TENANT_ADMIN
from camillo.v1.context_pb2 import Turn
from camillo.v1.lifecycle_service_pb2 import ListJobsRequest
from camillo.v1.memory_service_pb2 import (
    ExportMemoriesRequest,
    GetMemoryRequest,
    ListMemoriesRequest,
    WatchMemoriesRequest,
)
from camillo.v1.slot_service_pb2 import ExportSlotsRequest
from camillo.v1.snapshot_service_pb2 import BuildBundleRequest, BuildWorkingMemoryRequest
from camillo_server.doors.rpc.admission import required_role
from camillo_server.doors.rpc.audited_calls import CallKind, call_kind
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Role, Scope, current_caller
from camillo_server.storage import audit_queue

from tests.rpc.audit.test_audit import TEXT, checks, entries, facts
from tests.rpc.audit.test_policy import set_policy
from tests.rpc.memories.calls import recall, remember
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Server, StartServer, refused
from tests.stubs import STUBS

pytestmark = pytest.mark.own_server


async def behind(server: Server, **fields: Any) -> list[pb.AuditEntry]:
    """Entries that pass a filter, with those that were still on their way."""
    await server.app.kernel.audit_queue.flush()
    return list(await entries(server.admin, **fields))


async def test_administrative_reads_are_entered_before_they_are_answered(server: Server) -> None:
    await server.admin(admin.ListKeysRequest())
    await server.admin(admin.GetQuotasRequest())
    await server.admin(ListJobsRequest())
    await server.root(admin.ListTenantsRequest())
    await server.root(admin.ListAgentsRequest(tenant_id="rival"))
    [each async for each in server.admin.begin(service.VerifyAuditRequest())]
    watch = server.admin.begin(service.WatchAuditRequest())
    await watch.read()
    watch.cancel()
    await server.admin(service.ListAuditEntriesRequest())
    found = await entries(server.admin, scope_agent_id="@shared")
    assert [entry.method for entry in found] == [
        "AdminService/ListKeys",
        "AdminService/GetQuotas",
        "LifecycleService/ListJobs",
        "AdminService/ListTenants",
        "AdminService/ListAgents",
    ]
    # Reading the trail leaves nothing in it.
    assert await entries(server.admin, scope_agent_id="@shared") == found
    keys, *_, agents = map(facts, found)
    assert keys["keys_count"] == 4
    assert (keys["role"], keys["request_id"] != "") == ("TENANT_ADMIN", True)
    assert agents["tenant_id"] == "rival"
    key = admin.CreateKeyRequest(tenant_id="rival", any_agent=True, role=ROLE_TENANT_ADMIN)
    rival = server.caller((await server.root(key)).secret)
    there = await entries(rival)
    assert [each.method for each in there] == ["AdminService/ListAgents", "AdminService/CreateKey"]


async def test_the_kinds_of_all_methods_follow_from_the_contract() -> None:
    kinds: dict[CallKind, set[str]] = {kind: set() for kind in CallKind}
    for stub in STUBS:
        service_name = stub.__name__.removesuffix("Stub")
        for name in dir(stub(_NoChannel())):
            if name[0].isupper():
                kinds[call_kind(f"/camillo.v1.{service_name}/{name}")].add(name)
    assert kinds[CallKind.ADMINISTRATIVE_READ] == {
        "ListTenants",
        "GetQuotas",
        "ListAgents",
        "ListKeys",
        "ListIndexes",
        "ProfileServer",
        "ListJobs",
        "ListSpooled",
        "GetSpoolPolicy",
    }
    assert kinds[CallKind.EXPORT] == {"ExportMemories", "ExportSlots"}
    reads = kinds[CallKind.READ]
    assert {"Recall", "BatchRecall", "GetMemory", "ReadArtifact", "BuildBundle"} <= reads
    assert not reads & {"WhoAmI", "Remember", "GetUpload", "RunMaintenance", "ImportMemories"}
    assert required_role("/camillo.v1.MemoryService/Recall") is Role.READER


class _NoChannel:
    """A channel of which stubs make their methods; it sends nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


async def test_exports_are_entered_when_they_begin_and_with_counts_when_they_end(
    server: Server,
) -> None:
    for number in range(5):
        await remember(server.alice, f"{number} {TEXT}")
    await set_memory(server.alice, "/a", '"茶"')
    for request in (ExportMemoriesRequest(), ExportSlotsRequest()):
        assert [each async for each in server.reader.begin(request)]
    found = await behind(server, scope_agent_id="alice", method="MemoryService/ExportMemories")
    found += await behind(server, scope_agent_id="alice", method="SlotService/ExportSlots")
    told = [facts(each) for each in found]
    assert [each.get("outcome") for each in told] == ["STARTED", None, "STARTED", None]
    assert (told[1]["memories_count"], told[3]["versions_count"]) == (5, 1)
    assert "茶" not in str(found)


async def test_refused_administration_is_entered_and_bounded(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_queue, "REFUSALS_AT_ONCE", 3)
    requests = (
        admin.ListKeysRequest(),
        admin.CreateKeyRequest(agent_id="bob", role=ROLE_TENANT_ADMIN),
        service.SetAuditPolicyRequest(),
    )
    for request in requests * 20:
        assert (await refused(server.alice(request))).reason == "SCOPE_FORBIDDEN"
    # Nobody who has no credential writes to anyone's trail.
    assert (await refused(server.caller("").begin(admin.ListKeysRequest()))).reason
    # Other refusals have no entry.
    assert (await refused(server.alice(GetMemoryRequest(memory_id="x")))).reason == "INVALID_FIELD"
    found = [each for each in await behind(server) if "outcome" in facts(each)]
    assert [each.method for each in found] == [
        "AdminService/ListKeys",
        "AdminService/CreateKey",
        "AuditService/SetAuditPolicy",
    ]
    assert {(each.agent_id, facts(each)["outcome"]) for each in found} == {("", "PERMISSION_DENIED")}
    assert facts(found[0])["agent_id"] == "alice"
    assert server.app.kernel.telemetry.instruments.unentered_audits["refusal"] == 57


def test_the_next_entry_of_a_credential_counts_the_refusals_that_had_none() -> None:
    rates, tenant = audit_queue.RefusalRates(), TenantId("acme")
    taken = [rates.take(tenant, "key", 0.0) for _ in range(25)]
    assert taken == [1] * 20 + [0] * 5
    assert rates.take(tenant, "other", 0.0) == 1
    assert rates.take(tenant, "key", 61.0) == 6
    assert rates.take(tenant, "key", 61.0) == 0


async def test_reads_are_entered_where_the_tenant_asks_for_it(server: Server) -> None:
    memory = await remember(server.alice, TEXT)

    async def read() -> None:
        await recall(server.alice, TEXT)
        await server.alice(GetMemoryRequest(memory_id=memory.memory_id))
        await server.admin(ListMemoriesRequest(agent_id="alice"))
        await server.admin(ListMemoriesRequest(agent_id="nobody"))
        await server.alice(BuildBundleRequest(query_text=TEXT))
        await server.alice(admin.WhoAmIRequest())
        watch = server.alice.begin(WatchMemoriesRequest(from_beginning=True))
        await watch.read()
        watch.cancel()

    await read()
    assert len(await behind(server, scope_agent_id="alice")) == 1
    await set_policy(server, audit_reads=True)
    await read()
    _, *found = await behind(server, scope_agent_id="alice")
    assert sorted(each.method for each in found) == [
        "MemoryService/GetMemory",
        "MemoryService/ListMemories",
        "MemoryService/Recall",
        "MemoryService/WatchMemories",
        "SnapshotService/BuildBundle",
    ]
    by_method = {each.method: facts(each) for each in found}
    assert by_method["MemoryService/ListMemories"]["memories_count"] == 1
    assert by_method["MemoryService/Recall"]["hits_count"] == 1
    assert {each.revision for each in found} == {0}
    assert not set("龙井茶") & set(str(found))
    # An agent that has stored nothing gets no chain by being asked for.
    (nobody,) = await behind(server, scope_agent_id="@shared", id="nobody")
    assert facts(nobody)["scope_agent_id"] == "nobody"
    assert set(await checks(server.admin)) == {"", "alice"}
    await set_policy(server, audit_reads=False)
    await read()
    assert len(await behind(server, scope_agent_id="alice")) == 1 + len(found)
    assert not any(each.problems for each in (await checks(server.admin)).values())


async def test_a_watch_of_what_is_no_agent_costs_no_other_entry(server: Server) -> None:
    await set_policy(server, audit_reads=True)
    watch = server.admin.begin(WatchMemoriesRequest(agent_id="a\0b", from_beginning=True))
    assert (await refused(watch.read())).reason == "INVALID_FIELD"
    await recall(server.alice, TEXT)
    found = await behind(server)
    assert {"MemoryService/WatchMemories", "MemoryService/Recall"} <= {each.method for each in found}


async def test_an_entry_that_postgres_refuses_costs_no_other(server: Server) -> None:
    queue, scope = server.app.kernel.audit_queue, Scope(TenantId("acme"), AgentId(""))
    for name in ("before 茶", "a\0b", "behind"):
        queue.note(scope, {"name": name})
    told = [facts(each).get("name") for each in await behind(server)]
    assert {"before 茶", "behind"} <= set(told)
    assert len(told) == 2
    # The next one tells that one is missing.
    queue.note(scope, {"name": "later"})
    assert [facts(each).get("dropped_count") for each in await behind(server)].count(1) == 1


async def test_another_server_follows_the_policy(start_server: StartServer) -> None:
    first, second = await start_server(), await start_server()
    await remember(first.alice, TEXT)
    await set_policy(first, audit_reads=True)
    await second.app.kernel.audit_queue.refresh()
    await recall(second.alice, TEXT)
    assert len(await behind(second, method="MemoryService/Recall")) == 1
    third = await start_server()
    await recall(third.alice, TEXT)
    assert len(await behind(third, method="MemoryService/Recall")) == 2


async def test_what_waits_is_written_when_the_server_stops(start_server: StartServer) -> None:
    first, second = await start_server(), await start_server()
    await remember(first.alice, TEXT)
    await set_policy(first, audit_reads=True)
    await asyncio.gather(*(recall(first.alice, TEXT) for _ in range(30)))
    await first.app.stop()
    assert len(await behind(second, method="MemoryService/Recall")) == 30


async def test_what_postgres_does_not_take_waits_within_bounds_and_is_counted(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_queue, "MAX_OF_TENANT", 10)
    queue, scope = server.app.kernel.audit_queue, Scope(TenantId("acme"), AgentId("alice"))
    await remember(server.alice, TEXT)
    taken = queue._background.write

    async def away(*_: object) -> None:
        raise StorageUnavailable

    monkeypatch.setattr(queue._background, "write", away)
    for number in range(25):
        queue.note(scope, {"number": number})
    with pytest.raises(StorageUnavailable):
        await queue.flush()
    monkeypatch.setattr(queue._background, "write", taken)
    found = await behind(server, scope_agent_id="alice")
    assert [facts(each)["number"] for each in found[1:]] == list(range(10))
    (lost,) = await behind(server, method="audit_queue")
    assert facts(lost) == {"dropped_count": 15}
    assert server.app.kernel.telemetry.instruments.unentered_audits["queue_full"] == 15
    # Entries of a tenant that is gone are dropped, and keep no others waiting.
    queue.note(Scope(TenantId("gone"), AgentId("")), {})
    queue.note(scope, {"number": 99})
    assert facts((await behind(server, scope_agent_id="alice"))[-1])["number"] == 99
    assert current_caller.get(None) is None


async def test_administrators_are_answered_where_their_entry_has_to_wait(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = server.app.kernel.audit_queue

    async def away(*_: object) -> None:
        raise StorageUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(queue, "_database", queue._background)
        patch.setattr(queue._background, "write", away)
        assert (await server.admin(admin.ListKeysRequest())).keys
    assert len(await behind(server, method="AdminService/ListKeys")) == 1


TURNS = [Turn(speaker="user", text=f"turn {each} 龙井茶 " + "word " * 50) for each in range(60)]


async def test_cuts_of_working_memory_are_entered_with_tokens_and_sources(server: Server) -> None:
    for number in range(8):
        await remember(server.alice, f"wisteria {number} " + "leaves " * 200)
    few = BuildWorkingMemoryRequest(turns=TURNS[:3], query_text="wisteria", max_tokens=30_000)
    await server.alice(few)
    method = "SnapshotService/BuildWorkingMemory"
    assert await behind(server, method=method) == []
    many = BuildWorkingMemoryRequest(turns=TURNS, query_text="wisteria", max_tokens=1_500)
    bundle = (await server.alice(many)).bundle
    (entry,) = await behind(server, method=method)
    told = facts(entry)
    assert entry.agent_id == "alice"
    assert told["recipe"] == "working_memory"
    assert told["items_removed_of"]["conversation"] >= 40
    assert told["tokens_removed"] == sum(told["tokens_removed_of"].values())
    cut = {each.section for each in bundle.omissions}
    assert set(told["tokens_removed_of"]) <= cut
    assert {"conversation", "memories"} <= set(told["tokens_removed_of"])
    assert told["tokens_removed_of"]["conversation"] > 40 * 50
    assert "龙" not in str(entry)
    assert "wisteria" not in str(entry)


async def test_cuts_of_other_bundles_are_entered_with_reads(server: Server) -> None:
    for number in range(8):
        await remember(server.alice, f"wisteria {number} " + "leaves " * 200)
    request = BuildBundleRequest(query_text="wisteria", max_tokens=600)
    await server.alice(request)
    method = "SnapshotService/BuildBundle"
    assert await behind(server, method=method) == []
    await set_policy(server, audit_reads=True)
    bundle = (await server.alice(request)).bundle
    assert bundle.omissions
    told = [facts(each) for each in await behind(server, method=method)]
    assert sorted("tokens_removed" in each for each in told) == [False, True]
