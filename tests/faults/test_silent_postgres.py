"""Postgres gone without a word, which no kernel tells: noticed within a bound, and over without a restart."""

import asyncio
import sys
from collections.abc import AsyncIterator

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage import change_notifier
from camillo_server.storage.connection_pool import with_keepalives
from camillo_server.storage.database import NO_TENANT
from camillo_server.storage.jobs.queue import JobQueue
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, remember
from tests.rpc.watching import Watch, told
from tests.server_fixtures import Server, StartServer, refused
from tests.tcp_proxy import TcpProxy, tcp_proxy

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]

STATEMENT_SECONDS, GRACE_SECONDS = FACTOR, 0.5 * FACTOR
BOUNDS = {
    "connect_timeout_seconds": FACTOR,
    "statement_timeout_seconds": STATEMENT_SECONDS,
    "answer_grace_seconds": GRACE_SECONDS,
}


# Status codes of calls while Postgres does not answer.
ENDS = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
ENDED = (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
Route = tuple[str, TcpProxy]


@pytest.fixture
async def route(database: TestDatabase) -> AsyncIterator[Route]:
    """The URL of the role that serves, by way of a proxy."""
    parts = conninfo_to_dict(database.server_url)
    async with tcp_proxy(str(parts["host"]), int(parts.get("port") or 5432)) as proxy:
        yield make_conninfo(database.server_url, host="127.0.0.1", port=proxy.port), proxy


async def until_remembered(server: Server, content: str) -> None:
    """Repeats a write until it is answered, whatever is answered before."""
    request = service.RememberRequest(request_id=content, memory=pb.NewMemory(content=content))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await server.alice(request, timeout=5 * FACTOR)
            except grpc.aio.AioRpcError as error:
                if error.code() not in ENDS:
                    raise
            else:
                return


async def started(start_server: StartServer, url: str) -> Server:
    """A server behind the proxy, which has answered."""
    server = await start_server(via=url, database=BOUNDS)
    await remember(server.alice, "before 之前")
    return server


async def test_calls_end_while_postgres_is_silent_and_succeed_when_it_is_back(
    route: Route, start_server: StartServer
) -> None:
    url, proxy = route
    server = await started(start_server, url)
    async with Watch(server.alice, from_beginning=True) as watch:
        caught_up = await watch.until_caught_up()
        assert told(caught_up) == ["before 之前"]
        proxy.cut()
        for request in (
            service.RememberRequest(memory=pb.NewMemory(content="lost 丢失")),
            service.ListMemoriesRequest(),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await server.alice(request, timeout=2 * FACTOR)
            assert refused.value.code() in ENDS
        # A call without a deadline of its own ends by the bound of its statement.
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await server.alice(service.ListMemoriesRequest(), timeout=PATIENCE_SECONDS)
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        proxy.heal()
        await until_remembered(server, "after 之后")
    # A watch may have ended meanwhile: it asks now and then whether its credential still holds.
    async with Watch(server.alice, resume_token=caught_up[-1].resume_token) as watch:
        assert "after 之后" in told(await watch.until("after 之后"))
    assert {"before 之前", "after 之后"} <= {*await listed(server.alice)}


async def test_a_call_without_a_deadline_ends_at_the_servers_own(route: Route, start_server: StartServer) -> None:
    url, proxy = route
    server = await start_server(via=url, server={"default_deadline_seconds": 0.5 * FACTOR})
    await remember(server.alice, "before 之前")
    forever = server.caller(server.keys.alice, timeout_seconds=None)
    proxy.cut()
    loop = asyncio.get_running_loop()
    began = loop.time()
    refusal = await refused(forever(service.ListMemoriesRequest()))
    assert (refusal.code, refusal.reason) == ENDED
    # Long before Postgres is given up: that takes the time-out of the statement, and the grace of 5 seconds.
    assert loop.time() - began < 4 * FACTOR
    proxy.heal()
    assert await listed(forever) == ["before 之前"]


async def test_another_route_is_taken_where_open_connections_hang_for_ever(
    route: Route, start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The watch is told by the notifier, not by looking for itself.
    monkeypatch.setattr("camillo_server.storage.change_notifier.MAX_WAIT_SECONDS", PATIENCE_SECONDS)
    monkeypatch.setattr(change_notifier, "PING_SECONDS", 0.2 * FACTOR)
    monkeypatch.setattr(change_notifier, "ANSWER_SECONDS", 0.5 * FACTOR)
    url, proxy = route
    server, other = await started(start_server, url), await start_server()
    async with Watch(server.alice, from_beginning=True) as watch:
        assert told(await watch.until_caught_up()) == ["before 之前"]
        await remember(other.alice, "heard 听到")
        await watch.until("heard 听到")
        proxy.strand()
        # Nobody hears the notification of this.
        await remember(other.alice, "unheard 没听到")
        changes = await watch.until("unheard 没听到")
        assert told(changes) == ["unheard 没听到"]
        await until_remembered(server, "after 之后")
        await watch.until("after 之后")


async def test_work_without_a_deadline_ends_past_its_time_out(route: Route, start_server: StartServer) -> None:
    url, proxy = route
    server = await started(start_server, url)
    database = server.app.kernel.database
    assert await database.rows(NO_TENANT, "select 1", {}) == [(1,)]
    proxy.cut()
    loop = asyncio.get_running_loop()
    began = loop.time()
    with pytest.raises(StorageUnavailable):
        await database.write_record(NO_TENANT, ("select 1 as one", {}))
    # One time-out, and one wait for a connection, with much room for a busy machine.
    assert loop.time() - began < 5 * (STATEMENT_SECONDS + GRACE_SECONDS)
    proxy.heal()
    await until_remembered(server, "after 之后")


@pytest.mark.skipif(sys.platform != "linux", reason="the proxy vanishes by a filter of Linux")
async def test_a_machine_that_has_vanished_is_noticed_by_tcp(
    route: Route, start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing of ours would notice: neither the watch nor the notifier asks, and the answer is waited for.
    monkeypatch.setattr("camillo_server.storage.change_notifier.MAX_WAIT_SECONDS", PATIENCE_SECONDS)
    monkeypatch.setattr(change_notifier, "PING_SECONDS", PATIENCE_SECONDS)
    url, proxy = route
    tcp = {
        "keepalive_idle_seconds": 1,
        "keepalive_interval_seconds": 1,
        "keepalive_count": 2,
        "tcp_user_timeout_seconds": 2,
        "statement_timeout_seconds": PATIENCE_SECONDS,
    }
    server = await start_server(via=url, database={**BOUNDS, **tcp})
    other = await start_server()
    database = server.app.kernel.database
    async with Watch(server.alice, from_beginning=True) as watch:
        await remember(other.alice, "heard 听到")
        await watch.until("heard 听到")
        # It leaves an open connection, which the next one takes: a new one would work.
        await database.write_record(NO_TENANT, ("select 1 as one", {}))
        proxy.vanish()
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(StorageUnavailable):
            await database.write_record(NO_TENANT, ("select 1 as one", {}))
        assert loop.time() - began < PATIENCE_SECONDS / 2
        await remember(other.alice, "unheard 没听到")
        assert told(await watch.until("unheard 没听到")) == ["unheard 没听到"]
    await until_remembered(server, "after 之后")


async def test_the_queue_of_jobs_does_not_wait_for_ever(route: Route) -> None:
    url, proxy = route
    queue = JobQueue(url, DatabaseSettings.model_validate(BOUNDS))
    await queue.open()
    try:
        assert await queue.figures() == []
        proxy.cut()
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(StorageUnavailable):
                await queue.figures()
        proxy.heal()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                try:
                    assert await queue.figures() == []
                except StorageUnavailable:
                    continue
                break
    finally:
        await queue.close()


def test_connections_have_the_bounds_that_are_set_and_keep_their_own() -> None:
    settings = DatabaseSettings(keepalive_idle_seconds=7, keepalive_interval_seconds=2, tcp_user_timeout_seconds=9.5)
    url = with_keepalives("postgresql://db/camillo?keepalives_count=8", settings)
    assert conninfo_to_dict(url) == {
        "host": "db",
        "dbname": "camillo",
        "keepalives_idle": "7",
        "keepalives_interval": "2",
        "keepalives_count": "8",
        "tcp_user_timeout": "9500",
    }


async def test_the_sockets_of_every_connection_have_these_bounds(route: Route, start_server: StartServer) -> None:
    url, _ = route
    server = await started(start_server, url)
    async with server.app.kernel.database.snapshot(NO_TENANT) as session:
        own = session.info.get_parameters()
    assert own["tcp_user_timeout"] == "15000"
    assert (own["keepalives_idle"], own["keepalives_interval"]) == ("10", "5")
