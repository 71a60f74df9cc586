"""Writes whose vectors Postgres cannot store: pgvector, or an index of it, has failed."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from camillo_server.rows.row import NewRow
from camillo_server.storage.encrypted_json import StorageDamaged
from camillo_server.storage.scope_writes import ScopeWrites

T = TypeVar("T")

logger = logging.getLogger(__name__)


async def store_rows(
    writes: ScopeWrites,
    rows: Sequence[NewRow],
    store: Callable[[Sequence[NewRow]], Awaitable[T]],
) -> T:
    """Stores the rows; where Postgres is damaged, without their vectors, which a job makes once they can be stored.
    Raises StorageDamaged where that fails too: then something else is damaged."""
    try:
        return await store(rows)
    except StorageDamaged:
        if all(row.vector is None for row in rows):
            raise
    stored = await store([row.without_vector() for row in rows])
    note_vector_fault(writes)
    return stored


def note_vector_fault(writes: ScopeWrites) -> None:
    """Rows were stored without their vectors."""
    writes.on_vector_fault()
    logger.warning("vectors cannot be stored in postgres: rows wait for theirs")
