"""A scope that a server has not seen: its first answer, how long until memory answers, and what others notice."""

import asyncio
import time
from dataclasses import dataclass

import grpc

from bench.material.corpus import Corpus
from bench.material.fill import Filled
from bench.measure.recall_rounds import at_a_rate
from bench.measure.servers import AppServer
from bench.measure.timing import Call, Figure, percentile
from bench.recall.cache_facts import cache_facts
from bench.recall.calls import Recaller, by_vectors, connected, without_end
from bench.recall.stage import BESIDE, BESIDE_CORPUS, Stage

# The caller in the other scope.
CALLS_PER_SECOND = 100.0
WARM_UP_CALLS = 100
# Smaller scopes are loaded several times, each by a server of its own.
LARGE_ROWS = 50_000


@dataclass(frozen=True, slots=True)
class ColdStart:
    """One server meets one scope; `load_ms` is None where memory never answered. Bytes are per memory."""

    first_ms: float
    load_ms: float | None
    rss_bytes: float
    cache_bytes: float | None
    before_ms: list[float]
    during_ms: list[float]


async def measure(stage: Stage, agent_id: str, corpus: Corpus, filled: Filled) -> dict[str, Figure]:
    """Milliseconds, bytes per memory, and how much slower calls to another scope were while this one was loaded."""
    starts = 1 if corpus.rows > LARGE_ROWS else stage.options.cold_starts
    found = []
    for _ in range(starts):
        with stage.other_server() as server:
            found.append(await _cold_start(stage, server, agent_id, corpus))
    text_bytes = Figure((filled.text_bytes / filled.rows,))
    return {**_figures(found), "text_bytes_per_memory": text_bytes}


async def _cold_start(stage: Stage, server: AppServer, agent_id: str, corpus: Corpus) -> ColdStart:
    async with connected(server.port) as channel:
        beside = await _warm_beside(stage, channel, server)
        calm_until = time.perf_counter() + _calm_seconds(stage, corpus)
        before = await at_a_rate(beside, CALLS_PER_SECOND, lambda: time.perf_counter() < calm_until)
        rss_before = server.process.memory_mb()
        loading = _Loading(stage, Recaller(channel, server.secret, agent_id), corpus)
        during = await loading.beside(beside)
        rss = (server.process.memory_mb() - rss_before) * 2**20 / corpus.rows
        facts = await cache_facts(server, agent_id)
    cached = facts.bytes / max(1, facts.memories) if facts else None
    return ColdStart(loading.first_ms, loading.load_ms, rss, cached, before, during)


def _calm_seconds(stage: Stage, corpus: Corpus) -> float:
    options = stage.options
    return options.large_calm_seconds if corpus.rows > LARGE_ROWS else options.calm_seconds


async def _warm_beside(stage: Stage, channel: grpc.aio.Channel, server: AppServer) -> Call:
    recaller = Recaller(channel, server.secret, BESIDE)
    requests = by_vectors(BESIDE, BESIDE_CORPUS.queries(100))
    await recaller.until_warm(requests[0], stage.warm_seconds)
    call = recaller.recalls(without_end(requests))
    for _ in range(WARM_UP_CALLS):
        await call()
    return call


class _Loading:
    """Asks for a cold scope until memory answers, while another caller goes on."""

    def __init__(self, stage: Stage, recaller: Recaller, corpus: Corpus) -> None:
        self._seconds = stage.warm_seconds
        self._recaller = recaller
        self._request = by_vectors(recaller.agent_id, corpus.queries(1))[0]
        self._is_over = False
        self.first_ms = 0.0
        self.load_ms: float | None = None

    async def beside(self, call: Call) -> list[float]:
        """The latencies of the other caller meanwhile."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._load())
            latencies = both.create_task(
                at_a_rate(call, CALLS_PER_SECOND, lambda: not self._is_over)
            )
        return latencies.result()

    async def _load(self) -> None:
        started = time.perf_counter()
        try:
            await self._recaller.recall(self._request)
            self.first_ms = (time.perf_counter() - started) * 1000
            if await self._recaller.until_warm(self._request, self._seconds) is not None:
                self.load_ms = (time.perf_counter() - started) * 1000
        finally:
            self._is_over = True


def _figures(found: list[ColdStart]) -> dict[str, Figure]:
    """Without a load nothing grew and nothing was slowed down by it."""
    figures = {"cold_first_ms": Figure(tuple(start.first_ms for start in found))}
    loaded = [start for start in found if start.load_ms is not None]
    if loaded:
        figures |= {
            "load_ms": Figure(tuple(start.load_ms or 0.0 for start in loaded)),
            "rss_bytes_per_memory": Figure(tuple(start.rss_bytes for start in loaded)),
            "load_slowdown_p50": Figure(tuple(_slowdown(start, 50) for start in loaded)),
            "load_slowdown_p95": Figure(tuple(_slowdown(start, 95) for start in loaded)),
            "load_slowdown_max": Figure(tuple(_slowdown(start, 100) for start in loaded)),
        }
    cached = tuple(start.cache_bytes for start in found if start.cache_bytes is not None)
    if cached:
        figures["bytes_per_memory"] = Figure(cached)
    return figures


def _slowdown(start: ColdStart, percent: float) -> float:
    """Of the slowest call, for 100."""
    return percentile(start.during_ms, percent) / percentile(start.before_ms, percent)
