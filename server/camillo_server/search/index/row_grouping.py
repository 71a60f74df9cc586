"""Packs the rows of large scopes in memory into row groups, one scope and one group at a time, beside other work."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.store.row_groups import (
    GROUP_ROWS,
    MAX_GROUP_BYTES,
    MAX_GROUP_ROWS,
    RowGroup,
    RowGroupStore,
    pack_group,
)
from camillo_server.search.store.scope_rows import ScopeRowsReader

# Smaller scopes are read from the tables in a tenth of a second.
MIN_GROUPED_ROWS = 5_000
# A group is packed anew when so many of its rows have changed, or were added between its ids.
MAX_CHANGED_SHARE = 0.25
# Fewer rows outside of groups are left there.
MIN_GROUP_ROWS = GROUP_ROWS // 4
# How often a scope that changes is looked at.
LOOK_SECONDS = 600.0
# The pause behind each group, in times of what it took: packing takes a quarter of a processor at most.
PAUSE = 3.0

logger = logging.getLogger(__name__)


class GroupRange(NamedTuple):
    """The ids from the first to the last one."""

    first_id: UUID
    last_id: UUID


class RowGrouping:
    """Keeps the row groups of the scopes that are in memory. Belongs to one event loop."""

    def __init__(
        self,
        reader: ScopeRowsReader,
        store: RowGroupStore,
        budget: CacheBudget,
        pool: Executor,
        pause: float = PAUSE,
    ) -> None:
        self._pause = pause
        self._reader = reader
        self._store = store
        self._budget = budget
        self._pool = pool
        # For each scope the revision as of which it was looked at, and when.
        self._looked: dict[Scope, tuple[int, float]] = {}

    async def run(self) -> None:
        """Packs what has changed in the large scopes that are in memory."""
        now = asyncio.get_running_loop().time()
        large = {
            entry.resident.scope: entry.resident.revision
            for entry in self._budget
            if entry.resident.memory_count >= MIN_GROUPED_ROWS
        }
        self._looked = {scope: looked for scope, looked in self._looked.items() if scope in large}
        for scope, revision in large.items():
            before, looked_at = self._looked.get(scope, (-1, now - LOOK_SECONDS))
            if revision != before and now - looked_at >= LOOK_SECONDS:
                self._looked[scope] = revision, now
                with suppress(DomainError):
                    # Postgres is away, say: the scope is looked at again later.
                    await self.pack(scope)

    async def pack(self, scope: Scope) -> int:
        """How many groups were stored: of rows that are in none, or in one that has changed much."""
        async with self._reader.database.snapshot(scope) as session:
            groups = await self._store.groups(session, scope)
            revisions = await self._store.revisions(session, scope)
        ranges = await off_loop(UNBOUNDED, lambda: [*ranges_to_pack(revisions, groups)], self._pool)
        stored = 0
        for each in ranges:
            began = asyncio.get_running_loop().time()
            stored += await self._pack(scope, each)
            await asyncio.sleep(self._pause * (asyncio.get_running_loop().time() - began))
        if stored:
            logger.info("rows of a large scope were packed", extra={"groups": stored, "of": len(ranges)})
        return stored

    async def _pack(self, scope: Scope, ids: GroupRange) -> bool:
        read = await self._store.rows_to_group(scope, *ids)
        if read is None:
            return False
        packed = await off_loop(UNBOUNDED, lambda: pack_group(self._reader.unpack(scope, read.page)), self._pool)
        return len(packed) <= MAX_GROUP_BYTES and await self._store.put(scope, read, *ids, packed)


def ranges_to_pack(revisions: NDArray[np.void], groups: Sequence[RowGroup]) -> Iterator[GroupRange]:
    """The ids to be packed as groups, given the ids and revisions of all rows, and the groups that there are in the
    order of their ids."""
    # Bytes, which sort as Postgres sorts ids.
    ids = np.frombuffer(revisions["id"].tobytes(), "S16")
    order = np.argsort(ids)
    ids, changed_at = ids[order], revisions["revision"][order].astype(np.int64)
    # The first row that is in no group that stays, and how many rows the one before has.
    begin = before = 0
    for group in groups:
        first, end = _bounds(ids, group)
        if first < begin or not _stays(group, changed_at[first:end]):
            continue
        yield from _pieces(ids, begin - _joined(before, first - begin), first)
        begin, before = end, end - first
    yield from _pieces(ids, begin - _joined(before, len(ids) - begin), len(ids))


def _bounds(ids: NDArray[np.bytes_], group: RowGroup) -> tuple[int, int]:
    first = np.searchsorted(ids, np.bytes_(group.first_id.bytes), "left")
    return int(first), int(np.searchsorted(ids, np.bytes_(group.last_id.bytes), "right"))


def _stays(group: RowGroup, changed_at: NDArray[np.int64]) -> bool:
    changed = int(np.count_nonzero(changed_at > group.revision))
    return len(changed_at) <= MAX_GROUP_ROWS and changed <= MAX_CHANGED_SHARE * len(changed_at)


def _joined(before: int, rows: int) -> int:
    """How many rows of the group before are packed anew with the rows behind it, so that no many small groups come one
    after the other."""
    return before if rows >= MIN_GROUP_ROWS and before <= GROUP_ROWS // 2 else 0


def _pieces(ids: NDArray[np.bytes_], begin: int, end: int) -> Iterator[GroupRange]:
    rows = end - begin
    if rows < MIN_GROUP_ROWS:
        return
    count = -(-rows // GROUP_ROWS)
    for piece in range(count):
        first, last = begin + piece * rows // count, begin + (piece + 1) * rows // count - 1
        yield GroupRange(_uuid(ids, first), _uuid(ids, last))


def _uuid(ids: NDArray[np.bytes_], row: int) -> UUID:
    # Numpy cuts zeros off the end.
    return UUID(bytes=ids[row].ljust(16, b"\0"))
