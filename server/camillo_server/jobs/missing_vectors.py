"""Sees to it that every scope with a memory without vector has a job that embeds it.

The rows are the truth: what is noticed here saves time, and what is lost with the process is found again by the look
everywhere.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Database
from camillo_server.storage.embedding_backlog import PostgresEmbeddingBacklog
from camillo_server.storage.tenants import all_tenant_ids

# A burst of writes makes one statement, and its first job still starts at once for a person.
GATHER_SECONDS = 0.1
# For scopes whose job runs while more is stored: it may have seen that, or not.
RUNNING_PAUSE_SECONDS = 1.0
SCOPES_AT_ONCE = 1_000

# Returns the scopes whose job is running.
Defer = Callable[[Sequence[Scope]], Awaitable[Sequence[Scope]]]


class MissingVectors:
    """Gathers what was noticed and has it deferred."""

    def __init__(self, database: Database, backlog: PostgresEmbeddingBacklog) -> None:
        self._database = database
        self._backlog = backlog
        self._noticed: set[Scope] = set()
        self._any_noticed = asyncio.Event()

    def notice(self, scope: Scope) -> None:
        """Something was stored in the scope without a vector. Costs nothing but this."""
        self._noticed.add(scope)
        self._any_noticed.set()

    def noticed_scopes(self) -> int:
        """How many scopes wait to be deferred."""
        return len(self._noticed)

    async def tell(self, defer: Defer) -> None:
        """Defers what is noticed, for as long as it runs. Raises what `defer` raises, and forgets nothing then."""
        while True:
            await self._any_noticed.wait()
            await asyncio.sleep(GATHER_SECONDS)
            if await self._defer_noticed(defer):
                await asyncio.sleep(RUNNING_PAUSE_SECONDS)

    async def look_everywhere(self, defer: Defer) -> None:
        """Defers for every scope of every tenant that has something without a vector."""
        for tenant_id in await all_tenant_ids(self._database):
            scopes = await self._backlog.scopes(tenant_id)
            for start in range(0, len(scopes), SCOPES_AT_ONCE):
                await defer(scopes[start : start + SCOPES_AT_ONCE])

    async def _defer_noticed(self, defer: Defer) -> bool:
        """Returns whether only scopes are left whose job is running."""
        scopes = [self._noticed.pop() for _ in range(min(SCOPES_AT_ONCE, len(self._noticed)))]
        if not self._noticed:
            self._any_noticed.clear()
        try:
            running = await defer(scopes)
        except BaseException:
            self._put_back(scopes)
            raise
        only_running_is_left = bool(running) and not self._noticed
        self._put_back(running)
        return only_running_is_left

    def _put_back(self, scopes: Sequence[Scope]) -> None:
        for scope in scopes:
            self.notice(scope)
