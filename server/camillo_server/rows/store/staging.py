"""Many rows at once: COPY into a staging table of the connection, then one insert for each store."""

from collections.abc import Sequence
from itertools import repeat
from typing import Any

from camillo_server.kernel.off_loop import ROW, TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.encrypted_rows import NO_KEYS
from camillo_server.rows.store.rows import encrypted_parameters, is_encrypted
from camillo_server.storage.binary_values import binary_jsonb, binary_texts
from camillo_server.storage.database import Session
from camillo_server.storage.row_fields import STAGED
from camillo_server.storage.scopes import tsvector_text
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("rows/store/writes")


# The columns of the table `staging` in order, with their types for a binary COPY.
COLUMNS = {field.name: "text" if field.type == "tsvector" else field.type for field in STAGED}
# Columns whose values storage/binary_values.py encodes.
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
