"""Sessions of Postgres may be in any time zone; times come back as they were given all the same."""

from datetime import UTC, datetime

import psycopg
import pytest

from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import get, remember
from tests.server_fixtures import StartServer

EDGES = (
    datetime(9999, 12, 31, 23, 59, tzinfo=UTC),
    datetime(1, 1, 1, 0, 1, tzinfo=UTC),
    datetime(2030, 7, 1, 12, tzinfo=UTC),
)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
async def test_a_time_is_the_same_in_every_time_zone(
    database: TestDatabase, start_server: StartServer, zone: str
) -> None:
    """The last day of the year 9999 in UTC is beyond it in Tokyo."""
    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        superuser.execute(f"alter role all in database {database.name} set timezone = '{zone}'")
    server = await start_server()
    for moment in EDGES:
        stored = await remember(server.alice, f"at {moment}", occurred_at=moment)
        found = await get(server.alice, stored.memory_id)
        assert found.occurred_at.ToDatetime(tzinfo=UTC) == moment
