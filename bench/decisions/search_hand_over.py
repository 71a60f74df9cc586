"""Searching on the event loop or in a thread: `python -m bench.decisions.search_hand_over [sizes]` (docs/adr/0018).

Finding the candidates of a recall in scopes of several sizes, for one and for eight callers at once: when each has
them, counted from when all of them asked, and the longest that other calls had to wait meanwhile. Like the server,
with two threads and one of OpenMP's for each search. The ways take turns.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from statistics import median

from camillo_server.embedding.embedder import Vector
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import MemoryFilter
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.dense import limit_threads
from camillo_server.search.index.engine import SEARCH_THREADS
from camillo_server.search.index.scope_index import IndexBuilder
from camillo_server.search.index.view import IndexView
from camillo_server.search.recall import LEAST_CANDIDATES_PER_ARM, RecallSpec, query_terms
from camillo_server.search.store.scope_rows import ScopeFacts, columns_of

from bench.decisions.loop_watch import watched_loop
from bench.material.corpus import FIRST_MOMENT, Corpus, new_rows
from bench.material.texts import Texts
from bench.measure.timing import percentile, taking_turns

SIZES = (1_000, 10_000, 30_000, 100_000)
CALLERS = (1, 8)
ROUNDS = 40
VOLLEYS = 5
QUERIES = 100
MODEL = "m"
SCOPE = Scope(TenantId("acme"), AgentId("alice"))

Search = Callable[[RecallSpec], Awaitable[object]]


@dataclass(slots=True)
class Seen:
    """Of one way: when callers had their answers, and the longest wait of others in each round."""

    latencies_ms: list[float] = field(default_factory=list)
    held_up_ms: list[float] = field(default_factory=list)


async def main(sizes: Sequence[int]) -> None:
    """Prints both ways for each size, kind of query and number of callers."""
    limit_threads(1)
    with ThreadPoolExecutor(SEARCH_THREADS) as pool:
        for size in sizes:
            view = _view(Corpus(size))
            ways: dict[str, Search] = {
                "loop": partial(_on_the_loop, view),
                "thread": partial(_in_a_thread, pool, view),
            }
            for kind, specs in _specs(Corpus(size)).items():
                for callers in CALLERS:
                    _print(f"{size:>7,} {kind} {callers}", await _compare(ways, specs, callers))


async def _on_the_loop(view: IndexView, spec: RecallSpec) -> object:
    return find_candidates(view, spec)


async def _in_a_thread(pool: ThreadPoolExecutor, view: IndexView, spec: RecallSpec) -> object:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(pool, find_candidates, view, spec)


async def _compare(
    ways: dict[str, Search], specs: Sequence[RecallSpec], callers: int
) -> dict[str, Seen]:
    seen = {name: Seen() for name in ways}
    asked = {name: cycle(specs) for name in ways}
    for name, search in ways.items():
        await _volley(search, asked[name], callers)
    for name in taking_turns(list(ways), ROUNDS):
        async with watched_loop() as watch:
            for _ in range(VOLLEYS):
                seen[name].latencies_ms += await _volley(ways[name], asked[name], callers)
        seen[name].held_up_ms.append(watch.longest_ms)
    return seen


async def _volley(search: Search, specs: Iterator[RecallSpec], callers: int) -> list[float]:
    """Milliseconds until each of so many callers, who ask at the same moment, has its candidates."""
    asked_at = time.perf_counter()

    async def ask(spec: RecallSpec) -> float:
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


def _view(corpus: Corpus) -> IndexView:
    """The scope as the server has it in memory some time after its loading."""
    builder = IndexBuilder(corpus.dimensions, corpus.rows)
    terms = 0
    for block in corpus.blocks():
        rows = list(new_rows(block, SCOPE.agent_id, MODEL))
        columns = columns_of(rows, 1, MODEL, corpus.dimensions)
        terms += int(columns.fixed["term_count"].sum())
        builder.add(columns)
    index = builder.build(SCOPE.agent_id, MODEL, ScopeFacts(1, corpus.rows, terms))
    if index.wants_folding:
        index.take_over(index.folded())
    return index.view


def _specs(corpus: Corpus) -> dict[str, list[RecallSpec]]:
    """Recalls by vector alone, and by a text with its vector: words, vector and neighbours."""
    vectors = corpus.queries(QUERIES)
    texts = Texts().queries(QUERIES)
    by_vector = [_spec([], Vector(MODEL, vector)) for vector in vectors]
    by_text = [
        _spec(query_terms(text), Vector(MODEL, vector))
        for text, vector in zip(texts, vectors, strict=True)
    ]
    return {"by vector": by_vector, "by text  ": by_text}


def _spec(terms: Sequence[str], vector: Vector) -> RecallSpec:
    return RecallSpec(
        scope=SCOPE,
        terms=terms,
        vector=vector,
        filter=MemoryFilter(),
        candidates_per_arm=LEAST_CANDIDATES_PER_ARM,
        now=FIRST_MOMENT,
        with_neighbours=bool(terms),
    )


if __name__ == "__main__":
    asyncio.run(main([int(size) for size in sys.argv[1:]] or SIZES))
