"""Tenants, their agents, and the keys that callers ask for."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from camillo_server.kernel.channel import ReadLimit
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Role


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
class KeyDraft:
    """The key that a caller asks for; no agent means any agent."""

    tenant_id: TenantId
    agent_id: AgentId | None
    role: Role
    description: str
    lifetime: timedelta | None
    read_limit: ReadLimit | None = None
    actors: frozenset[str] | None = None
    document_categories: frozenset[str] | None = None
    spaces: frozenset[str] = frozenset()
