"""Tenants, agents and keys in Postgres: read in pages; quotas of tenants."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from camillo_server.across.admin.tenants import Agent, Tenant
from camillo_server.doors.identity.key_cache import ApiKey, SigningSecrets
from camillo_server.kernel.channel import Channel, ReadLimit
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Role, whole_tenant
from camillo_server.storage.database import NO_TENANT, Database, Session
from camillo_server.storage.scopes import scopes_of_tenant
from camillo_server.storage.statements import statements

SQL = statements("across/admin/store/tenants")


class TenantStore:
    """Reads tenants, agents and keys in pages. Every method raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tenants(self, after: TenantId, size: int) -> Sequence[Tenant]:
        """At most `size` tenants in the order of their ids, behind `after`."""
        parameters = {"after": after, "size": size}
        rows = await self._database.rows(NO_TENANT, SQL["tenants"], parameters)
        return [Tenant(TenantId(tenant_id), *rest) for tenant_id, *rest in rows]

    async def agents(self, tenant_id: TenantId, after: AgentId | None, size: int) -> Sequence[Agent]:
        """At most `size` agents in the order of their ids, behind `after` (None: from the first)."""
        return [Agent(*each) for each in await scopes_of_tenant(self._database, tenant_id, after, size)]

    async def keys(self, tenant_id: TenantId, after: tuple[datetime, KeyId] | None, size: int) -> Sequence[ApiKey]:
        """Newest first, behind `after` (None: from the newest)."""
        after_at, after_id = after or (None, None)
        parameters = {
            "tenant_id": tenant_id,
            "after_at": after_at,
            "after_id": after_id,
            "size": size,
        }
        rows = await self._database.records(whole_tenant(tenant_id), SQL["keys"], parameters)
        return [key_from(row) for row in rows]

    async def find(self, secret_digest: bytes) -> ApiKey | None:
        """The key whose secret has this digest, of whichever tenant."""
        parameters = {"secret_digest": secret_digest.hex()}

        async def work(session: Session) -> ApiKey | None:
            async with session.transaction():
                await session.execute(SQL["open_key"], parameters)
                row = await session.record(SQL["find_key_by_digest"], parameters)
                return key_from(row) if row else None

        return await self._database.read(NO_TENANT, work)

    async def signing_secrets(self, used_before: datetime) -> SigningSecrets:
        """The newest of those from before this time comes first; younger ones at the end."""
        parameters = {"used_before": used_before}
        signing, has_unsigned_keys = await self._database.read(
            NO_TENANT, lambda session: session.only_row(SQL["signing_secrets"], parameters)
        )
        return SigningSecrets(tuple(signing), has_unsigned_keys)


def key_from(row: Any) -> ApiKey:
    """The key in a named row of `api_keys`."""
    return ApiKey(
        key_id=KeyId(row.key_id),
        tenant_id=TenantId(row.tenant_id),
        agent_id=None if row.agent_id is None else AgentId(row.agent_id),
        role=Role(row.role),
        description=row.description,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        created_by=None if row.created_by is None else KeyId(row.created_by),
        read_limit=_read_limit(row),
        actors=_set_of(row.actors),
        document_categories=_set_of(row.document_categories),
        spaces=frozenset(row.spaces or ()),
    )


def _set_of(values: Sequence[str] | None) -> frozenset[str] | None:
    return None if values is None else frozenset(values)


def _read_limit(row: Any) -> ReadLimit | None:
    if row.channel is None and row.max_sensitivity is None:
        return None
    return ReadLimit(
        None if row.channel is None else Channel(row.channel),
        None if row.max_sensitivity is None else Sensitivity(row.max_sensitivity),
    )


async def require_tenant(session: Session, tenant_id: TenantId) -> None:
    """Raises NotFound."""
    if await session.row(SQL["find_tenant"], {"tenant_id": tenant_id}) is None:
        raise NotFound("tenant", tenant_id)
