"""Access statistics: hits are counted in memory and stored in batches, so that no reader waits for a write."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.errors import DomainError, StorageUnavailable
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("rows/store/access")
MAX_PENDING = 100_000
# Storing so many blocks neither the event loop nor another server for more than some milliseconds.
BATCH_SIZE = 1_000

# The two halves of a memory's id: hashed several times faster than the id.
IdHalves = tuple[int, int]

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class PendingHits:
    """Hits of one memory that are not stored yet."""

    count: int
    last: datetime


class AccessStatistics:
    """Counts hits; `flush` stores the counts. Past 100,000 memories that wait to be stored, further ones go
    uncounted."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pending: dict[Scope, dict[IdHalves, PendingHits]] = defaultdict(dict)
        self._size = 0

    def note(self, scope: Scope, memory_ids: NDArray[np.uint64], at: datetime) -> None:
        """One hit of each of these memories; `memory_ids`, shape (n, 2), are the halves of their ids."""
        pending = self._pending[scope]
        for high, low in memory_ids.tolist():
            memory_id = high, low
            hit = pending.get(memory_id)
            if hit is not None:
                hit.count += 1
                hit.last = max(hit.last, at)
            elif self._size < MAX_PENDING:
                pending[memory_id] = PendingHits(1, at)
                self._size += 1

    async def flush(self) -> None:
        """Stores the counts. Counts that cannot be stored now are kept for the next flush."""
        for scope in list(self._pending):
            hits = self._pending.pop(scope)
            self._size -= len(hits)
            try:
                await self._store(scope, hits)
            except DomainError as error:
                logger.warning(
                    "access statistics could not be stored; the next flush stores them",
                    extra={"cause": str(error)},
                )
                if isinstance(error, StorageUnavailable):
                    # The other scopes would wait for the same Postgres, one after the other.
                    return
            finally:
                # Counts that are left, also if a stop cancelled this, are stored by the next flush or the last one.
                self._keep_for_later(scope, hits)

    async def _store(self, scope: Scope, hits: dict[IdHalves, PendingHits]) -> None:
        """Stores hits and takes out of them what is stored."""
        # Sorted by id, so that two servers never deadlock over each other's rows.
        ordered = sorted(hits)
        for first in range(0, len(ordered), BATCH_SIZE):
            part = ordered[first : first + BATCH_SIZE]
            await self._store_part(scope, [(memory_id, hits[memory_id]) for memory_id in part])
            for memory_id in part:
                del hits[memory_id]

    async def _store_part(self, scope: Scope, hits: Sequence[tuple[IdHalves, PendingHits]]) -> None:
        parameters = {
            **scope_parameters(scope),
            "memory_ids": _array(f"{high:016x}{low:016x}" for (high, low), _ in hits),
            "counts": _array(str(hit.count) for _, hit in hits),
            "times": _array(hit.last.isoformat() for _, hit in hits),
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["add_accesses"], parameters)

        await self._database.write(scope, work)

    def _keep_for_later(self, scope: Scope, hits: dict[IdHalves, PendingHits]) -> None:
        for memory_id, hit in hits.items():
            newer = self._pending[scope].get(memory_id)
            if newer is None:
                self._pending[scope][memory_id] = hit
                self._size += 1
            else:
                newer.count += hit.count
                newer.last = max(newer.last, hit.last)


def _array(values: Iterable[str]) -> str:
    """An array as Postgres reads it from a text: the driver takes ten times as long to dump a list."""
    return "{" + ",".join(values) + "}"
