"""Rows of an agent that is deleted: counted, and shrunk where they are many."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from camillo_server.across.forgetting.store.scopes import count_rows_of_agent, shrink_scope, values_of_scope
from camillo_server.kernel.clock import time_ordered_uuid
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import EmptyReplay, replay_record
from camillo_server.rows.forgettable import Forgettables
from camillo_server.storage.blocklist import Blocking, block
from camillo_server.storage.database import Database, Session
from camillo_server.storage.receipts import Cause, Receipt, keep_receipt
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import statements

SQL = statements("across/admin/store/tenants")


@replay_record
@dataclass(frozen=True, slots=True)
class DeletedReplay:
    """How many memories went with a tenant or an agent; of an agent what its receipt says."""

    memories: int
    receipt_id: UUID | None = None
    stores: Mapping[str, int] = field(default_factory=dict)
    blocked_values: int = 0
    at: datetime | None = None

    def receipt(self, now: datetime) -> Receipt:
        """Made up where an earlier release kept no more than the memories of what a request had deleted."""
        stores = self.stores or ({"memories": self.memories} if self.memories else {})
        return Receipt(
            self.receipt_id,
            Cause.DELETE_AGENT,
            dict(sorted(stores.items())),
            self.blocked_values,
            self.at or now,
        )


class GoneElsewhere(NamedTuple):
    """Rows of other agents that went for the same reason, under the same receipt."""

    receipt_id: UUID
    stores: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class AgentRows:
    """How many rows of each store an agent has, and the fingerprints of what is to be blocked."""

    stores: Mapping[str, int]
    values: Set[bytes]


async def count_agent(session: Session, scope: Scope, declared: Forgettables, *, block_values: bool) -> AgentRows:
    values = await values_of_scope(session, scope, declared) if block_values else frozenset[bytes]()
    return AgentRows(await count_rows_of_agent(session, scope), values)


async def agent_rows(database: Database, scope: Scope, declared: Forgettables, *, block_values: bool) -> AgentRows:
    """Raises NotFound, and KeyMissing and BytesLost where a value cannot be read."""
    parameters = {"tenant_id": scope.tenant_id, "agent_id": scope.agent_id}
    async with database.snapshot(whole_tenant(scope.tenant_id)) as session:
        if await session.row(SQL["find_agent"], parameters) is None:
            raise NotFound("agent", scope.agent_id)
        return await count_agent(session, scope, declared, block_values=block_values)


async def empty_large_agent(
    writes: ScopeWrites, scope: Scope, declared: Forgettables, now: datetime, *, block_values: bool
) -> AgentRows:
    """Leaves no more rows than one transaction can delete, and returns what there was. Blocks the stated values first:
    a call that ends early is repeated when they are gone."""
    found = await agent_rows(writes.database, scope, declared, block_values=block_values)
    blocking = Blocking(list(found.values), time_ordered_uuid(now), now)
    receipt = Receipt(blocking.receipt_id, Cause.DELETE_AGENT, {}, len(found.values), now)

    async def change(session: Session, revision: int) -> EmptyReplay:
        await block(session, scope, blocking)
        await keep_receipt(session, scope, receipt)
        return EmptyReplay()

    if found.values:
        await writes.write(scope, None, EmptyReplay, change, now)
    await shrink_scope(writes, scope, declared, now)
    return found
