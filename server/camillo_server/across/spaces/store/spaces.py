"""Spaces in Postgres: named in pages, and what else is told of them beside their usage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import Role, Scope, whole_tenant
from camillo_server.storage.database import Database
from camillo_server.storage.scopes import NamedScope, ScopeRange, scope_set, scopes_of_tenant
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("across/spaces/store/spaces")


@dataclass(frozen=True, slots=True)
class SpaceContents:
    """Memories by kind, different sessions, and when the first and the last memory or event was stored."""

    kinds: Mapping[MemoryKind, int]
    sessions: int
    oldest_at: datetime | None
    newest_at: datetime | None


class SpaceKey(NamedTuple):
    """A key that reaches a space. `grant` is empty where it needs none."""

    key_id: str
    description: str
    role: Role
    grant: str


class SpaceStore:
    """Reads what spaces hold. Every method raises StorageUnavailable."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def page(
        self, tenant_id: TenantId, ranges: Sequence[ScopeRange], after: AgentId | None, size: int
    ) -> Sequence[NamedScope]:
        """At most `size` spaces in these ranges, in the order of their paths, behind `after`."""
        return await scopes_of_tenant(self._database, tenant_id, after, size, ranges)

    async def last_reads(self, tenant_id: TenantId, agent_ids: Sequence[AgentId]) -> Mapping[AgentId, datetime]:
        """When a memory was last found, of spaces of which that is known."""
        parameters = {"tenant_id": tenant_id, "agent_ids": list(agent_ids)}
        rows = await self._database.rows(scope_set(tenant_id, agent_ids), SQL["last_reads"], parameters)
        return {AgentId(agent_id): read_at for agent_id, read_at in rows}

    async def contents(self, scope: Scope) -> SpaceContents:
        """The contents of one space, by a connection that is bound to it."""
        parameters = scope_parameters(scope)
        async with self._database.snapshot(scope) as session:
            kinds = await session.rows(SQL["kinds"], parameters)
            span = await session.only_row(SQL["span"], parameters)
        return SpaceContents({MemoryKind(kind): count for kind, count in kinds}, *span)

    async def readers(self, scope: Scope, patterns: Sequence[str], size: int) -> tuple[Sequence[SpaceKey], int]:
        """The newest keys that reach a space, at most `size`, and how many there are. `patterns` are the grants that
        cover it, without their verbs."""
        parameters = {
            **scope_parameters(scope),
            "patterns": list(patterns),
            "size": size,
            "now": self._clock.now(),
        }
        rows = await self._database.records(whole_tenant(scope.tenant_id), SQL["readers"], parameters)
        keys = [SpaceKey(row.key_id, row.description, Role(row.role), row.granted) for row in rows]
        return keys, rows[0].all_of_them if rows else 0
