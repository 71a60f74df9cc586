"""AdminService: who one is, tenants, agents, keys."""

from datetime import timedelta

import grpc
import pytest
from camillo.v1 import admin_pb2 as pb
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_service_pb2 as service
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from tests.rpc.memories.calls import UNKNOWN_ID, listed, remember
from tests.server_fixtures import Server, refused


@pytest.mark.own_server
async def test_everyone_learns_who_they_are(server: Server) -> None:
    alice = await server.reader(admin.WhoAmIRequest())
    assert (alice.tenant_id, alice.agent_id, alice.any_agent) == ("acme", "alice", False)
    assert alice.role == pb.ROLE_READER
    assert (alice.model_id, alice.model_dimensions) == ("random-16", 16)
    assert alice.server_version
    root = await server.root(admin.WhoAmIRequest())
    assert (root.tenant_id, root.agent_id, root.any_agent) == ("acme", "", True)
    assert root.role == pb.ROLE_ROOT


@pytest.mark.own_server
async def test_a_tenant_is_created_once_listed_and_removed_with_everything_in_it(server: Server) -> None:
    request = admin.CreateTenantRequest(tenant_id="new.tenant", display_name="New", request_id="create")
    created = await server.root(request)
    assert (created.tenant.tenant_id, created.tenant.display_name) == ("new.tenant", "New")
    server.clock.move(60)
    assert await server.root(request) == created
    told = await refused(server.root(admin.CreateTenantRequest(tenant_id="new.tenant")))
    assert (told.code, told.reason) == (grpc.StatusCode.ALREADY_EXISTS, "ALREADY_EXISTS")
    assert told.metadata == {"tenant_id": "new.tenant"}

    key = await server.root(admin.CreateKeyRequest(tenant_id="new.tenant", any_agent=True, role=pb.ROLE_WRITER))
    writer = server.caller(key.secret)
    await remember(writer, "theirs")
    names = [t.tenant_id for t in (await server.root(admin.ListTenantsRequest())).tenants]
    assert names == ["acme", "new.tenant", "rival"]

    unconfirmed = admin.DeleteTenantRequest(tenant_id="new.tenant", confirm_tenant_id="rival")
    assert (await refused(server.root(unconfirmed))).fields == ("confirm_tenant_id",)
    removal = admin.DeleteTenantRequest(tenant_id="new.tenant", confirm_tenant_id="new.tenant", request_id="delete")
    gone = await server.root(removal)
    assert gone.forgotten_memories == 1
    assert (await refused(writer(service.ListMemoriesRequest()))).reason == "CREDENTIAL_INVALID"
    assert await server.root(removal) == gone
    removal.request_id = ""
    assert (await refused(server.root(removal))).reason == "TENANT_NOT_FOUND"


@pytest.mark.own_server
async def test_tenants_come_in_pages(server: Server) -> None:
    for i in range(5):
        await server.root(admin.CreateTenantRequest(tenant_id=f"t{i}"))
    request = admin.ListTenantsRequest(page_size=3)
    names: list[str] = []
    while True:
        page = await server.root(request)
        names += [tenant.tenant_id for tenant in page.tenants]
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    assert names == ["acme", "rival", "t0", "t1", "t2", "t3", "t4"]


async def test_an_agent_is_there_from_its_creation_or_first_write(server: Server) -> None:
    created = await server.admin(admin.CreateAgentRequest(agent_id="carol", display_name="Carol"))
    assert created.agent.display_name == "Carol"
    await remember(server.alice, "first write")
    await remember(server.admin, "shared")
    request = admin.ListAgentsRequest(page_size=1)
    names = []
    while True:
        page = await server.admin(request)
        names += [agent.agent_id for agent in page.agents]
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    assert names == ["", "alice", "carol"]
    again = admin.CreateAgentRequest(agent_id="alice")
    assert (await refused(server.admin(again))).reason == "ALREADY_EXISTS"


async def test_an_agent_goes_with_its_memories_and_keys(server: Server) -> None:
    await remember(server.alice, "one")
    await remember(server.admin, "shared")
    request = admin.DeleteAgentRequest(agent_id="alice", confirm_agent_id="alice")
    assert (await server.admin(request)).forgotten_memories == 1
    told = await refused(server.alice(service.ListMemoriesRequest()))
    assert told.reason == "CREDENTIAL_INVALID"
    assert await listed(server.admin, agent_id="alice") == []
    assert await listed(server.admin) == ["shared"]
    assert (await refused(server.admin(request))).reason == "AGENT_NOT_FOUND"


async def test_a_key_shows_its_secret_once_and_works_until_it_is_revoked(server: Server) -> None:
    request = admin.CreateKeyRequest(request_id="key", agent_id="bob", role=pb.ROLE_WRITER, description="for bob")
    created = await server.admin(request)
    again = await server.admin(request)
    assert created.secret
    assert (again.key, again.secret) == (created.key, "")
    bob = server.caller(created.secret)
    assert (await remember(bob, "bob's")).agent_id == "bob"
    revoked = await server.admin(admin.RevokeKeyRequest(key_id=created.key.key_id))
    assert revoked.key.HasField("revoked_at")
    told = await refused(bob(service.ListMemoriesRequest()))
    assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID")
    server.clock.move(60)
    assert await server.admin(admin.RevokeKeyRequest(key_id=created.key.key_id)) == revoked


async def test_a_key_is_refused_after_its_lifetime(server: Server) -> None:
    request = admin.CreateKeyRequest(any_agent=True, role=pb.ROLE_READER)
    request.lifetime.CopyFrom(Duration(seconds=3600))
    created = await server.admin(request)
    expected = server.clock.now() + timedelta(hours=1)
    assert created.key.expires_at.ToDatetime() == expected.replace(tzinfo=None)
    caller = server.caller(created.secret)
    server.clock.move(3599)
    assert await listed(caller) == []
    server.clock.move(1)
    assert (await refused(caller(service.ListMemoriesRequest()))).reason == "CREDENTIAL_INVALID"


async def test_keys_come_in_pages_newest_first(server: Server) -> None:
    made = []
    for i in range(4):
        server.clock.move(i % 2)
        request = admin.CreateKeyRequest(agent_id="bob", role=pb.ROLE_READER)
        made.append((await server.admin(request)).key)
    listing = admin.ListKeysRequest(page_size=3)
    found: list[pb.ApiKey] = []
    while True:
        page = await server.admin(listing)
        found += page.keys
        listing.page_token = page.next_page_token
        if not page.next_page_token:
            break
    newest = sorted(made, key=lambda k: (k.created_at.seconds, k.key_id), reverse=True)
    assert [key.key_id for key in found if key.agent_id == "bob"] == [k.key_id for k in newest]
    assert len(found) == 8  # with the four keys of acme that every test has


@pytest.mark.own_server
async def test_a_key_is_at_most_as_strong_as_its_maker(server: Server) -> None:
    request = admin.CreateKeyRequest(any_agent=True, role=pb.ROLE_ROOT)
    told = await refused(server.admin(request))
    assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
    assert (await server.root(request)).secret
    request.role = pb.ROLE_TENANT_ADMIN
    assert (await server.admin(request)).secret


@pytest.mark.own_server
@pytest.mark.parametrize(
    "request_message",
    [
        admin.CreateAgentRequest(tenant_id="rival", agent_id="spy"),
        admin.ListAgentsRequest(tenant_id="rival"),
        admin.DeleteAgentRequest(tenant_id="rival", agent_id="a", confirm_agent_id="a"),
        admin.CreateKeyRequest(tenant_id="rival", any_agent=True, role=pb.ROLE_READER),
        admin.ListKeysRequest(tenant_id="rival"),
        admin.ListIndexesRequest(tenant_id="rival", compare=True),
        admin.RevokeKeyRequest(tenant_id="rival", key_id=UNKNOWN_ID),
        admin.CreateTenantRequest(tenant_id="mine"),
        admin.ListTenantsRequest(),
        admin.DeleteTenantRequest(tenant_id="rival", confirm_tenant_id="rival"),
    ],
    ids=lambda message: type(message).__name__,
)
async def test_a_tenant_admin_stays_in_its_tenant(server: Server, request_message: Message) -> None:
    await remember(server.rival, "theirs", agent_id="a")
    told = await refused(server.admin(request_message))
    assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
    assert told.metadata == {"required_role": "ROOT"}
    if isinstance(request_message, admin.RevokeKeyRequest):
        assert (await refused(server.root(request_message))).reason == "KEY_NOT_FOUND"
    else:
        await server.root(request_message)


@pytest.mark.own_server
async def test_another_tenants_key_is_not_there(server: Server) -> None:
    theirs = (await server.root(admin.ListKeysRequest(tenant_id="rival"))).keys[0]
    told = await refused(server.admin(admin.RevokeKeyRequest(key_id=theirs.key_id)))
    assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "KEY_NOT_FOUND")
    assert told.metadata == {"key_id": theirs.key_id}
    assert await listed(server.rival) == []


@pytest.mark.own_server
async def test_what_is_made_in_a_tenant_that_is_not_there_is_refused(server: Server) -> None:
    for request in (
        admin.CreateAgentRequest(tenant_id="nowhere", agent_id="a"),
        admin.CreateKeyRequest(tenant_id="nowhere", any_agent=True, role=pb.ROLE_READER),
        admin.DeleteTenantRequest(tenant_id="nowhere", confirm_tenant_id="nowhere"),
    ):
        told = await refused(server.root(request))
        assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "TENANT_NOT_FOUND")
        assert told.metadata == {"tenant_id": "nowhere"}


@pytest.mark.own_server
async def test_the_client_administers(server: Server) -> None:
    async with server.client(server.keys.root) as client:
        await client.admin.create_tenant("made", display_name="Made")
        assert [t.tenant_id async for t in client.admin.list_tenants()] == ["acme", "made", "rival"]
        assert await client.admin.delete_tenant("made", confirm_tenant_id="made") == 0
        assert (await client.who_am_i()).tenant_id == "acme"
