"""Chunks as rows beside memories: a few in one statement, many by staging."""

from collections.abc import Sequence
from typing import Any

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import NewRow
from camillo_server.memories.store.rows import row_parameters
from camillo_server.memories.store.staging import insert_staged, stage
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("events/store/events")
CHUNKS_IN_A_STATEMENT = 32
# Counting the terms of a chunk of 500 characters of prose, or writing its columns; of CJK text it is several times this.
ROW_MICROSECONDS = 60.0
COLUMNS = (
    "memory_id",
    "version",
    "content",
    "kind",
    "session_id",
    "occurred_at",
    "tags",
    "sensitivity",
    "importance",
    "metadata",
    "expires_at",
    "pinned",
    "archived",
    "source_refs",
    "created_at",
    "updated_at",
    "vector_model_id",
    "term_count",
    "terms",
    "term_codes",
    "key_id",
    "sealed",
)
ARRAYS = ("tags", "source_refs")


async def rows_with_terms(rows: Sequence[NewRow]) -> Sequence[NewRow]:
    """The same rows; few of them count their terms once for all. Terms of many would take many times the bytes of their
    texts."""
    if len(rows) > CHUNKS_IN_A_STATEMENT:
        return rows
    counted, slices = [], TimeSlices()
    for row in rows:
        counted.append(row.with_terms())
        await slices.spend(ROW_MICROSECONDS)
    return counted


def fit_in_a_statement(rows: Sequence[NewRow]) -> bool:
    """Few, and without vectors."""
    return len(rows) <= CHUNKS_IN_A_STATEMENT and all(row.vector is None for row in rows)


async def chunk_columns(scope: Scope, rows: Sequence[NewRow], keyring: Keyring) -> dict[str, Any]:
    """A list for each column of the fragment `insert_chunks`. Raises KeyMissing."""
    found, slices = [], TimeSlices()
    for row in rows:
        found.append(row_parameters(scope, row, keyring))
        await slices.spend(ROW_MICROSECONDS)
    columns: dict[str, Any] = {name: [row[name] for row in found] for name in COLUMNS}
    for name in ARRAYS:
        columns[name] = [array_text(values) for values in columns[name]]
    return scope_parameters(scope) | columns


async def store_chunks(
    session: Session, scope: Scope, rows: Sequence[NewRow], keyring: Keyring
) -> None:
    """Inside the caller's transaction, which has taken the scope's turn. Raises KeyMissing."""
    if not fit_in_a_statement(rows):
        await stage(session, scope, rows, keyring)
        async with session.pipeline():
            await insert_staged(session, scope)
        return
    columns = await chunk_columns(scope, rows, keyring)
    counts = {"added_chunks": len(rows), "added_terms": sum(columns["term_count"])}
    async with session.pipeline():
        await session.execute(SQL["insert_chunks"], columns)
        await session.execute(SQL["count_chunks"], {**scope_parameters(scope), **counts})


def array_text(values: Sequence[str]) -> str:
    """An array as its literal: lists of lists of different lengths are no arrays in Postgres."""
    quoted = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in quoted) + "}"
