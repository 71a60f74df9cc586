"""Use cases of the audit trail: lists, follows and checks it."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from functools import partial

from camillo_formats.audit_chain import AuditChain, AuditHead, ChainCheck

from camillo_server.features.audit.entry import AuditCursor, AuditEntry, AuditFilter
from camillo_server.features.audit.store import AuditStore
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import ROW, off_loop

WATCHED_AT_ONCE = 500
# Watchers are told within so many seconds; entries of all scopes come by no notification.
WATCH_SECONDS = 0.5


class Audit:
    """Every method raises StorageUnavailable."""

    def __init__(self, store: AuditStore) -> None:
        self._store = store

    async def list(
        self, tenant_id: TenantId, filter: AuditFilter, before: AuditCursor | None, size: int
    ) -> Sequence[AuditEntry]:
        """At most `size` entries, the last committed first."""
        return await self._store.page(tenant_id, filter, before, size)

    async def watch(
        self, tenant_id: TenantId, filter: AuditFilter, after: AuditCursor
    ) -> AsyncGenerator[tuple[Sequence[AuditEntry], AuditCursor | None]]:
        """Entries behind the cursor in the order of commits, without end: each once, some at a time. When all are told
        that there are, that is told, too, by where to go on."""
        is_told = False
        while True:
            entries, after = await self._store.changes(tenant_id, filter, after, WATCHED_AT_ONCE)
            was_told, is_told = is_told, len(entries) < WATCHED_AT_ONCE
            if entries or not was_told:
                yield entries, after if is_told else None
            if is_told:
                await asyncio.sleep(WATCH_SECONDS)

    async def verify(self, tenant_id: TenantId, known: Iterable[AuditHead]) -> AsyncGenerator[ChainCheck]:
        """Every chain of the tenant, checked, by agent; those of known heads that are gone, too."""
        by_agent: dict[str, dict[int, bytes]] = defaultdict(dict)
        for head in known:
            by_agent[head.agent_id][head.position] = head.hash
        async with aclosing(self._store.chains(tenant_id)) as chains:
            async for chain, parts in chains:
                check = ChainCheck(tenant_id, chain, by_agent.pop(chain.head.agent_id, {}))
                async with aclosing(parts):
                    async for entries in parts:
                        cost = len(entries) * ROW
                        await off_loop(cost, partial(check.add, entries))
                check.finish()
                yield check
        for agent_id, heads in sorted(by_agent.items()):
            gone = ChainCheck(tenant_id, AuditChain(AuditHead(agent_id, 0, b""), 0, b""), heads)
            gone.finish()
            yield gone
