"""A small admin service: answers what it is asked to create, in pages of one."""

from __future__ import annotations

from clients.python.tests.fake_service import Context, Desk

from camillo.v1 import admin_service_pb2 as pb
from camillo.v1.admin_pb2 import Agent, ApiKey, HeldIndex, Quota, Role, Tenant
from camillo.v1.admin_service_pb2_grpc import AdminServiceServicer
from camillo.v1.lifecycle_pb2 import Receipt


class FakeAdmin(AdminServiceServicer):
    """Keeps nothing; lists have two pages."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def WhoAmI(self, request: pb.WhoAmIRequest, context: Context) -> pb.WhoAmIResponse:
        await self.desk.enter("WhoAmI", request, context)
        return pb.WhoAmIResponse(tenant_id="acme", agent_id="ada", role=Role.ROLE_WRITER)

    async def CreateTenant(self, request: pb.CreateTenantRequest, context: Context) -> pb.CreateTenantResponse:
        await self.desk.enter("CreateTenant", request, context)
        tenant = Tenant(tenant_id=request.tenant_id, display_name=request.display_name)
        return pb.CreateTenantResponse(tenant=tenant)

    async def ListTenants(self, request: pb.ListTenantsRequest, context: Context) -> pb.ListTenantsResponse:
        await self.desk.enter("ListTenants", request, context)
        tenant = Tenant(tenant_id=f"tenant{request.page_token}")
        return pb.ListTenantsResponse(tenants=[tenant], next_page_token=_next(request.page_token))

    async def DeleteTenant(self, request: pb.DeleteTenantRequest, context: Context) -> pb.DeleteTenantResponse:
        await self.desk.enter("DeleteTenant", request, context)
        return pb.DeleteTenantResponse(forgotten_memories=3)

    async def GetQuotas(self, request: pb.GetQuotasRequest, context: Context) -> pb.GetQuotasResponse:
        await self.desk.enter("GetQuotas", request, context)
        near, far = Quota(name="tasks", used=8, limit=10), Quota(name="runs", used=7, limit=10)
        return pb.GetQuotasResponse(quotas=[near, far, Quota(name="keys", used=9)])

    async def SetQuotas(self, request: pb.SetQuotasRequest, context: Context) -> pb.SetQuotasResponse:
        await self.desk.enter("SetQuotas", request, context)
        return pb.SetQuotasResponse(quotas=request.limits)

    async def ProfileServer(self, request: pb.ProfileServerRequest, context: Context) -> pb.ProfileServerResponse:
        await self.desk.enter("ProfileServer", request, context)
        return pb.ProfileServerResponse(profile=b"main;run 3", process_id=17)

    async def CreateAgent(self, request: pb.CreateAgentRequest, context: Context) -> pb.CreateAgentResponse:
        await self.desk.enter("CreateAgent", request, context)
        agent = Agent(agent_id=request.agent_id, display_name=request.display_name)
        return pb.CreateAgentResponse(agent=agent)

    async def ListAgents(self, request: pb.ListAgentsRequest, context: Context) -> pb.ListAgentsResponse:
        await self.desk.enter("ListAgents", request, context)
        agent = Agent(agent_id=f"agent{request.page_token}")
        return pb.ListAgentsResponse(agents=[agent], next_page_token=_next(request.page_token))

    async def DeleteAgent(self, request: pb.DeleteAgentRequest, context: Context) -> pb.DeleteAgentResponse:
        await self.desk.enter("DeleteAgent", request, context)
        return pb.DeleteAgentResponse(forgotten_memories=2, receipt=Receipt(receipt_id="r1", cause="delete_agent"))

    async def CreateKey(self, request: pb.CreateKeyRequest, context: Context) -> pb.CreateKeyResponse:
        await self.desk.enter("CreateKey", request, context)
        return pb.CreateKeyResponse(key=ApiKey(key_id="k1", role=request.role), secret="shown")

    async def ListKeys(self, request: pb.ListKeysRequest, context: Context) -> pb.ListKeysResponse:
        await self.desk.enter("ListKeys", request, context)
        key = ApiKey(key_id=f"key{request.page_token}")
        return pb.ListKeysResponse(keys=[key], next_page_token=_next(request.page_token))

    async def RevokeKey(self, request: pb.RevokeKeyRequest, context: Context) -> pb.RevokeKeyResponse:
        await self.desk.enter("RevokeKey", request, context)
        return pb.RevokeKeyResponse(key=ApiKey(key_id=request.key_id))

    async def ListIndexes(self, request: pb.ListIndexesRequest, context: Context) -> pb.ListIndexesResponse:
        """Three pages; what the second would tell of has gone meanwhile."""
        await self.desk.enter("ListIndexes", request, context)
        indexes = [HeldIndex(agent_id=f"agent{request.page_token}")]
        following = {"": "2", "2": "3"}.get(request.page_token, "")
        return pb.ListIndexesResponse(
            indexes=[] if request.page_token == "2" else indexes,  # noqa: S105
            next_page_token=following,
        )


def _next(page_token: str) -> str:
    return "" if page_token else "2"
