"""A scope that a server has not seen: its first answer, how long until memory answers, and what others notice."""

import asyncio
import time
from dataclasses import dataclass

from bench.material.corpus import Corpus
from bench.material.fill import Filled
from bench.measure.client import Client, connected
from bench.measure.servers import AppServer
from bench.measure.timing import Call, Figure, Figures, at_a_rate, latencies_ms, percentile
from bench.recall.calls import Recaller, by_vectors, cache_facts
from bench.recall.stage import BESIDE, BESIDE_CORPUS, Stage

# The caller in the other scope.
CALLS_PER_SECOND = 100.0
WARM_UP_CALLS = 100
# Smaller scopes are loaded several times, each by a server of its own.
LARGE_ROWS = 50_000


@dataclass(frozen=True, slots=True)
class Load:
    """One server meets one scope; `load_ms` is None where memory never answered. Bytes are per memory."""

    first_ms: float
    load_ms: float | None
    rss_bytes: float
    cache_bytes: float | None

    @property
    def rss_over_counted(self) -> float | None:
        """How much the process grew for each byte that the cache counts; None where the scope is not in memory."""
        return self.rss_bytes / self.cache_bytes if self.load_ms is not None and self.cache_bytes else None


@dataclass(frozen=True, slots=True)
class ColdStart:
    """A load, and the latencies of calls to another scope before it and during it."""

    load: Load
    before_ms: list[float]
    during_ms: list[float]

    def slowdown(self, percent: float) -> float:
        """The ratio of this percentile during the load to before it; 100 is the slowest call."""
        return percentile(self.during_ms, percent) / percentile(self.before_ms, percent)


async def measure(stage: Stage, agent_id: str, corpus: Corpus, filled: Filled) -> Figures:
    """Milliseconds, bytes per memory, and how much slower calls to another scope were while this one was loaded."""
    starts = 1 if corpus.rows > LARGE_ROWS else stage.options.cold_starts
    found = []
    for _ in range(starts):
        with stage.other_server() as server:
            found.append(await _cold_start(stage, server, agent_id, corpus))
    text_bytes = Figure((filled.text_bytes / filled.rows,))
    return {**figures_of(found), "text_bytes_per_memory": text_bytes}


async def load_scope(client: Client, server: AppServer, agent_id: str, corpus: Corpus, seconds: float) -> Load:
    """Asks for the scope until memory answers, or the time is over."""
    recaller = Recaller(client, agent_id)
    request = by_vectors(agent_id, corpus.queries(1))[0]
    rss_before = server.process.memory_mb()
    started = time.perf_counter()
    await recaller.recall(request)
    first_ms = (time.perf_counter() - started) * 1000
    is_warm = await recaller.until_warm(request, seconds) is not None
    load_ms = (time.perf_counter() - started) * 1000 if is_warm else None
    rss = (server.process.memory_mb() - rss_before) * 2**20 / corpus.rows
    facts = await cache_facts(client, agent_id)
    return Load(first_ms, load_ms, rss, facts.bytes / max(1, facts.memories) if facts else None)


async def _cold_start(stage: Stage, server: AppServer, agent_id: str, corpus: Corpus) -> ColdStart:
    options = stage.options
    calm = options.large_calm_seconds if corpus.rows > LARGE_ROWS else options.calm_seconds
    async with connected(server.port, server.secret) as client:
        beside = await _warm_beside(stage, client)
        calm_until = time.perf_counter() + calm
        before = await at_a_rate(beside, CALLS_PER_SECOND, lambda: time.perf_counter() < calm_until)
        async with asyncio.TaskGroup() as both:
            load = both.create_task(load_scope(client, server, agent_id, corpus, stage.warm_seconds))
            during = both.create_task(at_a_rate(beside, CALLS_PER_SECOND, lambda: not load.done()))
    return ColdStart(load.result(), before, during.result())


async def _warm_beside(stage: Stage, client: Client) -> Call:
    recaller = Recaller(client, BESIDE)
    requests = by_vectors(BESIDE, BESIDE_CORPUS.queries(100))
    await recaller.until_warm(requests[0], stage.warm_seconds)
    call = recaller.recalls(requests)
    await latencies_ms(call, WARM_UP_CALLS)
    return call


def figures_of(found: list[ColdStart]) -> Figures:
    """Figures of the starts; without a load nothing grew and nothing was slowed down by it."""
    figures = {"cold_first_ms": Figure(tuple(start.load.first_ms for start in found))}
    loaded = [start for start in found if start.load.load_ms is not None]
    if loaded:
        figures |= {
            "load_ms": Figure(tuple(start.load.load_ms or 0.0 for start in loaded)),
            "rss_bytes_per_memory": Figure(tuple(start.load.rss_bytes for start in loaded)),
            "load_slowdown_p50": Figure(tuple(start.slowdown(50) for start in loaded)),
            "load_slowdown_p95": Figure(tuple(start.slowdown(95) for start in loaded)),
            "load_slowdown_max": Figure(tuple(start.slowdown(100) for start in loaded)),
        }
    cached = tuple(start.load.cache_bytes for start in found if start.load.cache_bytes is not None)
    if cached:
        figures["bytes_per_memory"] = Figure(cached)
    # Start by start: one whose scope was evicted before it was asked for its bytes takes nothing from the others.
    grown = tuple(start.load.rss_over_counted for start in found)
    if known := tuple(each for each in grown if each is not None):
        figures["rss_over_counted"] = Figure(known)
    return figures
