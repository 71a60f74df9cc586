"""A scope in use: recall by vector, with a filter and by text, against the echo, by one caller and by many."""

from collections.abc import Iterator
from pathlib import Path

from camillo_server.models.embedding.onnx import OnnxEmbedder

from bench.material.corpus import Corpus
from bench.material.texts import Texts
from bench.measure.client import connected
from bench.measure.timing import (
    Call,
    Figure,
    Figures,
    latencies_ms,
    percentiles,
    rates_of,
    rounds_of,
)
from bench.recall.calls import Recaller, Requests, by_texts, by_vectors
from bench.recall.stage import Stage

WARM_UP_CALLS = 200
QUERIES = 500
TEXTS_AT_ONCE = 500


async def measure(stage: Stage, agent_id: str, corpus: Corpus) -> Figures:
    """Latencies and rates of every round; `cache_share` of the recalls were answered from memory."""
    requests = by_vectors(agent_id, corpus.queries(QUERIES))
    async with connected(stage.app.port, stage.app.secret) as client:
        recaller = Recaller(client, agent_id)
        await recaller.until_warm(requests[0], stage.warm_seconds)
        recaller.answered_by.clear()
        await recaller.keep(await recaller.recall(requests[0]))
        calls = calls_of(recaller, corpus)
        if stage.options.model is not None:
            calls["embedding"] = _embedding_alone(stage.options.model, corpus)
        latencies = await _one_caller(stage, calls)
        rates = await _many_callers(stage, recaller, requests)
        return {**latencies, **rates, "cache_share": Figure((recaller.cache_share(),))}


def calls_of(recaller: Recaller, corpus: Corpus) -> dict[str, Call]:
    """The echo of the answer that is kept, and each kind of recall."""
    vectors = corpus.queries(QUERIES)
    requests = by_vectors(recaller.agent_id, vectors)
    rare_requests = by_vectors(recaller.agent_id, vectors, rare_only=True)
    texts = _fresh_texts(corpus)
    repeated = [*by_texts(recaller.agent_id, [next(texts)])]
    return {
        "echo": recaller.echoes(requests),
        "recall_vector": recaller.recalls(requests),
        "filtered": recaller.recalls(rare_requests),
        "recall_text": recaller.recalls(by_texts(recaller.agent_id, texts)),
        "recall_text_repeat": recaller.recalls(repeated),
    }


def _embedding_alone(model: Path, corpus: Corpus) -> Call:
    """The vectors of such questions in this process, without a server."""
    embedder, texts = OnnxEmbedder(model), _fresh_texts(corpus)
    return lambda: embedder.embed([next(texts)])


def _fresh_texts(corpus: Corpus) -> Iterator[str]:
    """Questions without end, of the words that the memories are made of."""
    texts = Texts(1_000 + corpus.rows, known=corpus.known_words)
    while True:
        yield from texts.queries(TEXTS_AT_ONCE)


async def _one_caller(stage: Stage, calls: dict[str, Call]) -> Figures:
    options, repeats = stage.options, stage.options.repeats
    for call in calls.values():
        count = min(WARM_UP_CALLS, repeats.calls_a_round)
        await latencies_ms(call, count, options.round_seconds)
    found = await rounds_of(calls, repeats.rounds, repeats.calls_a_round, options.round_seconds)
    figures = {f"{name}_p50_ms": percentiles(rounds, 50) for name, rounds in found.items()}
    return {**figures, "recall_vector_p95_ms": percentiles(found["recall_vector"], 95)}


async def _many_callers(stage: Stage, recaller: Recaller, requests: Requests) -> Figures:
    """Calls a second, and how much of a core client and server took meanwhile (1 is one core)."""
    repeats = stage.options.repeats
    callers = {
        "echo": [recaller.echoes(requests) for _ in range(repeats.callers)],
        "recall_vector": [recaller.recalls(requests) for _ in range(repeats.callers)],
    }
    return await rates_of(callers, repeats, stage.app.process.cpu_seconds)
