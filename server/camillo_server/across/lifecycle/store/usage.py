"""Contents of scopes, counted in Postgres."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.storage.database import Database
from camillo_server.storage.scopes import scope_set, scopes_of_tenant
from camillo_server.storage.statements import statements

SQL = statements("across/lifecycle/store/usage")


@dataclass(frozen=True, slots=True)
class StoreUsage:
    """Rows of one store, and bytes of their contents before the database adds or saves any."""

    store: str
    rows: int
    bytes: int
    # When the last of them was written; None where another store tells that.
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemoryFigures:
    """How many memories there are of each sort, and when the oldest and the newest were stored."""

    active: int = 0
    archived: int = 0
    expired: int = 0
    pinned: int = 0
    oldest_at: datetime | None = None
    newest_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ScopeContents:
    """Stores that are not empty, in the order of their names."""

    agent_id: AgentId
    stores: Sequence[StoreUsage]
    memories: MemoryFigures


class UsageStore:
    """Counts the rows of scopes. Both methods raise StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def agent_ids(self, tenant_id: TenantId, after: AgentId | None, size: int) -> Sequence[AgentId]:
        """The agents of a tenant that have a scope, in the order of their ids, behind `after` (None: from the first);
        the empty id is that of the shared scope."""
        return [each.agent_id for each in await scopes_of_tenant(self._database, tenant_id, after, size)]

    async def contents(
        self, tenant_id: TenantId, agent_ids: Sequence[AgentId], *, now: datetime
    ) -> Sequence[ScopeContents]:
        """The contents of these scopes, in the given order; empty ones among them."""
        parameters = {"tenant_id": tenant_id, "agent_ids": list(agent_ids), "now": now}
        async with self._database.snapshot(scope_set(tenant_id, agent_ids)) as session:
            counted = await session.rows(SQL["stores"], parameters)
            figures = await session.rows(SQL["memories"], parameters)
        stores: dict[AgentId, list[StoreUsage]] = defaultdict(list)
        for agent_id, store, rows, nbytes, last_at in counted:
            stores[AgentId(agent_id)].append(StoreUsage(store, int(rows), int(nbytes), last_at))
        memories = {AgentId(agent_id): MemoryFigures(*counts) for agent_id, *counts in figures}
        return [ScopeContents(each, stores[each], memories.get(each, MemoryFigures())) for each in agent_ids]
