"""Postgres stopped and started, notifications lost: told plainly, and over without a restart of the server.

Without a spool: what is written meanwhile is refused (test_spool.py has the other).
"""

import asyncio

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness
from camillo_server.storage.embedded.server import EmbeddedPostgres
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, recall, remember
from tests.rpc.watching import Watch, told
from tests.server_fixtures import Server, StartServer, refused

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]


def new(content: str) -> service.RememberRequest:
    return service.RememberRequest(request_id=content, memory=pb.NewMemory(content=content))


async def until_answered(server: Server, request: service.RememberRequest) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await server.alice(request)
            except grpc.aio.AioRpcError as error:
                if error.code() == grpc.StatusCode.UNAVAILABLE:
                    continue
                raise
            return


async def test_an_outage_is_told_and_over_without_a_restart(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer
) -> None:
    server = await start_server(
        on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS}, spool={"enabled": False}
    )
    await remember(server.alice, "before")
    async with Watch(server.alice, from_beginning=True) as watch:
        assert told(await watch.until_caught_up()) == ["before"]
    await asyncio.to_thread(postgres.stop)
    for request in (
        new("during"),
        service.RecallRequest(text="x"),
        service.ListMemoriesRequest(),
        service.BatchRememberRequest(memories=[pb.NewMemory(content="during")]),
    ):
        refusal = await refused(server.alice(request))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE")
        assert refusal.retry_seconds
    parts = aiter(server.alice.begin(service.ExportMemoriesRequest()))
    assert (await refused(anext(parts))).reason == "STORAGE_UNAVAILABLE"
    stub = health_pb2_grpc.HealthStub(server.channel)
    assert (await stub.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE_SECONDS)).status
    await asyncio.to_thread(postgres.start)
    await until_answered(server, new("during"))
    assert sorted(await listed(server.alice)) == ["before", "during"]
    async with Watch(server.alice, from_beginning=True) as watch:
        assert sorted(told(await watch.until_caught_up())) == ["before", "during"]
        await remember(server.alice, "after")
        assert told(await watch.until("after")) == ["after"]


async def test_hits_counted_before_an_outage_are_stored_after_it(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer
) -> None:
    server = await start_server(
        on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS}, spool={"enabled": False}
    )
    memory = await remember(server.alice, "hit")
    for _ in range(4):
        await recall(server.alice, "hit")
    await asyncio.to_thread(postgres.stop)
    # A scope in memory is still answered from there; a recall that has to ask Postgres is refused.
    consistent = Freshness(fully_consistent=True)
    asked = server.alice(service.RecallRequest(text="hit", freshness=consistent))
    assert (await refused(asked)).retry_seconds
    await asyncio.to_thread(postgres.start)
    await until_answered(server, new("after"))
    request = service.GetMemoryRequest(memory_id=memory.memory_id)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await server.alice(request)).memory.access_count != 4:
            pass


async def test_a_watch_is_told_of_an_outage_or_goes_on_after_it(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer
) -> None:
    server = await start_server(
        on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS}, spool={"enabled": False}
    )
    async with server.client(server.keys.alice) as client:
        changes = client.watch(from_beginning=True)
        await client.remember("before")
        seen = [(await anext(changes)).changed.content for _ in range(2)]
        await asyncio.to_thread(postgres.stop)
        await asyncio.to_thread(postgres.start)
        await until_answered(server, new("after"))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while seen[-1] != "after":
                seen.append((await anext(changes)).changed.content)
        await changes.aclose()
    assert seen.count("before") == 1


async def test_lost_notifications_cost_delay_and_no_change(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.storage.change_notifier.MAX_WAIT_SECONDS", 0.1)
    # The servers listen on different channels, so that neither hears the other.
    monkeypatch.setattr("camillo_server.storage.change_notifier.CHANNEL", "deaf_one")
    one = await start_server()
    async with Watch(one.alice, from_beginning=True) as watch:
        await watch.until_caught_up()
        monkeypatch.setattr("camillo_server.storage.change_notifier.CHANNEL", "deaf_other")
        other = await start_server()
        for i in range(10):
            await remember(other.alice, f"number {i}")
        assert told(await watch.until("number 9")) == [f"number {i}" for i in range(10)]
