"""AdminService: converts, calls, converts back."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol
from uuid import UUID

from camillo.v1 import admin_pb2 as pb
from camillo.v1 import admin_service_pb2 as service
from camillo.v1 import admin_service_pb2_grpc as stubs

from camillo_server.admin.tenants import (
    Administration,
    Agent,
    CreateKey,
    KeyWish,
    Tenant,
    TenantReader,
)
from camillo_server.identity.api_keys import ApiKey
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import AgentId, KeyId, MemoryId, TenantId
from camillo_server.kernel.paging import PageCursor
from camillo_server.kernel.scope import Role
from camillo_server.rpc import tokens
from camillo_server.rpc.call import Call, CallReader
from camillo_server.rpc.field_limits import rule, stated_or_default
from camillo_server.rpc.validate import Checks
from camillo_server.search.index.status import CachedIndexes, IndexStatus


class KnownKeys(Protocol):
    """The keys that this process has looked up."""

    def forget(self, key_id: KeyId) -> None: ...

    def clear(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ServerIdentity:
    """What WhoAmI tells of the server."""

    version: str
    model_id: str
    model_dimensions: int


@dataclass(frozen=True, slots=True)
class AdminUseCases:
    """What AdminService can do."""

    read: TenantReader
    change: Administration
    create_key: CreateKey
    known_keys: KnownKeys
    indexes: CachedIndexes
    clock: Clock


class AdminServicer(stubs.AdminServiceServicer):
    """The service of proto/camillo/v1/admin_service.proto."""

    def __init__(self, do: AdminUseCases, server: ServerIdentity, calls: CallReader) -> None:
        self._do = do
        self._server = server
        self._calls = calls

    async def WhoAmI(self, request: service.WhoAmIRequest, context: Any) -> service.WhoAmIResponse:
        caller = (await self._calls.read(request)).principal
        return service.WhoAmIResponse(
            tenant_id=caller.tenant_id,
            agent_id=caller.agent_id or "",
            any_agent=caller.agent_id is None,
            role=int(caller.role),  # type: ignore[arg-type]
            server_version=self._server.version,
            model_id=self._server.model_id,
            model_dimensions=self._server.model_dimensions,
        )

    async def CreateTenant(
        self, request: service.CreateTenantRequest, context: Any
    ) -> service.CreateTenantResponse:
        call = await self._calls.read(request)
        tenant_id = TenantId(request.tenant_id)
        name = request.display_name
        caller = call.principal.tenant_id
        tenant = Tenant(tenant_id, name, self._do.clock.now())
        created_at = await self._do.change.create_tenant(caller, tenant, call.request_key)
        return service.CreateTenantResponse(
            tenant=pb.Tenant(tenant_id=tenant_id, display_name=name, created_at=created_at)
        )

    async def ListTenants(
        self, request: service.ListTenantsRequest, context: Any
    ) -> service.ListTenantsResponse:
        await self._calls.read(request)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListTenants")
        after = tokens.read_text_page_token(binding, request.page_token) or ""
        found = await self._do.read.tenants(TenantId(after), size + 1)
        page = found[:size]
        more = len(found) > size
        return service.ListTenantsResponse(
            tenants=[
                pb.Tenant(
                    tenant_id=t.tenant_id, display_name=t.display_name, created_at=t.created_at
                )
                for t in page
            ],
            next_page_token=tokens.text_page_token(binding, page[-1].tenant_id) if more else "",
        )

    async def DeleteTenant(
        self, request: service.DeleteTenantRequest, context: Any
    ) -> service.DeleteTenantResponse:
        call = await self._calls.read(request)
        tenant_id = TenantId(request.tenant_id)
        caller = call.principal.tenant_id
        gone = await self._do.change.delete_tenant(
            caller, tenant_id, call.request_key, self._do.clock.now()
        )
        self._do.known_keys.clear()
        return service.DeleteTenantResponse(forgotten_memories=gone)

    async def CreateAgent(
        self, request: service.CreateAgentRequest, context: Any
    ) -> service.CreateAgentResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        agent_id = AgentId(request.agent_id)
        name = request.display_name
        caller = call.principal.tenant_id
        agent = Agent(agent_id, name, self._do.clock.now())
        created_at = await self._do.change.create_agent(caller, tenant_id, agent, call.request_key)
        return service.CreateAgentResponse(
            agent=pb.Agent(agent_id=agent_id, display_name=name, created_at=created_at)
        )

    async def ListAgents(
        self, request: service.ListAgentsRequest, context: Any
    ) -> service.ListAgentsResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListAgents", tenant_id)
        after = tokens.read_text_page_token(binding, request.page_token)
        found = await self._do.read.agents(
            tenant_id, None if after is None else AgentId(after), size + 1
        )
        page = found[:size]
        more = len(found) > size
        return service.ListAgentsResponse(
            agents=[
                pb.Agent(agent_id=a.agent_id, display_name=a.display_name, created_at=a.created_at)
                for a in page
            ],
            next_page_token=tokens.text_page_token(binding, page[-1].agent_id) if more else "",
        )

    async def DeleteAgent(
        self, request: service.DeleteAgentRequest, context: Any
    ) -> service.DeleteAgentResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        agent_id = AgentId(request.agent_id)
        caller = call.principal.tenant_id
        gone = await self._do.change.delete_agent(
            caller, tenant_id, agent_id, call.request_key, self._do.clock.now()
        )
        self._do.known_keys.clear()
        return service.DeleteAgentResponse(forgotten_memories=gone)

    async def CreateKey(
        self, request: service.CreateKeyRequest, context: Any
    ) -> service.CreateKeyResponse:
        call = await self._calls.read(request)
        wish = _key_wish(request, call)
        key, secret = await self._do.create_key(call.principal, wish, call.request_key)
        return service.CreateKeyResponse(key=_key_message(key), secret=secret)

    async def ListKeys(
        self, request: service.ListKeysRequest, context: Any
    ) -> service.ListKeysResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListKeys", tenant_id)
        cursor = tokens.read_page_token(binding, request.page_token)
        after = (cursor.at, KeyId(str(cursor.memory_id))) if cursor else None
        found = await self._do.read.keys(tenant_id, after, size + 1)
        page = found[:size]
        token = ""
        if len(found) > size:
            last = PageCursor(page[-1].created_at, MemoryId(UUID(page[-1].key_id)))
            token = tokens.page_token(binding, last)
        return service.ListKeysResponse(
            keys=[_key_message(key) for key in page], next_page_token=token
        )

    async def RevokeKey(
        self, request: service.RevokeKeyRequest, context: Any
    ) -> service.RevokeKeyResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        key_id = KeyId(str(UUID(request.key_id)))
        key = await self._do.change.revoke_key(tenant_id, key_id, self._do.clock.now())
        self._do.known_keys.forget(key_id)
        return service.RevokeKeyResponse(key=_key_message(key))

    async def ListIndexes(
        self, request: service.ListIndexesRequest, context: Any
    ) -> service.ListIndexesResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListIndexes", tenant_id)
        after = tokens.read_text_page_token(binding, request.page_token)
        # The shared scope's agent id is empty, so that a token's text begins with a sign of its own.
        found = self._do.indexes.of_tenant(
            tenant_id, AgentId(after[1:]) if after else None, size + 1
        )
        page = found[:size]
        more = len(found) > size
        told = [await self._do.indexes.compare(each) for each in page] if request.compare else page
        return service.ListIndexesResponse(
            indexes=[_index_message(index) for index in told if index],
            next_page_token=tokens.text_page_token(binding, f"={page[-1].scope.agent_id}")
            if more
            else "",
        )


def _index_message(index: IndexStatus) -> pb.HeldIndex:
    return pb.HeldIndex(
        agent_id=index.scope.agent_id,
        memories=index.memories,
        bytes=index.nbytes,
        agreement=int(index.agreement),  # type: ignore[arg-type]
        difference=index.difference,
    )


@rule(service.DeleteTenantRequest)
def check_tenant_confirmed(request: service.DeleteTenantRequest, path: str, checks: Checks) -> None:
    """What cannot be undone is asked for twice."""
    if request.confirm_tenant_id != request.tenant_id:
        checks.fail("confirm_tenant_id", "must repeat tenant_id")


@rule(service.DeleteAgentRequest)
def check_agent_confirmed(request: service.DeleteAgentRequest, path: str, checks: Checks) -> None:
    """What cannot be undone is asked for twice."""
    if request.confirm_agent_id != request.agent_id:
        checks.fail("confirm_agent_id", "must repeat agent_id")


@rule(service.CreateKeyRequest)
def check_reach(request: service.CreateKeyRequest, path: str, checks: Checks) -> None:
    """A key that reaches every agent is asked for, not got by leaving something out."""
    if request.WhichOneof("reach") != "agent_id" and not request.any_agent:
        checks.fail("reach", "must name an agent or set any_agent")


def _key_wish(request: service.CreateKeyRequest, call: Call) -> KeyWish:
    """Raises ScopeForbidden."""
    return KeyWish(
        tenant_id=call.principal.tenant(request.tenant_id),
        agent_id=None if request.any_agent else AgentId(request.agent_id),
        role=Role(request.role),
        description=request.description,
        lifetime=timedelta(seconds=request.lifetime.seconds)
        if request.HasField("lifetime")
        else None,
    )


def _key_message(key: ApiKey) -> pb.ApiKey:
    return pb.ApiKey(
        key_id=key.key_id,
        tenant_id=key.tenant_id,
        agent_id=key.agent_id or "",
        any_agent=key.agent_id is None,
        role=int(key.role),  # type: ignore[arg-type]
        description=key.description,
        created_at=key.created_at,
        expires_at=key.expires_at,
        revoked_at=key.revoked_at,
    )
