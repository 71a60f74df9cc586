"""Scopes that want a job: noticed in memory as they come about, or found by a look at every tenant."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence

from camillo_server.domain.ids import TenantId
from camillo_server.domain.lifecycle.run_maintenance import RunMaintenance
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Database
from camillo_server.storage.embedding_backlog import PostgresEmbeddingBacklog
from camillo_server.storage.tenants import all_tenant_ids, scopes_with_memories

# A burst of writes makes one statement, and its first job still starts at once for a person.
GATHER_SECONDS = 0.1
# For scopes whose job runs while more is wanted: it may have seen that, or not.
RUNNING_PAUSE_SECONDS = 1.0

# Defers a job for each scope; returns the scopes whose job is running.
Defer = Callable[[Sequence[Scope]], Awaitable[Sequence[Scope]]]


class NoticedScopes:
    """Saves time and is no truth: what is lost with the process has to be found again by a look at the rows."""

    def __init__(self) -> None:
        self._noticed: set[Scope] = set()
        self._any_noticed = asyncio.Event()

    def __len__(self) -> int:
        """How many scopes wait to be deferred."""
        return len(self._noticed)

    def notice(self, scope: Scope) -> None:
        """The scope wants a job. Costs nothing but this."""
        self._add([scope])

    async def defer_for_ever(self, defer: Defer) -> None:
        """Defers what is noticed. Raises what `defer` raises, and forgets nothing then."""
        while True:
            await self._any_noticed.wait()
            await asyncio.sleep(GATHER_SECONDS)
            scopes, self._noticed = self._noticed, set()
            self._any_noticed.clear()
            try:
                running = await defer([*scopes])
            except BaseException:
                self._add(scopes)
                raise
            are_all_running = bool(running) and not self._noticed
            self._add(running)
            if are_all_running:
                await asyncio.sleep(RUNNING_PAUSE_SECONDS)

    def _add(self, scopes: Collection[Scope]) -> None:
        if scopes:
            self._noticed.update(scopes)
            self._any_noticed.set()


class MissingVectors:
    """Sees to it that every scope with a memory without vector has a job that embeds it."""

    def __init__(self, database: Database, backlog: PostgresEmbeddingBacklog) -> None:
        self._database = database
        self._backlog = backlog
        self.noticed = NoticedScopes()

    def notice(self, scope: Scope) -> None:
        """Something was stored in the scope without a vector."""
        self.noticed.notice(scope)

    async def look_everywhere(self, defer: Defer) -> None:
        """Defers for every scope that has something without a vector."""
        await defer_of_all_tenants(self._database, self._backlog.scopes, defer)


class Maintenance:
    """Maintains every scope, one job for each; `cron` is when, None for never."""

    def __init__(self, database: Database, run: RunMaintenance, cron: str | None) -> None:
        self.cron = cron
        self._database = database
        self._run = run

    async def maintain(self, scope: Scope) -> None:
        """One pass, which is one transaction: repeated, it finds nothing left to do."""
        await self._run(scope, None, None, dry_run=False)

    async def look_everywhere(self, defer: Defer) -> None:
        """Defers for every scope that has memories."""

        async def scopes(tenant_id: TenantId) -> Sequence[Scope]:
            return await scopes_with_memories(self._database, tenant_id)

        await defer_of_all_tenants(self._database, scopes, defer)


async def defer_of_all_tenants(
    database: Database,
    scopes_of: Callable[[TenantId], Awaitable[Sequence[Scope]]],
    defer: Defer,
) -> None:
    """Defers for the scopes of each tenant, one tenant after the other."""
    for tenant_id in await all_tenant_ids(database):
        await defer(await scopes_of(tenant_id))
