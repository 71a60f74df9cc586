"""Many small scopes: what a recall costs when more of them are in memory, and how often a small budget hits."""

import asyncio
import itertools
import statistics
from collections.abc import Iterable, Sequence

import numpy as np
from camillo.v1 import memory_service_pb2 as service

from bench.material.corpus import Corpus
from bench.material.fill import fill_scopes
from bench.measure.client import Client, connected
from bench.measure.servers import AppServer, replica
from bench.measure.timing import Figure, Figures, Rounds
from bench.recall.calls import Recaller, by_vectors, cache_facts
from bench.recall.stage import Stage
from bench.scale.costs import ScaleOptions, measure_costs
from bench.scale.model import zipf_shares

SEED = 5
WARM_UP_PASSES = 10
FEW = 8
SAMPLED_SCOPES = 50

Requests = Sequence[service.RecallRequest]


def fill(stage: Stage, options: ScaleOptions) -> Requests:
    """Stores all scopes; returns a request for each."""
    rows = options.scope_rows
    corpus = Corpus(options.scopes * rows, seed=SEED, block_rows=rows)
    agents = [f"small-{number}" for number in range(options.scopes)]
    fill_scopes(stage.app.url("superuser"), agents, corpus, stage.model_id)
    vectors = corpus.queries(options.scopes)
    return [by_vectors(agent, vector[None])[0] for agent, vector in zip(agents, vectors, strict=True)]


async def measure_resident(stage: Stage, options: ScaleOptions, requests: Requests) -> Figures:
    """Figures of each number of scopes in use, `scopes.N.`: the costs as of a size, `cache_share`, and `scope_bytes`
    where memory answers."""
    found: Figures = {}
    with stage.other_server() as server:
        async with connected(server.port, server.secret) as client:
            rss_before = server.process.memory_mb()
            for scopes in options.resident:
                figures = await _resident(stage, options, server, client, requests[:scopes])
                rss = (server.process.memory_mb() - rss_before) * 2**20 / scopes
                counted = await _counted_bytes(client, requests[:scopes])
                if figures["cache_share"].median > 0 and (counted or rss > 0):
                    figures["scope_bytes"] = Figure((counted or rss,))
                found |= {f"scopes.{scopes}.{name}": figure for name, figure in figures.items()}
    return found


async def measure_hits(stage: Stage, options: ScaleOptions, requests: Requests, scope_bytes: float | None) -> Figures:
    """Figures of each exponent and budget, `hits.E/B.`: `hit_share` and `core_ms` of the server a recall. Empty if a
    scope's bytes are not known."""
    if scope_bytes is None:
        return {}
    found = Rounds()
    for exponent, share in itertools.product(options.exponents, options.budget_shares):
        budget = {"retrieval.cache_bytes": int(share * options.scopes * scope_bytes)}
        directory = stage.directory / "small-budget"
        with replica(stage.app, stage.options.embedding, directory, budget) as server:
            hits = await _hits(options, server, requests, exponent)
        found.add({f"hits.{exponent:g}/{share:g}.{name}": value for name, value in hits.items()})
    return found.figures()


async def _resident(
    stage: Stage, options: ScaleOptions, server: AppServer, client: Client, requests: Requests
) -> Figures:
    shuffled = [requests[n] for n in np.random.default_rng(SEED).permutation(len(requests))]
    recaller = Recaller(client, "")
    for _ in range(WARM_UP_PASSES if stage.has_cache else 1):
        recaller.answered_by.clear()
        await _all(recaller, requests)
        if recaller.cache_share() == 1:
            break
    recaller.answered_by.clear()
    call, found = recaller.recalls(shuffled), Rounds()
    for _ in range(options.rounds):
        found.add(await measure_costs(options, server, call))
    return found.figures() | {"cache_share": Figure((recaller.cache_share(),))}


async def _counted_bytes(client: Client, requests: Requests) -> float | None:
    """The mean size of a scope as the server counts, from some of them; None where it does not tell."""
    facts = [await cache_facts(client, request.agent_id) for request in requests[:SAMPLED_SCOPES]]
    counted = [each.bytes for each in facts if each]
    return statistics.mean(counted) if counted else None


async def _hits(options: ScaleOptions, server: AppServer, requests: Requests, exponent: float) -> dict[str, float]:
    numbers = np.random.default_rng(SEED)
    # Which scope is the most frequent has nothing to do with when it was written.
    ranks = numbers.permutation(len(requests))
    shares = zipf_shares(len(requests), exponent)
    calls = options.zipf_warm_up_calls + options.zipf_calls
    asked = [requests[ranks[rank]] for rank in numbers.choice(len(requests), calls, p=shares)]
    async with connected(server.port, server.secret) as client:
        recaller = Recaller(client, "")
        await _all(recaller, asked[: options.zipf_warm_up_calls])
        recaller.answered_by.clear()
        before = server.process.cpu_seconds()
        await _all(recaller, asked[options.zipf_warm_up_calls :])
        used = server.process.cpu_seconds() - before
    return {"hit_share": recaller.cache_share(), "core_ms": 1000 * used / options.zipf_calls}


async def _all(recaller: Recaller, requests: Iterable[service.RecallRequest]) -> None:
    """Each once, by a few callers."""
    following = iter(requests)

    async def caller() -> None:
        for request in following:
            await recaller.recall(request)

    await asyncio.gather(*(caller() for _ in range(FEW)))
