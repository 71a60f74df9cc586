"""Access statistics: counted out of a recall's way, stored behind it, never lost on a clean stop."""

import asyncio

import psycopg
import pytest

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import get, recall, remember
from tests.server_fixtures import Server, StartServer
from tests.unit.identity.moving_clock import MovingClock


def stored_count(server: Server) -> int:
    with psycopg.connect(server.database.superuser_url) as connection:
        row = connection.execute("select coalesce(sum(access_count), 0)::int from camillo.memory_access").fetchone()
    assert row is not None
    count: int = row[0]
    return count


async def test_hits_are_counted_and_stored_some_time_later(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, clock: MovingClock
) -> None:
    monkeypatch.setattr("camillo_server.assembly.search.ACCESS_FLUSH_SECONDS", 0.02)
    server = await start_server()
    hit = await remember(server.alice, "hit")
    missed = await remember(server.alice, "missed")
    clock.move(5)
    for _ in range(3):
        assert (await recall(server.alice, "hit", limit=1)).hits[0].memory.content == "hit"
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await get(server.alice, hit.memory_id)).access_count < 3:
            pass
    found = await get(server.alice, hit.memory_id)
    assert found.access_count == 3
    assert found.accessed_at.ToDatetime() == clock.now().replace(tzinfo=None)
    assert found.version == 1
    assert not (await get(server.alice, missed.memory_id)).HasField("accessed_at")


async def test_a_clean_stop_stores_what_was_counted(start_server: StartServer) -> None:
    server = await start_server()
    await remember(server.alice, "hit")
    for _ in range(5):
        await recall(server.alice, "hit")
    await server.app.stop()
    assert stored_count(server) == 5


async def test_a_stop_in_the_middle_of_storing_loses_no_count(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.assembly.search.ACCESS_FLUSH_SECONDS", 0.02)
    server = await start_server()
    memory = await remember(server.alice, "hit")
    with psycopg.connect(server.database.superuser_url) as holder:
        holder.execute("select from camillo.memories where memory_id = %s for update", (memory.memory_id,))
        for _ in range(5):
            await recall(server.alice, "hit")
        with psycopg.connect(server.database.superuser_url, autocommit=True) as observer:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not observer.execute(
                    "select 1 from pg_stat_activity where wait_event_type = 'Lock'"
                    " and datname = current_database() and query like '%memory_access%'"
                ).fetchone():
                    await recall(server.rival, "nothing")
        stopping = asyncio.create_task(server.app.stop())
        # The stop is at the point where it stores the rest, or has lost it.
        await asyncio.wait([stopping], timeout=0.3)
        holder.rollback()
        await stopping
    assert stored_count(server) == 5
