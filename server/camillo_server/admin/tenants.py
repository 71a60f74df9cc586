"""Tenants, agents and keys, and what may be done to them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from camillo_server.identity.api_keys import ApiKey
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import ScopeForbidden
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.scope import Principal, Role
from camillo_server.kernel.writes import RequestKey


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


@dataclass(frozen=True, slots=True)
class KeyWish:
    """The key that a caller asks for; no agent means any agent."""

    tenant_id: TenantId
    agent_id: AgentId | None
    role: Role
    description: str
    lifetime: timedelta | None


@dataclass(frozen=True, slots=True)
class NewSecret:
    """The secret of a new key, and what is stored of it."""

    key_id: KeyId
    secret: str
    digest: bytes


class CreateKey:
    """Makes a key, at most as strong as its maker, and shows its secret once."""

    def __init__(
        self, administration: Administration, make_secret: Callable[[], NewSecret], clock: Clock
    ) -> None:
        self._administration = administration
        self._make_secret = make_secret
        self._clock = clock

    async def __call__(
        self, caller: Principal, wish: KeyWish, request: RequestKey | None
    ) -> tuple[ApiKey, str]:
        """The key and its secret; the secret is empty for a repeated request. Raises ScopeForbidden, NotFound."""
        if wish.role > caller.role:
            raise ScopeForbidden("a key cannot have a higher role than its maker", wish.role)
        now = self._clock.now()
        made = self._make_secret()
        key = ApiKey(
            key_id=made.key_id,
            tenant_id=wish.tenant_id,
            agent_id=wish.agent_id,
            role=wish.role,
            description=wish.description,
            created_at=now,
            expires_at=now + wish.lifetime if wish.lifetime else None,
            revoked_at=None,
        )
        key_id = await self._administration.create_key(caller.tenant_id, key, made.digest, request)
        if key_id != made.key_id:
            return await self._administration.find_key(wish.tenant_id, key_id), ""
        return key, made.secret
