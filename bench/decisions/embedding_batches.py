"""Measures what batches of queries cost one caller and give many:
`python -m bench.decisions.embedding_batches --model DIR`.

The local model alone and behind the batches of the server, in turns on the same machine: the median of one caller's
queries, the queries per second of 16 callers, and of 16 callers while an import keeps the model busy; and the time that
a remembered query takes.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.batching import Batching
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.onnx import SHARING, OnnxEmbedder
from camillo_server.models.embedding.text_embedding import TextEmbedding

from bench.measure.timing import taking_turns

ACME = TenantId("acme")
ROUNDS = 12
CALLERS = 16
IMPORTED_AT_ONCE = 64
CACHED_CALLS = 20_000

QUERIES = [
    f"what did {name} say about {what} {when}?"
    for name in ("Ada", "Grace", "Edsger", "Barbara")
    for what in ("the budget", "her cats", "the deadline of the release", "tea")
    for when in ("yesterday", "last week", "in May", "before the flight to Oslo")
]
IMPORTED = ["The committee met again and nothing was decided, which surprised nobody. " * 5] * (IMPORTED_AT_ONCE)


async def one_caller_ms(embedder: Embedder) -> list[float]:
    """The time of each query, one after the other."""
    times = []
    for query in QUERIES:
        began = time.perf_counter()
        await embedder.embed([query], ACME)
        times.append((time.perf_counter() - began) * 1000)
    return times


async def queries_per_second(embedder: Embedder) -> float:
    """The rate of 16 callers that ask as fast as they are answered."""
    began = time.perf_counter()
    await asyncio.gather(*(_ask(embedder, QUERIES[n::CALLERS]) for n in range(CALLERS)))
    return len(QUERIES) / (time.perf_counter() - began)


async def queries_per_second_during_import(embedder: Embedder) -> float:
    """The rate of 16 callers while texts are embedded without a pause."""
    importing = asyncio.create_task(_import_for_ever(embedder))
    try:
        await asyncio.sleep(0.01)
        return await queries_per_second(embedder)
    finally:
        importing.cancel()
        await asyncio.gather(importing, return_exceptions=True)


async def _ask(embedder: Embedder, queries: Sequence[str]) -> None:
    for query in queries:
        await embedder.embed([query], ACME)


async def _import_for_ever(embedder: Embedder) -> None:
    while True:
        await embedder.embed(IMPORTED, ACME)


async def remembered_microseconds(embedder: Embedder) -> float:
    """Microseconds of a query whose vector is in the cache."""
    embedding = TextEmbedding(embedder, 2.0, lambda _: None, cached_queries=1000)
    await embedding.query_vector(QUERIES[0], Scope(ACME, AgentId("")))
    began = time.perf_counter()
    for _ in range(CACHED_CALLS):
        await embedding.query_vector(QUERIES[0], Scope(ACME, AgentId("")))
    return (time.perf_counter() - began) / CACHED_CALLS * 1e6


async def measured(model_dir: Path) -> dict[str, float]:
    """Everything, the two taking turns so that both meet the same disturbances."""
    alone = OnnxEmbedder(model_dir)
    ways: dict[str, Embedder] = {"alone": alone, "batched": Batching(alone, SHARING)}
    singles: dict[str, list[float]] = {way: [] for way in ways}
    rates: dict[str, list[float]] = {way: [] for way in ways}
    importing: dict[str, list[float]] = {way: [] for way in ways}
    for way in taking_turns(list(ways), ROUNDS):
        singles[way] += await one_caller_ms(ways[way])
    for way in taking_turns(list(ways), ROUNDS):
        rates[way].append(await queries_per_second(ways[way]))
    for way in taking_turns(list(ways), ROUNDS):
        importing[way].append(await queries_per_second_during_import(ways[way]))
    figures = {f"one_caller_p50_ms_{way}": median(times) for way, times in singles.items()}
    figures |= {f"qps_16_{way}": median(found) for way, found in rates.items()}
    figures |= {f"qps_16_importing_{way}": median(found) for way, found in importing.items()}
    figures["remembered_us"] = await remembered_microseconds(ways["batched"])
    await alone.close()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="directory of an ONNX model")
    figures = asyncio.run(measured(parser.parse_args().model))
    for name in ("one_caller_p50_ms", "qps_16", "qps_16_importing"):
        print(f"{name}: batched {_ratio(figures, name):.2f} x alone")
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


def _ratio(figures: dict[str, float], name: str) -> float:
    return figures[f"{name}_batched"] / figures[f"{name}_alone"]


if __name__ == "__main__":
    main()
