"""Postgres goes on from an earlier state: nothing of the state that is lost is answered, waited for, or gone on
with."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import psycopg
import pytest
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness, Revision
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.conftest import copy_cluster
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, recall, remember
from tests.rpc.records import record
from tests.rpc.watching import Watch
from tests.server_fixtures import Server, StartServer, refused

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]

Restore = Callable[[bool], None]
NO_ARCHIVE = "\nrestore_command = 'false'\nhot_standby = off\n"


@pytest.fixture
def postgres(migrated_directory: Path) -> Iterator[EmbeddedPostgres]:
    """Postgres as it is outside of tests: its log suffices for a standby, and tells what is on disk."""
    with EmbeddedPostgres(migrated_directory) as postgres:
        yield postgres


@pytest.fixture
def save_and_restore(postgres: EmbeddedPostgres, data_directory: Path) -> tuple[Callable[[], None], Restore]:
    """Copies the data, and goes on from the copy: as a standby that takes over does, or as it is."""
    cluster, copy = data_directory / "postgres", data_directory / "copy"

    def save() -> None:
        postgres.stop()
        copy_cluster(cluster, copy)
        postgres.start()

    def restore(takes_over: bool) -> None:
        postgres.stop()
        cluster.rename(data_directory / "lost")
        copy_cluster(copy, cluster)
        if takes_over:
            with (cluster / "postgresql.auto.conf").open("a") as settings:
                settings.write(NO_ARCHIVE)
            (cluster / "recovery.signal").touch()
        postgres.start()

    return save, restore


async def until_back(server: Server) -> None:
    """Waits until Postgres answers again."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await listed(server.alice)
            except grpc.aio.AioRpcError:
                continue
            return


async def revision_of(server: Server) -> Revision:
    answer: service.RecallResponse = await recall(server.alice, "tea")
    return answer.revision


async def warm(server: Server) -> set[str]:
    """Contents that a recall from memory finds."""
    answer = await recall(server.alice, "tea")
    return {hit.memory.content for hit in answer.hits}


def fresh_as(revision: Revision) -> service.RecallRequest:
    return service.RecallRequest(text="tea", freshness=Freshness(at_least_as_fresh=revision))


@pytest.mark.parametrize("takes_over", [True, False])
async def test_after_a_lost_history_everything_is_of_the_new_one(
    own_database: TestDatabase,
    start_server: StartServer,
    save_and_restore: tuple[Callable[[], None], Restore],
    takes_over: bool,
) -> None:
    save, restore = save_and_restore
    server = await start_server(on=own_database)
    await remember(server.alice, "green tea")
    await asyncio.to_thread(save)
    await until_back(server)
    for kind in ("black", "white"):
        await remember(server.alice, f"{kind} tea")
    client = server.client(server.keys.alice)
    await client.remember("lost tea")
    old = await revision_of(server)
    assert await server.alice(fresh_as(old))
    assert "lost tea" in await warm(server)
    async with Watch(server.alice, from_beginning=True) as watch:
        position = (await watch.until_caught_up())[-1].resume_token
    # The state of Postgres that later reads are compared with.
    await server.app.kernel.database.check_history()
    await asyncio.to_thread(restore, takes_over)
    await until_back(server)
    # As many writes as are lost, and one more: by their numbers the indexes would be current.
    for kind in ("oolong", "mint", "rooibos", "chamomile"):
        await remember(server.alice, f"{kind} tea")
    # The client demands its own last write, which is lost, and goes on by itself.
    assert "lost tea" not in {hit.text for hit in (await client.recall("tea")).hits}
    await client.close()
    kept = {f"{kind} tea" for kind in ("green", "oolong", "mint", "rooibos", "chamomile")}
    assert await warm(server) == kept
    assert await warm(server) == kept
    # Another server has seen nothing of what is lost, and refuses it as well.
    other = await start_server(on=own_database)
    for each in (server, other):
        for request in (fresh_as(old), service.WatchMemoriesRequest(resume_token=position)):
            call = each.alice.begin(request)
            refusal = await refused(call if isinstance(request, service.RecallRequest) else anext(aiter(call)))
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.OUT_OF_RANGE, "REVISION_UNKNOWN")
        assert await each.alice(fresh_as(await revision_of(server)))


@pytest.mark.own_server
async def test_watchers_and_pages_of_another_history_start_again(server: Server) -> None:
    """No outage is needed: the database was given another identity, as after a restore by hand."""
    for text in ("one", "two"):
        await record(server.alice, text)
    page = await server.alice(events.ListEventsRequest(page_size=1))
    second = events.ListEventsRequest(page_size=1, page_token=page.next_page_token)
    of_events = server.alice.begin(events.WatchEventsRequest(from_beginning=True))
    async with Watch(server.alice, from_beginning=True) as watch:
        await watch.until_caught_up()
        await anext(aiter(of_events))
        # Not afterwards: each new connection of the server looks at the identity, too.
        assert (await server.alice(second)).events
        with psycopg.connect(server.database.superuser_url) as connection:
            connection.execute("update camillo.database_identity set database_id = gen_random_uuid()")
        await server.app.kernel.database.check_history()
        # A checkpoint may still come before.
        for ended in (watch.until("never written"), until_end(of_events)):
            assert (await refused(ended)).reason == "REVISION_UNKNOWN"
    assert (await refused(server.alice(second))).reason == "INVALID_PAGE_TOKEN"


async def until_end(call: object) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for _ in call:  # type: ignore[attr-defined]
            pass


async def test_a_postgres_that_tells_no_timeline_is_served(
    database: TestDatabase, start_server: StartServer, caplog: pytest.LogCaptureFixture
) -> None:
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute("revoke execute on function pg_control_system() from public")
    server = await start_server()
    assert "Postgres does not tell its timeline" in caplog.messages
    await remember(server.alice, "tea")
    old = await revision_of(server)
    assert await server.alice(fresh_as(old))
    with psycopg.connect(server.database.superuser_url) as connection:
        connection.execute("update camillo.database_identity set database_id = gen_random_uuid()")
    await server.app.kernel.database.check_history()
    assert (await refused(server.alice(fresh_as(old)))).reason == "REVISION_UNKNOWN"
