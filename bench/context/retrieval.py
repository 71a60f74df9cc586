"""Bundles with retrieval over one large scope: warm, cold, and for many agents at once."""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from camillo.v1 import snapshot_service_pb2 as service
from camillo_server.across.context.messages import BUNDLE_RECIPE
from camillo_server.across.context.recipes import built_in_recipes
from camillo_server.models.embedding.lexical import DEFAULT_DIMENSIONS

from bench.context.calls import ContextCalls, ContextOptions
from bench.material.chats import recall_events
from bench.material.corpus import Corpus
from bench.material.fill import as_chunk, fill_scope
from bench.material.texts import Texts
from bench.measure.client import connected, echo_call
from bench.measure.servers import (
    DIMENSIONS,
    AppServer,
    Embedding,
    app_server,
    embedding_by,
    temporary_directory,
)
from bench.measure.timing import (
    Call,
    Figures,
    Rounds,
    latencies_ms,
    percentiles,
    taking_turns,
)
from bench.recall.calls import LIMIT, Recaller

AGENT = "large"
WARM_UP = 20
WARM_SECONDS = 120.0
COLD_STARTS = 3
ROUNDS = 5
# Calls of each of many callers at once, in a round.
CROWD_CALLS = 12


def measure(options: ContextOptions) -> Figures:
    """Milliseconds on servers of its own: of bundles, and of the recalls and echoes that they are compared with."""
    embedding = embedding_by(options.model)
    with temporary_directory() as directory:
        data = directory / "data"
        with app_server(embedding, data) as app:
            secret = app.secret
            dimensions = DIMENSIONS if embedding.model else DEFAULT_DIMENSIONS
            corpus, model_id = Corpus(options.chunks, dimensions), asyncio.run(_model_id(app))
            fill_scope(app.url("superuser"), AGENT, corpus, model_id, kept_as=as_chunk)
            asyncio.run(_keep_all_evidence(app))
        figures = _cold_starts(embedding, data, secret)
        with app_server(embedding, data, secret) as app:
            return figures | asyncio.run(_warm(options, app))


async def _model_id(app: AppServer) -> str:
    """The server's own model: what it embeds a query with."""
    async with connected(app.port, app.secret) as client:
        return str((await client(recall_events(AGENT, "which model", 1))).model_id)


async def _keep_all_evidence(app: AppServer) -> None:
    """Made-up texts have made-up vectors, which say that nothing is relevant: without this, bundles would be empty."""
    text = built_in_recipes()[BUNDLE_RECIPE].text
    text = text.replace("source: recall\n", "source: recall\n    min_score: 0\n")
    async with connected(app.port, app.secret) as client:
        await client(service.PutRecipeRequest(yaml=text))


def _cold_starts(embedding: Embedding, data: Path, secret: str) -> Figures:
    """The first bundle of a server that has just said that it serves, and the echo behind it."""
    found = Rounds()
    for query in Texts(11).queries(COLD_STARTS):
        with app_server(embedding, data, secret) as app:
            found.add(asyncio.run(_first_bundle(app, query)))
    return found.figures()


async def _first_bundle(app: AppServer, query: str) -> dict[str, float]:
    async with connected(app.port, app.secret) as client:
        calls, echo = ContextCalls(client, AGENT), echo_call(client.channel, app.secret)
        started = time.perf_counter()
        bundle = await calls.bundle(query)
        ended = time.perf_counter()
        assert bundle.sections
        await echo()
        echoed = time.perf_counter()
    return {"bundle_cold_ms": (ended - started) * 1000, "cold_echo_ms": (echoed - ended) * 1000}


async def _warm(options: ContextOptions, app: AppServer) -> Figures:
    """Each call by one caller and by many at once, all of them in turns."""
    async with connected(app.port, app.secret) as client:
        recaller = Recaller(client, AGENT)
        request = recall_events(AGENT, "anything", 1)
        assert await recaller.until_warm(request, WARM_SECONDS) is not None
        calls = ContextCalls(client, AGENT)
        queries = itertools.cycle(Texts(11).queries(options.bundles))
        kinds: dict[str, Call] = {
            "echo": echo_call(client.channel, app.secret),
            "recall": lambda: recaller.recall(recall_events(AGENT, next(queries), LIMIT)),
            "bundle_retrieval": lambda: calls.bundle(next(queries)),
        }
        contenders: dict[str, Callable[[], Awaitable[Sequence[float]]]] = {}
        for name, call in kinds.items():
            await latencies_ms(call, WARM_UP)
            contenders[name] = partial(latencies_ms, call, options.bundles // ROUNDS)
            contenders[f"{name}_16"] = partial(_crowd, call, options.agents)
        found: dict[str, list[Sequence[float]]] = {name: [] for name in contenders}
        for name in taking_turns(list(contenders), ROUNDS):
            found[name].append(await contenders[name]())
    return {
        f"{name}_p{percent}_ms": percentiles(rounds, percent) for name, rounds in found.items() for percent in (50, 95)
    }


async def _crowd(call: Call, callers: int) -> list[float]:
    """Milliseconds of many callers at once, each calling again when it is answered; every call has to succeed."""
    each = await asyncio.gather(*(latencies_ms(call, CROWD_CALLS) for _ in range(callers)))
    return list(itertools.chain.from_iterable(each))
