"""Many rows at once: COPY into a staging table of the connection, then one insert for each store."""

from collections.abc import Sequence

from psycopg import AsyncCursor
from psycopg.rows import TupleRow

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import NewRow
from camillo_server.memories.store.encrypted_rows import NO_KEYS
from camillo_server.memories.store.rows import row_parameters
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("memories/store/writes")

# Counting the terms of a row, or writing its columns, and each character of its content: of prose two fifths of that, of
# CJK text several times that.
ROW_MICROSECONDS = 15.0
CHARACTER_MICROSECONDS = 0.5

# The columns of the table `staging` in order, with their types for a binary COPY: as the statement declares them.
_, _, _declared = SQL["create_staging"].partition("(")
COLUMNS = dict(column.split() for column in _declared.rpartition(")")[0].split(","))


def row_cost(row: NewRow) -> float:
    """The microseconds of counting the terms of a row, or of writing its columns."""
    return ROW_MICROSECONDS + len(row.memory.content) * CHARACTER_MICROSECONDS


async def stage(
    session: Session, scope: Scope, rows: Sequence[NewRow], keyring: Keyring = NO_KEYS
) -> None:
    """Puts memories and chunks into the staging table, which is emptied when the transaction ends. Takes no lock that
    another writer waits for, and gives way to other calls now and then. Raises KeyMissing."""
    await session.execute(SQL["create_staging"])
    async with session.cursor() as cursor, cursor.copy(SQL["copy_to_staging"]) as copy:
        copy.set_types(list(COLUMNS.values()))
        slices = TimeSlices()
        for row in rows:
            parameters = row_parameters(scope, row, keyring)
            await copy.write_row([parameters[name] for name in COLUMNS])
            await slices.spend(row_cost(row))


async def insert_staged(session: Session, scope: Scope) -> AsyncCursor[TupleRow]:
    """Stores what is staged at the scope's present revision, but for ids that the scope has already; the cursor's
    rows name those, and say whether a row of the same sort, memory or chunk, has them. For a pipeline inside a
    transaction that holds the scope's write lock: it waits for nothing."""
    key = scope_parameters(scope)
    taken = await session.execute(SQL["unstage_taken"], key)
    for statement in (
        "insert_staged_memories",
        "insert_staged_vectors",
        "insert_staged_access",
        "count_staged",
    ):
        await session.execute(SQL[statement], key)
    return taken
