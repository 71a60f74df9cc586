"""Recalls from memory by two versions in turns: cold scopes, then scopes in use."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from camillo.v1 import memory_pb2 as pb

from bench.against.comparison import (
    HERE,
    THERE,
    Comparison,
    Pair,
    Trees,
    both_servers,
    clients_of,
    compare_latencies,
    compare_rates,
    vacuum,
)
from bench.material.corpus import RARE_TAG, Block, Corpus
from bench.measure.client import Client, connected, import_batches
from bench.measure.command import say
from bench.measure.servers import AppServer, replica, temporary_directory
from bench.measure.timing import Call, taking_turns
from bench.recall.calls import Recaller, by_vectors
from bench.recall.cold import Load, load_scope
from bench.recall.stage import RecallOptions
from bench.recall.warm import QUERIES, calls_of

BLOCK_ROWS = 1_000


def compare(trees: Trees, sizes: Mapping[str, int], options: RecallOptions) -> Comparison:
    """Each size several times, with new servers: how a process came to lie in memory favours one of two."""
    comparison = Comparison()
    for number in range(options.starts):
        for size, rows in sizes.items():
            say(f"{size} ({number + 1} of {options.starts})")
            corpus = Corpus(rows, block_rows=BLOCK_ROWS, known_words=options.known_words)
            with both_servers(trees, options.embedding) as pair:
                for app in pair.values():
                    asyncio.run(_import(app, size, corpus))
                vacuum(pair)
                for version in taking_turns([HERE, THERE], options.cold_starts):
                    load = _load(pair[version], trees[version], size, corpus, options)
                    _add(comparison, version, size, load)
                asyncio.run(_warm(comparison, pair, size, corpus, options))
    return comparison


async def _import(app: AppServer, agent_id: str, corpus: Corpus) -> None:
    async with connected(app.port, app.secret) as client:
        await import_corpus(client, agent_id, corpus)


async def import_corpus(client: Client, agent_id: str, corpus: Corpus) -> None:
    """Imports through the API, which any version has."""
    for block in corpus.blocks():
        await client.import_serialized(import_batches(agent_id, list(_memories(block))))


def _memories(block: Block) -> Iterator[pb.Memory]:
    for text, vector, is_rare in zip(block.texts, block.vectors, block.is_rare, strict=True):
        tags = [RARE_TAG] if is_rare else []
        yield pb.Memory(content=text, vector=pb.Vector(values=vector.tolist()), tags=tags)


def _load(app: AppServer, tree: Path, agent_id: str, corpus: Corpus, options: RecallOptions) -> Load:
    """Measures a load by another server of the same version on the same database, which has not seen the scope."""

    async def load(server: AppServer) -> Load:
        async with connected(server.port, server.secret) as client:
            return await load_scope(client, server, agent_id, corpus, options.load_seconds)

    with (
        temporary_directory() as directory,
        replica(app, options.embedding, directory, tree=tree) as server,
    ):
        return asyncio.run(load(server))


def _add(comparison: Comparison, version: str, size: str, load: Load) -> None:
    assert load.load_ms is not None
    assert load.cache_bytes is not None
    comparison.add(f"{size}.cold_first_ms", version, load.first_ms)
    comparison.add(f"{size}.load_ms", version, load.load_ms)
    comparison.add(f"{size}.rss_bytes_per_memory", version, load.rss_bytes)
    comparison.add(f"{size}.bytes_per_memory", version, load.cache_bytes)
    comparison.add(f"{size}.rss_over_counted", version, load.rss_bytes / load.cache_bytes)


async def _warm(comparison: Comparison, pair: Pair, size: str, corpus: Corpus, options: RecallOptions) -> None:
    requests = by_vectors(size, corpus.queries(QUERIES))
    repeats = options.repeats
    async with AsyncExitStack() as stack:
        calls: dict[str, dict[str, Call]] = {}
        callers: dict[str, dict[str, list[Call]]] = {}
        for version, client in (await clients_of(pair, stack)).items():
            recaller = Recaller(client, size)
            assert await recaller.until_warm(requests[0], options.load_seconds) is not None
            await recaller.keep(await recaller.recall(requests[0]))
            named = calls_of(recaller, corpus)
            calls[version] = {f"{size}.{name}": call for name, call in named.items()}
            many = [recaller.recalls(requests) for _ in range(repeats.callers)]
            callers[version] = {f"{size}.recall_vector": many}
        await compare_latencies(comparison, calls, repeats)
        await compare_rates(comparison, pair, callers, repeats)
