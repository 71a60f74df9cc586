"""A scope in use: recall by vector, with a filter and by text, against the echo, by one caller and by many."""

import time
from collections.abc import Callable, Iterator, Sequence

from camillo.v1 import memory_service_pb2 as service

from bench.material.corpus import Corpus
from bench.material.texts import Texts
from bench.measure.recall_rounds import latencies_within, percentiles, rounds_of
from bench.measure.timing import Call, Figure, calls_per_second, taking_turns
from bench.recall.calls import Recaller, by_texts, by_vectors, connected, without_end
from bench.recall.stage import Stage

WARM_UP_CALLS = 200
QUERIES = 500
TEXTS_AT_ONCE = 500


async def measure(stage: Stage, agent_id: str, corpus: Corpus) -> dict[str, Figure]:
    """Latencies and rates of every round; `cache_share` of the recalls were answered from memory."""
    requests = by_vectors(agent_id, corpus.queries(QUERIES))
    async with connected(stage.app.port) as channel:
        recaller = Recaller(channel, stage.app.secret, agent_id)
        await recaller.until_warm(requests[0], stage.warm_seconds)
        recaller.answered_by.clear()
        await recaller.keep(await recaller.recall(requests[0]))
        latencies = await _one_caller(stage, calls_of(recaller, corpus))
        rates = await _many_callers(stage, recaller, requests)
        return {**latencies, **rates, "cache_share": Figure((recaller.cache_share(),))}


def calls_of(recaller: Recaller, corpus: Corpus) -> dict[str, Call]:
    """The echo of the answer that is kept, and each kind of recall."""
    vectors = corpus.queries(QUERIES)
    requests = by_vectors(recaller.agent_id, vectors)
    rare_requests = by_vectors(recaller.agent_id, vectors, rare_only=True)
    text_requests = by_texts(recaller.agent_id, fresh_texts(corpus))
    return {
        "echo": recaller.echoes(without_end(requests)),
        "recall_vector": recaller.recalls(without_end(requests)),
        "filtered": recaller.recalls(without_end(rare_requests)),
        "recall_text": recaller.recalls(text_requests),
        "recall_text_repeat": recaller.recalls(without_end([next(text_requests)])),
    }


def fresh_texts(corpus: Corpus) -> Iterator[str]:
    """Questions without end, of the words that the memories are made of."""
    texts = Texts(1_000 + corpus.rows, known=corpus.known_words)
    while True:
        yield from texts.queries(TEXTS_AT_ONCE)


async def _one_caller(stage: Stage, calls: dict[str, Call]) -> dict[str, Figure]:
    options, repeats = stage.options, stage.options.repeats
    for call in calls.values():
        count = min(WARM_UP_CALLS, repeats.calls_a_round)
        await latencies_within(call, count, options.round_seconds)
    found = await rounds_of(calls, repeats.rounds, repeats.calls_a_round, options.round_seconds)
    figures = {f"{name}_p50_ms": percentiles(rounds, 50) for name, rounds in found.items()}
    return {**figures, "recall_vector_p95_ms": percentiles(found["recall_vector"], 95)}


async def _many_callers(
    stage: Stage, recaller: Recaller, requests: Sequence[service.RecallRequest]
) -> dict[str, Figure]:
    """Calls a second, and how much of a core client and server took meanwhile (1 is one core)."""
    repeats = stage.options.repeats
    callers = {
        "echo": [recaller.echoes(without_end(requests)) for _ in range(repeats.callers)],
        "recall_vector": [recaller.recalls(without_end(requests)) for _ in range(repeats.callers)],
    }
    found: dict[str, list[float]] = {}
    for calls in callers.values():
        await calls_per_second(calls, repeats.rate_seconds / 3)
    for name in taking_turns(list(callers), repeats.rate_rounds):
        process = stage.app.process
        rate, cores = await rate_and_cores(callers[name], repeats.rate_seconds, process.cpu_seconds)
        found.setdefault(f"{name}_qps_{repeats.callers}", []).append(rate)
        found.setdefault(f"{name}_client_cores", []).append(cores[0])
        found.setdefault(f"{name}_server_cores", []).append(cores[1])
    return {name: Figure(tuple(values)) for name, values in found.items()}


async def rate_and_cores(
    calls: Sequence[Call], seconds: float, server_cpu_seconds: Callable[[], float]
) -> tuple[float, tuple[float, float]]:
    """Calls a second, and the cores that this process and the server used, without Postgres."""
    client_before, server_before = time.process_time(), server_cpu_seconds()
    started = time.perf_counter()
    rate = await calls_per_second(calls, seconds)
    taken = time.perf_counter() - started
    client = (time.process_time() - client_before) / taken
    return rate, (client, (server_cpu_seconds() - server_before) / taken)
