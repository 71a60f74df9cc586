"""Reads of tenants, agents and keys."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.admin.tenants import Agent, Tenant
from camillo_server.identity.api_keys import ApiKey
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.scope import Role
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scopes import NO_TENANT
from camillo_server.storage.statements import statements

SQL = statements("admin/store/tenants")


async def database_identity(database: Database) -> UUID:
    """The id that every database has from its first migration on."""

    async def work(session: Session) -> UUID:
        row = await session.only_row(SQL["database_identity"], {})
        identity: UUID = row[0]
        return identity

    return await database.read(NO_TENANT, work)


class TenantStore:
    """Reads tenants, agents and keys in pages. Every method raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tenants(self, after: TenantId, size: int) -> Sequence[Tenant]:
        """In the order of their ids, behind `after`."""

        async def work(session: Session) -> Sequence[Tenant]:
            async with session.transaction():
                await session.execute(SQL["open_tenant_list"])
                rows = await session.rows(SQL["tenants"], {"after": after, "size": size})
                return [Tenant(TenantId(row[0]), row[1], row[2]) for row in rows]

        return await self._database.read(NO_TENANT, work)

    async def agents(
        self, tenant_id: TenantId, after: AgentId | None, size: int
    ) -> Sequence[Agent]:
        """In the order of their ids, behind `after` (None: from the first)."""
        parameters = {"tenant_id": tenant_id, "after": after, "size": size}

        async def work(session: Session) -> Sequence[Agent]:
            rows = await session.rows(SQL["agents"], parameters)
            return [Agent(AgentId(row[0]), row[1], row[2]) for row in rows]

        return await self._database.read(tenant_id, work)

    async def keys(
        self, tenant_id: TenantId, after: tuple[datetime, KeyId] | None, size: int
    ) -> Sequence[ApiKey]:
        """Newest first, behind `after` (None: from the newest)."""
        after_at, after_id = after or (None, None)
        parameters = {
            "tenant_id": tenant_id,
            "after_at": after_at,
            "after_id": after_id,
            "size": size,
        }

        async def work(session: Session) -> Sequence[ApiKey]:
            return [key_from(row) for row in await session.rows(SQL["keys"], parameters)]

        return await self._database.read(tenant_id, work)

    async def find(self, secret_digest: bytes) -> ApiKey | None:
        """The key whose secret has this digest, of whichever tenant."""
        parameters = {"secret_digest": secret_digest.hex()}

        async def work(session: Session) -> ApiKey | None:
            async with session.transaction():
                await session.execute(SQL["open_key"], parameters)
                row = await session.row(SQL["find_key_by_digest"], parameters)
                return key_from(row) if row else None

        return await self._database.read(NO_TENANT, work)


def key_from(row: Sequence[Any]) -> ApiKey:
    """The key in a row of `api_keys`."""
    tenant_id, key_id, agent_id, role, *rest = row
    own_agent = None if agent_id is None else AgentId(agent_id)
    return ApiKey(KeyId(key_id), TenantId(tenant_id), own_agent, Role(role), *rest)
