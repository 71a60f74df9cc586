"""Many rows at once: COPY into a staging table of the connection, then one insert for each store."""

from collections.abc import Sequence

from camillo_server.domain.ports import NewRow
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Session
from camillo_server.storage.rows import row_parameters, scope_parameters
from camillo_server.storage.statements import statements

SQL = statements("memory_writes")

# The columns of the table `staging`, in order, with their types for a binary COPY.
COLUMNS = {
    "memory_id": "uuid",
    "version": "int8",
    "content": "text",
    "kind": "int2",
    "session_id": "text",
    "occurred_at": "timestamptz",
    "tags": "text[]",
    "sensitivity": "int2",
    "importance": "float4",
    "metadata": "jsonb",
    "expires_at": "timestamptz",
    "pinned": "bool",
    "archived": "bool",
    "source_refs": "text[]",
    "created_at": "timestamptz",
    "updated_at": "timestamptz",
    "vector_model_id": "text",
    "term_count": "int4",
    "terms": "text",
    "embedding": "vector",
    "accessed_at": "timestamptz",
    "access_count": "int8",
}


async def insert_rows(
    session: Session, scope: Scope, rows: Sequence[NewRow], revision: int
) -> None:
    """Stores memories that the scope does not have yet, inside the caller's transaction."""
    terms = await _stage(session, scope, rows)
    key = {**scope_parameters(scope), "revision": revision}
    await session.execute(SQL["insert_staged_memories"], key)
    await session.execute(SQL["insert_staged_vectors"], key)
    await session.execute(SQL["insert_staged_access"], key)
    await session.execute(
        SQL["adjust_scope"], {**key, "added_memories": len(rows), "added_terms": terms}
    )


async def _stage(session: Session, scope: Scope, rows: Sequence[NewRow]) -> int:
    """Puts rows into the staging table, which is emptied when the transaction ends. Returns how many index terms they have."""
    await session.execute(SQL["create_staging"])
    terms = 0
    async with session.cursor() as cursor, cursor.copy(SQL["copy_to_staging"]) as copy:
        copy.set_types(list(COLUMNS.values()))
        for row in rows:
            parameters = row_parameters(scope, row)
            parameters["accessed_at"] = row.memory.accessed_at
            parameters["access_count"] = row.memory.access_count
            terms += parameters["term_count"]
            await copy.write_row([parameters[name] for name in COLUMNS])
    return terms
