"""An HNSW index for one large scope in Postgres: `python -m bench.decisions.postgres_hnsw` (docs/adr/vectors-in-postgres.md).

Two scopes with the same memories, of which one gets an index; recalls and writes take turns between the two.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import islice

import numpy as np
from camillo_server.embedding.embedder import Vector
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.revision import MinimizeLatency
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import NewRow
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.memories.write_records import MemoriesReplay
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.query_terms import query_terms
from camillo_server.search.store.recall import PostgresMemorySearch
from camillo_server.search.store.vector_index import create_index
from camillo_server.storage.database import Database
from camillo_server.storage.embedded.roles import DATABASE, SUPERUSER
from numpy.typing import NDArray

from bench.app_server import TENANT
from bench.decisions.scratch import MODEL, opened_database, scratch_postgres, writer_on
from bench.material.corpus import RARE_TAG, Corpus, Vectors, new_rows
from bench.material.fill import fill_scope
from bench.material.texts import Texts

SCOPES = {name: Scope(TenantId(TENANT), AgentId(name)) for name in ("plain", "indexed")}
FILTERS = {
    "all": MemoryFilter(),
    "every 20th": MemoryFilter(tags_all=("tag-3",)),
    "every 100th": MemoryFilter(tags_all=(RARE_TAG,)),
}
ROUNDS = 3
PER_ARM = 50
NO_REPLAY = MemoriesReplay(datetime.now(UTC), (), ())


def main() -> None:
    """Prints the time to build, then a line for each kind of recall, and one for writes."""
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.postgres_hnsw")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=40)
    given = parser.parse_args()
    corpus = Corpus(given.rows)
    with scratch_postgres() as postgres:
        for name in SCOPES:
            fill_scope(postgres.url(SUPERUSER, DATABASE), name, corpus, MODEL)
        started = time.perf_counter()
        index = create_index(postgres.owner_url, SCOPES["indexed"])
        seconds = time.perf_counter() - started
        print(f"{given.rows:,} memories: built in {seconds:.0f} s, {index.bytes / 2**20:.0f} MiB")
        asyncio.run(_measure(postgres.server_url, corpus, given.queries))


async def _measure(url: str, corpus: Corpus, queries: int) -> None:
    async with opened_database(url) as database:
        for name, wanted in FILTERS.items():
            await _recalls(database, corpus.queries(queries), name, wanted)
        await _recalls_by_text(database, corpus.queries(queries))
        await _writes(url, database, corpus, queries)


async def _recalls(database: Database, vectors: Vectors, name: str, wanted: MemoryFilter) -> None:
    """Recalls by vector alone, as callers that embed for themselves ask."""
    search = PostgresMemorySearch(database)
    found: dict[str, list[set[int]]] = {scope: [] for scope in SCOPES}

    async def one(scope: str, place: int) -> None:
        spec = _spec(SCOPES[scope], vectors[place], "", wanted)
        found[scope].append(_ids(await search.candidates(spec, MinimizeLatency())))

    times = await _taking_turns(one, len(vectors))
    pairs = list(zip(found["indexed"], found["plain"], strict=True))
    shared = sum(len(mine & exact) for mine, exact in pairs) / sum(len(e) for _, e in pairs)
    _print(f"recall by vector, {name}", times, f"   of the nearest {PER_ARM}: {shared:.4f}")


async def _recalls_by_text(database: Database, vectors: Vectors) -> None:
    """Recalls with words too, which an index of vectors does not help."""
    search = PostgresMemorySearch(database)
    texts = Texts().queries(len(vectors))

    async def one(scope: str, place: int) -> None:
        spec = _spec(SCOPES[scope], vectors[place], texts[place], MemoryFilter())
        await search.candidates(spec, MinimizeLatency())

    _print("recall by text, all", await _taking_turns(one, len(vectors)))


async def _writes(url: str, database: Database, corpus: Corpus, count: int) -> None:
    """Each a transaction of its own, synced."""
    writer = writer_on(database, url)
    rows = {scope: _new_rows(corpus, scope, (ROUNDS + 1) * count) for scope in SCOPES}

    async def one(scope: str, _: int) -> None:
        row = rows[scope].pop()
        await writer.remember(SCOPES[scope], row, NO_REPLAY, None, now=datetime.now(UTC))

    _print("remember", await _taking_turns(one, count))


async def _taking_turns(
    call: Callable[[str, int], Awaitable[None]], count: int
) -> dict[str, list[float]]:
    """Milliseconds of each call by scope, after a round that does not count."""
    times: dict[str, list[float]] = {scope: [] for scope in SCOPES}
    for number in range(ROUNDS + 1):
        for place in range(count):
            for scope in SCOPES if place % 2 else reversed(SCOPES):
                started = time.perf_counter()
                await call(scope, place)
                if number:
                    times[scope].append((time.perf_counter() - started) * 1000)
    return times


def _spec(
    scope: Scope, values: NDArray[np.float32], text: str, wanted: MemoryFilter
) -> CandidateQuery:
    return CandidateQuery(
        scope=scope,
        terms=query_terms(text),
        vector=Vector(MODEL, values),
        filter=wanted,
        candidates_per_arm=PER_ARM,
        now=datetime.now(UTC) + timedelta(seconds=1),
        with_neighbours=bool(text),
    )


def _ids(pool: CandidatePool) -> set[int]:
    return {int(high) << 64 | int(low) for high, low in pool.memory_ids}


def _new_rows(corpus: Corpus, scope: str, count: int) -> list[NewRow]:
    """Rows that come after those of the corpus."""
    longer = Corpus(corpus.rows + count, corpus.dimensions, block_rows=corpus.block_rows)
    behind = (block for block in longer.blocks() if block.first + len(block.texts) > corpus.rows)
    rows = (row for block in behind for row in new_rows(block, scope, MODEL))
    return list(islice(rows, corpus.rows % corpus.block_rows, None))[:count]


def _print(what: str, times: dict[str, list[float]], more: str = "") -> None:
    plain, indexed = (statistics.median(times[scope]) for scope in ("plain", "indexed"))
    ratio = indexed / plain
    print(
        f"{what:32} without {plain:7.2f} ms   with {indexed:7.2f} ms   ratio {ratio:.2f}{more}",
        flush=True,
    )


if __name__ == "__main__":
    main()
