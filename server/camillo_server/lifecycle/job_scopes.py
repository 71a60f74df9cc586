"""Scopes that need a job, found by a query for every tenant."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from camillo_server.jobs.pending import Defer, PendingScopes
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lifecycle.maintenance import Maintenance
from camillo_server.lifecycle.store.embedding_backlog import EmbeddingBacklog
from camillo_server.storage.database import Database
from camillo_server.storage.scopes import all_tenant_ids, scopes_with_memories


class MissingVectors:
    """Defers a job for every scope that has a memory without a vector."""

    def __init__(
        self, database: Database, backlog: EmbeddingBacklog, pending: PendingScopes
    ) -> None:
        """`pending` are the scopes that writers add after a commit."""
        self._database = database
        self._backlog = backlog
        self.pending = pending

    async def defer_everywhere(self, defer: Defer) -> None:
        """Defers for every scope that has something without a vector."""
        await defer_of_all_tenants(self._database, self._backlog.scopes, defer)


class MaintenanceJobs:
    """Maintains every scope, one job for each; `cron` is when, None for never."""

    def __init__(self, database: Database, maintenance: Maintenance, cron: str | None) -> None:
        self.cron = cron
        self._database = database
        self._maintenance = maintenance

    async def maintain(self, scope: Scope) -> None:
        """Runs one pass in one transaction: repeated, it finds nothing to do."""
        await self._maintenance.maintain(scope, None, None, dry_run=False)

    async def defer_everywhere(self, defer: Defer) -> None:
        """Defers for every scope that has memories."""
        scopes_of = partial(scopes_with_memories, self._database)
        await defer_of_all_tenants(self._database, scopes_of, defer)


async def defer_of_all_tenants(
    database: Database,
    scopes_of: Callable[[TenantId], Awaitable[Sequence[Scope]]],
    defer: Defer,
) -> None:
    """Defers for the scopes of each tenant, one tenant after the other."""
    for tenant_id in await all_tenant_ids(database):
        await defer(await scopes_of(tenant_id))
