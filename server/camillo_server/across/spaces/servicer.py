"""SpaceService: converts, calls, converts back."""

from typing import Any

from camillo.v1 import space_service_pb2 as service
from camillo.v1 import space_service_pb2_grpc as stubs

from camillo_server.across.lifecycle.messages import read_agent_token, tenant_and_agent
from camillo_server.across.spaces import messages, usage_messages
from camillo_server.across.spaces.forget_space import ForgetSpace
from camillo_server.across.spaces.spaces import Spaces
from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.models.embedding.spend import EmbeddingBudget
from camillo_server.storage.token_usage import TokenUsageStore


class SpaceServicer(stubs.SpaceServiceServicer):
    """The service of proto/camillo/v1/space_service.proto."""

    def __init__(
        self,
        spaces: Spaces,
        forgetting: ForgetSpace,
        calls: CallReader,
        token_usage: TokenUsageStore,
        budget: EmbeddingBudget,
    ) -> None:
        self._spaces = spaces
        self._forgetting = forgetting
        self._calls = calls
        self._token_usage = token_usage
        self._budget = budget

    async def ListSpaces(self, request: service.ListSpacesRequest, context: Any) -> service.ListSpacesResponse:
        caller = (await self._calls.read(request)).principal
        size = stated_or_default(request, "page_size")
        binding = tokens.query_binding("ListSpaces", caller.tenant_id, request.prefix)
        after = read_agent_token(binding, request.page_token)
        found = await self._spaces.page(caller, request.prefix, after, size + 1)
        return messages.spaces_response(found, size, binding)

    async def GetSpace(self, request: service.GetSpaceRequest, context: Any) -> service.GetSpaceResponse:
        call = await self._calls.read(request)
        return messages.view_response(await self._spaces.view(call.principal, call.scope))

    async def ListTokenUsage(
        self, request: service.ListTokenUsageRequest, context: Any
    ) -> service.ListTokenUsageResponse:
        call = await self._calls.read(request)
        tenant_id, agent_id = tenant_and_agent(request, call)
        size, binding = stated_or_default(request, "page_size"), usage_messages.binding_of(request, tenant_id, agent_id)
        query = usage_messages.query_of(request, tenant_id, agent_id)
        after = usage_messages.read_token(binding, request.page_token)
        found = await self._token_usage.sums(query, after, size + 1)
        spent = await self._budget.spent(tenant_id) if agent_id is None else None
        return usage_messages.response_of(found, size, query, binding, spent)

    async def ForgetSpace(self, request: service.ForgetSpaceRequest, context: Any) -> service.ForgetSpaceResponse:
        call = await self._calls.read(request)
        binding = messages.names_binding(request, call.scope)
        asked = messages.space_to_forget(request, call, self._calls.channels, binding)
        if request.dry_run:
            done = await self._forgetting.plan(call.principal, call.scope, asked)
        else:
            done = await self._forgetting.forget(call.principal, call.scope, asked, call.request_key)
        return messages.forgotten_response(done, binding)
