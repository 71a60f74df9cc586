"""The audit trail of a tenant, read: only what is changed writes it (storage/audit.py)."""

import json
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from typing import Any

from camillo_server.audit.entry import (
    AuditChain,
    AuditCursor,
    AuditEntry,
    AuditFilter,
    AuditHead,
)
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import whole_tenant
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import statements

SQL = statements("audit/audit")
ENTRIES_AT_ONCE = 2_000
LATEST = AuditCursor(2**63 - 1, "", 0)
EARLIEST = datetime.min.replace(tzinfo=UTC)


class AuditStore:
    """Every method raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, tenant_id: TenantId, filter: AuditFilter, before: AuditCursor | None, size: int
    ) -> Sequence[AuditEntry]:
        """At most `size`, the last committed first."""
        return await self._read(tenant_id, "page", filter, before or LATEST, size)

    async def changes(
        self, tenant_id: TenantId, filter: AuditFilter, after: AuditCursor, size: int
    ) -> Sequence[AuditEntry]:
        """At most `size` behind the cursor in the order of commits. An entry is told when no transaction that began before its own
        still runs, so that none is passed over."""
        return await self._read(tenant_id, "changes", filter, after, size)

    async def chains(
        self, tenant_id: TenantId
    ) -> AsyncGenerator[tuple[AuditChain, AsyncGenerator[Sequence[AuditEntry]]]]:
        """Every chain with its entries, in parts, as all of them are at one moment. The entries of one are to be read before the
        next is asked for."""
        async with self._database.snapshot(whole_tenant(tenant_id)) as session:
            for row in await session.rows(SQL["chains"], {"tenant_id": tenant_id}):
                agent_id, position, hash_, pruned_position, pruned_hash = row
                head = AuditHead(AgentId(agent_id), position, bytes(hash_))
                chain = AuditChain(head, pruned_position, bytes(pruned_hash))
                yield chain, _entries(session, tenant_id, head.agent_id)

    async def _read(
        self,
        tenant_id: TenantId,
        name: str,
        filter: AuditFilter,
        cursor: AuditCursor,
        size: int,
    ) -> Sequence[AuditEntry]:
        is_service = filter.method.endswith("/")
        parameters = {
            "tenant_id": tenant_id,
            "of_agent_id": filter.agent_id,
            "method": filter.method if filter.method and not is_service else None,
            "service": filter.method if is_service else None,
            "credential": filter.credential or None,
            # In the JSON as it stands.
            "id": json.dumps(filter.id, ensure_ascii=False) if filter.id else None,
            "at_from": filter.at_from,
            "at_before": filter.at_before,
            "transaction_id": str(cursor.transaction_id),
            "agent_id": cursor.agent_id,
            "position": cursor.position,
            "size": size,
        }
        rows = await self._database.rows(whole_tenant(tenant_id), SQL[name], parameters)
        return [_entry(row) for row in rows]


async def _entries(
    session: Session, tenant_id: TenantId, agent_id: AgentId
) -> AsyncGenerator[Sequence[AuditEntry]]:
    key = {"tenant_id": tenant_id, "agent_id": agent_id, "size": ENTRIES_AT_ONCE}
    position, at = 0, EARLIEST
    while True:
        rows = await session.rows(SQL["of_chain"], {**key, "position": position, "at": at})
        if not rows:
            return
        entries = [_entry(row) for row in rows]
        yield entries
        position, at = entries[-1].position, entries[-1].at


def _entry(row: Sequence[Any]) -> AuditEntry:
    *fields, text_digest, hash_ = row
    return AuditEntry(*fields, text_digest and bytes(text_digest), bytes(hash_))  # type: ignore[call-arg]
