"""Ways to read a scope in bulk: `python -m bench.decisions.scope_loading [memories]` (docs/adr/scopes-in-memory.md).

COPY in binary form, plain selects in pages, and pages of packed records (search/store/scope_rows.sql), these also with
what it takes to turn a page into columns and to build an index; a COPY of each table (search/store/scope_copy.py), and
an index as the server loads it from that, and from row groups; and bytes of the size of an index, as a table that keeps
one would have them. As the role that serves, best of five, the ways taking turns.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.index.engine import RetrievalEngine
from camillo_server.search.index.row_grouping import RowGrouping
from camillo_server.search.index.scope_index import IndexBuilder
from camillo_server.search.store.row_groups import RowGroupStore
from camillo_server.search.store.scope_copy import copied_scope
from camillo_server.search.store.scope_rows import PackedPage, ScopeRowsReader
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.telemetry.instruments import Instruments

from bench.decisions.scratch import (
    DIMENSIONS,
    MODEL,
    SCOPE,
    opened_database,
    scratch_postgres,
    superuser_of,
)

REPETITIONS = 5
MAX_BYTES = 2**40
MAX_SECONDS = 600.0
FILL = """
insert into scopes values ('bench', 'alice', %(memories)s, %(memories)s, %(memories)s * 30, '', now());
insert into memories
select 'bench', 'alice', gen_random_uuid(), n, 1, repeat('word ', 30), 1, 'session ' || n / 50, now(), '{a,b}', 2, 0.5,
    '{"k": 1}', null, false, false, '{}', now(), now(), 'bench', 30, ''::tsvector, decode(repeat('0102030405', 30), 'hex')
from generate_series(1, %(memories)s) n;
insert into memory_vectors
select tenant_id, agent_id, memory_id, 'bench',
    (select array_agg(random() - 0.5) from generate_series(1, 384) where m.revision is not null)::vector
from memories m;
create unlogged table parts (part int primary key, data bytea);
alter table parts alter data set storage external;
insert into parts select n, decode(repeat('0102030405060708', 524288), 'hex')
from generate_series(1, ceil(%(memories)s * 1270 / 4194304.0)::int) n;
grant select on parts to public;
analyze;
"""  # noqa: E501
ROWS = """
select m.memory_id, m.revision, m.content, m.session_id, m.occurred_at, m.tags, m.metadata, m.created_at, m.updated_at,
    m.importance, m.kind, m.sensitivity, m.term_codes, v.embedding::halfvec
from camillo.memories m join camillo.memory_vectors v using (tenant_id, agent_id, memory_id)
where m.tenant_id = 'bench' and m.agent_id = 'alice'
"""


async def copied(url: str) -> None:
    async with (
        await _connection(url) as connection,
        connection.cursor() as cursor,
        cursor.copy(f"copy ({ROWS}) to stdout (format binary)") as copy,
    ):
        async for _ in copy:
            pass


async def selected(url: str) -> None:
    async with await _connection(url) as connection, connection.cursor(binary=True) as cursor:
        after = 0
        while True:
            await cursor.execute(f"{ROWS} and m.revision > %s order by m.revision limit 1000", (after,))
            rows = await cursor.fetchall()
            if not rows:
                return
            after = rows[-1][1]


async def packed(url: str, *, unpack: bool = False) -> None:
    async with opened_database(url) as database:
        async for page in ScopeRowsReader(database, MODEL, DIMENSIONS).pages(SCOPE):
            if unpack:
                page.unpack(DIMENSIONS)


async def unpacked(url: str) -> None:
    await packed(url, unpack=True)


async def tables(url: str) -> None:
    with ThreadPoolExecutor(1) as receivers:
        async with opened_database(url) as database:
            async for _ in copied_scope(ScopeRowsReader(database, MODEL, DIMENSIONS), SCOPE, receivers):
                pass


async def kept_index(url: str) -> None:
    async with await _connection(url) as connection, connection.cursor(binary=True) as cursor:
        await cursor.execute("select part from camillo.parts")
        for (part,) in await cursor.fetchall():
            await cursor.execute("select data from camillo.parts where part = %s", (part,))
            await cursor.fetchall()


async def built_after_reading(url: str) -> None:
    async with opened_database(url) as database:
        reader = ScopeRowsReader(database, MODEL, DIMENSIONS)
        builder: IndexBuilder | None = None
        async for page in reader.pages(SCOPE):
            builder = builder or IndexBuilder(DIMENSIONS, page.facts.memory_count)
            await asyncio.to_thread(_add, builder, page)
            facts = page.facts
        assert builder is not None
        await asyncio.to_thread(builder.build, SCOPE.agent_id, MODEL, facts)


def _add(builder: IndexBuilder, page: PackedPage) -> None:
    builder.add(page.unpack(DIMENSIONS))


async def loaded(url: str, *, groups_rows: bool = False) -> None:
    async with opened_database(url) as database:
        reader = ScopeRowsReader(database, MODEL, DIMENSIONS)
        engine = RetrievalEngine(reader, MAX_BYTES, Instruments(), groups_rows=groups_rows)
        engine.caches.request_load(SCOPE)
        await engine.caches.wait_until_loaded(SCOPE, MAX_SECONDS)
        assert engine.caches.loads == 1
        await engine.close()


async def loaded_from_groups(url: str) -> None:
    await loaded(url, groups_rows=True)


async def pack(url: str) -> None:
    """Packs all rows into row groups."""
    async with opened_database(url) as database:
        reader = ScopeRowsReader(database, MODEL, DIMENSIONS)
        with ThreadPoolExecutor(1) as pool:
            await RowGrouping(reader, RowGroupStore(reader), CacheBudget(MAX_BYTES), pool, pause=0).pack(SCOPE)


async def _connection(url: str) -> psycopg.AsyncConnection[tuple[Any, ...]]:
    connection = await psycopg.AsyncConnection.connect(url, autocommit=True)
    await connection.execute(
        "select set_config('camillo.tenant', 'bench', false), set_config('camillo.agent', '*', false)"
    )
    return connection


WAYS: dict[str, Callable[[str], Awaitable[None]]] = {
    "COPY, binary": copied,
    "select in pages, as objects": selected,
    "packed pages": packed,
    "packed pages, as columns": unpacked,
    "built, page after page": built_after_reading,
    "a COPY of each table": tables,
    "as the server loads it": loaded,
    "from row groups": loaded_from_groups,
    "bytes of an index": kept_index,
}


@contextmanager
def filled_postgres(memories: int) -> Iterator[EmbeddedPostgres]:
    """A Postgres with one scope of so many memories."""
    with scratch_postgres() as postgres:
        with superuser_of(postgres) as superuser:
            superuser.execute(FILL, {"memories": memories})
        yield postgres


async def main(memories: int) -> None:
    """Prints the time of each way."""
    with filled_postgres(memories) as postgres:
        await pack(postgres.server_url)
        seconds: dict[str, list[float]] = {name: [] for name in WAYS}
        for _ in range(REPETITIONS):
            for name, read in WAYS.items():
                started = time.perf_counter()
                await read(postgres.server_url)
                seconds[name].append(time.perf_counter() - started)
        for name, measured in seconds.items():
            print(f"{name:<28} {min(measured) / memories * 1e6:6.1f} us a memory")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
