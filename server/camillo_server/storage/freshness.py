"""Reads that have to see a revision: asked again until they do, or the deadline is near."""

import asyncio
from typing import TypeVar

from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.errors import RevisionBehind
from camillo_server.kernel.revision import Freshness, least_revision
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Work

# Postgres' primary is never behind a revision it gave out; a read replica is, by its replication lag.
PATIENCE_SECONDS = 2.0
FIRST_PAUSE_SECONDS = 0.005
T = TypeVar("T")


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
