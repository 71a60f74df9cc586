"""A key reaches no further than its maker's, lasts no longer, and can be revoked with it."""

import grpc
import pytest
from camillo.v1 import admin_pb2 as pb
from camillo.v1 import admin_service_pb2 as admin
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from tests.server_fixtures import Caller, Server, refused

FORBIDDEN = (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")


async def create(
    caller: Caller, *, agent_id: str = "", role: pb.Role = pb.ROLE_TENANT_ADMIN, **fields: object
) -> admin.CreateKeyResponse:
    """A key for the agent, or for any where none is named."""
    reach = {"agent_id": agent_id} if agent_id else {"any_agent": True}
    request = admin.CreateKeyRequest(role=role, **reach, **fields)  # type: ignore[arg-type]
    response: admin.CreateKeyResponse = await caller(request)
    return response


def revoke(key: pb.ApiKey, **fields: object) -> admin.RevokeKeyRequest:
    return admin.RevokeKeyRequest(key_id=key.key_id, **fields)  # type: ignore[arg-type]


@pytest.mark.own_server
@pytest.mark.parametrize("role", [pb.ROLE_TENANT_ADMIN, pb.ROLE_ROOT])
async def test_an_agents_key_creates_keys_for_that_agent_alone(server: Server, role: pb.Role) -> None:
    carol = server.caller((await create(server.root, agent_id="carol", role=role)).secret)
    for agent_id in ("", "alice"):
        failed = await refused(create(carol, agent_id=agent_id, role=pb.ROLE_READER))
        assert (failed.code, failed.reason) == FORBIDDEN
    assert (await create(carol, agent_id="carol", role=pb.ROLE_WRITER)).secret
    # Whoever reaches any agent creates keys for each.
    assert (await create(server.admin, agent_id="alice")).secret


@pytest.mark.own_server
@pytest.mark.parametrize(
    "request_message",
    [
        admin.CreateTenantRequest(tenant_id="made"),
        admin.CreateAgentRequest(agent_id="dave"),
        admin.DeleteAgentRequest(agent_id="alice", confirm_agent_id="alice"),
        admin.ListKeysRequest(tenant_id="rival"),
        admin.DeleteTenantRequest(tenant_id="acme", confirm_tenant_id="acme"),
        admin.DeleteTenantRequest(tenant_id="rival", confirm_tenant_id="rival"),
    ],
    ids=lambda message: type(message).__name__,
)
async def test_an_agents_key_administers_that_agent_alone(server: Server, request_message: Message) -> None:
    carol = server.caller((await create(server.root, agent_id="carol", role=pb.ROLE_ROOT)).secret)
    failed = await refused(carol(request_message))
    assert (failed.code, failed.reason) == FORBIDDEN
    if not isinstance(request_message, admin.DeleteAgentRequest):
        await server.root(request_message)


async def test_a_key_ends_with_its_maker(server: Server) -> None:
    short = await create(server.admin, lifetime=Duration(seconds=5))
    maker = server.caller(short.secret)
    for lifetime in (None, Duration(seconds=3600)):
        made = await create(maker, agent_id="alice", lifetime=lifetime)
        assert made.key.expires_at == short.key.expires_at
    sooner = await create(maker, agent_id="alice", lifetime=Duration(seconds=2))
    assert sooner.key.expires_at.seconds == short.key.expires_at.seconds - 3
    # One that does not end creates keys that do not.
    assert not (await create(server.admin, agent_id="alice")).key.HasField("expires_at")


@pytest.mark.own_server
async def test_nobody_revokes_above_himself(server: Server) -> None:
    root_key = (await create(server.root, role=pb.ROLE_ROOT)).key
    failed = await refused(server.admin(revoke(root_key)))
    assert (failed.code, failed.reason) == FORBIDDEN
    own = (await create(server.admin)).key
    assert (await server.admin(revoke(own))).key.HasField("revoked_at")
    assert (await server.root(revoke(root_key))).key.HasField("revoked_at")


async def test_an_agents_key_revokes_no_other_agents(server: Server) -> None:
    carol = server.caller((await create(server.admin, agent_id="carol")).secret)
    for other in (await create(server.admin), await create(server.admin, agent_id="alice")):
        failed = await refused(carol(revoke(other.key)))
        assert (failed.code, failed.reason) == FORBIDDEN
    own = (await create(server.admin, agent_id="carol", role=pb.ROLE_READER)).key
    assert (await carol(revoke(own))).key.HasField("revoked_at")


@pytest.mark.own_server
async def test_a_key_is_revoked_with_what_it_created(server: Server) -> None:
    """First a chain of three, then one beside it; another tenant's, which only root creates, goes too."""
    first = await create(server.root, role=pb.ROLE_ROOT)
    root = server.caller(first.secret)
    second = await create(root, tenant_id="rival", role=pb.ROLE_ROOT)
    third = await create(server.caller(second.secret), agent_id="ada", role=pb.ROLE_READER)
    beside = await create(server.root, agent_id="alice")
    assert second.key.created_by_key_id == first.key.key_id
    assert third.key.created_by_key_id == second.key.key_id
    assert third.key.tenant_id == "rival"
    created = [server.caller(each.secret) for each in (second, third)]
    for caller in created:
        await caller(admin.WhoAmIRequest())

    # By itself it goes alone.
    alone = await create(server.root, role=pb.ROLE_ROOT)
    kept = await create(server.caller(alone.secret), agent_id="alice")
    assert (await server.root(revoke(alone.key))).revoked_created_keys == 0
    await server.caller(kept.secret)(admin.WhoAmIRequest())

    assert (await server.root(revoke(first.key, with_created_keys=True))).revoked_created_keys == 2
    for caller in created:
        assert (await refused(caller(admin.WhoAmIRequest()))).reason == "CREDENTIAL_INVALID"
    await server.caller(beside.secret)(admin.WhoAmIRequest())
    again = await server.root(revoke(first.key, with_created_keys=True))
    assert again.revoked_created_keys == 0


async def test_a_tenants_key_is_revoked_with_what_it_created(server: Server) -> None:
    maker = await create(server.admin)
    made = await create(server.caller(maker.secret), agent_id="alice", role=pb.ROLE_WRITER)
    response = await server.admin(revoke(maker.key, with_created_keys=True))
    assert response.revoked_created_keys == 1
    failed = await refused(server.caller(made.secret)(admin.WhoAmIRequest()))
    assert failed.reason == "CREDENTIAL_INVALID"
