"""Passes over a scope: maintenance by the policy, and what callers prune and archive."""

from collections.abc import Awaitable, Callable
from functools import partial

from camillo_server.across.lifecycle.plan import NO_ORDER, PassDone, PassOrder, Selected
from camillo_server.across.lifecycle.store.passes import PassStore
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.scope import Scope
from camillo_server.settings.lifecycle import LifecycleSettings
from camillo_server.storage.database import Database
from camillo_server.storage.jobs.board import Defer, defer_of_all_tenants
from camillo_server.storage.scopes import scopes_with_memories


class Maintenance:
    """Runs passes: by the operator's policy, or over what a caller selected."""

    def __init__(self, store: PassStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def run(self, scope: Scope, selected: Selected | None, order: PassOrder, *, dry_run: bool) -> PassDone:
        """Archives or removes what is selected; without a selection, what the policy says. A dry run only plans. Raises
        InvalidField for a selector that would take everything, PlanChanged, RequestIdReused, StorageUnavailable."""
        if selected is not None:
            selected.selector.checked()
        work, now = selected or self._store.policy, self._clock.now()
        if dry_run:
            return await self._store.plan(scope, work, at=now)
        return await self._store.carry_out(scope, work, order, now=now)


class MaintenanceJobs:
    """Maintains every scope, one job for each, and vacuums all of them; `cron` and `vacuum_cron` are when, None for
    never."""

    def __init__(
        self,
        database: Database,
        maintenance: Maintenance,
        vacuum: Callable[[], Awaitable[None]],
        settings: LifecycleSettings,
    ) -> None:
        self.cron = settings.cron
        self.vacuum_cron = settings.vacuum_cron
        self.vacuum = vacuum
        self._database = database
        self._maintenance = maintenance

    async def maintain(self, scope: Scope) -> None:
        """Runs one pass in one transaction: repeated, it finds nothing to do."""
        await self._maintenance.run(scope, None, NO_ORDER, dry_run=False)

    async def defer_everywhere(self, defer: Defer) -> None:
        scopes_of = partial(scopes_with_memories, self._database)
        await defer_of_all_tenants(self._database, scopes_of, defer)
