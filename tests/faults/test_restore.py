"""A backup is restored in the place of a database whose server goes on running: nothing of the replaced state is
answered."""

import asyncio
from pathlib import Path

import grpc
import psycopg
import pytest
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness, Revision
from camillo_server.kernel.errors import StorageUnavailable

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import record
from tests.rpc.watching import Watch
from tests.server_fixtures import Server, StartServer, refused
from tests.storage.backup.backups import back_up, restore

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]


async def warm(server: Server) -> set[str]:
    """Contents that a recall from memory finds."""
    answer = await recall(server.alice, "tea")
    return {hit.memory.content for hit in answer.hits}


def fresh_as(revision: Revision) -> service.RecallRequest:
    return service.RecallRequest(text="tea", freshness=Freshness(at_least_as_fresh=revision))


async def until_restored(server: Server, content: str) -> None:
    """Waits until the server answers with what was written since; it is told of the restore, and connects anew."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await remember(server.alice, content)
            except grpc.aio.AioRpcError:
                continue
            return


async def test_a_server_that_runs_through_a_restore_goes_on_from_the_backup(
    own_database: TestDatabase, start_server: StartServer, tmp_path: Path
) -> None:
    server = await start_server(on=own_database)
    await remember(server.alice, "green tea")
    await record(server.alice, "one")
    await record(server.alice, "two")
    root = tmp_path / "backup"
    await asyncio.to_thread(back_up, own_database, root)
    client = server.client(server.keys.alice)
    await client.remember("lost tea 茶")
    assert "lost tea 茶" in await warm(server)
    old = (await recall(server.alice, "tea")).revision
    page = await server.alice(events.ListEventsRequest(page_size=1))
    async with Watch(server.alice, from_beginning=True) as watch:
        position = (await watch.until_caught_up())[-1].resume_token
        await asyncio.to_thread(restore, root, own_database)
        # One that had to read meanwhile has found no Postgres; by its token it learns the same (below).
        ended = await refused(watch.until("never written"))
        assert ended.reason in ("REVISION_UNKNOWN", "STORAGE_UNAVAILABLE")
    for kind in ("oolong", "mint"):
        await until_restored(server, f"{kind} tea")
    kept = {"green tea", "oolong tea", "mint tea"}
    assert await warm(server) == kept
    assert await warm(server) == kept
    # The client demands its own last write, which is lost, and goes on by itself.
    assert {hit.text for hit in (await client.recall("tea")).hits} == kept
    await client.close()
    assert (await refused(server.alice(fresh_as(old)))).reason == "REVISION_UNKNOWN"
    resumed = server.alice.begin(service.WatchMemoriesRequest(resume_token=position))
    assert (await refused(anext(aiter(resumed)))).reason == "REVISION_UNKNOWN"
    paged = events.ListEventsRequest(page_size=1, page_token=page.next_page_token)
    assert (await refused(server.alice(paged))).reason == "INVALID_PAGE_TOKEN"
    assert await server.alice(fresh_as((await recall(server.alice, "tea")).revision))


async def test_the_history_of_a_restored_database_has_its_timeline(
    own_database: TestDatabase, start_server: StartServer, tmp_path: Path
) -> None:
    """While the tables are closed the server asks in vain, and takes that for nothing that Postgres cannot tell."""
    server = await start_server(on=own_database)
    before = await server.app.kernel.database.history()
    await asyncio.to_thread(back_up, own_database, tmp_path / "backup")
    with psycopg.connect(own_database.owner_url, autocommit=True) as owner:
        owner.execute("revoke usage on schema camillo from camillo_server")
        with pytest.raises(StorageUnavailable):
            await server.app.kernel.database.check_history()
        # Callers wait and come again, as while Postgres is away.
        assert (await refused(remember(server.alice, "tea"))).reason == "STORAGE_UNAVAILABLE"
    await asyncio.to_thread(restore, tmp_path / "backup", own_database)
    await until_restored(server, "tea")
    await server.app.kernel.database.check_history()
    after = await server.app.kernel.database.history()
    assert after.database_id != before.database_id
    assert (after.system_identifier, after.timeline) == (before.system_identifier, before.timeline)
