"""Loads by phase: the processor time that each part of reading a scope into memory takes, in microseconds a memory.

One phase after the other in this process, where a server lets them overlap; `load_us` is a load as a server does it
from the tables, `load_grouped_us` from row groups, and `load_pack_us` the time in which these are made."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import TypeVar

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.index.engine import RetrievalEngine
from camillo_server.search.index.grouped_loading import GroupedPart, GroupedRows, grouped_scope
from camillo_server.search.index.row_grouping import RowGrouping
from camillo_server.search.index.scope_index import IndexBuilder
from camillo_server.search.store.row_groups import RowGroupStore
from camillo_server.search.store.scope_copy import CopiedPart, CopiedValues, copied_scope
from camillo_server.search.store.scope_rows import PackedPage, ScopeRowsReader
from camillo_server.storage.database import Database
from camillo_server.storage.embedded.account import DATABASE, SUPERUSER
from camillo_server.telemetry.instruments import Instruments

from bench.app_server import TENANT
from bench.decisions.scratch import DIMENSIONS, MODEL, opened_database, scratch_postgres
from bench.material.corpus import Corpus
from bench.material.fill import fill_scope
from bench.measure.servers import backend_seconds
from bench.measure.timing import Figures, Rounds

LOAD = "load"
AGENT = "loads"
MAX_BYTES = 2**40
MAX_SECONDS = 600.0
T = TypeVar("T")


async def measure(memories: int, rounds: int) -> Figures:
    """The phases of so many loads of a scope of so many memories."""
    found = Rounds()
    with scratch_postgres() as postgres:
        fill_scope(postgres.url(SUPERUSER, DATABASE), AGENT, Corpus(memories), MODEL)
        async with opened_database(postgres.server_url) as database:
            for _ in range(rounds):
                seconds = await _phases(database) | {"load": await _load(database, groups_rows=False)}
                seconds |= {"pack": await _pack(database)} | await _grouped(database)
                seconds["grouped"] = await _load(database, groups_rows=True)
                found.add({_key(name): value / memories * 1e6 for name, value in seconds.items()})
    return found.figures()


def _key(phase: str) -> str:
    return f"{LOAD}_us" if phase == LOAD else f"{LOAD}_{phase}_us"


def _scope() -> Scope:
    return Scope(TenantId(TENANT), AgentId(AGENT))


async def _phases(database: Database) -> dict[str, float]:
    """Seconds of processor time by phase."""
    reader = ScopeRowsReader(database, MODEL, DIMENSIONS)
    ((backend,),) = await database.rows(_scope(), "select pg_backend_pid()", {})
    postgres, parts = backend_seconds(backend), list[CopiedPart]()
    with ThreadPoolExecutor(1) as receivers:
        loop = time.thread_time()
        async with aclosing(copied_scope(reader, _scope(), receivers)) as copied:
            async for part in copied:
                parts.append(part)
        found = {"event_loop": time.thread_time() - loop, "receive": receivers.submit(time.thread_time).result()}
    found["postgres"] = backend_seconds(backend) - postgres
    return found | _built(reader, parts)


def _built(reader: ScopeRowsReader, parts: list[CopiedPart]) -> dict[str, float]:
    found = dict[str, float]()
    pages = [part for part in parts if isinstance(part, PackedPage)]
    facts = pages[-1].facts
    unpacked = _timed(found, "unpack", lambda: [reader.unpack(_scope(), page) for page in pages])
    builder = IndexBuilder(reader.dimensions, facts.memory_count)
    _timed(found, "columns", lambda: [*map(builder.add, unpacked)])
    values = [part for part in parts if not isinstance(part, PackedPage)]
    _timed(found, "vectors", lambda: [*map(builder.put, values)])
    index = _timed(found, "postings", lambda: builder.build(_scope().agent_id, MODEL, facts))
    # Made after the load, while memory answers.
    _timed(found, "sketches_afterwards", lambda: index.needs_merge and index.merge_segments())
    return found


def _timed(found: dict[str, float], phase: str, work: Callable[[], T]) -> T:
    began = time.thread_time()
    result = work()
    found[phase] = time.thread_time() - began
    return result


async def _pack(database: Database) -> float:
    """Seconds until all rows are in row groups, without pauses."""
    await database.rows(_scope(), "delete from row_groups returning first_id", {})
    reader = ScopeRowsReader(database, MODEL, DIMENSIONS)
    with ThreadPoolExecutor(1) as pool:
        grouping = RowGrouping(reader, RowGroupStore(reader), CacheBudget(MAX_BYTES), pool, pause=0)
        began = time.perf_counter()
        await grouping.pack(_scope())
        return time.perf_counter() - began


async def _grouped(database: Database) -> dict[str, float]:
    """Seconds of processor time by phase of a load from row groups."""
    reader = ScopeRowsReader(database, MODEL, DIMENSIONS)
    ((backend,),) = await database.rows(_scope(), "select pg_backend_pid()", {})
    postgres, parts = backend_seconds(backend), list[GroupedPart]()
    with ThreadPoolExecutor(1) as receivers:
        loop = time.thread_time()
        async with aclosing(grouped_scope(reader, RowGroupStore(reader), _scope(), receivers)) as grouped:
            async for part in grouped:
                parts.append(part)
        found = {"event_loop": time.thread_time() - loop, "receive": receivers.submit(time.thread_time).result()}
    found["postgres"] = backend_seconds(backend) - postgres
    groups = [part for part in parts if isinstance(part, GroupedRows)]
    builder = IndexBuilder(reader.dimensions, groups[0].facts.memory_count)
    _timed(found, "columns", lambda: [*map(builder.add, (group.rows for group in groups))])
    values = [part for part in parts if isinstance(part, CopiedValues)]
    _timed(found, "access", lambda: [*map(builder.put, values)])
    _timed(found, "postings", lambda: builder.build(_scope().agent_id, MODEL, groups[0].facts))
    return {f"grouped_{phase}": seconds for phase, seconds in found.items()}


async def _load(database: Database, *, groups_rows: bool) -> float:
    """Seconds until a scope is in memory."""
    reader = ScopeRowsReader(database, MODEL, DIMENSIONS)
    engine = RetrievalEngine(reader, MAX_BYTES, Instruments(), groups_rows=groups_rows)
    began = time.perf_counter()
    engine.caches.request_load(_scope())
    await engine.caches.wait_until_loaded(_scope(), MAX_SECONDS)
    seconds = time.perf_counter() - began
    if engine.caches.loads != 1:
        raise RuntimeError("the scope was not loaded")
    await engine.close()
    return seconds
