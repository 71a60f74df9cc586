"""Answers of a connection are read although it is closed as soon as it is given back."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.database import NO_TENANT, Database

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase

MOMENT = datetime(2030, 1, 1, tzinfo=UTC)
# A time with its zone: the driver asks the connection for that of its session. It takes a moment.
SLOWLY = "select %(moment)s::timestamptz as moment from pg_sleep(0.2)"


async def test_the_answer_is_read_before_its_connection_is_closed(database: TestDatabase) -> None:
    opened = Database(database.server_url, DatabaseSettings(pool_min=1, pool_max=1))
    await opened.open()
    statement = SLOWLY, {"moment": MOMENT}
    asks: list[Callable[[], Coroutine[Any, Any, Any]]] = [
        lambda: opened.write_record(NO_TENANT, statement),
        lambda: opened.record(NO_TENANT, *statement),
    ]
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            for ask in asks:
                await opened.rows(NO_TENANT, "select 1", {})
                asked = asyncio.create_task(ask())
                while opened.statistics()["pool_available"]:  # noqa: ASYNC110 (a pool)
                    await asyncio.sleep(0)
                # As another caller does whose connection was lost: those in use are closed as they come back.
                await opened._discard_idle_connections()
                assert (await asked).moment == MOMENT
    finally:
        await opened.close()
