"""Pages of Postgres that are damaged: told plainly to callers and operators, with nothing of the inside, and over when
they are mended."""

import asyncio
import re
from contextlib import suppress

import grpc
import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.cli.doctor.database import check_database
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.damaged_files import DamagedFile
from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import Server, StartServer, refused

pytestmark = [pytest.mark.xdist_group("damage"), pytest.mark.timeout(170)]

# Nothing of these may be told to a caller.
INSIDE = re.compile(r"base/|block|relation|page|memories_|checksum|psycopg", re.IGNORECASE)


@pytest.fixture
async def server(own_database: TestDatabase, start_server: StartServer) -> Server:
    return await start_server(
        on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS}, retrieval={"cache_bytes": 0}
    )


def damaged(server: Server) -> int:
    return server.app.kernel.database.faults["damaged"]


def pages(database: TestDatabase) -> str:
    """Status of the doctor's finding about pages."""
    findings = check_database(database.server_url, "Postgres", 1 << 30, 20)
    (found,) = [each.status for each in findings if each.subject == "pages"]
    return str(found)


async def until_reached(server: Server) -> None:
    """Connections from before a restart of Postgres are found dead by whoever reads first."""
    request = service.ListMemoriesRequest(agent_id="nobody")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await server.admin(request)
            except grpc.aio.AioRpcError as error:
                if error.code() == grpc.StatusCode.UNAVAILABLE:
                    continue
            return


def full_text_index(database: TestDatabase) -> str:
    with psycopg.connect(database.superuser_url) as superuser:
        row = superuser.execute(
            "select c.oid::regclass::text from pg_class c join pg_am a on a.oid = c.relam"
            " join pg_index i on i.indexrelid = c.oid"
            " where a.amname = 'gin' and i.indrelid = 'camillo.memories'::regclass"
            " and pg_get_indexdef(c.oid) like '%terms%'"
        ).fetchone()
    assert row is not None
    return str(row[0])


async def test_a_damaged_index_of_words_is_told_and_mended_by_reindexing(
    postgres: EmbeddedPostgres, own_database: TestDatabase, server: Server
) -> None:
    for number in range(20):
        await remember(server.alice, f"number {number} 茶")
    assert pages(own_database) == "ok"
    index = full_text_index(own_database)
    await asyncio.to_thread(DamagedFile(postgres, own_database, index).damage)
    await until_reached(server)
    refusal = await refused(remember(server.alice, "not acknowledged 茶"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert not INSIDE.search(refusal.message)
    assert damaged(server) >= 1
    # Every acknowledged memory is listed.
    assert len(await listed(server.alice)) == 20
    assert await asyncio.to_thread(pages, own_database) == "fail"
    with psycopg.connect(own_database.superuser_url, autocommit=True) as superuser:
        superuser.execute(f"reindex index {index}")
        superuser.execute("select pg_stat_reset()")
    stored = await remember(server.alice, "acknowledged 茶")
    assert stored.memory_id in {hit.memory.memory_id for hit in (await recall(server.alice, "acknowledged")).hits}
    assert len(await listed(server.alice)) == 21


async def test_a_damaged_table_is_told_and_loses_nothing_silently(
    postgres: EmbeddedPostgres, own_database: TestDatabase, server: Server
) -> None:
    await remember(server.alice, "there 茶")
    table = DamagedFile(postgres, own_database, "camillo.memories")
    await asyncio.to_thread(table.damage)
    await until_reached(server)
    for call in (
        recall(server.alice, "茶"),
        listed(server.alice),
        server.alice(service.RememberRequest(memory=pb.NewMemory(content="茶 more"))),
    ):
        refusal = await refused(call)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
        assert not INSIDE.search(refusal.message)
    assert damaged(server) >= 3
    assert await asyncio.to_thread(pages, own_database) == "fail"
    await asyncio.to_thread(table.restore)
    with suppress(grpc.aio.AioRpcError):
        await listed(server.alice)
    assert await listed(server.alice) == ["there 茶"]
    await remember(server.alice, "after 茶")
    assert sorted(await listed(server.alice)) == ["after 茶", "there 茶"]
