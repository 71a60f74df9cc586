"""Rows put in: many by COPY into a staging table of the connection, few chunks by one statement; without their vectors
where Postgres cannot store these."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from itertools import repeat
from typing import Any, TypeVar

from camillo_server.kernel.off_loop import ROW, TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.encrypted_rows import NO_KEYS
from camillo_server.rows.store.rows import encrypted_parameters, is_encrypted, row_parameters
from camillo_server.storage.connection_pool import StorageDamaged
from camillo_server.storage.database import Session
from camillo_server.storage.row_fields import IN_CHUNKS, STAGED
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import tsvector_text
from camillo_server.storage.statements import json_text, scope_parameters, statements
from camillo_server.storage.wire import binary_array, binary_jsonb, binary_texts

SQL = statements("rows/store/writes")


# The columns of the table `staging` in order, with their types for a binary COPY.
COLUMNS = {field.name: "text" if field.type == "tsvector" else field.type for field in STAGED}
# Columns whose values storage/wire.py encodes.
BINARY = {"tags", "source_refs", "cited_refs", "metadata"}
DRIVER_TYPES = ["bytea" if name in BINARY else kind for name, kind in COLUMNS.items()]
# The index of the first field of a memory that no column holds; no later field has a column either.
FIRST_UNSTORED = Row._fields.index("stale")
TAGS, METADATA, SOURCE_REFS, SUPERSEDES = map([*COLUMNS].index, ("tags", "metadata", "source_refs", "supersedes"))


def row_cost(row: NewRow) -> float:
    """The cost of counting the terms of a row, or of writing its columns: CJK text has many."""
    return ROW / 2 + 2 * len(row.memory.content)


async def stage(
    session: Session,
    scope: Scope,
    rows: Sequence[NewRow],
    keyring: Keyring = NO_KEYS,
    fingerprints: Sequence[bytes | None] | None = None,
) -> None:
    """Puts memories with their fingerprints, and chunks, which have none, into the staging table, which is emptied when
    the transaction ends. Takes no lock that another writer waits for, and gives way to other calls now and then. Raises
    KeyMissing."""
    await session.execute(SQL["create_staging"])
    async with session.cursor() as cursor, cursor.copy(SQL["copy_to_staging"]) as copy:
        copy.set_types(DRIVER_TYPES)
        slices = TimeSlices()
        for row, fingerprint in zip(rows, fingerprints or repeat(None, len(rows)), strict=True):
            await copy.write_row(_staged_values(scope, row, fingerprint, keyring))
            await slices.spend()


def _staged_values(scope: Scope, row: NewRow, fingerprint: bytes | None, keyring: Keyring) -> Sequence[Any]:
    """A row in the order of `COLUMNS`."""
    memory, terms = row.memory, row.terms()
    values: list[Any] = [
        # All fields but the agent's id, and those that no column holds.
        *(memory.memory_id, *memory[2:FIRST_UNSTORED]),
        *(terms.total, tsvector_text(scope, terms.counts), terms.packed, "", None, binary_texts(()), fingerprint),
        *(row.vector.values if row.vector else None, "", None),
    ]
    values[TAGS], values[SOURCE_REFS] = binary_texts(memory.tags), binary_texts(memory.source_refs)
    values[METADATA] = binary_jsonb(memory.stored_metadata)
    values[SUPERSEDES] = list(memory.supersedes) or None
    if not is_encrypted(memory):
        return values
    changed = encrypted_parameters(scope, row, keyring)
    changed |= {"metadata": binary_jsonb({}), "cited_refs": binary_texts(changed["cited_refs"])}
    return [*(dict(zip(COLUMNS, values, strict=True)) | changed).values()]


async def insert_staged(session: Session, scope: Scope) -> None:
    """Stores the staged rows at the scope's present revision; none may have an id that the scope has. It waits for
    nothing, so that it may run in a pipeline inside a transaction that holds the scope's write lock."""
    key = scope_parameters(scope)
    for statement in (
        "insert_staged_memories",
        "insert_staged_vectors",
        "insert_staged_access",
        "count_staged",
    ):
        await session.execute(SQL[statement], key)


CHUNKS_IN_A_STATEMENT = 32
# Rows of so many characters together carry their terms, which take some twenty times the bytes, until they are stored,
# and so many rows have vectors at once: both make some megabytes for a call.
MAX_CARRIED_CHARACTERS, MAX_EMBEDDED_ROWS = 256 * 1024, 1_024
CHUNK_COLUMNS = ("memory_id", *(field.name for field in IN_CHUNKS))


async def rows_with_terms(rows: Sequence[NewRow]) -> Sequence[NewRow]:
    """The rows, with their terms counted once where they are few: the terms of many would take many times the bytes of
    their texts."""
    if len(rows) > CHUNKS_IN_A_STATEMENT:
        return rows
    return await _with_terms(rows)


async def _with_terms(rows: Sequence[NewRow]) -> Sequence[NewRow]:
    if all(row.carried_terms for row in rows):
        return rows
    if len(rows) == 1:
        return [rows[0].with_terms()]
    counted, slices = [], TimeSlices()
    for row in rows:
        counted.append(row.with_terms())
        await slices.spend()
    return counted


async def with_vectors(embedding: TextEmbedding | None, rows: Sequence[NewRow], scope: Scope) -> Sequence[NewRow]:
    """The rows with the vectors that can be had at once: those of a call that is not very large, none of them
    encrypted, since its vector would be, too. Without an `embedding`, vectors follow."""
    if embedding is None or not 0 < len(rows) <= MAX_EMBEDDED_ROWS or any(is_encrypted(row.memory) for row in rows):
        return rows
    if sum(len(row.memory.content) for row in rows) > MAX_CARRIED_CHARACTERS:
        return rows
    rows = await _with_terms(rows)
    terms = [row.terms().of_words for row in rows]
    vectors = await embedding.vectors_of_terms([row.text() for row in rows], terms, scope)
    if vectors is None:
        return rows
    return [row.with_vector(vector) for row, vector in zip(rows, vectors, strict=True)]


def vector_parameters(rows: Sequence[NewRow]) -> dict[str, Any]:
    """The parameters of the fragment `insert_vectors`: the vectors of the rows that have one."""
    embedded = [row for row in rows if row.vector is not None]
    return {
        "embedded_ids": binary_array("uuid", [row.memory.memory_id for row in embedded]),
        "embedded_models": binary_array("text", [row.memory.vector_model_id for row in embedded]),
        # Null where there are none: even of an empty array Postgres asks the library of vectors, which may be missing.
        "embeddings": [row.vector.values for row in embedded if row.vector is not None] or None,
    }


def fit_in_a_statement(rows: Sequence[NewRow]) -> bool:
    """Few, and of encrypted ones none with a vector."""
    return len(rows) <= CHUNKS_IN_A_STATEMENT and not any(
        row.vector is not None and is_encrypted(row.memory) for row in rows
    )


async def chunks_json(scope: Scope, rows: Sequence[NewRow], keyring: Keyring) -> str:
    """A JSON array of the chunks of a write, as the fragment `insert_chunks` reads them. Raises KeyMissing."""
    if len(rows) == 1:
        return f"[{json_text(chunk_columns(scope, rows[0], keyring))}]"
    texts, slices = list[str](), TimeSlices()
    for row in rows:
        texts.append(json_text(chunk_columns(scope, row, keyring)))
        await slices.spend()
    return f"[{','.join(texts)}]"


def chunk_columns(scope: Scope, row: NewRow, keyring: Keyring) -> dict[str, Any]:
    """The columns of a chunk that `json_text` writes. Raises KeyMissing."""
    parameters, memory = row_parameters(scope, row, keyring), row.memory
    # As JSON has them: the encoder would ask about each of these.
    parameters["memory_id"], parameters["metadata"] = str(memory.memory_id), parameters["metadata"].obj
    for name in ("occurred_at", "created_at", "updated_at"):
        parameters[name] = parameters[name].isoformat()
    return {name: parameters[name] for name in CHUNK_COLUMNS}


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
    return sum([row.terms().total for row in rows])


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
