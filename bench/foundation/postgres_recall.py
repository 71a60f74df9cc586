"""Recall answered by Postgres: questions in words, over one scope of 10,000 memories."""

import asyncio
from collections.abc import Sequence

import grpc
import psycopg
from camillo_server.embedding.choose import choose_embedder

from bench.foundation.options import Options
from bench.material.texts import Texts
from bench.measure.client import channel_to, import_batches, import_messages, recall_call
from bench.measure.servers import AppServer, Embedding, app_server, temporary_directory
from bench.measure.timing import Figure, latencies_ms, percentile

AGENT = "recalling"
ROUNDS = 5
FRESH_QUESTIONS = 15
FRESH_SECONDS = 5.0
# The questions' words are drawn like the memories', but by another seed: they cite no memory by chance of order.
QUERY_SEED = 2


def measure(options: Options) -> dict[str, Figure]:
    """Medians and 95th percentiles of every round in milliseconds; `fresh` is right after the import, before
    Postgres has gathered statistics and tidied its index; a question given up counts as 5 seconds."""
    embedding = Embedding("onnx", model=options.model) if options.model else Embedding("lexical")
    with (
        temporary_directory() as directory,
        app_server(embedding, directory / "data", settings={"retrieval.cache_bytes": 0}) as app,
    ):
        asyncio.run(fill(options, embedding, app))
        fresh = asyncio.run(_fresh(app))
        with psycopg.connect(app.url("superuser"), autocommit=True) as superuser:
            superuser.execute("vacuum analyze")
        settled = asyncio.run(_rounds(options, app, ROUNDS))
    return {
        "recall_sql_p50_ms": _percentiles(settled, 50),
        "recall_sql_p95_ms": _percentiles(settled, 95),
        "recall_sql_fresh_p50_ms": _percentiles([fresh], 50),
    }


def queries(count: int) -> list[str]:
    """Questions of 3 to 8 words in the vocabulary of the memories."""
    return Texts().queries(count)


async def fill(options: Options, embedding: Embedding, app: AppServer) -> None:
    chosen = choose_embedder(embedding.settings()).embedder
    sentences = Texts().sentences(options.recalled_memories)
    vectors = (await chosen.embed(sentences)).tolist()
    async with channel_to(app.port) as channel:
        messages = import_batches(AGENT, sentences, vectors, chosen.model_id)
        await import_messages(channel, app.secret, messages)
    await chosen.close()


async def _fresh(app: AppServer) -> list[float]:
    """Few questions, each given up after some seconds: a plan made without statistics may be a very bad one."""
    asked = queries(FRESH_QUESTIONS)
    async with channel_to(app.port) as channel:
        recall = recall_call(channel, app.secret, asked, AGENT, FRESH_SECONDS)

        async def recall_or_give_up() -> None:
            try:
                await recall()
            except grpc.aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.DEADLINE_EXCEEDED:
                    raise

        return await latencies_ms(recall_or_give_up, len(asked))


async def _rounds(options: Options, app: AppServer, rounds: int) -> list[list[float]]:
    asked = queries(options.recalls_a_round)
    async with channel_to(app.port) as channel:
        call = recall_call(channel, app.secret, asked, AGENT)
        await latencies_ms(call, min(20, len(asked)))
        return [await latencies_ms(call, len(asked)) for _ in range(rounds)]


def _percentiles(rounds: Sequence[Sequence[float]], percent: float) -> Figure:
    return Figure(tuple(percentile(latencies, percent) for latencies in rounds))
