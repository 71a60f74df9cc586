"""A hold on the deletion of bytes outside of Postgres: while a backup copies those of its snapshot, they stay.

Bytes are deleted after the transaction that orphaned them. A process that deletes asks first, so either the hold came
later, and its holder's snapshot has the content as orphaned, or the bytes are left to a later collection.
"""

from typing import LiteralString

from camillo_server.storage.database import NO_TENANT, Database

# Any number that is always the same: "hold".
KEY = 0x686F6C64
# Held by the session that copies, until it unlocks or ends.
HOLD: LiteralString = f"select pg_advisory_lock({KEY})"
RELEASE: LiteralString = f"select pg_advisory_unlock({KEY})"
IS_FREE: LiteralString = f"select pg_try_advisory_xact_lock_shared({KEY})"
# Used by a process that cannot leave the bytes to a later collection.
WAIT: LiteralString = f"select pg_advisory_xact_lock_shared({KEY})"


async def may_delete(database: Database) -> bool:
    """Whether nobody holds the deletion. Raises StorageUnavailable."""
    [(is_free,)] = await database.rows(NO_TENANT, IS_FREE, {})
    return bool(is_free)
