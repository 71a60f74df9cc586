"""Maintains every scope, one job for each."""

from camillo_server.domain.lifecycle.run_maintenance import RunMaintenance
from camillo_server.domain.scope import Scope
from camillo_server.jobs.noticed_scopes import Defer, defer_in_parts
from camillo_server.storage.database import Database
from camillo_server.storage.tenants import all_tenant_ids, scopes_with_memories


class Maintenance:
    """What the jobs of maintenance do; `cron` is when every scope is maintained, None for never."""

    def __init__(self, database: Database, run: RunMaintenance, cron: str | None) -> None:
        self.cron = cron
        self._database = database
        self._run = run

    async def maintain(self, scope: Scope) -> None:
        """One pass, which is one transaction: repeated, it finds nothing left to do."""
        await self._run(scope, None, None, dry_run=False)

    async def defer_everywhere(self, defer: Defer) -> None:
        """Defers for every scope of every tenant that has memories."""
        for tenant_id in await all_tenant_ids(self._database):
            await defer_in_parts(defer, await scopes_with_memories(self._database, tenant_id))
