"""How many of the exact nearest ten a recall by vector finds, among all memories and under a filter."""

import time
from collections.abc import Sequence

from camillo.v1 import memory_service_pb2 as service

from bench.material.corpus import Corpus, row_of
from bench.measure.timing import Figure
from bench.recall.calls import LIMIT, Recaller, by_vectors, connected
from bench.recall.exact import exact_neighbours, recall_at_k
from bench.recall.stage import Stage


async def measure(stage: Stage, agent_id: str, corpus: Corpus) -> dict[str, Figure]:
    """Shares from 0 to 1."""
    vectors = corpus.queries(stage.options.exact_queries)
    exact = exact_neighbours(corpus, vectors, LIMIT)
    async with connected(stage.app.port) as channel:
        recaller = Recaller(channel, stage.app.secret, agent_id)
        requests = by_vectors(agent_id, vectors)
        await recaller.until_warm(requests[0], stage.warm_seconds)
        found = await _rows(recaller, requests, stage.options.exact_seconds)
        rare_requests = by_vectors(agent_id, vectors, rare_only=True)
        found_rare = await _rows(recaller, rare_requests, stage.options.exact_seconds)
    return {
        "recall_at_10": Figure((recall_at_k(found, exact.of_all),)),
        "filtered_recall_at_10": Figure((recall_at_k(found_rare, exact.of_rare),)),
    }


async def _rows(
    recaller: Recaller, requests: Sequence[service.RecallRequest], seconds: float
) -> list[list[int]]:
    """The rows found for each request, as far as the time allows."""
    found: list[list[int]] = []
    started = time.perf_counter()
    for request in requests:
        if found and time.perf_counter() - started > seconds:
            break
        answer = await recaller.recall(request)
        found.append([row_of(hit.memory.memory_id) for hit in answer.hits])
    return found
