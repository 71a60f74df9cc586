"""Entries of the audit trail of what is not changed: reads, cuts of bundles, refused calls. Written behind, or at once
where they tell of administration (docs/audit.md)."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any

import psycopg

from camillo_server.kernel.clock import Clock, TokenBucket
from camillo_server.kernel.errors import DomainError, NotFound
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.storage.database import NO_TENANT, Database
from camillo_server.storage.statements import statements
from camillo_server.storage.written_requests import Ids, audit_of, audits_json

logger = logging.getLogger(__name__)
SQL = statements("storage/written_requests")
FLUSH_SECONDS = 1.0
# The maximum number of entries that wait in memory for Postgres: of a tenant, and of all.
MAX_OF_TENANT, MAX_QUEUED = 5_000, 50_000
# The maximum number of entries in a transaction, for which the writers of their scopes wait.
ENTRIES_AT_ONCE = 200
# How long an administrator's call waits for its entry; after that, the entry is queued.
ENTER_SECONDS = 1.0
# Refused calls of a credential that have an entry of their own: so many at once, and then one a minute.
REFUSALS_AT_ONCE, REFUSALS_PER_SECOND = 20, 1 / 60
MAX_CREDENTIALS = 10_000
DROPPED = "audit_queue"
# Entries that are not written, in figures: by why.
FULL, REPEATED_REFUSAL, UNSTORABLE = "queue_full", "refusal", "refused_by_postgres"
Audit = Mapping[str, Any]


class RefusalRates:
    """Bounds the entries of refused calls by credential; the next entry counts those that had none."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[TenantId, str], TokenBucket] = {}
        self._uncounted: Counter[tuple[TenantId, str]] = Counter()

    def take(self, tenant_id: TenantId, credential: str, now: float) -> int:
        """How many refusals an entry tells of now; 0 for no entry."""
        key = tenant_id, credential
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MAX_CREDENTIALS:
                self._buckets.clear()
                self._uncounted.clear()
            bucket = self._buckets[key] = TokenBucket(REFUSALS_AT_ONCE, now)
        if bucket.refill(now, REFUSALS_PER_SECOND, REFUSALS_AT_ONCE) < 1:
            self._uncounted[key] += 1
            return 0
        bucket.tokens -= 1
        return 1 + self._uncounted.pop(key, 0)


class AuditQueue:
    """Belongs to one event loop. Entries that wait are lost if the process is killed: those of a second at most, while
    Postgres answers."""

    def __init__(self, database: Database, background: Database, clock: Clock, unentered: Counter[str]) -> None:
        """`unentered` counts entries that are not written, by why."""
        # Tenants whose reads are entered.
        self.reading: set[TenantId] = set()
        self._database = database
        self._background = background
        self._clock = clock
        self._unentered = unentered
        self._queued: dict[TenantId, list[Audit]] = {}
        self._count = 0
        self._dropped: Counter[TenantId] = Counter()
        self._refusals = RefusalRates()
        self._is_wanted = asyncio.Event()
        self._flushing = asyncio.Lock()

    def note(self, scope: Scope, facts: Ids) -> None:
        """Enters behind the call what the current caller did in a scope."""
        self._add(scope, audit_of(None, self._clock.now(), facts))

    def note_refusal(self, tenant_id: TenantId, credential: str, code: str) -> None:
        """Enters that the current call, of an administrator's method, was refused; within the bounds of its
        credential."""
        now = asyncio.get_running_loop().time()
        refused = self._refusals.take(tenant_id, credential, now)
        if not refused:
            self._unentered[REPEATED_REFUSAL] += 1
            return
        facts = {"outcome": code} if refused == 1 else {"outcome": code, "refused_count": refused}
        self.note(Scope(tenant_id, AgentId("")), facts)

    async def enter(self, scope: Scope, facts: Ids) -> None:
        """Enters what the current caller did in a scope before it returns; behind it where Postgres is not quick. A
        tenant that is not there has no trail."""
        audit = audit_of(None, self._clock.now(), facts)
        try:
            async with asyncio.timeout(ENTER_SECONDS):
                await self._enter(self._database, scope.tenant_id, [_with_scope(scope, audit)])
        except NotFound:
            return
        except (DomainError, TimeoutError):
            self._add(scope, audit)

    async def refresh(self) -> None:
        """Learns whose reads are entered. Raises StorageUnavailable."""
        rows = await self._database.rows(NO_TENANT, SQL["tenants_with_audited_reads"], {})
        found = {TenantId(tenant_id) for (tenant_id,) in rows}
        # The set itself is what calls look at.
        self.reading &= found
        self.reading |= found

    async def run(self) -> None:
        """Writes what is queued, once a second, for ever. Raises StorageUnavailable."""
        while True:
            await self._is_wanted.wait()
            await asyncio.sleep(FLUSH_SECONDS)
            # A process that stops does not cut off what is on its way: it would not know what became of it.
            await asyncio.shield(self.flush())

    async def flush(self) -> None:
        """Writes all that is queued. Entries that Postgres does not take stay queued. Raises StorageUnavailable."""
        async with self._flushing:
            self._is_wanted.clear()
            try:
                for tenant_id in list(self._queued):
                    await self._flush(tenant_id)
            finally:
                if self._queued:
                    self._is_wanted.set()

    async def close(self) -> None:
        """Writes what is queued, if Postgres is there."""
        try:
            await self.flush()
        except DomainError as error:
            extra = {"entries": self._count, "reason": error.reason}
            logger.warning("entries of the audit trail are lost", extra=extra)

    def _add(self, scope: Scope, audit: Audit) -> None:
        queue = self._queued.setdefault(scope.tenant_id, [])
        if len(queue) >= MAX_OF_TENANT or self._count >= MAX_QUEUED:
            self._dropped[scope.tenant_id] += 1
            self._unentered[FULL] += 1
        else:
            queue.append(_with_scope(scope, audit))
            self._count += 1
        self._is_wanted.set()

    async def _flush(self, tenant_id: TenantId) -> None:
        queue = self._queued[tenant_id]
        if dropped := self._dropped.pop(tenant_id, 0):
            queue.append(self._of_dropped(dropped))
        size = ENTRIES_AT_ONCE
        while queue:
            batch = queue[:size]
            del queue[:size]
            try:
                await self._enter(self._background, tenant_id, batch)
            except NotFound:
                # The tenant was deleted, and its trail with it.
                queue.clear()
            except DomainError:
                queue[:0] = batch
                raise
            except psycopg.Error as error:
                # One that Postgres refuses costs no other: alone from here on, each is told apart.
                if size > 1:
                    queue[:0], size = batch, 1
                else:
                    self._refused(tenant_id, error)
            finally:
                self._count = sum(map(len, self._queued.values()))
        del self._queued[tenant_id]

    def _refused(self, tenant_id: TenantId, error: psycopg.Error) -> None:
        extra = {"cause": type(error).__name__}
        logger.error("postgres refused an entry of the audit trail", extra=extra)
        self._dropped[tenant_id] += 1
        self._unentered[UNSTORABLE] += 1

    def _of_dropped(self, number: int) -> Audit:
        facts = {"dropped_count": number}
        now = self._clock.now()
        return {"agent_id": "", "at": now, "method": DROPPED, "credential": "", "facts": facts}

    async def _enter(self, database: Database, tenant_id: TenantId, audits: list[Audit]) -> None:
        parameters = {"tenant_id": tenant_id, "audits": audits_json(audits)}
        await database.write(whole_tenant(tenant_id), lambda session: session.execute(SQL["enter_all"], parameters))


def _with_scope(scope: Scope, audit: Audit) -> Audit:
    """With the scope: among the facts, too, since one that has stored nothing has no chain of its own."""
    if not scope.agent_id:
        return {**audit, "agent_id": ""}
    facts = {**audit["facts"], "scope_agent_id": scope.agent_id}
    return {**audit, "agent_id": scope.agent_id, "facts": facts}
