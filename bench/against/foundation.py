"""The parts of `bench.foundation`, for two versions in turns."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from camillo_server.identity.api_keys import new_secret

from bench.against.comparison import Comparison, compare_latencies, compare_rates
from bench.against.versions import HERE, THERE, Pair, Trees, both_servers, vacuum
from bench.foundation import postgres_recall, startup
from bench.foundation.options import Options
from bench.material.texts import Texts
from bench.measure.client import (
    Material,
    channel_to,
    echo_call,
    import_batches,
    import_messages,
    recall_call,
    remember_call,
)
from bench.measure.servers import (
    DIMENSIONS,
    VECTORS_GIVEN,
    AppServer,
    Embedding,
    app_server,
    temporary_directory,
)
from bench.measure.timing import Call, taking_turns

Part = Callable[[Comparison, Trees, Options], None]


def compare(trees: Trees, only: Iterable[str], options: Options) -> Comparison:
    """Each part several times, with new servers: how a process came to lie in memory favours one of two."""
    comparison = Comparison()
    for number in range(options.starts):
        for name in only:
            print(f"{name} ({number + 1} of {options.starts}) ...", file=sys.stderr, flush=True)
            PARTS[name](comparison, trees, options)
    return comparison


def _remember(comparison: Comparison, trees: Trees, options: Options) -> None:
    with both_servers(trees, VECTORS_GIVEN) as pair:
        asyncio.run(_remember_calls(comparison, pair, options))


async def _remember_calls(comparison: Comparison, pair: Pair, options: Options) -> None:
    repeats, material = options.repeats, Material.made()
    async with AsyncExitStack() as stack:
        calls: dict[str, dict[str, Call]] = {}
        callers: dict[str, dict[str, list[Call]]] = {}
        for version, app in pair.items():
            channel = await stack.enter_async_context(channel_to(app.port))
            calls[version] = {
                "echo": echo_call(channel, app.secret),
                "remember": remember_call(channel, app.secret, material, "one-caller"),
            }
            callers[version] = {
                "echo": [echo_call(channel, app.secret) for _ in range(repeats.callers)],
                "remember": [
                    remember_call(channel, app.secret, material, f"caller-{number}")
                    for number in range(repeats.callers)
                ],
            }
        await compare_latencies(comparison, calls, repeats)
        await compare_rates(comparison, pair, callers, repeats)


def _import(comparison: Comparison, trees: Trees, options: Options) -> None:
    with both_servers(trees, VECTORS_GIVEN) as pair:
        asyncio.run(_imports(comparison, pair, options))


async def _imports(comparison: Comparison, pair: Pair, options: Options) -> None:
    texts, count = Texts(), options.imported_memories
    sentences = texts.sentences(count)
    vectors = texts.vectors(count, DIMENSIONS).tolist()
    messages = import_batches("", sentences, vectors)

    async def seconds_of(app: AppServer, agent_id: str, more: Sequence[bytes]) -> float:
        # Only the first message names the scope.
        first = import_batches(agent_id, sentences[:500], vectors[:500])
        async with channel_to(app.port) as channel:
            started = time.perf_counter()
            await import_messages(channel, app.secret, [*first, *more])
            return time.perf_counter() - started

    for app in pair.values():
        await seconds_of(app, "warm-up", [])
    for number, version in enumerate(taking_turns([HERE, THERE], options.import_rounds)):
        seconds = await seconds_of(pair[version], f"scope-{number}", messages[1:])
        comparison.add("import_per_s", version, count / seconds)


def _recall(comparison: Comparison, trees: Trees, options: Options) -> None:
    embedding = _embedding(options.model)
    with both_servers(trees, embedding, {"retrieval.cache_bytes": 0}) as pair:
        for app in pair.values():
            asyncio.run(postgres_recall.fill(options, embedding, app))
        vacuum(pair)
        asyncio.run(_sql_recalls(comparison, pair, options))


async def _sql_recalls(comparison: Comparison, pair: Pair, options: Options) -> None:
    asked = postgres_recall.queries(options.recalls_a_round)
    async with AsyncExitStack() as stack:
        calls = {}
        for version, app in pair.items():
            channel = await stack.enter_async_context(channel_to(app.port))
            call = recall_call(channel, app.secret, asked, postgres_recall.AGENT)
            calls[version] = {"recall_sql": call}
        repeats = replace(options.repeats, calls_a_round=options.recalls_a_round)
        await compare_latencies(comparison, calls, repeats)


def _restart(comparison: Comparison, trees: Trees, options: Options) -> None:
    """From the start of a server process on a data directory in use before to its first answer."""
    secret, embedding = new_secret(), _embedding(options.model)
    with temporary_directory() as directory:
        for version, tree in trees.items():
            with app_server(embedding, directory / version, secret, tree=tree) as app:
                asyncio.run(startup.remember_one(app.port, secret))
        for version in taking_turns([HERE, THERE], options.restarts):
            started = time.perf_counter()
            with app_server(embedding, directory / version, secret, tree=trees[version]) as app:
                asyncio.run(startup.first_recall(app.port, secret))
                comparison.add("restart_s", version, time.perf_counter() - started)


def _embedding(model: Path | None) -> Embedding:
    return Embedding("onnx", model=model) if model else Embedding("lexical")


PARTS: dict[str, Part] = {
    "remember": _remember,
    "import": _import,
    "recall": _recall,
    "restart": _restart,
}
