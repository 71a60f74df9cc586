"""Access statistics, written behind: hits are counted in memory and stored in batches, out of every reader's way."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("memories/store/access")
MOST_NOTED = 100_000
# Dumping and storing so many holds up neither the event loop nor another server for more than some milliseconds.
STORED_AT_ONCE = 1_000

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
        """Stores hits and takes out of them what is stored."""
        # In the order of ids, so that two servers never wait for each other's rows crosswise.
        ordered = sorted(hits, key=attrgetter("int"))
        for first in range(0, len(ordered), STORED_AT_ONCE):
            part = ordered[first : first + STORED_AT_ONCE]
            await self._store_part(scope, [(memory_id, hits[memory_id]) for memory_id in part])
            for memory_id in part:
                del hits[memory_id]

    async def _store_part(self, scope: Scope, hits: Sequence[tuple[MemoryId, Noted]]) -> None:
        parameters = {
            **scope_parameters(scope),
            "memory_ids": _array(memory_id.hex for memory_id, _ in hits),
            "counts": _array(str(hit.count) for _, hit in hits),
            "times": _array(hit.last.isoformat() for _, hit in hits),
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


def _array(values: Iterable[str]) -> str:
    """An array as Postgres reads it from a text: the driver takes ten times as long to dump a list."""
    return "{" + ",".join(values) + "}"
