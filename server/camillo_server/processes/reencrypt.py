"""Reencryption, as the owner of the database and beside its servers."""

from collections.abc import Callable

import psycopg

from camillo_server.admin.store.reencryption import Reencryption
from camillo_server.artifacts.wiring import owned_store
from camillo_server.settings import Settings
from camillo_server.storage.database import Database
from camillo_server.wiring import keyring

# Called with how many rows there are to encrypt anew, and how many are done.
Report = Callable[[int, int], None]


async def reencrypt(
    settings: Settings, owner_url: str, server_url: str, report: Report
) -> tuple[int, int]:
    """How many rows were encrypted anew, and how many other keys are still needed for. Raises KeyMissing where there is no
    key at all, KeyringError, BytesUnavailable, StorageUnavailable, psycopg.Error."""
    database = Database(server_url, settings.database)
    await database.open()
    try:
        async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as connection:
            objects = owned_store(settings, database)
            work = Reencryption(connection, keyring(settings), objects)
            total = await work.count()
            async for done in work.run():
                report(total, done)
            return work.done, await work.count()
    finally:
        await database.close()
