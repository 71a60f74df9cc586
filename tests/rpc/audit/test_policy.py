"""How long a tenant keeps its audit trail: what is pruned, that the rest is whole, and that nobody else can let an
entry go."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from camillo.v1 import audit_pb2 as pb
from camillo.v1 import audit_service_pb2 as service
from camillo_formats.audit_chain import ProblemKind
from camillo_server.features.audit import policy
from camillo_server.features.audit.policy import AuditPolicy, AuditRetention, first_kept

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.audit.test_audit import TEXT, checks, entries, facts
from tests.rpc.memories.calls import remember
from tests.server_fixtures import Server, refused

DAY = 86_400
NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=200)


async def set_policy(server: Server, request_id: str = "", **fields: Any) -> pb.AuditPolicy:
    request = service.SetAuditPolicyRequest(request_id=request_id, policy=pb.AuditPolicy(**fields))
    answer: service.SetAuditPolicyResponse = await server.admin(request)
    return answer.policy


async def prune(server: Server) -> None:
    kernel = server.app.kernel
    await AuditRetention(kernel.database, kernel.clock).run()


async def remember_over_time(server: Server, number: int, days: int) -> None:
    """Remembers so many texts, spread from long ago until now."""
    server.clock.moment = LONG_AGO
    for each in range(number):
        await remember(server.alice, f"{each} {TEXT}")
        server.clock.move(days * DAY)
    server.clock.moment = NOW


def kept_since(entry: pb.AuditEntry) -> datetime:
    return entry.at.ToDatetime(UTC)


async def test_a_policy_is_set_once_and_entered_with_its_values(server: Server) -> None:
    assert (await server.admin(service.GetAuditPolicyRequest())).policy == pb.AuditPolicy()
    for days in (400, 400):
        policy = await set_policy(server, "p", retention_days=days, audit_reads=True)
        assert policy == pb.AuditPolicy(retention_days=400, audit_reads=True)
    await set_policy(server, retention_days=0)
    assert (await server.admin(service.GetAuditPolicyRequest())).policy == pb.AuditPolicy()
    first, second = map(facts, await entries(server.admin, method="AuditService/SetAuditPolicy"))
    assert (first["retention_days"], first["audit_reads"]) == (400, True)
    assert (second["retention_days"], second["audit_reads"]) == (0, False)


async def test_policies_are_for_administrators_of_all_agents_and_within_limits(server: Server) -> None:
    requests = (
        service.GetAuditPolicyRequest(),
        service.SetAuditPolicyRequest(policy=pb.AuditPolicy(retention_days=40)),
    )
    for request in requests:
        for caller in (server.alice, server.reader, server.rival):
            assert (await refused(caller(request))).reason == "SCOPE_FORBIDDEN"
    for days in (-1, 1, 30, 36_501):
        request = service.SetAuditPolicyRequest(policy=pb.AuditPolicy(retention_days=days))
        assert (await refused(server.admin(request))).fields == ("policy.retention_days",)
    assert (await refused(server.admin(service.SetAuditPolicyRequest()))).fields == ("policy",)
    assert (await server.admin(service.GetAuditPolicyRequest())).policy == pb.AuditPolicy()


@pytest.mark.own_server
async def test_whole_months_are_pruned_and_the_rest_verifies(server: Server) -> None:
    await remember_over_time(server, 20, 10)
    before = await entries(server.admin, scope_agent_id="alice")
    heads = [each.head for each in (await checks(server.admin)).values()]
    await prune(server)
    assert await entries(server.admin, scope_agent_id="alice") == before
    await set_policy(server, retention_days=60)
    await prune(server)
    after = await entries(server.admin, scope_agent_id="alice")
    first = first_kept(AuditPolicy(60), NOW)
    assert after == [entry for entry in before if kept_since(entry) >= first]
    assert 0 < len(after) < len(before)
    gone = before[-len(after) - 1].position
    found = await checks(server.admin, heads)
    assert not any(each.problems for each in found.values())
    assert found["alice"].pruned_position == gone
    assert found["alice"].entries == len(after)
    # Only the last hash of pruned entries is left to compare with.
    cut = pb.AuditHead(agent_id="alice", position=gone, hash=before[gone - 1].hash)
    assert not (await checks(server.admin, [cut]))["alice"].problems
    cut.hash = b"another"
    (problem,) = (await checks(server.admin, [cut]))["alice"].problems
    assert (problem.position, ProblemKind(problem.kind)) == (gone, ProblemKind.CHANGED)
    (entry,) = await entries(server.admin, method="prune_audit")
    told = facts(entry)
    assert (told["entries"], told["pruned_positions"]) == (gone, {"alice": gone})
    assert told["retention_days"] == 60
    # Nothing is left to do.
    await prune(server)
    assert len(await entries(server.admin, method="prune_audit")) == 1


async def test_a_pruned_chain_goes_on_and_tampering_with_the_rest_shows(server: Server, database: TestDatabase) -> None:
    await remember_over_time(server, 10, 10)
    await set_policy(server, retention_days=31)
    await prune(server)
    assert not await entries(server.admin, scope_agent_id="alice")
    found = await checks(server.admin)
    assert found["alice"].pruned_position == found["alice"].head.position == 10
    for number in range(3):
        await remember(server.alice, f"again {number}")
    assert not (await checks(server.admin))["alice"].problems
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(
            "update camillo.audit_entries set credential = 'x' where agent_id = 'alice' and position = 11"
        )
    (problem,) = (await checks(server.admin))["alice"].problems
    assert (problem.position, ProblemKind(problem.kind)) == (11, ProblemKind.CHANGED)


@pytest.mark.own_server
async def test_entries_are_pruned_in_steps_while_others_write_and_check(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "PRUNED_AT_ONCE", 3)
    await remember_over_time(server, 17, 3)
    await set_policy(server, retention_days=31)

    async def check() -> None:
        while not is_done:
            found = await checks(server.admin)
            assert not any(each.problems for each in found.values())

    is_done = False
    async with asyncio.timeout(PATIENCE_SECONDS), asyncio.TaskGroup() as group:
        group.create_task(check())
        pruning = [group.create_task(prune(server)) for _ in range(2)]
        await asyncio.gather(*(remember(server.alice, f"together {n}") for n in range(30)))
        await asyncio.gather(*pruning)
        is_done = True
    found = await checks(server.admin)
    assert found["alice"].pruned_position == 17
    assert found["alice"].head.position == 47
    pruned = [facts(each)["entries"] for each in await entries(server.admin, method="prune_audit")]
    assert sum(pruned) == 17
    assert len(pruned) >= 6


@pytest.mark.own_server
async def test_of_each_tenant_goes_what_its_own_policy_lets_go(server: Server) -> None:
    server.clock.moment = LONG_AGO
    await remember(server.alice, "acme's")
    await remember(server.rival, "rival's")
    server.clock.moment = NOW
    await set_policy(server, retention_days=31)
    await prune(server)
    assert (await checks(server.admin))["alice"].pruned_position == 1
    with psycopg.connect(server.database.superuser_url) as connection:
        rows = connection.execute("select count(*) from camillo.audit_entries where tenant_id = 'rival'").fetchone()
    assert rows == (1,)


def as_server(database: TestDatabase) -> psycopg.Connection:
    """A session of the role that serves, with all that it may set."""
    connection = psycopg.connect(database.server_url)
    connection.execute(
        "select set_config('search_path', 'camillo, public', false), set_config('camillo.tenant', 'acme', false),"
        " set_config('camillo.agent', '*', false), set_config('camillo.audit_pruning', 'on', false),"
        " set_config('camillo.tenant_list', 'on', false)"
    )
    connection.commit()
    return connection


FORBIDDEN = (
    "delete from audit_entries",
    "delete from audit_chains",
    "truncate audit_entries",
    "truncate audit_entries_default",
    "update audit_entries set credential = 'x'",
    "update audit_chains set pruned_position = position, pruned_hash = hash",
    "insert into audit_entries (tenant_id, agent_id, at, revision, method, credential, facts, hash)"
    " values ('acme', 'alice', now(), 0, 'x', 'x', '{}', 'x')",
    "insert into audit_entries (tenant_id, agent_id, position, at, revision, method, credential, facts)"
    " values ('acme', 'alice', 1, now(), 0, 'x', 'x', '{}')",
    "select create_audit_partition('2024-01-01')",
    "drop table audit_entries_default",
    "alter table audit_entries disable trigger all",
    "set session_replication_role = replica",
)


def prune_as(connection: psycopg.Connection, at: str) -> int:
    row = connection.execute("select prune_audit_entries(array['alice', '', 'nobody'], %s, 1000)", (at,)).fetchone()
    assert row is not None
    return int(row[0])


async def test_a_session_of_the_serving_role_removes_nothing_that_the_policy_keeps(
    server: Server, database: TestDatabase
) -> None:
    await remember_over_time(server, 4, 50)
    for statement in FORBIDDEN:
        with as_server(database) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement.encode())
    with as_server(database) as connection:
        # No policy, no pruning; and no time of the caller's choice is later than that of Postgres.
        assert prune_as(connection, "9999-01-01") == 0
        connection.execute("insert into audit_policies values ('acme', 36500, false)")
        assert prune_as(connection, "9999-01-01") == 0
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("update audit_policies set retention_days = 1")
    assert [entry.position for entry in await entries(server.admin, scope_agent_id="alice")] == [1, 2, 3, 4]
    assert not any(each.problems for each in (await checks(server.admin)).values())
    # Entries that the policy lets go are pruned by the same call, which leaves an entry.
    with as_server(database) as connection:
        connection.execute("insert into audit_policies values ('acme', 31, false)")
        gone = prune_as(connection, NOW.isoformat())
    assert 0 < gone < 4
    (entry,) = await entries(server.admin, method="prune_audit")
    assert facts(entry)["entries"] == gone


def partitions(database: TestDatabase) -> Sequence[str]:
    with psycopg.connect(database.superuser_url) as connection:
        rows = connection.execute(
            "select relname::text from pg_class where relname ~ '^audit_entries_2' and relkind = 'r' order by 1"
        ).fetchall()
    return [name for (name,) in rows]


async def test_coming_months_have_partitions_and_empty_old_ones_go(server: Server, database: TestDatabase) -> None:
    there = partitions(database)
    assert len(there) == 4
    assert there[0] == f"audit_entries_{NOW:%Y_%m}"
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        owner.execute("set search_path to camillo, public")
        owner.execute(f"drop table {there[-1]}".encode())
        for old in ("2025-01-01 00:00Z", "2025-02-01 00:00Z"):
            owner.execute("select create_audit_partition(%s)", (old,))
    server.clock.moment = datetime(2025, 2, 3, tzinfo=UTC)
    await remember(server.alice, "of February")
    server.clock.moment = NOW
    await remember(server.alice, "of now")
    await prune(server)
    assert partitions(database) == ["audit_entries_2025_02", *there]
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        counts = {
            name: connection.execute(f"select count(*) from camillo.{name}".encode()).fetchone()
            for name in ("audit_entries_2025_02", there[0], "audit_entries_default")
        }
        assert counts == {"audit_entries_2025_02": (1,), there[0]: (1,), "audit_entries_default": (0,)}
        rights = connection.execute(
            "select c.relrowsecurity, c.relforcerowsecurity, (select count(*) from pg_policy where polrelid = c.oid),"
            " has_table_privilege('camillo_server', c.oid, 'select, insert, update, delete, truncate'),"
            " (select attstattarget from pg_attribute where attrelid = c.oid and attname = 'facts')"
            " from pg_class c where relname in (%s, 'audit_entries_default')",
            (there[0],),
        ).fetchall()
        assert rights == [(True, True, 5, False, 0)] * 2
        await set_policy(server, retention_days=31)
        await prune(server)
        # Vacuum takes no rows that somebody's snapshot may still need, and no pages while somebody else has a lock.
        async with asyncio.timeout(PATIENCE_SECONDS):
            while connection.execute("select pg_relation_size('camillo.audit_entries_2025_02')").fetchone() != (0,):
                await asyncio.to_thread(connection.execute, "vacuum camillo.audit_entries_2025_02")
        with pytest.raises(psycopg.Error, match="never changed"):
            connection.execute(f"truncate camillo.{there[0]}".encode())
    # A partition that somebody uses for longer than pruning waits stays until the next time.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while partitions(database) != there:
            await prune(server)
    assert not any(each.problems for each in (await checks(server.admin)).values())
