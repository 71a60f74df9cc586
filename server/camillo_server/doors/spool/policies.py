"""How the writes of each tenant are handled while Postgres is away: set by its administrators, known to every
process."""

from dataclasses import dataclass
from enum import IntEnum

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import RequestKey, Written, replay_record
from camillo_server.storage.database import NO_TENANT, Database, Session
from camillo_server.storage.statements import statements
from camillo_server.storage.written_requests import first_answer, keep_answer, write_once

SQL = statements("doors/spool/spool")


class SpoolPolicy(IntEnum):
    """The numbers are those of the contract."""

    SPOOL = 1
    REFUSE = 2
    DROP = 3


@replay_record
@dataclass(frozen=True, slots=True)
class PolicyReplay:
    """The record of a request that set a policy."""

    policy: SpoolPolicy


class SpoolPolicies:
    """The policies of all tenants, as of the last refresh. Belongs to one event loop."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._set: dict[TenantId, SpoolPolicy] = {}

    def of(self, tenant_id: TenantId) -> SpoolPolicy:
        """The policy of a tenant, as far as this process knows."""
        return self._set.get(tenant_id, SpoolPolicy.SPOOL)

    async def refresh(self) -> None:
        """Learns what tenants have set. Raises StorageUnavailable."""
        rows = await self._database.rows(NO_TENANT, SQL["policies"], {})
        self._set = {TenantId(tenant_id): SpoolPolicy(policy) for tenant_id, policy in rows}

    async def get(self, tenant_id: TenantId) -> SpoolPolicy:
        """The policy of a tenant, as Postgres has it. Raises StorageUnavailable."""
        parameters = {"tenant_id": tenant_id}
        row = await self._database.record(whole_tenant(tenant_id), SQL["policy"], parameters)
        return SpoolPolicy.SPOOL if row is None else SpoolPolicy(row.policy)

    async def set(self, tenant_id: TenantId, policy: SpoolPolicy, request: RequestKey | None) -> SpoolPolicy:
        """The policy as this request set it when it came first; it is entered in the audit trail by the same
        transaction. Raises RequestIdReused, StorageUnavailable."""
        scope, now = Scope(tenant_id, AgentId("")), self._clock.now()

        async def work(session: Session) -> SpoolPolicy:
            answer = await first_answer(session, scope, request, PolicyReplay, now)
            if answer is not None:
                return answer.record.policy
            values = {"tenant_id": tenant_id, "policy": int(policy)}
            await session.execute(SQL["set_policy"], values)
            kept = Written(0, PolicyReplay(policy))
            await keep_answer(session, scope, request, kept, now, {"policy": int(policy)})
            return policy

        kept = await write_once(lambda: self._database.transaction(whole_tenant(tenant_id), work))
        await self.refresh()
        return kept
