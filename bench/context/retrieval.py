"""Bundles with retrieval over one large scope: warm, cold, and for many agents at once."""

import asyncio
import itertools
import time
from collections.abc import Iterator
from pathlib import Path

from camillo_server.embedding.lexical import DEFAULT_DIMENSIONS

from bench.context.calls import ContextCalls, ContextOptions
from bench.material.chats import recall_events
from bench.material.corpus import Corpus
from bench.material.fill import as_chunk, fill_scope
from bench.material.texts import Texts
from bench.measure.client import connected
from bench.measure.servers import (
    DIMENSIONS,
    AppServer,
    Embedding,
    app_server,
    embedding_by,
    temporary_directory,
)
from bench.measure.timing import Figure, Figures, latencies_ms, percentile
from bench.recall.calls import Recaller

AGENT = "large"
WARM_UP = 20
WARM_SECONDS = 120.0
COLD_STARTS = 3
CROWD_CALLS = 60


def measure(options: ContextOptions) -> Figures:
    """Milliseconds, and a ratio, on servers of its own."""
    embedding = embedding_by(options.model)
    with temporary_directory() as directory:
        data = directory / "data"
        with app_server(embedding, data) as app:
            secret = app.secret
            dimensions = DIMENSIONS if embedding.model else DEFAULT_DIMENSIONS
            corpus, model_id = Corpus(options.chunks, dimensions), asyncio.run(_model_id(app))
            fill_scope(app.url("superuser"), AGENT, corpus, model_id, kept_as=as_chunk)
        figures = {"bundle_cold_ms": Figure(tuple(_cold_starts(embedding, data, secret)))}
        with app_server(embedding, data, secret) as app:
            return figures | asyncio.run(_warm(options, app))


async def _model_id(app: AppServer) -> str:
    """The server's own model: what it embeds a query with."""
    async with connected(app.port, app.secret) as client:
        return str((await client(recall_events(AGENT, "which model", 1))).model_id)


def _cold_starts(embedding: Embedding, data: Path, secret: str) -> Iterator[float]:
    """The first bundle of a server that has just said that it serves."""
    for number in range(COLD_STARTS):
        with app_server(embedding, data, secret) as app:
            yield asyncio.run(_first_bundle(app, f"how does part {number} work"))


async def _first_bundle(app: AppServer, query: str) -> float:
    async with connected(app.port, app.secret) as client:
        calls = ContextCalls(client, AGENT)
        started = time.perf_counter()
        bundle = await calls.bundle(query)
        assert bundle.sections
        return (time.perf_counter() - started) * 1000


async def _warm(options: ContextOptions, app: AppServer) -> Figures:
    async with connected(app.port, app.secret) as client:
        recaller = Recaller(client, AGENT)
        request = recall_events(AGENT, "anything", 1)
        assert await recaller.until_warm(request, WARM_SECONDS) is not None
        queries = itertools.cycle(Texts(11).queries(options.bundles))
        calls = ContextCalls(client, AGENT)
        one = await latencies_ms(lambda: calls.bundle(next(queries)), options.bundles + WARM_UP)
        many = await _crowd(options, calls, queries)
    one_p95, many_p95 = percentile(one[WARM_UP:], 95), percentile(many, 95)
    return {
        "bundle_retrieval_p50_ms": Figure((percentile(one[WARM_UP:], 50),)),
        "bundle_retrieval_p95_ms": Figure((one_p95,)),
        "bundle_16_p95_ms": Figure((many_p95,)),
        "bundle_16_ratio": Figure((many_p95 / one_p95,)),
    }


async def _crowd(
    options: ContextOptions, calls: ContextCalls, queries: Iterator[str]
) -> list[float]:
    """So many callers at once, each with its next call when the last is answered; every call has to succeed."""
    each = await asyncio.gather(
        *(
            latencies_ms(lambda: calls.bundle(next(queries)), CROWD_CALLS)
            for _ in range(options.agents)
        )
    )
    return [taken for caller in each for taken in caller]
