"""AdminService: converts, calls, converts back."""

from dataclasses import dataclass, replace
from typing import Any, Protocol
from uuid import UUID

from camillo.v1 import admin_service_pb2 as service
from camillo.v1 import admin_service_pb2_grpc as stubs

from camillo_server.admin import messages
from camillo_server.admin.tenants import Administration, Agent, CreateKey, Tenant, TenantReader
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.rpc import tokens
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.field_limits import stated_or_default
from camillo_server.search.index.status import CachedIndexes


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
        tenant = Tenant(TenantId(request.tenant_id), request.display_name, self._do.clock.now())
        caller = call.principal.tenant_id
        created_at = await self._do.change.create_tenant(caller, tenant, call.request_key)
        created = replace(tenant, created_at=created_at)
        return service.CreateTenantResponse(tenant=messages.tenant_message(created))

    async def ListTenants(
        self, request: service.ListTenantsRequest, context: Any
    ) -> service.ListTenantsResponse:
        await self._calls.read(request)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListTenants")
        after = tokens.read_text_page_token(binding, request.page_token) or ""
        found = await self._do.read.tenants(TenantId(after), size + 1)
        return messages.tenants_response(found, size, binding)

    async def DeleteTenant(
        self, request: service.DeleteTenantRequest, context: Any
    ) -> service.DeleteTenantResponse:
        call = await self._calls.read(request)
        gone = await self._do.change.delete_tenant(
            call.principal.tenant_id,
            TenantId(request.tenant_id),
            call.request_key,
            self._do.clock.now(),
        )
        self._do.known_keys.clear()
        return service.DeleteTenantResponse(forgotten_memories=gone)

    async def CreateAgent(
        self, request: service.CreateAgentRequest, context: Any
    ) -> service.CreateAgentResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        agent = Agent(AgentId(request.agent_id), request.display_name, self._do.clock.now())
        created_at = await self._do.change.create_agent(
            call.principal.tenant_id, tenant_id, agent, call.request_key
        )
        created = replace(agent, created_at=created_at)
        return service.CreateAgentResponse(agent=messages.agent_message(created))

    async def ListAgents(
        self, request: service.ListAgentsRequest, context: Any
    ) -> service.ListAgentsResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListAgents", tenant_id)
        after = tokens.read_text_page_token(binding, request.page_token)
        start = None if after is None else AgentId(after)
        found = await self._do.read.agents(tenant_id, start, size + 1)
        return messages.agents_response(found, size, binding)

    async def DeleteAgent(
        self, request: service.DeleteAgentRequest, context: Any
    ) -> service.DeleteAgentResponse:
        call = await self._calls.read(request)
        gone = await self._do.change.delete_agent(
            call.principal.tenant_id,
            call.principal.tenant(request.tenant_id),
            AgentId(request.agent_id),
            call.request_key,
            self._do.clock.now(),
        )
        self._do.known_keys.clear()
        return service.DeleteAgentResponse(forgotten_memories=gone)

    async def CreateKey(
        self, request: service.CreateKeyRequest, context: Any
    ) -> service.CreateKeyResponse:
        call = await self._calls.read(request)
        wish = messages.key_wish(request, call)
        key, secret = await self._do.create_key(call.principal, wish, call.request_key)
        return service.CreateKeyResponse(key=messages.key_message(key), secret=secret)

    async def ListKeys(
        self, request: service.ListKeysRequest, context: Any
    ) -> service.ListKeysResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListKeys", tenant_id)
        after = messages.keys_start(binding, request.page_token)
        found = await self._do.read.keys(tenant_id, after, size + 1)
        return messages.keys_response(found, size, binding)

    async def RevokeKey(
        self, request: service.RevokeKeyRequest, context: Any
    ) -> service.RevokeKeyResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        key_id = KeyId(str(UUID(request.key_id)))
        key = await self._do.change.revoke_key(tenant_id, key_id, self._do.clock.now())
        self._do.known_keys.forget(key_id)
        return service.RevokeKeyResponse(key=messages.key_message(key))

    async def ListIndexes(
        self, request: service.ListIndexesRequest, context: Any
    ) -> service.ListIndexesResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListIndexes", tenant_id)
        after = messages.indexes_start(binding, request.page_token)
        found = self._do.indexes.of_tenant(tenant_id, after, size + 1)
        page = found[:size]
        shown = [await self._do.indexes.compare(each) for each in page] if request.compare else page
        return messages.indexes_response(shown, found, size, binding)
