"""Reads the index of a scope from Postgres."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from concurrent.futures import Executor
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.system import return_freed_memory
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.grouped_loading import GroupedRows, TooFewGrouped, grouped_scope
from camillo_server.search.index.scope_index import SCOPE_BYTES, IndexBuilder, ScopeIndex
from camillo_server.search.store.row_groups import RowGroupStore
from camillo_server.search.store.scope_copy import VECTOR, CopiedPart, CopiedValues, copied_scope
from camillo_server.search.store.scope_rows import PAGE_ROWS, ScopeFacts, ScopeRowsReader

# A row without its vector: columns, text, postings and ids.
ROW_BYTES_ESTIMATE = 350
BYTES_PER_TERM_ESTIMATE = 8

logger = logging.getLogger(__name__)


def estimated_bytes(facts: ScopeFacts, dimensions: int) -> int:
    """About the bytes of an index of so many rows and terms."""
    row = ROW_BYTES_ESTIMATE + 2 * dimensions
    return SCOPE_BYTES + facts.memory_count * row + facts.term_count * BYTES_PER_TERM_ESTIMATE


Part = CopiedPart | GroupedRows


@dataclass(slots=True)
class LoadProgress:
    """How many rows a load has yet to read; one whose vector is missing still counts as half a row."""

    rows_left: float

    def count(self, part: Part, *, has_vectors: bool) -> None:
        """Counts what was read: rows that have vectors, or not."""
        if not isinstance(part, CopiedValues):
            self.rows_left -= len(part) if has_vectors else len(part) / 2
        elif VECTOR in part.columns:
            self.rows_left -= len(part) / 2


class IndexLoader:
    """Reads indexes from Postgres: large ones from row groups where there are some, else from the tables."""

    def __init__(
        self, reader: ScopeRowsReader, groups: RowGroupStore | None, pool: Executor, receivers: Executor
    ) -> None:
        """Parts are received in threads of `receivers`, and added in those of `pool`. Without a store of groups none is
        read."""
        self._reader = reader
        self._groups = groups
        self._pool = pool
        self._receivers = receivers

    async def load(self, scope: Scope, progress: LoadProgress) -> ScopeIndex:
        """The index of all rows of a scope. Raises StorageUnavailable, IndexFailed."""
        is_large = progress.rows_left > PAGE_ROWS
        index = await self._load_grouped(scope, progress) if is_large else None
        if index is None:
            reader = self._reader
            read = copied_scope(reader, scope, self._receivers) if is_large else reader.pages(scope)
            index = await self._built(scope, progress, read, has_vectors=not is_large)
        if index.unreadable_count:
            logger.warning(
                "encrypted rows were left out of an index: their keys are missing, or they are damaged",
                extra={"rows": index.unreadable_count},
            )
        if is_large:
            await off_loop(UNBOUNDED, return_freed_memory, self._pool)
        return index

    async def _load_grouped(self, scope: Scope, progress: LoadProgress) -> ScopeIndex | None:
        """The index, if most rows are in groups."""
        if self._groups is None:
            return None
        expected = progress.rows_left
        try:
            parts = grouped_scope(self._reader, self._groups, scope, self._receivers)
            return await self._built(scope, progress, parts, has_vectors=True)
        except TooFewGrouped:
            # The scope was not packed yet, say.
            pass
        except IndexFailed as error:
            logger.warning(
                "row groups and tables disagree: a scope is read from its tables", extra={"cause": str(error)}
            )
        progress.rows_left = expected
        return None

    async def _built(
        self, scope: Scope, progress: LoadProgress, read: AsyncGenerator[Part, None], *, has_vectors: bool
    ) -> ScopeIndex:
        """An index of these parts, each of which is added while Postgres sends the next one."""
        builder: IndexBuilder | None = None
        adding: asyncio.Future[None] | None = None
        try:
            async with aclosing(read) as parts:
                async for part in parts:
                    if not isinstance(part, CopiedValues):
                        facts = part.facts
                    if builder is None or adding is None:
                        builder = IndexBuilder(self._reader.dimensions, facts.memory_count)
                    else:
                        await adding
                    add = partial(self._add, builder, scope, part)
                    adding = asyncio.ensure_future(off_loop(UNBOUNDED, add, self._pool))
                    progress.count(part, has_vectors=has_vectors)
            if builder is None or adding is None:
                raise IndexFailed("the scope has no page")
            await adding
        finally:
            if adding is not None:
                adding.cancel()
        build = partial(builder.build, scope.agent_id, self._reader.model_id, facts)
        return await off_loop(UNBOUNDED, build, self._pool)

    def _add(self, builder: IndexBuilder, scope: Scope, part: Part) -> None:
        if isinstance(part, CopiedValues):
            builder.put(part)
        elif isinstance(part, GroupedRows):
            builder.add(part.rows)
        else:
            builder.add(self._reader.unpack(scope, part))
