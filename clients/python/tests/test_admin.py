"""Tenants, agents and keys."""

from __future__ import annotations

from datetime import timedelta

import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import UNAVAILABLE

from camillo.v1.admin_pb2 import Role
from camillo_client import AsyncCamillo, Camillo


async def test_the_caller_learns_who_it_is(client: AsyncCamillo) -> None:
    caller = await client.who_am_i()
    assert (caller.tenant_id, caller.agent_id) == ("acme", "ada")


async def test_tenants_are_created_listed_and_deleted(client: AsyncCamillo, server: FakeServer) -> None:
    assert (await client.admin.create_tenant("acme", display_name="Acme")).display_name == "Acme"
    assert [t.tenant_id async for t in client.admin.list_tenants()] == ["tenant", "tenant2"]
    assert await client.admin.delete_tenant("acme", confirm_tenant_id="acme") == 3
    assert server.desk.of("DeleteTenant")[0].confirm_tenant_id == "acme"


async def test_agents_are_created_listed_and_deleted(client: AsyncCamillo, server: FakeServer) -> None:
    assert (await client.admin.create_agent("ada", tenant_id="acme")).agent_id == "ada"
    assert [a.agent_id async for a in client.admin.list_agents()] == ["agent", "agent2"]
    assert await client.admin.delete_agent("ada", confirm_agent_id="ada") == 2
    erased = await client.admin.erase_agent("ada", confirm_agent_id="ada", block_values=True)
    assert (erased.receipt_id, server.desk.of("DeleteAgent")[-1].block_values) == ("r1", True)
    assert server.desk.of("CreateAgent")[0].tenant_id == "acme"


async def test_keys_are_created_listed_and_revoked(client: AsyncCamillo, server: FakeServer) -> None:
    created = await client.admin.create_key("writer", agent_id="ada", lifetime=timedelta(hours=1))
    assert (created.key.role, created.secret) == (Role.ROLE_WRITER, "shown")
    assert [key.key_id async for key in client.admin.list_keys()] == ["key", "key2"]
    assert (await client.admin.revoke_key("k1")).key_id == "k1"
    (request,) = server.desk.of("CreateKey")
    assert (request.WhichOneof("reach"), request.lifetime.seconds) == ("agent_id", 3600)


async def test_a_key_reaches_one_agent_or_any(client: AsyncCamillo, server: FakeServer) -> None:
    await client.admin.create_key("reader", any_agent=True)
    assert server.desk.of("CreateKey")[0].WhichOneof("reach") == "any_agent"
    with pytest.raises(ValueError, match="either"):
        await client.admin.create_key("reader")
    with pytest.raises(ValueError, match="either"):
        await client.admin.create_key("reader", agent_id="ada", any_agent=True)


async def test_mutations_have_request_ids(client: AsyncCamillo, server: FakeServer) -> None:
    await client.admin.create_tenant("acme")
    await client.admin.delete_tenant("acme", confirm_tenant_id="acme")
    await client.admin.create_agent("ada")
    await client.admin.delete_agent("ada", confirm_agent_id="ada")
    await client.admin.create_key("reader", any_agent=True)
    await client.admin.revoke_key("k1", request_id="r1")
    ids = [call.request.request_id for call in server.desk.calls]
    assert len(set(ids)) == 6
    assert all(ids)
    assert ids[-1] == "r1"


async def test_indexes_are_listed_over_all_pages_even_over_an_empty_one(
    client: AsyncCamillo, server: FakeServer
) -> None:
    found = client.admin.list_indexes(tenant_id="acme", compare=True, page_size=1)
    assert [index.agent_id async for index in found] == ["agent", "agent3"]
    asked = server.desk.of("ListIndexes")
    assert [request.page_token for request in asked] == ["", "2", "3"]
    assert {(r.tenant_id, r.compare, r.page_size) for r in asked} == {("acme", True, 1)}


async def test_a_list_of_indexes_is_retried(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("ListIndexes", UNAVAILABLE)
    assert len([index async for index in client.admin.list_indexes()]) == 2
    asked = server.desk.of("ListIndexes")
    assert [request.page_token for request in asked] == ["", "", "2", "3"]
    assert not any(request.compare for request in asked)


def test_indexes_are_listed_without_a_loop(sync_client: Camillo, thread_server: FakeServer) -> None:
    found = sync_client.admin.list_indexes(compare=True)
    assert [index.agent_id for index in found] == ["agent", "agent3"]
    assert all(request.compare for request in thread_server.desk.of("ListIndexes"))
