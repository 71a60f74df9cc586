"""Actions of agent runtimes: found by every agent of the tenant, without secrets, and forgotten while their entries
stay."""

import asyncio
from typing import Any

import psycopg
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import audit_pb2 as pb
from camillo.v1 import audit_service_pb2 as service
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2
from camillo.v1.event_service_pb2 import RebuildChunksRequest
from camillo.v1.forgetting_pb2 import RecordIds
from camillo.v1.snapshot_service_pb2 import AcceptHandoffsRequest, BuildBundleRequest

from tests.postgres_fixtures import TestDatabase
from tests.rpc.audit.test_audit import checks, entries, facts
from tests.rpc.memories.calls import recall, remember
from tests.secret_samples import samples
from tests.server_fixtures import Caller, Server, refused
from tests.storage.locking import until_waiting

SECRET = samples(12)["github-pat"]
MESSAGE = "批准了发票 4711,金额 1200 元 🧾 אושר"
META: dict[str, Any] = {"invoice": 4711.0, "amount": 1e20, "lines": [{"sku": "茶", "qty": 2}], "urgent": False}


def action(message: str = MESSAGE, **fields: Any) -> pb.NewAuditAction:
    return pb.NewAuditAction(action="invoice.approved", message=message, **fields)


async def record(caller: Caller, new: pb.NewAuditAction, **fields: str) -> Any:
    return await caller(service.RecordAuditEntryRequest(action=new, **fields))


async def found(caller: Caller, query: str) -> list[str]:
    answer = await recall(caller, query, sources=[memory_pb2.SOURCE_AUDIT], agent_id="@shared")
    return [hit.chunk.origin_id for hit in answer.hits]


async def test_an_action_is_in_the_trail_and_found(server: Server) -> None:
    new = action(session_id="s1")
    new.meta.update(META)
    stored = await record(server.alice, new, request_id="once")
    assert await record(server.alice, new, request_id="once") == stored
    assert stored.action.message == MESSAGE
    assert dict(stored.action.meta)["amount"] == 1e20
    (entry,) = await entries(server.admin, scope_agent_id="@shared", method="AuditService/")
    assert (entry.action_id, entry.action) == (stored.action_id, stored.action)
    assert facts(entry)["agent_id"] == "alice"
    assert MESSAGE not in entry.facts
    assert await found(server.admin, "发票 4711") == [stored.action_id]
    assert not any(each.problems for each in (await checks(server.admin)).values())
    other = await record(server.admin, action("another"), agent_id="bob", request_id="once")
    assert other.action_id != stored.action_id


async def test_secrets_are_taken_out_and_limits_hold(server: Server) -> None:
    new = action(f"used {SECRET} 🔑")
    new.meta.update({"token": SECRET})
    stored = await record(server.alice, new)
    assert SECRET not in str(stored)
    assert len(stored.redactions) == 2
    assert stored.action.message.endswith("🔑")
    assert SECRET not in str(await entries(server.admin))
    for wrong, field in (
        (action(""), "action.message"),
        (action("x" * 2001), "action.message"),
        (pb.NewAuditAction(message="x"), "action.action"),
    ):
        assert (await refused(record(server.alice, wrong))).fields == (field,)
    assert (await refused(record(server.reader, action()))).reason == "SCOPE_FORBIDDEN"


@pytest.mark.parametrize("level", [memory_pb2.SENSITIVITY_INTERNAL, memory_pb2.SENSITIVITY_RESTRICTED])
async def test_a_forgotten_action_leaves_its_entry_and_a_whole_chain(
    server: Server, database: TestDatabase, level: memory_pb2.Sensitivity
) -> None:
    stored = await record(server.alice, action(sensitivity=level))
    kept = await record(server.alice, action("the other one", sensitivity=level))
    records = RecordIds(action_ids=[stored.action_id])
    answer = await server.admin(lifecycle.ForgetRequest(agent_id="@shared", records=records))
    assert {each.store: each.rows for each in answer.receipt.stores}["actions"] == 1
    first, second = await entries(server.admin, method="AuditService/")
    assert (first.action_id, first.HasField("action")) == (stored.action_id, False)
    assert second.action.message == "the other one"
    assert not any(each.problems for each in (await checks(server.admin)).values())
    assert await found(server.admin, MESSAGE) in ([], [kept.action_id])
    again = await refused(record(server.alice, action(sensitivity=level)))
    assert again.reason == "VALUE_REJECTED"
    with psycopg.connect(database.superuser_url) as connection:
        rows = connection.execute("select count(*) from camillo.actions").fetchall()
    assert rows == [(1,)]


async def test_what_an_agent_forgot_it_cannot_record(server: Server) -> None:
    await server.alice(lifecycle.ForgetRequest(value=MESSAGE))
    assert (await refused(record(server.alice, action()))).reason == "VALUE_REJECTED"
    assert (await record(server.admin, action(), agent_id="bob")).action_id


@pytest.mark.own_server
async def test_a_forgotten_value_is_not_kept_by_an_action_that_is_recorded_meanwhile(server: Server) -> None:
    with psycopg.connect(server.database.superuser_url) as slow:
        slow.execute("lock table camillo.actions in share mode")
        # It has looked for forgotten values, and waits to be stored.
        recording = asyncio.create_task(record(server.alice, action()))
        await until_waiting(server.database, 1)
        forgetting = asyncio.create_task(server.alice(lifecycle.ForgetRequest(value=MESSAGE)))
        await until_waiting(server.database, 2)
        slow.rollback()
    stored = await recording
    assert (await forgetting).receipt.records.action_ids == [stored.action_id]
    assert await found(server.admin, "发票 4711") == []
    assert (await refused(record(server.alice, action()))).reason == "VALUE_REJECTED"
    kept = await record(server.alice, action("发票 4712"))
    assert await found(server.admin, "发票 4712") == [kept.action_id]


async def test_a_changed_action_is_found(server: Server, database: TestDatabase) -> None:
    await record(server.alice, action())
    assert not any(each.problems for each in (await checks(server.admin)).values())
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute("""update camillo.actions set details = details || '{"message": "rejected"}'""")
    shared = (await checks(server.admin))[""]
    assert [(each.position, each.kind) for each in shared.problems] == [(1, pb.AUDIT_PROBLEM_KIND_CHANGED)]


CHUNKS = """
select memory_id, content, metadata, sensitivity, session_id, occurred_at, source_refs, key_id <> '' from camillo.memories
where kind >= 16 order by memory_id
"""  # noqa: E501


def chunks(server: Server) -> list[Any]:
    with psycopg.connect(server.database.superuser_url) as connection:
        return connection.execute(CHUNKS).fetchall()


@pytest.mark.own_server
@pytest.mark.parametrize("level", [memory_pb2.SENSITIVITY_INTERNAL, memory_pb2.SENSITIVITY_RESTRICTED])
async def test_chunks_of_actions_are_made_again_as_they_were(server: Server, level: memory_pb2.Sensitivity) -> None:
    new = action(session_id="s1", sensitivity=level)
    new.meta.update(META)
    new.occurred_at.FromJsonString("2026-03-01T10:00:00.123456Z")
    stored = await record(server.alice, new)
    gone = await record(server.admin, action("另一个 gone"), agent_id="bob")
    await server.admin(lifecycle.ForgetRequest(records=RecordIds(action_ids=[gone.action_id]), agent_id="@shared"))
    before = chunks(server)
    assert len(before) == 1
    rebuilt = await server.admin(RebuildChunksRequest(agent_id="@shared"))
    assert (rebuilt.dropped, rebuilt.made) == (1, 1)
    assert chunks(server) == before
    if level == memory_pb2.SENSITIVITY_INTERNAL or server.answered_from == "memory":
        assert await found(server.admin, "发票 4711") == [stored.action_id]
    # An agent's own scope has none of them.
    assert (await server.admin(RebuildChunksRequest(agent_id="alice"))).made == 0


@pytest.mark.parametrize("by", ["id", "value", "every agent's value"])
async def test_an_agent_forgets_its_own_actions_and_no_others(server: Server, by: str) -> None:
    """Though they lie in the tenant's shared scope, where an agent may not write."""
    own = await record(server.alice, action("اشترى الشاي 🍵 للمكتب"))
    other = await record(server.admin, action("اشترى القهوة ☕"), agent_id="bob")
    kept = await record(server.alice, action("kept by alice"))
    selectors: dict[str, dict[str, Any]] = {
        "id": {"records": RecordIds(action_ids=[own.action_id, other.action_id])},
        "value": {"value": "اشترى الشاي 🍵 للمكتب"},
        "every agent's value": {"value": "اشترى الشاي 🍵 للمكتب", "all_scopes": True},
    }
    named = selectors[by]
    caller, scope = (server.admin, "@shared") if "every" in by else (server.alice, "")
    assert own.action_id in await found(server.admin, "الشاي")
    dry = await caller(lifecycle.ForgetRequest(**named, agent_id=scope, dry_run=True))
    done = await caller(lifecycle.ForgetRequest(**named, agent_id=scope))
    for receipt in (dry.receipt, done.receipt):
        assert {each.store: each.rows for each in receipt.stores}["actions"] == 1
    assert set(await found(server.admin, "اشترى kept")) == {other.action_id, kept.action_id}
    refusal = await refused(record(server.alice, action("اشترى الشاي 🍵 للمكتب")))
    assert refusal.reason == "VALUE_REJECTED"
    assert not any(each.problems for each in (await checks(server.admin)).values())


@pytest.mark.parametrize("by", ["reset", "delete"])
async def test_an_agent_that_goes_takes_its_actions_along(server: Server, by: str) -> None:
    await remember(server.alice, "alice is there")
    gone = await record(server.alice, action("اشترى الشاي 🍵"))
    kept = await record(server.admin, action("اشترى القهوة ☕"), agent_id="bob")
    assert set(await found(server.admin, "اشترى")) == {gone.action_id, kept.action_id}
    if by == "delete":
        await server.admin(admin.DeleteAgentRequest(agent_id="alice", confirm_agent_id="alice"))
    else:
        for dry_run in (True, False):
            answer = await server.admin(lifecycle.ResetRequest(agent_id="alice", confirm="alice", dry_run=dry_run))
            counts = {each.store: each.rows for each in answer.receipt.stores}
            assert counts["actions"] == 1
    assert await found(server.admin, "اشترى") == [kept.action_id]
    actions = [each.action_id for each in await entries(server.admin, scope_agent_id="@shared")]
    assert {gone.action_id, kept.action_id} <= set(actions)
    assert not any(each.problems for each in (await checks(server.admin)).values())


BOUGHT = {who: f"اشترى 茶 {who}" for who in ("alice", "bob", "carol", "@shared")}


async def shown(server: Server, agent_id: str) -> set[str]:
    """The messages of the actions that an agent is shown, by each way that shows any."""
    only = [memory_pb2.SOURCE_AUDIT]
    answer = await recall(server.admin, "اشترى 茶", sources=only, agent_id=agent_id, explain=True)
    listed = {hit.chunk.text.partition(": ")[2] for hit in answer.hits}
    sources = [memory_pb2.SOURCE_AUDIT, memory_pb2.SOURCE_DOCUMENT, memory_pb2.SOURCE_MEMORY]
    wide = await recall(server.admin, "اشترى 茶", sources=sources, agent_id=agent_id)
    assert {hit.chunk.text.partition(": ")[2] for hit in wide.hits} == listed
    request = BuildBundleRequest(recipe="past_decisions", query_text="اشترى 茶", agent_id=agent_id)
    prompt = (await server.admin(request)).bundle.prompt
    assert {each for each in BOUGHT.values() if each in prompt} == listed
    return listed


@pytest.mark.parametrize("answered_from", ["memory", "postgres"])
async def test_an_agent_is_shown_no_actions_of_whom_it_does_not_hear(server: Server) -> None:
    """Actions come from agents that the agent accepts, as handoffs do."""
    for who, message in BOUGHT.items():
        await record(server.admin, action(message), agent_id=who)
    every = set(BOUGHT.values())
    assert await shown(server, "alice") == every
    for accepted, heard in (
        ({"from_agent_ids": ["bob"]}, {"alice", "bob"}),
        ({"from_agent_ids": ["@shared"]}, {"alice", "@shared"}),
        ({"from_agent_ids": []}, {"alice"}),
        ({"any_agent": True}, {*BOUGHT}),
    ):
        await server.alice(AcceptHandoffsRequest(**accepted))
        assert await shown(server, "alice") == {BOUGHT[each] for each in heard}
        assert await shown(server, "bob") == every
        assert len(await found(server.admin, "اشترى 茶")) == len(every)
