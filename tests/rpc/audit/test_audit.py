"""The audit trail over the wire: what a change leaves, who may read it, and that nothing can be taken out of it
unseen."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import pytest
from camillo.v1 import audit_pb2 as pb
from camillo.v1 import audit_service_pb2 as service
from camillo.v1.admin_pb2 import ROLE_TENANT_ADMIN
from camillo.v1.admin_service_pb2 import CreateAgentRequest, CreateKeyRequest
from camillo.v1.lifecycle_service_pb2 import ResetRequest
from camillo.v1.memory_pb2 import NewMemory
from camillo.v1.memory_service_pb2 import BatchRememberRequest, ForgetMemoriesRequest, MemoryIds
from camillo_formats.audit_chain import ProblemKind

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import recall, remember
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Caller, Server, refused

CHANGED, MISSING, ADDED = ProblemKind.CHANGED, ProblemKind.MISSING, ProblemKind.ADDED
TEXT = "喜欢龙井茶 🍵 הרופא"


async def entries(caller: Caller, **fields: Any) -> Sequence[pb.AuditEntry]:
    """Every entry that passes a filter, the oldest first."""
    found: list[pb.AuditEntry] = []
    request = service.ListAuditEntriesRequest(filter=service.AuditFilter(**fields), page_size=3)
    while True:
        answer = await caller(request)
        found += answer.entries
        if not answer.next_page_token:
            return found[::-1]
        request.page_token = answer.next_page_token


def facts(entry: pb.AuditEntry) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(entry.facts)
    return told


async def checks(caller: Caller, heads: Sequence[pb.AuditHead] = ()) -> dict[str, service.VerifyAuditResponse]:
    request = service.VerifyAuditRequest(known_heads=heads)
    return {each.head.agent_id: each async for each in caller.begin(request)}


async def problems(server: Server, heads: Sequence[pb.AuditHead] = ()) -> list[tuple[int, int]]:
    """Problems of alice's chain; no other chain has any."""
    found = await checks(server.admin, heads)
    assert not any(each.problems for agent_id, each in found.items() if agent_id != "alice")
    return [(each.position, each.kind) for each in found["alice"].problems]


async def test_a_change_tells_who_what_and_when_and_no_text(server: Server) -> None:
    memory = await remember(server.alice, TEXT, tags=["tea"])
    (entry,) = await entries(server.admin, method="MemoryService/")
    assert (entry.agent_id, entry.position, entry.method) == ("alice", 1, "MemoryService/Remember")
    assert entry.credential
    assert entry.at.ToDatetime() == server.clock.now().replace(tzinfo=None)
    told = facts(entry)
    assert told["memory_ids"] == [memory.memory_id]
    assert (told["role"], told["agent_id"]) == ("WRITER", "alice")
    assert told["request_id"]
    assert told["peer"]
    assert not set(TEXT) & set(entry.facts) - set('" ')
    assert "tea" not in entry.facts


async def test_every_write_has_an_entry_in_the_chain_of_its_scope(server: Server) -> None:
    alice = server.alice
    memories = [NewMemory(content=f"{number}") for number in range(30)]
    answer = await alice(BatchRememberRequest(memories=memories, request_id="b"))
    await alice(BatchRememberRequest(memories=memories, request_id="b"))
    ids = [result.memory.memory_id for result in answer.results]
    await set_memory(alice, "/a", "1")
    slot = await set_memory(alice, "/a", "2")
    await alice(ForgetMemoriesRequest(memory_ids=MemoryIds(ids=ids[:2])))
    await asyncio.gather(*(remember(alice, f"together {number}") for number in range(20)))
    found = await entries(server.admin, scope_agent_id="alice")
    assert [entry.position for entry in found] == list(range(1, 25))
    assert [entry.method for entry in found[:5]] == [
        "MemoryService/BatchRemember",
        "SlotService/SetMemory",
        "SlotService/SetMemory",
        "MemoryService/ForgetMemories",
        "MemoryService/Remember",
    ]
    batch, _, second, forgotten = map(facts, found[:4])
    assert (batch["memory_ids"], batch["memory_ids_count"]) == (ids[:20], 30)
    assert second["slot_ids"] == [slot.slot_id]
    assert forgotten["memory_ids"] == sorted(ids[:2])
    together = [facts(entry)["memory_ids"][0] for entry in found[4:]]
    assert len(set(together)) == 20
    revisions = [entry.revision for entry in found]
    assert revisions == sorted(set(revisions))
    assert [entry.position for entry in await entries(server.admin, id=ids[0])] == [1, 4]
    assert await problems(server) == []


@pytest.mark.own_server
async def test_administration_is_entered_where_it_is_done_and_whence(server: Server) -> None:
    await server.root(CreateAgentRequest(tenant_id="rival", agent_id="bob"))
    key = CreateKeyRequest(tenant_id="rival", any_agent=True, role=ROLE_TENANT_ADMIN, description="説明")
    created = await server.root(key)
    there = await entries(server.caller(created.secret))
    here = await entries(server.admin, method="AdminService/")
    for found in (there, here):
        methods = [entry.method for entry in found]
        assert methods == ["AdminService/CreateAgent", "AdminService/CreateKey"]
        assert facts(found[0])["agent_id"] == "bob"
        assert facts(found[1])["key_id"] == created.key.key_id
        assert "説明" not in str(found)
    assert facts(here[0])["tenant_id"] == "rival"


@pytest.mark.own_server
async def test_who_reaches_one_agent_alone_may_not_read_it(server: Server) -> None:
    await remember(server.alice, "mine")
    for caller in (server.alice, server.reader):
        for request in (service.ListAuditEntriesRequest(),):
            assert (await refused(caller(request))).reason == "SCOPE_FORBIDDEN"
    assert await entries(server.admin)
    key = CreateKeyRequest(tenant_id="rival", any_agent=True, role=ROLE_TENANT_ADMIN)
    rival = server.caller((await server.root(key)).secret)
    assert [each.method for each in await entries(rival)] == ["AdminService/CreateKey"]
    assert [each.head.agent_id for each in (await checks(rival)).values()] == [""]


async def test_filters_and_pages(server: Server) -> None:
    for number in range(7):
        await remember(server.alice, f"{number}")
        server.clock.move(60)
    await set_memory(server.alice, "/a", "1")
    every = await entries(server.admin, scope_agent_id="alice")
    assert len(every) == 8
    third = every[2]
    assert await entries(server.admin, at_from=third.at, method="MemoryService/Remember") == every[2:7]
    assert await entries(server.admin, at_before=third.at, scope_agent_id="alice") == every[:2]
    assert await entries(server.admin, credential=third.credential) == every
    assert await entries(server.admin, credential="nobody") == []
    assert await entries(server.admin, method="SlotService/") == every[7:]


async def told(watch: Any) -> list[pb.AuditChange]:
    """Changes that a watch sends until its next checkpoint."""
    changes = [(await watch.read()).change]
    while changes[-1].HasField("entry"):
        changes.append((await watch.read()).change)
    return changes


def written(changes: Sequence[pb.AuditChange]) -> list[pb.AuditEntry]:
    """The entries of what was changed; those who read the trail have entries, too."""
    entries = [each.entry for each in changes if each.HasField("entry")]
    return [entry for entry in entries if not entry.method.startswith("AuditService/")]


async def test_a_watch_tells_each_entry_once_in_the_order_of_commits(server: Server) -> None:
    await remember(server.alice, "before")
    watch = server.admin.begin(service.WatchAuditRequest())
    await asyncio.gather(*(remember(server.alice, f"{number}") for number in range(40)))
    await set_memory(server.alice, "/a", "1")
    changes: list[pb.AuditChange] = []
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(written(changes)) < 42:
            changes += (await told(watch))[:-1]
    watch.cancel()
    services = ("MemoryService/", "SlotService/")
    kept = [each for name in services for each in await entries(server.admin, method=name)]
    assert written(changes) == kept
    request = service.WatchAuditRequest(resume_token=changes[20].resume_token)
    resumed = server.admin.begin(request)
    again = await told(resumed)
    resumed.cancel()
    assert written(again) == written(changes[21:])
    nothing = service.WatchAuditRequest(filter=service.AuditFilter(method="nothing"))
    assert [each.HasField("entry") for each in await told(server.admin.begin(nothing))] == [False]


async def test_entries_of_a_chain_come_in_its_order_whichever_write_began_first(
    server: Server, database: TestDatabase
) -> None:
    insert = (
        "insert into camillo.audit_entries (tenant_id, agent_id, at, revision, method, credential, facts)"
        " values ('acme', 'alice', now(), 2, 'began first', 'x', '{}')"
    )
    async with await psycopg.AsyncConnection.connect(database.superuser_url) as connection:
        await connection.execute(
            "select pg_current_xact_id(), set_config('camillo.tenant', 'acme', true),"
            " set_config('camillo.agent', 'alice', true)"
        )
        await remember(server.alice, TEXT)
        await connection.execute(insert.encode())
    await remember(server.alice, f"{TEXT} again")
    watch = server.admin.begin(service.WatchAuditRequest(filter=service.AuditFilter(scope_agent_id="alice")))
    changes = await told(watch)
    watch.cancel()
    assert [each.entry.position for each in changes if each.HasField("entry")] == [1, 2, 3]
    assert changes[1].entry.method == "began first"
    assert [each.position for each in await entries(server.admin, scope_agent_id="alice")] == [1, 2, 3]


Tamper = Callable[[psycopg.Connection], object]


def sql(*statements: str) -> Tamper:
    def tamper(connection: psycopg.Connection) -> None:
        for statement in statements:
            connection.execute(statement.encode())

    return tamper


OF_ALICE = "agent_id = 'alice'"
TAMPERINGS: dict[str, tuple[Tamper, list[tuple[int, int]]]] = {
    "changed": (
        sql(f"update audit_entries set credential = 'other' where {OF_ALICE} and position = 4"),
        [(4, CHANGED)],
    ),
    "changed with its hash": (
        sql(f"update audit_entries set facts = '{{}}', hash = sha256('x') where {OF_ALICE} and position = 4"),
        [(4, CHANGED), (5, CHANGED)],
    ),
    "removed": (
        sql(f"delete from audit_entries where {OF_ALICE} and position in (3, 4)"),
        [(3, MISSING), (4, MISSING)],
    ),
    "removed from the end": (
        sql(f"delete from audit_entries where {OF_ALICE} and position > 8"),
        [(9, MISSING), (10, MISSING)],
    ),
    "two in each other's place": (
        sql(
            f"update audit_entries set position = 106 where {OF_ALICE} and position = 7",
            f"update audit_entries set position = 7 where {OF_ALICE} and position = 6",
            f"update audit_entries set position = 6 where {OF_ALICE} and position = 106",
        ),
        [(6, CHANGED), (7, CHANGED), (8, CHANGED)],
    ),
    "inserted": (
        sql(
            "insert into audit_entries (tenant_id, agent_id, position, at, revision, method, credential, facts, hash)"
            " select tenant_id, agent_id, position, at - interval '1 second', revision, method, 'other', facts, hash"
            f" from audit_entries where {OF_ALICE} and position = 5"
        ),
        [(5, CHANGED), (5, ADDED)],
    ),
    "added at the end": (
        sql(
            "insert into audit_entries (tenant_id, agent_id, position, at, revision, method, credential, facts, hash)"
            " select tenant_id, agent_id, position + 1, at, revision, method, 'other', facts, hash"
            f" from audit_entries where {OF_ALICE} and position = 10"
        ),
        [(11, ADDED), (11, CHANGED)],
    ),
    "the end of the chain": (
        sql(
            f"delete from audit_entries where {OF_ALICE} and position = 10",
            "update audit_chains c set position = 9, hash = e.hash from audit_entries e"
            f" where c.{OF_ALICE} and e.{OF_ALICE} and e.position = 9",
        ),
        # With the heads of an earlier check.
        [(10, MISSING)],
    ),
    "the whole chain": (
        sql(f"delete from audit_entries where {OF_ALICE}", f"delete from audit_chains where {OF_ALICE}"),
        [(10, MISSING)],
    ),
}


@pytest.mark.parametrize(("tamper", "expected"), TAMPERINGS.values(), ids=TAMPERINGS)
async def test_what_is_done_to_a_chain_is_found_and_where(
    server: Server, database: TestDatabase, tamper: Tamper, expected: list[tuple[int, int]]
) -> None:
    for number in range(10):
        await remember(server.alice, f"{number} {TEXT}")
    found = await checks(server.admin)
    assert (found["alice"].entries, found["alice"].head.position) == (10, 10)
    heads = [each.head for each in found.values()]
    assert await problems(server, heads) == []
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute("set search_path = camillo, public")
        connection.execute("set session_replication_role = replica")
        tamper(connection)
    assert sorted(await problems(server, heads)) == sorted(expected)


async def test_nobody_changes_entries_by_sql(server: Server, database: TestDatabase) -> None:
    await remember(server.alice, "one")
    statements = (
        "update camillo.audit_entries set credential = 'x'",
        "delete from camillo.audit_entries",
        "truncate camillo.audit_entries",
        "insert into camillo.audit_entries (tenant_id, agent_id, at, revision, method, credential, facts, hash)"
        " values ('acme', 'alice', now(), 0, 'x', 'x', '{}', '')",
        "update camillo.audit_chains set position = 0",
        "select count(*) from camillo.audit_entries_default",
    )
    for statement in statements:
        with psycopg.connect(database.server_url) as connection:
            connection.execute(
                "select set_config('camillo.tenant', 'acme', true), set_config('camillo.agent', '*', true)"
            )
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())
    for statement in statements[:3]:
        with psycopg.connect(database.superuser_url) as connection, pytest.raises(psycopg.Error, match="never changed"):
            connection.execute(statement.encode())
    assert await problems(server) == []


async def test_a_reset_agent_keeps_its_trail(server: Server) -> None:
    await remember(server.alice, "one")
    before = await entries(server.admin, scope_agent_id="alice")
    assert before
    await server.admin(ResetRequest(agent_id="alice", confirm="alice"))
    assert not (await recall(server.alice, "one")).hits
    after = await entries(server.admin, scope_agent_id="alice")
    assert after[: len(before)] == before
