"""Sees to it that every scope with a memory without vector has a job that embeds it.

The rows are the truth: what is noticed here saves time, and what is lost with the process is found again by the look
everywhere.
"""

from camillo_server.domain.scope import Scope
from camillo_server.jobs.noticed_scopes import Defer, NoticedScopes, defer_in_parts
from camillo_server.storage.database import Database
from camillo_server.storage.embedding_backlog import PostgresEmbeddingBacklog
from camillo_server.storage.tenants import all_tenant_ids


class MissingVectors:
    """Knows what was noticed, and finds what was not."""

    def __init__(self, database: Database, backlog: PostgresEmbeddingBacklog) -> None:
        self._database = database
        self._backlog = backlog
        self.noticed = NoticedScopes()

    def notice(self, scope: Scope) -> None:
        """Something was stored in the scope without a vector."""
        self.noticed.notice(scope)

    async def look_everywhere(self, defer: Defer) -> None:
        """Defers for every scope of every tenant that has something without a vector."""
        for tenant_id in await all_tenant_ids(self._database):
            await defer_in_parts(defer, await self._backlog.scopes(tenant_id))
