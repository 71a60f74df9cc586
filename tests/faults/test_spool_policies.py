"""Policies of tenants for writes while Postgres is away, and which of their contents reach the disk."""

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
from camillo.v1 import admin_service_pb2, spool_pb2
from camillo.v1 import spool_service_pb2 as spool
from camillo.v1.consistency_pb2 import DURABILITY_DROPPED, DURABILITY_SPOOLED
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.test_spool import TEXT, new, new_event, until_drained
from tests.patience import CONNECT_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed
from tests.server_fixtures import Server, StartServer, refused

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]
TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7xC0rF6uLi"


@pytest.fixture
async def server(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer
) -> AsyncIterator[Server]:
    """A server with a spool of a megabyte, half of which a tenant may have."""
    server = await start_server(
        on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS}, spool={"max_bytes": 1 << 20}
    )
    for caller in (server.alice, server.admin, server.rival):
        await caller(admin_service_pb2.WhoAmIRequest())
    yield server
    await asyncio.to_thread(postgres.start)


async def set_policy(server: Server, policy: "spool_pb2.SpoolPolicy") -> None:
    answer = await server.admin(spool.SetSpoolPolicyRequest(request_id="p", policy=policy))
    assert answer.policy == policy
    assert (await server.admin(spool.GetSpoolPolicyRequest())).policy == policy


async def test_a_tenant_that_refuses_is_told_that_postgres_is_away_and_others_spool(
    server: Server, postgres: EmbeddedPostgres
) -> None:
    assert (await server.admin(spool.GetSpoolPolicyRequest())).policy == spool_pb2.SPOOL_POLICY_SPOOL
    await set_policy(server, spool_pb2.SPOOL_POLICY_REFUSE)
    await asyncio.to_thread(postgres.stop)
    for request in (new(TEXT), new_event(TEXT)):
        refusal = await refused(server.alice(request))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE")
    assert (await server.rival(new(TEXT))).durability == DURABILITY_SPOOLED
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    assert await listed(server.rival) == [TEXT]
    assert await listed(server.alice) == []


async def test_what_the_spool_cannot_take_is_refused_or_dropped_as_the_tenant_wants(
    server: Server, postgres: EmbeddedPostgres
) -> None:
    large = new_event("長" * 200_000)
    large.request_id = "large"
    await asyncio.to_thread(postgres.stop)
    assert (await refused(server.alice(large))).reason == "STORAGE_UNAVAILABLE"
    assert (await server.alice(new(TEXT))).durability == DURABILITY_SPOOLED
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    await set_policy(server, spool_pb2.SPOOL_POLICY_DROP)
    await asyncio.to_thread(postgres.stop)
    # The first attempt finds out that Postgres is away again; what is told of it is the same.
    dropped = await server.alice(large)
    assert (dropped.durability, dropped.spool_id) == (DURABILITY_DROPPED, "")
    assert (await server.alice(new(f"{TEXT} 2"))).durability == DURABILITY_SPOOLED
    assert server.app.kernel.telemetry.instruments.spool_counts.dropped == 1
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    assert sorted(await listed(server.alice)) == sorted([TEXT, f"{TEXT} 2"])


async def test_secrets_do_not_come_to_the_disk(server: Server, postgres: EmbeddedPostgres) -> None:
    async def on_disk() -> bytes:
        """Bytes of the spool as they are on disk, decrypted."""
        batches = server.app.kernel.spooling.spool.batches()
        found = [repr(each).encode() + each.body async for batch in batches for each in batch]  # type: ignore[union-attr]
        return b"".join(found)

    await asyncio.to_thread(postgres.stop)
    answer = await server.alice(new(f"{TEXT} the token is {TOKEN}", "with a secret"))
    assert answer.durability == DURABILITY_SPOOLED
    assert [each.field for each in answer.redactions] == ["content"]
    assert TOKEN not in answer.memory.content
    told = new_event(f"{TEXT} {TOKEN}")
    told.request_id = "an event"
    event = await server.alice(told)
    assert event.recorded.redactions
    # A text that is not secret is found there.
    assert (await on_disk()).count(TEXT.encode()) >= 2
    assert TOKEN.encode() not in await on_disk()
    await asyncio.to_thread(postgres.start)
    await until_drained(server)
    (kept,) = await listed(server.alice)
    assert kept == answer.memory.content
