"""Reads the index of a scope from Postgres."""

import asyncio
import logging
from concurrent.futures import Executor
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.system import return_freed_memory
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.scope_index import SCOPE_BYTES, IndexBuilder, ScopeIndex
from camillo_server.search.store.scope_copy import VECTOR, CopiedPart, copied_scope
from camillo_server.search.store.scope_rows import (
    PAGE_ROWS,
    PackedPage,
    ScopeFacts,
    ScopeRowsReader,
)

# A row without its vector: columns, text, postings and ids.
ROW_BYTES_ESTIMATE = 350
BYTES_PER_TERM_ESTIMATE = 8

logger = logging.getLogger(__name__)


def estimated_bytes(facts: ScopeFacts, dimensions: int) -> int:
    """About the bytes of an index of so many rows and terms."""
    row = ROW_BYTES_ESTIMATE + 2 * dimensions
    return SCOPE_BYTES + facts.memory_count * row + facts.term_count * BYTES_PER_TERM_ESTIMATE


@dataclass(slots=True)
class LoadProgress:
    """How many rows a load has yet to read; one whose vector is missing still counts as half a row."""

    rows_left: float

    def count(self, part: CopiedPart, *, has_vectors: bool) -> None:
        """Counts what was read: pages that have vectors, or not."""
        if isinstance(part, PackedPage):
            self.rows_left -= len(part) if has_vectors else len(part) / 2
        elif VECTOR in part.columns:
            self.rows_left -= len(part) / 2


async def load_index(
    reader: ScopeRowsReader, scope: Scope, progress: LoadProgress, pool: Executor, receivers: Executor
) -> ScopeIndex:
    """The index of all rows of a scope. Each part is added in the pool's thread while Postgres sends the next one.
    Raises StorageUnavailable, IndexFailed."""
    builder: IndexBuilder | None = None
    adding: asyncio.Future[None] | None = None
    is_large = progress.rows_left > PAGE_ROWS
    read = copied_scope(reader, scope, receivers) if is_large else reader.pages(scope)
    try:
        async with aclosing(read) as parts:
            async for part in parts:
                if isinstance(part, PackedPage):
                    facts = part.facts
                if builder is None or adding is None:
                    builder = IndexBuilder(reader.dimensions, facts.memory_count)
                else:
                    await adding
                add = partial(_add, builder, reader, scope, part)
                adding = asyncio.ensure_future(off_loop(UNBOUNDED, add, pool))
                progress.count(part, has_vectors=not is_large)
        if builder is None or adding is None:
            raise IndexFailed("the scope has no page")
        await adding
    finally:
        if adding is not None:
            adding.cancel()
    build = partial(builder.build, scope.agent_id, reader.model_id, facts)
    index = await off_loop(UNBOUNDED, build, pool)
    if index.unreadable_count:
        logger.warning(
            "encrypted rows were left out of an index: their keys are missing, or they are damaged",
            extra={"rows": index.unreadable_count},
        )
    if is_large:
        await off_loop(UNBOUNDED, return_freed_memory, pool)
    return index


def _add(builder: IndexBuilder, reader: ScopeRowsReader, scope: Scope, part: CopiedPart) -> None:
    if isinstance(part, PackedPage):
        builder.add(reader.unpack(scope, part))
    else:
        builder.put(part)
