"""Taking memories out of recall, many at once."""

from collections.abc import Sequence
from datetime import datetime

from camillo_server.domain.ids import MemoryId
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Session
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements

KEEP_VERSION = statements("memory_writes")["keep_version"]
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
        await session.execute(KEEP_VERSION, parameters)
        await session.execute(ARCHIVE, parameters)
