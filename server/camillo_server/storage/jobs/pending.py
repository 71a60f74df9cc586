"""Scopes that a write left with something to do, until a job is deferred for each."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database
from camillo_server.storage.scopes import all_tenant_ids

# A burst of writes makes one statement, and its first job still starts at once for a person.
GATHER_SECONDS = 0.1
# Before a scope whose job is running is deferred again.
RUNNING_PAUSE_SECONDS = 1.0

# Defers a job for each scope; returns the scopes whose job is running.
Defer = Callable[[Sequence[Scope]], Awaitable[Sequence[Scope]]]


class PendingScopes:
    """Scopes to defer soon. They are lost with the process, and found again by the query."""

    def __init__(self) -> None:
        self._scopes: set[Scope] = set()
        self._has_any = asyncio.Event()

    def __len__(self) -> int:
        """The number of scopes that wait to be deferred."""
        return len(self._scopes)

    def add(self, *scopes: Scope) -> None:
        if scopes:
            self._scopes.update(scopes)
            self._has_any.set()

    async def defer_for_ever(self, defer: Defer) -> None:
        """Defers them until it is cancelled. Raises what `defer` raises, and loses no scope then."""
        while True:
            await self._has_any.wait()
            await asyncio.sleep(GATHER_SECONDS)
            scopes, self._scopes = self._scopes, set()
            self._has_any.clear()
            try:
                running = await defer([*scopes])
            except BaseException:
                self.add(*scopes)
                raise
            are_all_running = bool(running) and not self._scopes
            self.add(*running)
            if are_all_running:
                await asyncio.sleep(RUNNING_PAUSE_SECONDS)


async def defer_of_all_tenants(
    database: Database,
    scopes_of: Callable[[TenantId], Awaitable[Sequence[Scope]]],
    defer: Defer,
) -> None:
    """Defers for the scopes of each tenant, one tenant after the other."""
    for tenant_id in await all_tenant_ids(database):
        await defer(await scopes_of(tenant_id))
