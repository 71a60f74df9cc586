"""AdminService: converts, calls, converts back."""

import os
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from camillo.v1 import admin_service_pb2 as service
from camillo.v1 import admin_service_pb2_grpc as stubs

from camillo_server.across.admin import messages
from camillo_server.across.admin.administration import Administration
from camillo_server.across.admin.profiler import Profiler
from camillo_server.across.admin.store.tenant_store import TenantStore
from camillo_server.across.forgetting.messages import receipt_message
from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.verification import CachedIndexes
from camillo_server.storage.quotas import Quotas


@dataclass(frozen=True, slots=True)
class ServerIdentity:
    """The version and the embedding model of this server, for WhoAmI."""

    version: str
    model_id: str
    model_dimensions: int


class AdminServicer(stubs.AdminServiceServicer):
    """The service of proto/camillo/v1/admin_service.proto."""

    def __init__(
        self,
        administration: Administration,
        tenants: TenantStore,
        quotas: Quotas,
        indexes: CachedIndexes,
        server: ServerIdentity,
        calls: CallReader,
    ) -> None:
        self._administration = administration
        self._tenants = tenants
        self._quotas = quotas
        self._indexes = indexes
        self._server = server
        self._calls = calls
        self._profiler = Profiler()

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
            **messages.caller_limits(caller),
        )

    async def CreateTenant(self, request: service.CreateTenantRequest, context: Any) -> service.CreateTenantResponse:
        call = await self._calls.read(request)
        tenant = await self._administration.create_tenant(
            call.principal, TenantId(request.tenant_id), request.display_name, call.request_key
        )
        return service.CreateTenantResponse(tenant=messages.tenant_message(tenant))

    async def ListTenants(self, request: service.ListTenantsRequest, context: Any) -> service.ListTenantsResponse:
        await self._calls.read(request)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListTenants")
        after = tokens.read_text_page_token(binding, request.page_token) or ""
        found = await self._tenants.tenants(TenantId(after), size + 1)
        return messages.tenants_response(found, size, binding)

    async def DeleteTenant(self, request: service.DeleteTenantRequest, context: Any) -> service.DeleteTenantResponse:
        call = await self._calls.read(request)
        memories = await self._administration.delete_tenant(
            call.principal, TenantId(request.tenant_id), call.request_key
        )
        return service.DeleteTenantResponse(forgotten_memories=memories)

    async def GetQuotas(self, request: service.GetQuotasRequest, context: Any) -> service.GetQuotasResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        uses = await self._quotas.uses(call.principal.tenant(request.tenant_id))
        return service.GetQuotasResponse(quotas=map(messages.quota_message, uses))

    async def SetQuotas(self, request: service.SetQuotasRequest, context: Any) -> service.SetQuotasResponse:
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        tenant_id = TenantId(request.tenant_id)
        limits = {each.name: each.limit for each in request.limits}
        await self._administration.set_quotas(tenant_id, limits, request.reset)
        self._quotas.forget(tenant_id)
        uses = await self._quotas.uses(tenant_id)
        return service.SetQuotasResponse(quotas=map(messages.quota_message, uses))

    async def CreateAgent(self, request: service.CreateAgentRequest, context: Any) -> service.CreateAgentResponse:
        call = await self._calls.read(request)
        agent = await self._administration.create_agent(
            call.principal,
            call.principal.tenant(request.tenant_id),
            AgentId(request.agent_id),
            request.display_name,
            call.request_key,
        )
        return service.CreateAgentResponse(agent=messages.agent_message(agent))

    async def ListAgents(self, request: service.ListAgentsRequest, context: Any) -> service.ListAgentsResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListAgents", tenant_id)
        after = tokens.read_text_page_token(binding, request.page_token)
        start = None if after is None else AgentId(after)
        found = await self._tenants.agents(tenant_id, start, size + 1)
        return messages.agents_response(found, size, binding)

    async def DeleteAgent(self, request: service.DeleteAgentRequest, context: Any) -> service.DeleteAgentResponse:
        call = await self._calls.read(request)
        receipt = await self._administration.delete_agent(
            call.principal,
            Scope(call.principal.tenant(request.tenant_id), AgentId(request.agent_id)),
            call.request_key,
            block_values=request.block_values,
            dry_run=request.dry_run,
        )
        return service.DeleteAgentResponse(
            forgotten_memories=receipt.stores.get("memories", 0), receipt=receipt_message(receipt)
        )

    async def CreateKey(self, request: service.CreateKeyRequest, context: Any) -> service.CreateKeyResponse:
        call = await self._calls.read(request)
        draft = messages.key_draft(request, call)
        key, secret = await self._administration.create_key(call.principal, draft, call.request_key)
        return service.CreateKeyResponse(key=messages.key_message(key), secret=secret)

    async def ListKeys(self, request: service.ListKeysRequest, context: Any) -> service.ListKeysResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListKeys", tenant_id)
        after = messages.keys_start(binding, request.page_token)
        found = await self._tenants.keys(tenant_id, after, size + 1)
        return messages.keys_response(found, size, binding)

    async def RevokeKey(self, request: service.RevokeKeyRequest, context: Any) -> service.RevokeKeyResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        key_id = KeyId(str(UUID(request.key_id)))
        key, created = await self._administration.revoke_key(
            call.principal, tenant_id, key_id, with_created=request.with_created_keys
        )
        return service.RevokeKeyResponse(key=messages.key_message(key), revoked_created_keys=created)

    async def ListIndexes(self, request: service.ListIndexesRequest, context: Any) -> service.ListIndexesResponse:
        call = await self._calls.read(request)
        tenant_id = call.principal.tenant(request.tenant_id)
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListIndexes", tenant_id)
        after = messages.indexes_start(binding, request.page_token)
        found = self._indexes.of_tenant(tenant_id, after, size + 1)
        page = found[:size]
        shown = [await self._indexes.compare(each) for each in page] if request.compare else page
        return messages.indexes_response(shown, found, size, binding)

    async def ProfileServer(self, request: service.ProfileServerRequest, context: Any) -> service.ProfileServerResponse:
        await self._calls.read(request)
        profile = await self._profiler.profile(
            stated_or_default(request, "seconds"),
            stated_or_default(request, "samples_per_second"),
            messages.PROFILE_FORMATS[request.format],
        )
        return service.ProfileServerResponse(profile=profile, process_id=os.getpid())
