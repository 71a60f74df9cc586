"""The parts of `bench.foundation`, for two versions in turns."""

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import replace

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
from bench.foundation import postgres_recall, startup
from bench.foundation.calls import Import, Options, many_callers, one_caller
from bench.measure.client import recall_call
from bench.measure.command import say
from bench.measure.servers import (
    VECTORS_GIVEN,
    app_server,
    embedding_by,
    new_secret,
    temporary_directory,
)
from bench.measure.timing import taking_turns

Part = Callable[[Comparison, Trees, Options], None]


def compare(trees: Trees, only: Iterable[str], options: Options) -> Comparison:
    """Each part several times, with new servers: how a process came to lie in memory favours one of two."""
    comparison = Comparison()
    for number in range(options.starts):
        for name in only:
            say(f"{name} ({number + 1} of {options.starts})")
            PARTS[name](comparison, trees, options)
    return comparison


def _remember(comparison: Comparison, trees: Trees, options: Options) -> None:
    with both_servers(trees, VECTORS_GIVEN) as pair:
        asyncio.run(_remember_calls(comparison, pair, options))


async def _remember_calls(comparison: Comparison, pair: Pair, options: Options) -> None:
    repeats = options.repeats
    async with AsyncExitStack() as stack:
        clients = await clients_of(pair, stack)
        calls = {version: one_caller(client) for version, client in clients.items()}
        await compare_latencies(comparison, calls, repeats)
        callers = {version: many_callers(client, repeats.callers) for version, client in clients.items()}
        await compare_rates(comparison, pair, callers, repeats)


def _import(comparison: Comparison, trees: Trees, options: Options) -> None:
    with both_servers(trees, VECTORS_GIVEN) as pair:
        asyncio.run(_imports(comparison, pair, options))


async def _imports(comparison: Comparison, pair: Pair, options: Options) -> None:
    stream = Import(options.imported_memories)
    async with AsyncExitStack() as stack:
        clients = await clients_of(pair, stack)
        for client in clients.values():
            await stream.into(client, "warm-up", first_only=True)
        for number, version in enumerate(taking_turns([HERE, THERE], options.import_rounds)):
            seconds = await stream.into(clients[version], f"scope-{number}")
            comparison.add("import_per_s", version, stream.rows / seconds)


def _recall(comparison: Comparison, trees: Trees, options: Options) -> None:
    embedding = embedding_by(options.model)
    with both_servers(trees, embedding, postgres_recall.SETTINGS) as pair:
        for app in pair.values():
            asyncio.run(postgres_recall.fill(options, embedding, app))
        vacuum(pair)
        asyncio.run(_postgres_recalls(comparison, pair, options))


async def _postgres_recalls(comparison: Comparison, pair: Pair, options: Options) -> None:
    asked = postgres_recall.queries(options.recalls_a_round)
    async with AsyncExitStack() as stack:
        calls = {
            version: {"recall_sql": recall_call(client, asked, postgres_recall.AGENT)}
            for version, client in (await clients_of(pair, stack)).items()
        }
        repeats = replace(options.repeats, calls_a_round=options.recalls_a_round)
        await compare_latencies(comparison, calls, repeats)


def _restart(comparison: Comparison, trees: Trees, options: Options) -> None:
    """Measures from the start of a server process on a data directory in use before to its first answer."""
    secret, embedding = new_secret(), embedding_by(options.model)
    with temporary_directory() as directory:
        for version, tree in trees.items():
            with app_server(embedding, directory / version, secret, tree=tree) as app:
                asyncio.run(startup.remember_one(app.port, secret))
        for version in taking_turns([HERE, THERE], options.restarts):
            started = time.perf_counter()
            with app_server(embedding, directory / version, secret, tree=trees[version]) as app:
                asyncio.run(startup.first_recall(app.port, secret))
                comparison.add("restart_s", version, time.perf_counter() - started)


PARTS: dict[str, Part] = {
    "remember": _remember,
    "import": _import,
    "recall": _recall,
    "restart": _restart,
}
