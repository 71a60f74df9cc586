"""pgvector and its indexes fail: words answer, writes wait for their vectors, and all is well once they are
repaired."""

import asyncio
from contextlib import suppress
from typing import Any
from uuid import uuid4

import grpc
import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.cli.doctor.database import check_database
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.store.vector_index import create_index, drop_indexes
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.damaged_files import DamagedFile
from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import get, recall, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import get_event, record
from tests.server_fixtures import Server, StartServer

pytestmark = [pytest.mark.xdist_group("vector_store"), pytest.mark.timeout(170)]

ALICE = Scope(TenantId("acme"), AgentId("alice"))
UNSEARCHED = pb.DEGRADED_REASON_VECTOR_SEARCH_UNAVAILABLE
# The library that Postgres looks up functions of pgvector in, and one that does not exist.
LIBRARY, NOWHERE = "$libdir/vector", "$libdir/gone"


@pytest.fixture
async def server(own_database: TestDatabase, start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server that answers from Postgres, and embeds at once what waits."""
    monkeypatch.setattr("camillo_server.storage.jobs.board.GATHER_SECONDS", 0.02)
    return await started(start_server, own_database, cache_bytes=0)


async def started(start: StartServer, on: TestDatabase, **retrieval: Any) -> Server:
    return await start(
        on=on,
        database={"connect_timeout_seconds": CONNECT_SECONDS},
        retrieval=retrieval,
        jobs={"first_retry_seconds": 0.1, "longest_retry_seconds": 0.5},
    )


def faults(server: Server) -> dict[str, int]:
    return dict(server.app.kernel.telemetry.instruments.vector_faults)


def doctor(database: TestDatabase) -> str:
    """Status of the doctor's finding about pgvector."""
    findings = check_database(database.server_url, "Postgres", 1 << 30, 20)
    return next(str(each.status) for each in findings if each.subject == "pgvector")


def contents(answer: service.RecallResponse) -> list[str]:
    return sorted(hit.memory.content for hit in answer.hits)


async def until_whole(server: Server, memory_id: str) -> None:
    """Waits until the memory has its vector, and recalls are not degraded."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (await get(server.alice, memory_id, include_vector=True)).HasField("vector"):
            pass
        while (await recall(server.alice, "茶")).degraded:
            pass


async def until_back(server: Server) -> None:
    """Connections from before a restart of Postgres are found dead by whoever reads first."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            with suppress(grpc.aio.AioRpcError):
                await recall(server.alice, "茶")
                return


def break_library(database: TestDatabase, *, repair: bool = False) -> None:
    """Makes Postgres look for the functions of pgvector in a library that is not there; or in the right one again.
    Connections from before keep what they have loaded."""
    before, after = (NOWHERE, LIBRARY) if repair else (LIBRARY, NOWHERE)
    url = database.superuser_url
    with psycopg.connect(url, autocommit=True) as superuser:
        superuser.execute("update pg_catalog.pg_proc set probin = %s where probin = %s", (after, before))
        superuser.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where pid <> pg_backend_pid() and usename = 'camillo_server'"
        )


async def test_without_the_library_of_pgvector_words_answer_and_writes_wait_for_their_vectors(
    own_database: TestDatabase, server: Server
) -> None:
    first = await remember(server.alice, "first 茶")
    before = await recall(server.alice, "茶")
    assert not before.degraded
    assert before.hits[0].breakdown.HasField("dense")
    break_library(own_database)
    answer = await recall(server.alice, "茶")
    assert (contents(answer), [*answer.degraded]) == (["first 茶"], [UNSEARCHED])
    assert answer.answered_by == pb.ANSWERED_BY_POSTGRES
    assert not answer.hits[0].breakdown.HasField("dense")
    stored = await remember(server.alice, "second 茶")
    assert stored.vector_model_id == ""
    recorded = await record(server.alice, "an event with 茶")
    changed = await server.alice(update(first.memory_id, 1, content="first 茶 again"))
    assert changed.memory.content == "first 茶 again"
    assert UNSEARCHED in (await recall(server.alice, "茶")).degraded
    assert contents(await recall(server.alice, "茶")) == ["first 茶 again", "second 茶"]
    assert (await get_event(server.alice, recorded.event_id)).stated.text == "an event with 茶"
    assert faults(server)["recall"] >= 3
    assert faults(server)["write"] >= 1
    assert server.app.kernel.database.faults["damaged"] >= 4
    assert await asyncio.to_thread(doctor, own_database) == "fail"
    break_library(own_database, repair=True)
    for memory in (first, stored):
        await until_whole(server, memory.memory_id)
    after = faults(server)
    assert all(hit.breakdown.HasField("dense") for hit in (await recall(server.alice, "茶")).hits)
    assert faults(server) == after
    assert await asyncio.to_thread(doctor, own_database) == "ok"


@pytest.mark.caches
async def test_a_warm_scope_does_not_notice_that_pgvector_is_gone(
    own_database: TestDatabase, start_server: StartServer
) -> None:
    server = await started(start_server, own_database)
    await remember(server.alice, "warm 茶")
    await remember(server.admin, "cold 茶", agent_id="cold")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await recall(server.alice, "茶")).answered_by != pb.ANSWERED_BY_CACHE:
            pass
    break_library(own_database)
    cold = await recall(server.admin, "茶", agent_id="cold")
    assert (contents(cold), [*cold.degraded]) == (["cold 茶"], [UNSEARCHED])
    warm = await recall(server.alice, "茶")
    assert (warm.answered_by, [*warm.degraded]) == (pb.ANSWERED_BY_CACHE, [])
    assert warm.hits[0].breakdown.HasField("dense")


async def test_a_damaged_index_of_vectors_leaves_words_and_is_mended_by_making_it_again(
    postgres: EmbeddedPostgres, own_database: TestDatabase, server: Server
) -> None:
    first = await remember(server.alice, "first 茶")
    for number in range(30):
        await remember(server.alice, f"more {number} 北京")
    index = await asyncio.to_thread(create_index, own_database.owner_url, ALICE)
    damaged = DamagedFile(postgres, own_database, f"camillo.{index.name}")
    await asyncio.to_thread(damaged.damage)
    await until_back(server)
    stored = await remember(server.alice, "second 茶")
    assert stored.vector_model_id == ""
    request = service.BatchRememberRequest(request_id=str(uuid4()), memories=[pb.NewMemory(content="third 茶")])
    batch = await server.alice(request)
    assert batch.results[0].memory.vector_model_id == ""
    # A repeat is answered as the first one was.
    again = await server.alice(request)
    assert again.results[0].memory == batch.results[0].memory
    answer = await recall(server.alice, "茶")
    assert {"first 茶", "second 茶", "third 茶"} <= {*contents(answer)}
    assert faults(server)["write"] >= 2
    # Another scope has its vectors elsewhere.
    other = await remember(server.admin, "other 茶", agent_id="bob")
    assert other.vector_model_id
    await asyncio.to_thread(drop_indexes, own_database.owner_url, ALICE)
    await until_whole(server, stored.memory_id)
    made = await asyncio.to_thread(create_index, own_database.owner_url, ALICE)
    assert made.is_ready
    fourth = await remember(server.alice, "fourth 茶")
    assert fourth.vector_model_id == first.vector_model_id


async def test_a_dropped_index_of_vectors_costs_time_and_nothing_else(
    own_database: TestDatabase, server: Server
) -> None:
    for content in ("one 茶", "two 茶"):
        await remember(server.alice, content)
    index = await asyncio.to_thread(create_index, own_database.owner_url, ALICE)
    before = await recall(server.alice, "茶")
    # Behind the server's back, which goes on asking for it.
    with psycopg.connect(own_database.owner_url, autocommit=True) as owner:
        owner.execute(f"drop index camillo.{index.name}")
    after = await recall(server.alice, "茶")
    assert contents(after) == contents(before) == ["one 茶", "two 茶"]
    assert not after.degraded
    assert [hit.score for hit in after.hits] == [hit.score for hit in before.hits]
    assert not faults(server)
