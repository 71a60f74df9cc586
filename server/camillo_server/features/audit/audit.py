"""The audit trail of a tenant, listed, followed and checked: only what is changed writes it (storage/audit.py)."""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from functools import partial
from typing import Any

from camillo_formats.audit_chain import AuditChain, AuditHead, ChainCheck

from camillo_server.features.audit.actions import ActionRows
from camillo_server.features.audit.entry import AuditCursor, AuditEntry, AuditFilter, action_digest
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import ROW, map_off_loop, off_loop
from camillo_server.kernel.scope import whole_tenant
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import statements

SQL = statements("features/audit/audit")
ENTRIES_AT_ONCE = 2_000
WATCHED_AT_ONCE = 500
# How often a watch looks for new entries: those of all scopes come by no notification.
WATCH_SECONDS = 0.5
LATEST = AuditCursor(2**63 - 1, "", 0)
EARLIEST = datetime.min.replace(tzinfo=UTC)


class Audit:
    """Every method raises StorageUnavailable, and KeyMissing and BytesLost for an action that cannot be read."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._actions = ActionRows(keyring)

    async def list(
        self, tenant_id: TenantId, filter: AuditFilter, before: AuditCursor | None, size: int
    ) -> Sequence[AuditEntry]:
        """At most `size` entries, the last committed first."""
        return await self._read(tenant_id, "page", filter, before or LATEST, size)

    async def watch(
        self, tenant_id: TenantId, filter: AuditFilter, after: AuditCursor
    ) -> AsyncGenerator[tuple[Sequence[AuditEntry], AuditCursor | None]]:
        """Entries behind the cursor in the order of commits, without end: each once, some at a time. When all of them
        have been yielded, the position behind them is, too; None before."""
        is_complete = False
        while True:
            entries, after = await self._changes(tenant_id, filter, after, WATCHED_AT_ONCE)
            was_complete, is_complete = is_complete, len(entries) < WATCHED_AT_ONCE
            if entries or not was_complete:
                yield entries, after if is_complete else None
            if is_complete:
                await asyncio.sleep(WATCH_SECONDS)

    async def _changes(
        self, tenant_id: TenantId, filter: AuditFilter, after: AuditCursor, size: int
    ) -> tuple[Sequence[AuditEntry], AuditCursor]:
        """At most `size` behind the cursor in the order of commits, and the next cursor. An entry is read when no
        transaction that began before its own still runs, so that none is passed over."""
        ((horizon,),) = await self._database.rows(whole_tenant(tenant_id), SQL["horizon"], {})
        entries = await self._read(tenant_id, "changes", filter, after, size, str(horizon))
        if len(entries) < size:
            return entries, max(after, AuditCursor(horizon, "", 0))
        return entries, entries[-1].cursor

    async def verify(self, tenant_id: TenantId, known: Iterable[AuditHead]) -> AsyncGenerator[ChainCheck]:
        """Every chain of the tenant, checked, by agent; those of known heads that are gone, too."""
        by_agent: dict[str, dict[int, bytes]] = defaultdict(dict)
        for head in known:
            by_agent[head.agent_id][head.position] = head.hash
        async with aclosing(self._chains(tenant_id)) as chains:
            async for chain, parts in chains:
                check = ChainCheck(tenant_id, chain, by_agent.pop(chain.head.agent_id, {}))
                async with aclosing(parts):
                    async for entries in parts:
                        await off_loop(len(entries) * ROW, partial(check.add, entries))
                check.finish()
                yield check
        for agent_id, heads in sorted(by_agent.items()):
            gone = ChainCheck(tenant_id, AuditChain(AuditHead(agent_id, 0, b""), 0, b""), heads)
            gone.finish()
            yield gone

    async def _chains(
        self, tenant_id: TenantId
    ) -> AsyncGenerator[tuple[AuditChain, AsyncGenerator[Sequence[AuditEntry]]]]:
        """Every chain with its entries, in parts, as all of them are at one moment. The entries of one are to be read
        before the next is asked for."""
        async with self._database.snapshot(whole_tenant(tenant_id)) as session:
            for row in await session.rows(SQL["chains"], {"tenant_id": tenant_id}):
                agent_id, position, hash_, pruned_position, pruned_hash = row
                chain = AuditChain(AuditHead(agent_id, position, bytes(hash_)), pruned_position, bytes(pruned_hash))
                yield chain, self._entries(session, tenant_id, AgentId(agent_id))

    async def _read(
        self,
        tenant_id: TenantId,
        name: str,
        filter: AuditFilter,
        cursor: AuditCursor,
        size: int,
        horizon: str = "",
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
            "horizon": horizon,
        }
        rows = await self._database.records(whole_tenant(tenant_id), SQL[name], parameters)
        return await self._read_rows(tenant_id, rows)

    async def _entries(
        self, session: Session, tenant_id: TenantId, agent_id: AgentId
    ) -> AsyncGenerator[Sequence[AuditEntry]]:
        key = {"tenant_id": tenant_id, "agent_id": agent_id, "size": ENTRIES_AT_ONCE}
        position, at = 0, EARLIEST
        while True:
            parameters = {**key, "position": position, "at": at}
            rows = await session.records(SQL["of_chain"], parameters)
            if not rows:
                return
            entries = await self._read_rows(tenant_id, rows)
            yield entries
            position, at = entries[-1].position, entries[-1].at

    async def _read_rows(self, tenant_id: TenantId, rows: Sequence[Any]) -> Sequence[AuditEntry]:
        return await map_off_loop(partial(self._entry, tenant_id), rows)

    def _entry(self, tenant_id: TenantId, row: Any) -> AuditEntry:
        action = digest = None
        if row.salt is not None:
            action = self._actions.draft(tenant_id, row)
            digest = action_digest(action, bytes(row.salt))
        return AuditEntry(
            agent_id=AgentId(row.agent_id),
            position=row.position,
            at=row.at,
            transaction_id=row.transaction_id,
            revision=row.revision,
            method=row.method,
            credential=row.credential,
            facts=row.facts,
            action_id=row.action_id,
            action_digest=row.action_digest and bytes(row.action_digest),
            hash=bytes(row.hash),
            action=action,
            present_digest=digest,
        )
