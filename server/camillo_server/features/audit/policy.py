"""The policy of a tenant's audit trail: set by its administrators, carried out once an hour."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from camillo_server.kernel.clock import Clock, earlier
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import RequestKey, Written, replay_record
from camillo_server.storage.audit_queue import AuditQueue
from camillo_server.storage.database import NO_TENANT, Database, Session
from camillo_server.storage.scopes import all_tenant_ids
from camillo_server.storage.statements import statements
from camillo_server.storage.written_requests import first_answer, keep_answer, write_once

SQL = statements("features/audit/audit")
# The most entries and chains of one transaction, for which writers of these scopes wait.
PRUNED_AT_ONCE = 5_000
CHAINS_AT_ONCE = 500


@replay_record
@dataclass(frozen=True, slots=True)
class AuditPolicy:
    """Entries are kept for so many days (0: for ever) and go by whole months; reads are entered, or not."""

    retention_days: int = 0
    audit_reads: bool = False


class AuditPolicies:
    """Every method raises StorageUnavailable."""

    def __init__(self, database: Database, queue: AuditQueue, clock: Clock) -> None:
        self._database = database
        self._queue = queue
        self._clock = clock

    async def get(self, tenant_id: TenantId) -> AuditPolicy:
        """The tenant's policy."""
        return await _policy(self._database, tenant_id)

    async def set(self, tenant_id: TenantId, policy: AuditPolicy, request: RequestKey | None) -> AuditPolicy:
        """The policy as this request set it when it came first; it is entered with its values, by the same transaction.
        Raises RequestIdReused."""
        scope, now = Scope(tenant_id, AgentId("")), self._clock.now()
        values = {"retention_days": policy.retention_days, "audit_reads": policy.audit_reads}

        async def work(session: Session) -> AuditPolicy:
            answer = await first_answer(session, scope, request, AuditPolicy, now)
            if answer is not None:
                return answer.record
            await session.execute(SQL["set_policy"], {"tenant_id": tenant_id, **values})
            await keep_answer(session, scope, request, Written(0, policy), now, values)
            return policy

        kept = await write_once(lambda: self._database.transaction(whole_tenant(tenant_id), work))
        await self._queue.refresh()
        return kept


class AuditRetention:
    """Lets entries go that tenants need not keep, and makes room for those that come."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """One pass over all tenants; several at once do no harm. Raises StorageUnavailable."""
        await self._database.write(NO_TENANT, lambda session: session.execute(SQL["keep_partitions"], {}))
        for tenant_id in await all_tenant_ids(self._database):
            await self._prune(tenant_id)

    async def _prune(self, tenant_id: TenantId) -> None:
        policy = await _policy(self._database, tenant_id)
        if not policy.retention_days:
            return
        scope, now = whole_tenant(tenant_id), self._clock.now()
        parameters = {"tenant_id": tenant_id, "before": first_kept(policy, now)}
        rows = await self._database.rows(scope, SQL["chains_to_prune"], parameters)
        for chains in _parts([agent_id for (agent_id,) in rows]):
            prune = partial(_pruned, chains=chains, now=now)
            while await self._database.transaction(scope, prune) >= PRUNED_AT_ONCE:
                pass


def first_kept(policy: AuditPolicy, now: datetime) -> datetime:
    """The beginning of the oldest month of which everything is kept."""
    last = earlier(now, timedelta(days=policy.retention_days)).astimezone(UTC)
    return last.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


async def _policy(database: Database, tenant_id: TenantId) -> AuditPolicy:
    row = await database.record(whole_tenant(tenant_id), SQL["policy"], {"tenant_id": tenant_id})
    return AuditPolicy() if row is None else AuditPolicy(row.retention_days, row.audit_reads)


async def _pruned(session: Session, chains: Sequence[str], now: datetime) -> int:
    parameters = {"chains": chains, "now": now, "most": PRUNED_AT_ONCE}
    (number,) = await session.only_row(SQL["prune"], parameters)
    return int(number)


def _parts(chains: Sequence[str]) -> Iterator[Sequence[str]]:
    return (chains[at : at + CHAINS_AT_ONCE] for at in range(0, len(chains), CHAINS_AT_ONCE))
