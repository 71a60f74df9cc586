"""Recalls from memory by two versions in turns: cold scopes, then scopes in use."""

import asyncio
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from bench.against.comparison import Comparison, compare_latencies, compare_rates
from bench.against.versions import HERE, THERE, Pair, Trees, both_servers, vacuum
from bench.material.corpus import RARE_TAG, Block, Corpus
from bench.measure.client import channel_to, import_messages
from bench.measure.servers import AppServer, replica, temporary_directory
from bench.measure.timing import Call, taking_turns
from bench.recall.cache_facts import cache_facts
from bench.recall.calls import Recaller, by_vectors, connected, without_end
from bench.recall.options import RecallOptions
from bench.recall.warm import QUERIES, calls_of

BATCH_ROWS = 500
BLOCK_ROWS = 1_000


def compare(trees: Trees, sizes: Mapping[str, int], options: RecallOptions) -> Comparison:
    """Each size several times, with new servers: how a process came to lie in memory favours one of two."""
    comparison = Comparison()
    for number in range(options.starts):
        for size, rows in sizes.items():
            print(f"{size} ({number + 1} of {options.starts}) ...", file=sys.stderr, flush=True)
            corpus = Corpus(rows, block_rows=BLOCK_ROWS, known_words=options.known_words)
            with both_servers(trees, options.embedding) as pair:
                _compare_scopes(comparison, trees, pair, f"scope-{size}", corpus, options)
    return comparison


def _compare_scopes(
    comparison: Comparison,
    trees: Trees,
    pair: Pair,
    agent_id: str,
    corpus: Corpus,
    options: RecallOptions,
) -> None:
    for app in pair.values():
        asyncio.run(_import(app, agent_id, corpus))
    vacuum(pair)
    size = agent_id.removeprefix("scope-")
    for version in taking_turns([HERE, THERE], options.cold_starts):
        cold = _cold_figures(pair[version], trees[version], agent_id, corpus, options)
        for name, value in cold.items():
            comparison.add(f"{size}.{name}", version, value)
    asyncio.run(_warm(comparison, pair, agent_id, corpus, options))


async def _import(app: AppServer, agent_id: str, corpus: Corpus) -> None:
    async with channel_to(app.port) as channel:
        for block in corpus.blocks():
            await import_messages(channel, app.secret, list(_messages(block, agent_id)))


def _messages(block: Block, agent_id: str) -> Iterator[bytes]:
    for start in range(0, len(block.texts), BATCH_ROWS):
        memories = [
            pb.Memory(
                content=block.texts[row],
                vector=pb.Vector(values=block.vectors[row].tolist()),
                tags=[RARE_TAG] if block.is_rare[row] else [],
            )
            for row in range(start, min(start + BATCH_ROWS, len(block.texts)))
        ]
        message = service.ImportMemoriesRequest(
            agent_id="" if start else agent_id, memories=memories
        )
        yield message.SerializeToString()


def _cold_figures(
    app: AppServer, tree: Path, agent_id: str, corpus: Corpus, options: RecallOptions
) -> dict[str, float]:
    """By another server of the same version on the same database, which has not seen the scope."""
    with (
        temporary_directory() as directory,
        replica(app, options.embedding, directory, tree=tree) as server,
    ):
        return asyncio.run(_load(server, agent_id, corpus, options))


async def _load(
    server: AppServer, agent_id: str, corpus: Corpus, options: RecallOptions
) -> dict[str, float]:
    request = by_vectors(agent_id, corpus.queries(1))[0]
    async with connected(server.port) as channel:
        recaller = Recaller(channel, server.secret, agent_id)
        memory_before = server.process.memory_mb()
        started = time.perf_counter()
        await recaller.recall(request)
        first_ms = (time.perf_counter() - started) * 1000
        assert await recaller.until_warm(request, options.load_seconds) is not None
        load_ms = (time.perf_counter() - started) * 1000
        grown = (server.process.memory_mb() - memory_before) * 2**20
    facts = await cache_facts(server, agent_id)
    assert facts is not None
    return {
        "cold_first_ms": first_ms,
        "load_ms": load_ms,
        "rss_bytes_per_memory": grown / corpus.rows,
        "bytes_per_memory": facts.bytes / facts.memories,
    }


async def _warm(
    comparison: Comparison, pair: Pair, agent_id: str, corpus: Corpus, options: RecallOptions
) -> None:
    size = agent_id.removeprefix("scope-")
    requests = by_vectors(agent_id, corpus.queries(QUERIES))
    async with AsyncExitStack() as stack:
        calls: dict[str, dict[str, Call]] = {}
        callers: dict[str, dict[str, list[Call]]] = {}
        for version, app in pair.items():
            channel = await stack.enter_async_context(connected(app.port))
            recaller = Recaller(channel, app.secret, agent_id)
            assert await recaller.until_warm(requests[0], options.load_seconds) is not None
            await recaller.keep(await recaller.recall(requests[0]))
            named = calls_of(recaller, corpus)
            calls[version] = {f"{size}.{name}": call for name, call in named.items()}
            callers[version] = {
                f"{size}.recall_vector": [
                    recaller.recalls(without_end(requests)) for _ in range(options.repeats.callers)
                ]
            }
        await compare_latencies(comparison, calls, options.repeats)
        await compare_rates(comparison, pair, callers, options.repeats)
