"""Chunks as rows, and their storing inside the transaction that stores what they are of."""

from collections.abc import Sequence
from typing import Any

from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.rows import row_parameters
from camillo_server.rows.store.staging import insert_staged, stage
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED
from camillo_server.storage.row_fields import IN_CHUNKS
from camillo_server.storage.statements import json_text, scope_parameters, statements

SQL = statements("rows/store/chunks")
CHUNKS_IN_A_STATEMENT = 32
COLUMNS = ("memory_id", *(field.name for field in IN_CHUNKS))


async def rows_with_terms(rows: Sequence[NewRow]) -> Sequence[NewRow]:
    """The rows, with their terms counted once where they are few: the terms of many would take many times the bytes of
    their texts."""
    if len(rows) > CHUNKS_IN_A_STATEMENT or all(row.carried_terms for row in rows):
        return rows
    counted, slices = [], TimeSlices()
    for row in rows:
        counted.append(row.with_terms())
        await slices.spend()
    return counted


def fit_in_a_statement(rows: Sequence[NewRow]) -> bool:
    """Few, and of encrypted ones none with a vector."""
    return len(rows) <= CHUNKS_IN_A_STATEMENT and not any(
        row.vector is not None and row.memory.sensitivity >= MIN_ENCRYPTED for row in rows
    )


async def chunks_json(scope: Scope, rows: Sequence[NewRow], keyring: Keyring) -> str:
    """A JSON array of the chunks of a write, as the fragment `insert_chunks` reads them. Raises KeyMissing."""
    texts, slices = list[str](), TimeSlices()
    for row in rows:
        texts.append(json_text(chunk_columns(scope, row, keyring)))
        await slices.spend()
    return f"[{','.join(texts)}]"


def chunk_columns(scope: Scope, row: NewRow, keyring: Keyring) -> dict[str, Any]:
    """The columns of a chunk that `json_text` writes. Raises KeyMissing."""
    parameters = row_parameters(scope, row, keyring)
    return {name: parameters[name] for name in COLUMNS}


async def store_chunks(session: Session, scope: Scope, rows: Sequence[NewRow], keyring: Keyring) -> None:
    """Inside the caller's transaction, which holds the lock of the scope. Raises KeyMissing."""
    if len(rows) > CHUNKS_IN_A_STATEMENT or any(row.vector is not None for row in rows):
        await stage(session, scope, rows, keyring)
        async with session.pipeline():
            await insert_staged(session, scope)
        return
    text = await chunks_json(scope, rows, keyring)
    counts = {"added_chunks": len(rows), "added_terms": term_count(rows)}
    parameters = {**scope_parameters(scope), "chunks": f"[{text}]", **counts}
    async with session.pipeline():
        await session.execute(SQL["insert_chunks"], parameters)
        await session.execute(SQL["count_chunks"], parameters)


def term_count(rows: Sequence[NewRow]) -> int:
    """How many terms the rows have, those of an encrypted one among them."""
    return sum(row.terms().total for row in rows)
