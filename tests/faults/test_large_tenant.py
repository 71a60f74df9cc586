"""A tenant with many rows is deleted while another reads and writes: `CAMILLO_TEST_DELETED_ROWS=2000000 pytest -s`
prints how long that takes, and what the other notices of it."""

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import grpc
import psycopg
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.admin_pb2 import ROLE_WRITER

from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, recall, remember
from tests.rpc.records import record_all, text_event
from tests.server_fixtures import StartServer

ROWS = int(os.environ.get("CAMILLO_TEST_DELETED_ROWS", "12000"))
ORIGINALS = 20
CALLS_BEFORE = 40
MAX_STATEMENT_SECONDS = 30 * FACTOR
AGENT = "many"

# Copies of a tenant's rows, with ids of their own, and in other tables with the same ones.
COPY = """
do $$
declare
    each_table text;
    names text;
    shown text;
begin
    foreach each_table in array array['memories', 'memory_vectors', 'events'] loop
        select string_agg(quote_ident(attname), ', '), string_agg(case attname
            when 'memory_id' then 'md5(o.memory_id::text || n)::uuid'
            when 'event_id' then 'md5(o.event_id::text || n)::uuid'
            when 'fingerprint' then 'null'
            when 'source_refs' then 'case when o.kind >= 16 then array[md5(o.source_refs[1] || n)::uuid::text] else o.source_refs end'
            when 'place' then 'o.place + n * 1000'
            else 'o.' || quote_ident(attname) end, ', ')
        into names, shown from pg_attribute
        where attrelid = ('camillo.' || each_table)::regclass and attnum > 0 and not attisdropped and attgenerated = '';
        execute format('insert into camillo.%%I (%%s) select %%s from camillo.%%I o cross join generate_series(1, %(copies)s) n'
            ' where o.tenant_id = ''large''', each_table, names, shown, each_table);
    end loop;
end $$;
update camillo.scopes s set chunk_count = c.chunks, memory_count = c.rows from (
    select agent_id, count(*) filter (where kind >= 16) as chunks, count(*) as rows
    from camillo.memories where tenant_id = 'large' group by agent_id) c
where s.tenant_id = 'large' and s.agent_id = c.agent_id;
"""  # noqa: E501
COUNTS = "select " + ", ".join(
    f"(select count(*) from camillo.{table} where tenant_id = 'large')"
    for table in ("memories", "memory_vectors", "events")
)
RUNNING = """
select extract(epoch from clock_timestamp() - query_start)::float8, query from pg_stat_activity
where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'
order by 1 desc limit 1
"""


class LongestStatement:
    """Asks Postgres again and again for how long its statements have been running."""

    def __init__(self, url: str) -> None:
        self.longest, self._url, self._ended = (0.0, ""), url, threading.Event()

    @contextmanager
    def watched(self) -> Iterator[None]:
        thread = threading.Thread(target=self._run)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()

    def _run(self) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            while not self._ended.wait(0.02):
                self.longest = max(self.longest, connection.execute(RUNNING).fetchone() or (0.0, ""))


def counts(database: TestDatabase) -> tuple[int, ...]:
    with psycopg.connect(database.superuser_url) as superuser:
        return superuser.execute(COUNTS.encode()).fetchone() or ()


def p95(taken: list[float]) -> float:
    return sorted(taken)[len(taken) * 95 // 100]


async def test_a_tenant_with_many_rows_is_deleted_beside_another_that_works(start_server: StartServer) -> None:
    server = await start_server()
    await server.root(admin.CreateTenantRequest(tenant_id="large"))
    key = admin.CreateKeyRequest(tenant_id="large", any_agent=True, role=ROLE_WRITER)
    large = server.caller((await server.root(key)).secret)
    memories = [pb.NewMemory(content=f"old note {i} 记忆 of what was said") for i in range(ORIGINALS)]
    await large(service.BatchRememberRequest(agent_id=AGENT, memories=memories))
    await record_all(large, [text_event(f"event {i}") for i in range(ORIGINALS)], agent_id=AGENT)
    # With the chunk of each event, and the vector of each memory and chunk.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while counts(server.database)[:2] != (2 * ORIGINALS, 2 * ORIGINALS):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    copies = ROWS // (ORIGINALS * 5)
    begun = time.monotonic()
    with psycopg.connect(
        server.database.superuser_url, autocommit=True, cursor_factory=psycopg.ClientCursor
    ) as superuser:
        superuser.execute(COPY, {"copies": copies})
        superuser.execute("analyze")
    filled = counts(server.database)
    assert sum(filled) >= ROWS
    print(f"\n{sum(filled):,} rows in {time.monotonic() - begun:.0f} s: {filled}")

    async def work(number: int) -> float:
        started = time.monotonic()
        await remember(server.alice, f"note {number} beside a deletion")
        await recall(server.alice, f"note {number}", limit=5)
        return time.monotonic() - started

    before = [await work(i) for i in range(CALLS_BEFORE)]
    request = admin.DeleteTenantRequest(tenant_id="large", confirm_tenant_id="large")
    repeats = 0

    async def delete() -> None:
        nonlocal repeats
        while True:
            try:
                await server.caller(server.keys.root, PATIENCE_SECONDS)(request)
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED:
                    raise
                repeats += 1

    statements, during = LongestStatement(server.database.superuser_url), list[float]()
    with statements.watched():
        begun = time.monotonic()
        deletion = asyncio.create_task(delete())
        while not deletion.done():
            during.append(await work(CALLS_BEFORE + len(during)))
        await deletion
    seconds, statement = statements.longest
    print(
        f"deleted in {time.monotonic() - begun:.1f} s and {repeats} repeats; longest statement {seconds:.2f} s;"
        f" p95 of a write and a recall beside it {p95(before) * 1000:.0f} ms before, {p95(during) * 1000:.0f} ms "
        f"during\n{statement}"
    )
    assert counts(server.database) == (0, 0, 0)
    assert 0 < seconds < MAX_STATEMENT_SECONDS
    assert len(await listed(server.alice, page_size=200)) == min(200, CALLS_BEFORE + len(during))
