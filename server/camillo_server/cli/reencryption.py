"""reencrypt: what older keys have encrypted is encrypted with the first one, so that the others can be removed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from camillo_cli.failures import CliError
from camillo_cli.options import AsJson
from camillo_cli.output import print_value, progress_bar

from camillo_server.cli.server import ServerOptions, database_urls, operator_errors

if TYPE_CHECKING:
    from camillo_server.settings.settings import Settings

# It reads and writes some rows at once; to count them all, every row of large tables is read.
OWNER_TIMEOUTS = "set statement_timeout = '1h'; set idle_in_transaction_session_timeout = '60s'"


def reencrypt(options: ServerOptions, as_json: AsJson = False) -> None:
    """Encrypt what older keys have encrypted with the first key, so that the older ones can be removed.

    Put the new key first, keep the others, and restart all servers before. Servers go on serving meanwhile. If it is
    interrupted, run it again. The last key also recognizes forgotten values: keep it under the id 'fingerprint'.

    Example: camillo reencrypt --database-url postgresql://owner@db/camillo
    """
    settings = options.settings()

    import asyncio

    with (
        operator_errors(),
        database_urls(settings, prepared=True) as urls,
        progress_bar("encrypting", 1.0, "rows") as report,
    ):
        done, left = asyncio.run(
            reencrypt_all(
                settings,
                urls.owner_url,
                urls.server_url,
                lambda total, done: report(done / max(total, 1), done),
            )
        )
    if left:
        raise CliError(
            f"{done} rows encrypted; {left} still need other keys: theirs are missing, they are damaged, or their "
            "uploads are under way"
        )
    print_value(
        {"reencrypted": done},
        f"{done} rows encrypted; no other key is needed to decrypt",
        as_json=as_json,
    )


async def reencrypt_all(
    settings: Settings, owner_url: str, server_url: str, report: Callable[[int, int], None]
) -> tuple[int, int]:
    """How many rows were encrypted anew, and how many other keys are still needed for; `report` is called with how many
    there are, and how many are done. Raises KeyMissing where there is no key at all, KeyringError, BytesUnavailable,
    StorageUnavailable, psycopg.Error."""
    import psycopg

    from camillo_server.across.admin.store.reencryption import Reencryption
    from camillo_server.assembly.kernel import keyring
    from camillo_server.storage.connection_pool import with_keepalives
    from camillo_server.storage.database import Database
    from camillo_server.storage.parts.owned_store import owned_store

    database = Database(server_url, settings.database)
    await database.open()
    try:
        url = with_keepalives(owner_url, settings.database)
        async with await psycopg.AsyncConnection.connect(url, autocommit=True, connect_timeout=10) as connection:
            await connection.execute(OWNER_TIMEOUTS)
            objects = owned_store(settings, database)
            work = Reencryption(connection, keyring(settings), objects)
            total = await work.count()
            async for done in work.run():
                report(total, done)
            return work.done, await work.count()
    finally:
        await database.close()
