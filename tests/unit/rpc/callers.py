"""Who may call."""

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Principal, Role

ADA = Principal(TenantId("acme"), AgentId("ada"), Role.WRITER)
OPERATOR = Principal(TenantId("acme"), None, Role.TENANT_ADMIN)
