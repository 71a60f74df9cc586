"""Tenants, agents and keys, and what may be done to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from camillo_server.domain.ids import AgentId, KeyId, TenantId
from camillo_server.domain.scope import Principal, Role
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organisation."""

    tenant_id: TenantId
    display_name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent identity of a tenant; an empty id is the tenant's shared scope."""

    agent_id: AgentId
    display_name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key without its secret; `agent_id` is None where it reaches any agent of its tenant."""

    key_id: KeyId
    tenant_id: TenantId
    agent_id: AgentId | None
    role: Role
    description: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None

    def principal(self) -> Principal:
        """The caller that holds it."""
        return Principal(self.tenant_id, self.agent_id, self.role, self.key_id)

    def usable(self, now: datetime) -> bool:
        """Neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class TenantReader(Protocol):
    """Reads tenants, agents and keys in pages. Every method raises StorageUnavailable."""

    async def tenants(self, after: TenantId, size: int) -> Sequence[Tenant]:
        """By id, behind `after`."""
        ...

    async def agents(
        self, tenant_id: TenantId, after: AgentId | None, size: int
    ) -> Sequence[Agent]:
        """By id, behind `after`."""
        ...

    async def keys(
        self, tenant_id: TenantId, after: tuple[datetime, KeyId] | None, size: int
    ) -> Sequence[ApiKey]:
        """Newest first, behind `after`."""
        ...


class Administration(Protocol):
    """Changes tenants, agents and keys, each in one transaction; a repeated request changes nothing and gives the
    first answer. `caller` is the caller's own tenant. Every method raises NotFound, RequestIdReused and
    StorageUnavailable."""

    async def create_tenant(
        self, caller: TenantId, tenant: Tenant, request: RequestKey | None
    ) -> datetime:
        """When it was created. Raises AlreadyExists."""
        ...

    async def delete_tenant(
        self, caller: TenantId, tenant_id: TenantId, request: RequestKey | None, now: datetime
    ) -> int:
        """How many memories went with it."""
        ...

    async def create_agent(
        self, caller: TenantId, tenant_id: TenantId, agent: Agent, request: RequestKey | None
    ) -> datetime:
        """When it was created. Raises AlreadyExists."""
        ...

    async def delete_agent(
        self,
        caller: TenantId,
        tenant_id: TenantId,
        agent_id: AgentId,
        request: RequestKey | None,
        now: datetime,
    ) -> int:
        """How many memories went with it."""
        ...

    async def create_key(
        self, caller: TenantId, key: ApiKey, secret_digest: bytes, request: RequestKey | None
    ) -> KeyId:
        """The id of the key that the request created when it came first."""
        ...

    async def find_key(self, tenant_id: TenantId, key_id: KeyId) -> ApiKey: ...

    async def revoke_key(self, tenant_id: TenantId, key_id: KeyId, now: datetime) -> ApiKey: ...
