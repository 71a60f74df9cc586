"""Compares work on the event loop and in a thread: `python -m bench.decisions.event_loop search|page`
(docs/adr/scopes-in-memory.md).

`search` finds the candidates of a recall in scopes of several sizes, for one and for eight callers at once: when each
has them, counted from when all of them asked. Like the server, with one thread of OpenMP's for each search. `page`
unpacks a full page of changes: at once on the loop, at once in a thread, and in parts on the loop, which give way
between. Either tells the longest that other calls had to wait meanwhile. The ways take turns."""

import argparse
import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from statistics import median

from camillo_server.kernel.off_loop import THREADS
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.candidates import CandidateQuery
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.faiss_calls import limit_threads
from camillo_server.search.index.scope_index import IndexBuilder
from camillo_server.search.index.snapshot import IndexSnapshot
from camillo_server.search.query_text import query_terms
from camillo_server.search.recall import MIN_CANDIDATES_PER_ARM
from camillo_server.search.store.scope_rows import (
    PAGE_ROWS,
    PackedPage,
    ScopeFacts,
    ScopeRowsReader,
    to_columns,
)

from bench.decisions.scope_loading import filled_postgres
from bench.decisions.scratch import DIMENSIONS, MODEL, SCOPE, opened_database
from bench.material.corpus import FIRST_MOMENT, Corpus, new_rows
from bench.material.texts import Texts
from bench.measure.timing import latencies_ms, percentile, taking_turns

SIZES = (1_000, 10_000, 30_000, 100_000)
CALLERS = (1, 8)
ROUNDS = 40
VOLLEYS = 5
QUERIES = 100
PAGE_ROUNDS = 200
PART_ROWS = (32, 64, 128, 256)

Search = Callable[[CandidateQuery], Awaitable[object]]
Way = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Seen:
    """Figures of one way: how long callers waited for answers, and the longest wait of others in each round."""

    latencies_ms: list[float] = field(default_factory=list)
    held_up_ms: list[float] = field(default_factory=list)


@asynccontextmanager
async def watched_loop(seen: Seen) -> AsyncIterator[None]:
    """Adds the longest time between two turns of a task that is always ready to run; meanwhile the loop is as busy as
    that of a server under load."""
    longest_ms = 0.0

    async def watch() -> None:
        nonlocal longest_ms
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0)
            now = time.perf_counter()
            longest_ms, last = max(longest_ms, (now - last) * 1000), now

    watching = asyncio.create_task(watch())
    await asyncio.sleep(0)
    try:
        yield
        # For what came last.
        await asyncio.sleep(0)
    finally:
        watching.cancel()
    seen.held_up_ms.append(longest_ms)


async def compare_searches(sizes: Sequence[int]) -> None:
    """Both ways for each size, kind of query and number of callers."""
    limit_threads(1)
    with ThreadPoolExecutor(THREADS) as pool:
        for size in sizes:
            snapshot = _snapshot(Corpus(size))
            ways: dict[str, Search] = {
                "loop": partial(_on_the_loop, snapshot),
                "thread": partial(_in_a_thread, pool, snapshot),
            }
            for kind, specs in _specs(Corpus(size)).items():
                for callers in CALLERS:
                    _print(f"{size:>7,} {kind} {callers}", await _compare(ways, specs, callers))


async def _on_the_loop(snapshot: IndexSnapshot, spec: CandidateQuery) -> object:
    return find_candidates(snapshot, spec)


async def _in_a_thread(pool: ThreadPoolExecutor, snapshot: IndexSnapshot, spec: CandidateQuery) -> object:
    return await asyncio.get_running_loop().run_in_executor(pool, find_candidates, snapshot, spec)


async def _compare(ways: dict[str, Search], specs: Sequence[CandidateQuery], callers: int) -> dict[str, Seen]:
    seen = {name: Seen() for name in ways}
    asked = {name: cycle(specs) for name in ways}
    for name, search in ways.items():
        await _volley(search, asked[name], callers)
    for name in taking_turns(list(ways), ROUNDS):
        async with watched_loop(seen[name]):
            for _ in range(VOLLEYS):
                seen[name].latencies_ms += await _volley(ways[name], asked[name], callers)
    return seen


async def _volley(search: Search, specs: Iterator[CandidateQuery], callers: int) -> list[float]:
    """Milliseconds until each of so many callers, who ask at the same moment, has its candidates."""
    asked_at = time.perf_counter()

    async def ask(spec: CandidateQuery) -> float:
        await search(spec)
        return (time.perf_counter() - asked_at) * 1000

    return await asyncio.gather(*(ask(next(specs)) for _ in range(callers)))


def _print(about: str, seen: dict[str, Seen]) -> None:
    p50 = {name: percentile(each.latencies_ms, 50) for name, each in seen.items()}
    held_up = {name: median(each.held_up_ms) for name, each in seen.items()}
    for name, each in seen.items():
        print(
            f"{about} {name:<6} p50 {p50[name]:6.2f} ms, {p50[name] / p50['loop']:5.2f} x;"
            f" others wait {held_up[name]:6.2f} ms, {held_up[name] / held_up['loop']:5.2f} x,"
            f" at most {max(each.held_up_ms):6.2f}"
        )


def _snapshot(corpus: Corpus) -> IndexSnapshot:
    """The scope as the server has it in memory some time after its loading."""
    builder = IndexBuilder(corpus.dimensions, corpus.rows)
    terms = 0
    for block in corpus.blocks():
        rows = list(new_rows(block, SCOPE.agent_id, MODEL))
        columns = to_columns(rows, 1, MODEL, corpus.dimensions)
        terms += int(columns.fixed["term_count"].sum())
        builder.add(columns)
    index = builder.build(SCOPE.agent_id, MODEL, ScopeFacts(1, corpus.rows, terms))
    if index.needs_merge:
        index.adopt_merged(index.merge_segments())
    return index.snapshot


def _specs(corpus: Corpus) -> dict[str, list[CandidateQuery]]:
    """Recalls by vector alone, and by a text with its vector: words, vector and neighbours."""
    vectors = corpus.queries(QUERIES)
    texts = Texts().queries(QUERIES)
    by_vector = [_spec([], Vector(MODEL, vector)) for vector in vectors]
    by_text = [_spec(query_terms(text), Vector(MODEL, vector)) for text, vector in zip(texts, vectors, strict=True)]
    return {"by vector": by_vector, "by text  ": by_text}


def _spec(terms: Sequence[str], vector: Vector) -> CandidateQuery:
    return CandidateQuery(
        scope=SCOPE,
        terms=terms,
        vector=vector,
        filter=MemoryFilter(),
        candidates_per_arm=MIN_CANDIDATES_PER_ARM,
        now=FIRST_MOMENT,
        with_neighbours=bool(terms),
    )


async def compare_pages() -> None:
    """Each way to unpack a page; medians over rounds."""
    page = await _full_page()
    with ThreadPoolExecutor(1) as pool:

        async def at_once() -> None:
            page.unpack(DIMENSIONS)

        async def in_a_thread() -> None:
            await asyncio.get_running_loop().run_in_executor(pool, page.unpack, DIMENSIONS)

        async def in_parts(rows: int) -> None:
            for part in page.split(rows):
                part.unpack(DIMENSIONS)
                await asyncio.sleep(0)

        ways: dict[str, Way] = {
            "at once": at_once,
            "at once, in a thread": in_a_thread,
            **{f"in parts of {rows}": partial(in_parts, rows) for rows in PART_ROWS},
        }
        seen = {name: Seen() for name in ways}
        for name in taking_turns(list(ways), PAGE_ROUNDS):
            async with watched_loop(seen[name]):
                seen[name].latencies_ms += await latencies_ms(ways[name], 1)
    for name, each in seen.items():
        print(
            f"{len(page):,} rows {name:<21} others wait {median(each.held_up_ms):5.2f} ms,"
            f" p95 {percentile(each.held_up_ms, 95):5.2f}; takes {median(each.latencies_ms):5.2f} ms"
        )


async def _full_page() -> PackedPage:
    with filled_postgres(PAGE_ROWS) as postgres:
        async with opened_database(postgres.server_url) as database:
            return await ScopeRowsReader(database, MODEL, DIMENSIONS).changes(SCOPE, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("search", "page"))
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    given = parser.parse_args()
    asyncio.run(compare_searches(given.sizes) if given.what == "search" else compare_pages())


if __name__ == "__main__":
    main()
