"""Keys that nobody has: refused without the database where they are not signed, else looked up beside the calls of
others."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import grpc
import psycopg
import pytest
from camillo.v1 import admin_pb2 as pb
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_service_pb2 as service
from camillo_server.doors.identity.key_cache import UNKNOWN_BURST
from camillo_server.kernel.ids import TenantId

from tests.rpc.memories.calls import listed, remember
from tests.server_fixtures import Server, StartServer, refused
from tests.storage.locking import until_waiting
from tests.tenant_keys import signed_secret
from tests.unit.identity.listed_keys import unsigned_secret

NOTHING = service.ListMemoriesRequest()


@contextmanager
def keys_locked(server: Server) -> Iterator[psycopg.Connection]:
    """Lets nobody look up a key until the block ends."""
    with psycopg.connect(server.database.superuser_url) as holder:
        holder.execute("lock table camillo.api_keys in access exclusive mode")
        yield holder
        holder.rollback()


@pytest.mark.own_server
async def test_a_key_that_was_not_issued_here_is_refused_without_a_look_up(server: Server) -> None:
    with psycopg.connect(server.database.superuser_url) as connection:
        issued = signed_secret(connection)
    with keys_locked(server):
        told = await refused(server.caller(unsigned_secret())(NOTHING))
        assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID")
        looked_up = asyncio.ensure_future(refused(server.caller(issued)(NOTHING)))
        await until_waiting(server.database, 1)
    assert (await looked_up).code is grpc.StatusCode.UNAUTHENTICATED


async def test_strangers_take_no_connection_from_callers(start_server: StartServer) -> None:
    server = await start_server(database={"pool_max": 1}, identity={"unsigned_keys": True, "key_cache_seconds": 300})
    await remember(server.alice, "звонок 📞")
    with keys_locked(server):
        # The rows of a tenant are counted at its first call, its keys included.
        server.app.kernel.quotas.forget(TenantId("acme"))
        assert await listed(server.alice) == ["звонок 📞"]
        strangers = [asyncio.ensure_future(refused(server.caller(unsigned_secret())(NOTHING))) for _ in range(8)]
        # The count and the look-up of one stranger.
        await until_waiting(server.database, 2)
        assert await listed(server.alice) == ["звонок 📞"]
    # Some have waited for longer than a look-up may take.
    assert {told.code for told in await asyncio.gather(*strangers)} <= {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }


async def test_an_address_that_sends_many_unknown_keys_is_told_to_wait(start_server: StartServer) -> None:
    server = await start_server(identity={"unsigned_keys": True})
    for _ in range(UNKNOWN_BURST):
        told = await refused(server.caller(unsigned_secret())(NOTHING))
        assert told.code is grpc.StatusCode.UNAUTHENTICATED
    told = await refused(server.caller(unsigned_secret())(NOTHING))
    assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")
    assert told.metadata == {"limit": "10"}
    assert told.retry_seconds
    # Keys that were issued here have nothing to do with that.
    assert await listed(server.alice) == []
    server.clock.move(0.1)
    told = await refused(server.caller(unsigned_secret())(NOTHING))
    assert told.code is grpc.StatusCode.UNAUTHENTICATED


async def test_keys_outlive_the_secret_that_signs_new_ones(start_server: StartServer) -> None:
    server = await start_server()
    create = admin.CreateKeyRequest(agent_id="bob", role=pb.ROLE_WRITER)
    before = (await server.admin(create)).secret
    with psycopg.connect(server.database.owner_url) as owner:
        [old] = owner.execute("select secret from camillo.key_secrets").fetchall()
        owner.execute("insert into camillo.key_secrets (created_at) values ('2020-01-01')")
        owner.execute("update camillo.key_secrets set created_at = '2019-01-01' where secret = %s", old)
    other = await start_server()
    after = (await other.admin(create)).secret
    with psycopg.connect(server.database.owner_url) as owner:
        owner.execute("delete from camillo.key_secrets where secret = %s", old)
    for key in (before, after):
        assert await listed(other.caller(key)) == []
    strict = await start_server()
    assert await listed(strict.caller(after)) == []
    assert (await refused(strict.caller(before)(NOTHING))).reason == "CREDENTIAL_INVALID"
