"""The revision of a scope, and reads that have to see one: repeated until they do, or the deadline is near."""

import asyncio
from typing import TypeVar

from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.errors import RevisionBehind
from camillo_server.kernel.revision import Freshness, least_revision
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session, Work
from camillo_server.storage.statements import scope_parameters, statements

# Postgres' primary is never behind a revision it gave out; a read replica is, by its replication lag.
PATIENCE_SECONDS = 2.0
FIRST_PAUSE_SECONDS = 0.005
SQL = statements("storage/revisions")
T = TypeVar("T")


async def scope_revision(session: Session, scope: Scope) -> int:
    """The revision of the scope's latest write, 0 before the first."""
    row = await session.only_row(SQL["scope_revision"], scope_parameters(scope))
    revision: int = row[0]
    return revision


async def read_fresh(
    database: Database, scope: Scope, freshness: Freshness, work: Work[tuple[T, int]]
) -> tuple[T, int]:
    """What `work` reads, once the revision it gives with it is the demanded one or later. Raises RevisionBehind."""
    least = least_revision(freshness)
    pause = FIRST_PAUSE_SECONDS
    patience = PATIENCE_SECONDS
    while True:
        answer, revision = await database.read(scope.tenant_id, work)
        if revision >= least:
            return answer, revision
        if patience <= 0 or remaining_seconds(PATIENCE_SECONDS) <= pause:
            raise RevisionBehind
        await asyncio.sleep(pause)
        patience -= pause
        pause = min(pause * 2, 0.25)
