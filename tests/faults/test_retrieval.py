"""Scopes in memory while Postgres is away: answered as of their revision, and never as more than that."""

import asyncio
from contextlib import suppress

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness
from camillo_server.storage.embedded.server import EmbeddedPostgres
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle
from tests.server_fixtures import Server, StartServer, refused

pytestmark = [pytest.mark.caches, pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]

EVERYTHING_COMMITTED = Freshness(fully_consistent=True)


@pytest.fixture
def answered_from() -> str:
    return "memory"


@pytest.fixture
async def server(own_database: TestDatabase, start_server: StartServer) -> Server:
    return await start_server(on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS})


def contents(answer: service.RecallResponse) -> list[str]:
    return sorted(hit.memory.content for hit in answer.hits)


async def test_a_warm_scope_is_answered_as_of_its_revision_while_postgres_is_away(
    postgres: EmbeddedPostgres, server: Server
) -> None:
    for content in ("one 茶", "two 茶"):
        await remember(server.alice, content)
    await remember(server.admin, "of another", agent_id="cold")
    before = await recall(server.alice, "茶")
    assert (before.answered_by, list(before.degraded)) == (pb.ANSWERED_BY_CACHE, [])
    await asyncio.to_thread(postgres.stop)
    with suppress(grpc.aio.AioRpcError):
        # Whoever has to ask Postgres notices that it is away.
        await recall(server.alice, "茶", freshness=EVERYTHING_COMMITTED)
    reached = Freshness(at_least_as_fresh=before.revision)
    for freshness in (None, Freshness(minimize_latency=True), reached):
        answer = await recall(server.alice, "茶", freshness=freshness)
        assert answer.answered_by == pb.ANSWERED_BY_CACHE
        assert contents(answer) == ["one 茶", "two 茶"]
        assert answer.revision == before.revision
        assert answer.degraded == [pb.DEGRADED_REASON_STORAGE_UNAVAILABLE]
    for call in (
        recall(server.alice, "茶", freshness=EVERYTHING_COMMITTED),
        recall(server.admin, "茶", agent_id="cold"),
    ):
        refusal = await refused(call)
        assert refusal.code == grpc.StatusCode.UNAVAILABLE
        assert refusal.reason == "STORAGE_UNAVAILABLE"
    await asyncio.to_thread(postgres.start)
    await until_answered(server)
    assert contents(await recall(server.alice, "茶", freshness=EVERYTHING_COMMITTED)) == ["one 茶", "two 茶"]


async def test_a_warm_scope_is_answered_for_a_bounded_time_while_postgres_is_away(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.assembly.app.DATABASE_CHECK_SECONDS", 0.05)
    server = await start_server(
        on=own_database,
        database={"connect_timeout_seconds": CONNECT_SECONDS},
        retrieval={"outage_grace_seconds": 60},
        identity={"outage_grace_seconds": 86_400},
    )
    await remember(server.alice, "茶")
    assert (await recall(server.alice, "茶")).answered_by == pb.ANSWERED_BY_CACHE
    server.clock.move(3600)
    assert (await recall(server.alice, "茶")).answered_by == pb.ANSWERED_BY_CACHE
    await asyncio.to_thread(postgres.stop)
    # The first call that needs Postgres notices.
    await refused(recall(server.alice, "茶", freshness=EVERYTHING_COMMITTED))
    server.clock.move(60)
    assert contents(await recall(server.alice, "茶")) == ["茶"]
    assert await is_ready(server)
    server.clock.move(1)
    await until_ready(server, is_so=False)
    for call in (recall(server.alice, "茶"), bundle(server.alice, "茶")):
        assert (await refused(call)).reason == "STORAGE_UNAVAILABLE"
    await asyncio.to_thread(postgres.start)
    await until_answered(server)
    assert (await recall(server.alice, "茶")).answered_by == pb.ANSWERED_BY_CACHE
    await until_ready(server, is_so=True)


async def is_ready(server: Server) -> bool:
    stub = health_pb2_grpc.HealthStub(server.channel)
    asked = health_pb2.HealthCheckRequest(service="camillo.postgres")
    answer = await stub.Check(asked, timeout=PATIENCE_SECONDS)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def until_ready(server: Server, *, is_so: bool) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await is_ready(server) != is_so:
            pass


async def test_what_was_written_elsewhere_during_an_outage_is_found_after_it(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer
) -> None:
    settings = {"database": {"connect_timeout_seconds": CONNECT_SECONDS}}
    one = await start_server(on=own_database, **settings)
    two = await start_server(**settings, on=own_database)
    first = await remember(one.alice, "first 茶")
    assert contents(await recall(two.alice, "茶")) == ["first 茶"]
    await asyncio.to_thread(postgres.stop)
    await refused(one.alice(forget(first.memory_id)))
    await asyncio.to_thread(postgres.start)
    await until_answered(one)
    stored = await one.alice(service.RememberRequest(memory=pb.NewMemory(content="second 茶")))
    await one.alice(forget(first.memory_id))
    fresh = Freshness(at_least_as_fresh=stored.revision)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while "first 茶" in contents(answer := await recall(two.alice, "茶", freshness=fresh)):
            pass
    assert contents(answer) == ["second 茶"]


async def until_answered(server: Server) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await server.alice(service.ListMemoriesRequest())
            except grpc.aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.UNAVAILABLE:
                    raise
            else:
                return
