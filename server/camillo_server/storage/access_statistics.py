"""Access statistics, written behind: hits are counted in memory and stored in batches, out of every reader's way."""

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.domain.errors import DomainError
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements

SQL = statements("access")
MOST_NOTED = 100_000

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Noted:
    """Hits of one memory that are not stored yet."""

    count: int
    last: datetime


class AccessStatistics:
    """Takes note of hits; `flush` stores what was noted. Past 100,000 memories noted, further ones go uncounted."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._noted: dict[Scope, dict[MemoryId, Noted]] = defaultdict(dict)
        self._size = 0

    def note(self, scope: Scope, memory_ids: Sequence[MemoryId], at: datetime) -> None:
        noted = self._noted[scope]
        for memory_id in memory_ids:
            found = noted.get(memory_id)
            if found is not None:
                found.count += 1
                found.last = max(found.last, at)
            elif self._size < MOST_NOTED:
                noted[memory_id] = Noted(1, at)
                self._size += 1

    async def flush(self) -> None:
        """Stores what was noted. What cannot be stored now is kept for the next time."""
        for scope in list(self._noted):
            hits = self._noted.pop(scope)
            self._size -= len(hits)
            try:
                await self._store(scope, hits)
            except DomainError as error:
                logger.warning("access statistics wait", extra={"cause": str(error)})
                self._take_back(scope, hits)
            except BaseException:
                # Cancelled, at a stop: the last flush stores them.
                self._take_back(scope, hits)
                raise

    async def _store(self, scope: Scope, hits: dict[MemoryId, Noted]) -> None:
        # In the order of ids, so that two servers never wait for each other's rows crosswise.
        ordered = sorted(hits)
        parameters = {
            **scope_parameters(scope),
            "memory_ids": ordered,
            "counts": [hits[memory_id].count for memory_id in ordered],
            "times": [hits[memory_id].last for memory_id in ordered],
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["add_accesses"], parameters)

        await self._database.write(scope.tenant_id, work)

    def _take_back(self, scope: Scope, hits: dict[MemoryId, Noted]) -> None:
        for memory_id, hit in hits.items():
            found = self._noted[scope].get(memory_id)
            if found is None:
                self._noted[scope][memory_id] = hit
                self._size += 1
            else:
                found.count += hit.count
                found.last = max(found.last, hit.last)
