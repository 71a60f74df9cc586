"""Spooled writes that cannot be stored once Postgres is back: kept with their reason, within the bounds of
forgetting."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import psycopg
import pytest
from camillo.v1 import admin_service_pb2, lifecycle_service_pb2, spool_pb2
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import spool_service_pb2 as spool
from camillo.v1.consistency_pb2 import DURABILITY_SPOOLED
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.cli.conftest import Camillo, Finished
from tests.faults.test_spool import new, new_slot, until_drained
from tests.patience import CONNECT_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.admin.test_quotas import set_limits
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import listed, remember
from tests.server_fixtures import Caller, Server, StartServer

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]
VALUE = "金庫の暗証番号は四七一一 🔑 والمفتاح تحت الدرج"
KEYS = f"a:{base64.b64encode(b'a' * 32).decode()}"


@pytest.fixture(params=["", KEYS], ids=["in clear", "encrypted"])
async def server(
    request: pytest.FixtureRequest, postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer
) -> AsyncIterator[Server]:
    """A server beside a Postgres that the test may stop, once without keys of encryption and once with one."""
    database = {"connect_timeout_seconds": CONNECT_SECONDS}
    encryption = {"keys": request.param} if request.param else {}
    server = await start_server(on=own_database, database=database, encryption=encryption)
    for caller in (server.alice, server.admin, server.rival, server.root):
        await caller(admin_service_pb2.WhoAmIRequest())
    yield server
    await asyncio.to_thread(postgres.start)


class Outage:
    """Spools what it is given, and waits until Postgres has it, or has refused it."""

    def __init__(self, server: Server, postgres: EmbeddedPostgres) -> None:
        self._server = server
        self._postgres = postgres

    async def spool(self, *requests: tuple[Caller, object]) -> Sequence[str]:
        await asyncio.to_thread(self._postgres.stop)
        answers = [await caller(request) for caller, request in requests]  # type: ignore[arg-type]
        assert {each.durability for each in answers} == {DURABILITY_SPOOLED}
        await asyncio.to_thread(self._postgres.start)
        await until_drained(self._server)
        return [each.spool_id for each in answers]


@pytest.fixture
def outage(server: Server, postgres: EmbeddedPostgres) -> Outage:
    return Outage(server, postgres)


async def failed(caller: Caller) -> list[spool_pb2.SpooledWrite]:
    return [*(await caller(spool.ListSpooledRequest())).writes]


def rows_of_failures(server: Server) -> str:
    with psycopg.connect(server.database.superuser_url) as connection:
        rows = connection.execute(
            "select f::text, encode(coalesce(f.sealed_details, ''), 'escape') from camillo.spool_failures f"
        ).fetchall()
    return str(rows)


def kept_contents(server: Server) -> int:
    with psycopg.connect(server.database.superuser_url) as connection:
        row = connection.execute(
            "select count(*) from camillo.spool_failures where details is not null or sealed_details is not null"
        ).fetchone()
    return int(row[0]) if row else 0


def stale(text: str, request_id: str = "") -> object:
    """A write of a slot that is of a version which is not there: it fails once Postgres is back."""
    request = new_slot(text)
    request.request_id = request_id or f"of {len(text)}"
    request.if_version = 99
    return request


async def test_a_tenant_over_its_quota_is_told_at_replay_and_may_retry(
    server: Server, outage: Outage, start_server: StartServer
) -> None:
    await set_limits(server, memories=3)
    await remember(server.alice, "first")
    # Within what this server knows: it was let in, and is not held against it later.
    assert await outage.spool((server.alice, new("第二")), (server.alice, new("رابع")))
    assert not await failed(server.admin)
    await set_limits(server, memories=5)
    await remember(server.alice, "fourth")
    other = await start_server(on=server.database)
    await remember(other.alice, "fifth, of which the first server knows nothing")
    (told,) = await outage.spool((server.alice, new("第六")))
    (left,) = await failed(server.admin)
    assert (left.spool_id, left.reason, left.may_be_retried) == (told, "QUOTA_EXCEEDED", True)
    await set_limits(server, memories=9)
    answer = await server.admin(spool.RetrySpooledRequest(spool_ids=[told]))
    assert (answer.stored, len(answer.failed)) == (1, 0)
    assert "第六" in await listed(server.alice)
    assert not await failed(server.admin)


async def test_a_forgotten_value_that_was_spooled_is_kept_nowhere(server: Server, outage: Outage) -> None:
    gone = await remember(server.alice, VALUE)
    await server.alice(forget(gone.memory_id))
    ids = await outage.spool((server.alice, new(VALUE, "again")), (server.alice, stale("蓝")))
    left = {each.spool_id: each for each in await failed(server.admin)}
    assert [left[each].reason for each in ids] == ["VALUE_REJECTED", "VERSION_CONFLICT"]
    assert [left[each].may_be_retried for each in ids] == [False, True]
    assert VALUE not in rows_of_failures(server)
    answer = await server.admin(spool.RetrySpooledRequest(spool_ids=ids[:1]))
    assert [each.reason for each in answer.failed] == ["VALUE_REJECTED"]
    discard = spool.DiscardSpooledRequest(spool_ids=ids)
    assert (await server.admin(discard)).discarded == 2
    assert not await failed(server.admin)


async def test_a_forgotten_value_that_failed_for_another_reason_is_not_kept_either(
    server: Server, outage: Outage
) -> None:
    gone = await remember(server.alice, VALUE)
    await server.alice(forget(gone.memory_id))
    # It is of another version, which is found out before its value is looked at.
    told, other = await outage.spool((server.alice, stale(VALUE)), (server.alice, stale("something else")))
    left = {each.spool_id: each.may_be_retried for each in await failed(server.admin)}
    assert left == {told: False, other: True}
    assert VALUE not in rows_of_failures(server)


async def test_forgetting_reaches_what_failed_before(server: Server, outage: Outage) -> None:
    kept = await remember(server.alice, VALUE)
    told, other = await outage.spool((server.alice, stale(VALUE)), (server.alice, stale("something else")))
    assert kept_contents(server) == 2
    await server.alice(forget(kept.memory_id))
    left = {each.spool_id: each for each in await failed(server.admin)}
    assert (left[told].may_be_retried, left[told].request_id) == (False, "")
    assert (left[other].may_be_retried, left[other].reason) == (True, "VERSION_CONFLICT")
    assert kept_contents(server) == 1
    assert VALUE not in rows_of_failures(server)


async def test_tenants_know_nothing_of_each_others_failed_writes(server: Server, outage: Outage) -> None:
    (told,) = await outage.spool((server.rival, stale("rot")))
    assert not await failed(server.admin)
    assert (await server.admin(spool.DiscardSpooledRequest(spool_ids=[told]))).discarded == 0
    answer = await server.admin(spool.RetrySpooledRequest(spool_ids=[told]))
    assert (answer.stored, len(answer.failed)) == (0, 0)
    assert kept_contents(server) == 1


async def test_failed_writes_go_with_their_scope(server: Server, outage: Outage) -> None:
    await remember(server.alice, "kept")
    await outage.spool((server.alice, stale("rot")), (server.rival, stale("rouge")))
    assert kept_contents(server) == 2
    reset = lifecycle_service_pb2.ResetRequest(agent_id="alice", confirm="alice")
    stores = {each.store: each.rows for each in (await server.admin(reset)).receipt.stores}
    assert stores["spool_failures"] == 1
    assert kept_contents(server) == 1
    await outage.spool((server.alice, stale("rot", "once more")))
    assert kept_contents(server) == 2
    await server.admin(admin_service_pb2.DeleteAgentRequest(agent_id="alice", confirm_agent_id="alice"))
    assert kept_contents(server) == 1


async def test_a_write_of_a_tenant_that_is_gone_holds_up_nobody(server: Server, postgres: EmbeddedPostgres) -> None:
    await asyncio.to_thread(postgres.stop)
    await server.rival(new("gone with its tenant"))
    await server.alice(new(VALUE))
    await asyncio.to_thread(postgres.start)
    # Before it is replayed, or after: either way nothing of it is left.
    await server.root(admin_service_pb2.DeleteTenantRequest(tenant_id="rival", confirm_tenant_id="rival"))
    await until_drained(server)
    assert await listed(server.alice) == [VALUE]


async def test_failed_writes_are_listed_retried_and_discarded_by_command(
    server: Server, outage: Outage, tmp_path: Path
) -> None:
    typed = Camillo(server.address, tmp_path, "alice")

    async def run(*words: str) -> Finished:
        return await asyncio.to_thread(typed.run, "spool", *words, "--key", server.keys.admin)

    first, second = await outage.spool((server.alice, stale("rot")), (server.alice, stale("rouge")))
    listed_ones = await run("list", "--state", "failed")
    headings, *rows = [line.split("\t") for line in listed_ones.stdout.splitlines()]
    assert headings[:2] == ["id", "age"]
    # The clock stands still: they are of the same age.
    assert {(row[0], row[2], row[3], row[4]) for row in rows} == {
        (each, "alice", "SlotService.SetMemory", "VERSION_CONFLICT") for each in (first, second)
    }
    assert not (await run("list", "--state", "waiting")).stdout
    again = await run("retry", first, "--json")
    assert (again.returncode, json.loads(again.stdout)) == (1, {"stored": 0, "failed": [first]})
    assert "1 spooled write failed again" in again.stderr
    for words in (("retry",), ("retry", first, "--all"), ("discard", first)):
        assert (await run(*words)).returncode == 2, words
    assert (await run("discard", first, "--yes")).stdout == "1 spooled write discarded\n"
    assert [each.spool_id for each in await failed(server.admin)] == [second]
    assert (await run("discard", "--all", "--yes")).stdout == "1 spooled write discarded\n"
    assert not await failed(server.admin)


async def test_a_policy_is_shown_and_changed_by_command(server: Server, tmp_path: Path) -> None:
    typed = Camillo(server.address, tmp_path, "alice")

    async def policy(*words: str) -> str:
        arguments = ("spool", "policy", *words, "--key", server.keys.admin, "--json")
        told: str = json.loads(await asyncio.to_thread(typed, *arguments))["policy"]
        return told

    assert await policy() == "spool"
    assert await policy("refuse") == "refuse"
    assert await policy() == "refuse"
    with psycopg.connect(server.database.superuser_url) as connection:
        rows = connection.execute(
            "select facts from camillo.audit_entries where method = 'SpoolService/SetSpoolPolicy'"
        ).fetchall()
    assert [facts["policy"] for (facts,) in rows] == [2]


async def test_what_another_memory_says_already_adds_to_that(server: Server, outage: Outage) -> None:
    first = await remember(server.alice, VALUE)
    await outage.spool((server.alice, new(VALUE, "again")), (server.alice, new(VALUE, "and again")))
    assert not await failed(server.admin)
    kept = (await server.alice(service.GetMemoryRequest(memory_id=first.memory_id))).memory
    assert (await listed(server.alice), kept.stated_count) == ([VALUE], 3)


async def test_ids_of_requests_of_failed_writes_may_be_used_again(server: Server, outage: Outage) -> None:
    await outage.spool((server.alice, stale("blau", "the same")))
    request = service.RememberRequest(request_id="the same", memory=new("neu").memory)
    await server.alice(request)
    assert await listed(server.alice) == ["neu"]


async def test_a_write_that_always_takes_too_long_holds_up_its_scope_for_a_while(
    server: Server, outage: Outage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.doors.spool.replay.REPLAY_SECONDS", 0.0)
    monkeypatch.setattr("camillo_server.doors.spool.replay.MAX_LATE", 2)
    spooled = await outage.spool((server.alice, new(VALUE)))
    monkeypatch.undo()
    [failed] = (await server.admin(spool.ListSpooledRequest())).writes
    assert (failed.spool_id, failed.reason, failed.may_be_retried) == (*spooled, "DEADLINE_EXCEEDED", True)
    assert (await server.admin(spool.RetrySpooledRequest(spool_ids=spooled))).stored == 1
    assert await listed(server.alice) == [VALUE]


async def test_commands_that_write_say_where_the_write_is(
    server: Server, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    typed = Camillo(server.address, tmp_path, "alice")

    async def run(*words: str) -> Finished:
        return await asyncio.to_thread(typed.run, *words, "--key", server.keys.alice)

    assert not (await run("remember", "before 茶")).stderr
    await asyncio.to_thread(postgres.stop)
    for words in (
        ("remember", VALUE),
        ("event", "record", VALUE, "--session", "s", "--actor", "human:ada"),
        ("set", "/likes/color", '"蓝"', "--source", "told"),
    ):
        done = await run(*words)
        assert done.returncode == 0, done.stderr
        assert "it is stored when the database is back" in done.stderr, words
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    assert sorted(await listed(server.alice)) == sorted(["before 茶", VALUE])
