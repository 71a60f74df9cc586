"""Reindex: the index terms of every row of a scope, found again."""

from dataclasses import dataclass

from camillo_server.across.lifecycle.store.reindexing import ReindexingStore
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import BEFORE_EVERY_ID, MemoryId
from camillo_server.kernel.scope import Scope

ROWS_AT_ONCE = 250
# A batch in which something changed while it was analysed is analysed again, at most so often.
MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Reindexed:
    """How many rows a scope has, how many of them had other terms, and how many cannot be decrypted."""

    rows: int
    changed: int
    unreadable: int
    revision: int


class Reindex:
    """Changes the terms of rows that an earlier release analysed otherwise. Each batch is a write of the scope; if it is interrupted, the
    next call completes it."""

    def __init__(self, store: ReindexingStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(self, scope: Scope) -> Reindexed:
        """Raises StorageUnavailable."""
        revision = await self._store.revision(scope)
        rows = changed = unreadable = attempts = 0
        after = MemoryId(BEFORE_EVERY_ID)
        while batch := await self._store.analyse(scope, after, ROWS_AT_ONCE):
            attempts += 1
            if batch.changed:
                count, revision = await self._store.change(scope, batch.changed, now=self._clock.now())
                changed += count
                if count < len(batch.changed) and attempts < MAX_ATTEMPTS:
                    continue
            rows, unreadable = rows + batch.rows, unreadable + batch.unreadable
            after, attempts = batch.last_id, 0
        return Reindexed(rows, changed, unreadable, revision)
