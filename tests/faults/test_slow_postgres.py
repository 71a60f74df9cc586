"""Postgres behind a slow network: calls end in time, none pile up, and what is in memory is as quick as ever."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import Server, StartServer, refused
from tests.tcp_proxy import TcpProxy, tcp_proxy

pytestmark = [pytest.mark.caches, pytest.mark.xdist_group("outage"), pytest.mark.timeout(170)]

DELAY_SECONDS = 0.2
CALLS = 40


@pytest.fixture
async def proxy(own_database: TestDatabase) -> AsyncIterator[TcpProxy]:
    parts = conninfo_to_dict(own_database.server_url)
    async with tcp_proxy(str(parts["host"]), int(parts.get("port") or 5432)) as proxy:
        yield proxy


@pytest.fixture
async def server(own_database: TestDatabase, proxy: TcpProxy, start_server: StartServer) -> Server:
    """Reaches Postgres by the proxy; `alice` is in memory, others are not."""
    url = make_conninfo(own_database.server_url, host="127.0.0.1", port=proxy.port)
    server = await start_server(on=replace(own_database, server_url=url))
    await remember(server.alice, "warm 茶")
    await remember(server.admin, "cold 茶", agent_id="cold")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await recall(server.alice, "茶")).answered_by != pb.ANSWERED_BY_CACHE:
            pass
    return server


def waiting(server: Server) -> int:
    return server.app.kernel.database.statistics().get("requests_waiting", 0)


async def slowest_warm_recall(server: Server) -> float:
    slowest = 0.0
    for _ in range(20):
        started = time.monotonic()
        answer = await recall(server.alice, "茶")
        slowest = max(slowest, time.monotonic() - started)
        assert answer.answered_by == pb.ANSWERED_BY_CACHE
        assert not answer.degraded
    return slowest


async def test_a_delay_of_each_packet_is_borne_and_warm_scopes_do_not_feel_it(server: Server, proxy: TcpProxy) -> None:
    proxy.delay_seconds = DELAY_SECONDS
    started = time.monotonic()
    await remember(server.admin, "slowly 茶", agent_id="cold")
    assert time.monotonic() - started >= 2 * DELAY_SECONDS
    assert await slowest_warm_recall(server) < DELAY_SECONDS * FACTOR
    cold = await recall(server.admin, "茶", agent_id="cold")
    assert {hit.memory.content for hit in cold.hits} == {"cold 茶", "slowly 茶"}


async def test_a_crawling_postgres_ends_calls_by_their_deadline_and_none_pile_up(
    server: Server, proxy: TcpProxy
) -> None:
    proxy.bytes_per_second = 1_024
    deadline = 1.0 * FACTOR
    started = time.monotonic()
    texts = [f"{number} 茶 " + "word " * 300 for number in range(CALLS)]
    calls = [
        refused(
            server.caller(server.keys.rival)(
                service.RememberRequest(agent_id="bob", memory=pb.NewMemory(content=text)), timeout=deadline
            )
        )
        for text in texts
    ]
    crowd = asyncio.gather(*calls)
    warm = await slowest_warm_recall(server)
    refusals = await crowd
    assert {refusal.code for refusal in refusals} <= {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE}
    assert grpc.StatusCode.DEADLINE_EXCEEDED in {refusal.code for refusal in refusals}
    assert time.monotonic() - started < 3 * deadline + 5 * FACTOR
    assert warm < deadline
    proxy.bytes_per_second = 0
    async with asyncio.timeout(PATIENCE_SECONDS):
        while waiting(server) or server.app.kernel.telemetry.instruments.in_flight > 1:
            await recall(server.alice, "茶")
    after = await remember(server.admin, "after 之后", agent_id="cold")
    assert after.content in await listed(server.admin, agent_id="cold")
