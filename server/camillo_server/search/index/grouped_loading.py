"""Reads a large scope from its row groups, and the rest of it from the tables.

The tables say which rows there are, and of which revision: a row of a group counts where it is one of those."""

import logging
from collections.abc import AsyncGenerator
from concurrent.futures import Executor
from contextlib import aclosing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.columns import IdTable, id_halves
from camillo_server.search.store.packed_rows import ScopeRows
from camillo_server.search.store.row_groups import RowGroupStore
from camillo_server.search.store.scope_copy import CopiedValues, copied_access
from camillo_server.search.store.scope_rows import PAGE_ROWS, PackedPage, ScopeFacts, ScopeRowsReader

# A row that is read by its id takes three times as long as one of all that are copied.
MAX_MISSING_SHARE = 0.25

logger = logging.getLogger(__name__)


class TooFewGrouped(Exception):
    """So many rows of a scope are in no group that all are read faster from the tables."""


@dataclass(frozen=True, slots=True)
class GroupedRows:
    """Rows of a group, and the facts of their scope."""

    facts: ScopeFacts
    rows: ScopeRows

    def __len__(self) -> int:
        return len(self.rows)


GroupedPart = GroupedRows | PackedPage | CopiedValues


async def grouped_scope(
    reader: ScopeRowsReader, store: RowGroupStore, scope: Scope, pool: Executor
) -> AsyncGenerator[GroupedPart, None]:
    """All rows of a scope in one snapshot, in no order; then what memory_access says of them. Raises TooFewGrouped,
    StorageUnavailable."""
    async with reader.database.snapshot(scope) as session:
        facts = await reader.facts_in(session, scope)
        groups = await store.groups(session, scope)
        _require_most(sum(group.row_count for group in groups), facts.memory_count)
        revisions = await store.revisions(session, scope)
        wanted = await off_loop(UNBOUNDED, lambda: _WantedRows(revisions), pool)
        broken = 0
        async with aclosing(store.rows(session, scope, wanted.take, pool)) as parts:
            async for rows in parts:
                if rows is None:
                    broken += 1
                else:
                    yield GroupedRows(facts, rows)
        if broken:
            logger.warning("row groups are damaged: their rows are read from the tables", extra={"groups": broken})
        missing = wanted.missing()
        _require_most(facts.memory_count - len(missing), facts.memory_count)
        for first in range(0, len(missing), PAGE_ROWS):
            yield await store.rows_by_id(session, scope, facts, missing[first : first + PAGE_ROWS].tobytes())
        async with aclosing(copied_access(reader, session, scope, pool)) as values:
            async for each in values:
                yield each


def _require_most(grouped: int, memory_count: int) -> None:
    if grouped < (1 - MAX_MISSING_SHARE) * memory_count:
        raise TooFewGrouped


class _WantedRows:
    """The rows of a scope as the tables have them, each of which is taken once."""

    def __init__(self, revisions: NDArray[np.void]) -> None:
        self._ids = revisions["id"]
        self._revisions = revisions["revision"].astype(np.int64)
        self._taken = np.zeros(len(revisions), np.bool_)
        self._table = IdTable(*np.ascontiguousarray(id_halves(self._ids.tobytes()).T))

    def take(self, rows: ScopeRows) -> ScopeRows:
        """The rows that are wanted as they are, and were not taken before."""
        at = self._table.find(rows.fixed["memory_id"].tobytes())
        there = np.flatnonzero(at >= 0)
        of_table = at[there]
        same = (self._revisions[of_table] == rows.fixed["revision"][there]) & ~self._taken[of_table]
        self._taken[of_table[same]] = True
        if np.count_nonzero(same) == len(rows):
            return rows
        chosen = np.zeros(len(rows), np.bool_)
        chosen[there[same]] = True
        return rows.select(chosen)

    def missing(self) -> NDArray[np.void]:
        """The ids of rows that were not taken."""
        return self._ids[~self._taken]
