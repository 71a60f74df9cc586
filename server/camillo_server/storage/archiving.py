"""Taking memories out of recall and back into it, many at once."""

from collections.abc import Sequence
from datetime import datetime

from camillo_server.domain.ids import MemoryId
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Session
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements

MEMORIES = statements("memory_writes")
ARCHIVE = statements("lifecycle")["archive"]


async def archive_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> None:
    """Archives memories inside the caller's transaction, which has taken the scope's turn: what is in force becomes
    history, as with any change of a memory."""
    parameters = {
        **scope_parameters(scope),
        "memory_ids": list(memory_ids),
        "revision": revision,
        "now": now,
    }
    async with session.pipeline():
        await session.execute(MEMORIES["keep_version"], parameters)
        await session.execute(ARCHIVE, parameters)


async def restore_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> int:
    """Takes those of these memories back that are archived, in the same way; how many."""
    key = {**scope_parameters(scope), "revision": revision, "now": now}
    rows = await session.rows(MEMORIES["archived_ids"], {**key, "memory_ids": list(memory_ids)})
    archived = {**key, "memory_ids": [row[0] for row in rows]}
    async with session.pipeline():
        await session.execute(MEMORIES["keep_version"], archived)
        await session.execute(MEMORIES["restore"], archived)
    return len(rows)
