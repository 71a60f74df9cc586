"""A schema that is closed to the role that serves: a restore gives it no rights before its end."""

from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg import errors as pg

# Errors of statements that always work unless the schema is closed.
CLOSED = (pg.InsufficientPrivilege, pg.UndefinedTable, pg.InvalidSchemaName)
IS_CLOSED: LiteralString = """
select coalesce(not has_schema_privilege(to_regnamespace('camillo')::oid, 'usage'), true)
"""


async def is_closed(session: AsyncConnection[Any]) -> bool:
    """Whether this role may see nothing at all, where one of these errors may also be a defect."""
    cursor = await session.execute(IS_CLOSED, prepare=False)
    (closed,) = await cursor.fetchone() or (True,)
    return bool(closed)
