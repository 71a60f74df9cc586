"""Recall answered by Postgres: questions in words, over one scope of 10,000 memories."""

import asyncio

import grpc
import psycopg
from camillo_server.models.embedding.providers import choose_embedder

from bench.foundation.calls import Options
from bench.material.texts import Texts
from bench.measure.client import connected, import_batches, recall_call, with_vectors
from bench.measure.servers import (
    AppServer,
    Embedding,
    app_server,
    embedding_by,
    temporary_directory,
)
from bench.measure.timing import Figures, latencies_ms, percentiles

AGENT = "recalling"
# No cache: Postgres answers.
SETTINGS = {"retrieval.cache_bytes": 0}
ROUNDS = 5
FRESH_QUESTIONS = 15
FRESH_SECONDS = 5.0


def measure(options: Options) -> Figures:
    """Medians and 95th percentiles of every round in milliseconds; `fresh` is right after the import, before
    Postgres has gathered statistics and tidied its index; a question given up counts as 5 seconds."""
    embedding = embedding_by(options.model)
    with (
        temporary_directory() as directory,
        app_server(embedding, directory / "data", settings=SETTINGS) as app,
    ):
        asyncio.run(fill(options, embedding, app))
        fresh = asyncio.run(_fresh(app))
        with psycopg.connect(app.url("superuser"), autocommit=True) as superuser:
            superuser.execute("vacuum analyze")
        settled = asyncio.run(_rounds(options, app))
    return {
        "recall_sql_p50_ms": percentiles(settled, 50),
        "recall_sql_p95_ms": percentiles(settled, 95),
        "recall_sql_fresh_p50_ms": percentiles([fresh], 50),
    }


def queries(count: int) -> list[str]:
    """Questions of 3 to 8 words in the vocabulary of the memories."""
    return Texts().queries(count)


async def fill(options: Options, embedding: Embedding, app: AppServer) -> None:
    """Imports the memories, with vectors made here."""
    chosen = choose_embedder(embedding.settings()).embedder
    sentences = Texts().sentences(options.recalled_memories)
    vectors = (await chosen.embed(sentences)).tolist()
    async with connected(app.port, app.secret) as client:
        memories = with_vectors(sentences, vectors, chosen.model_id)
        await client.import_serialized(import_batches(AGENT, memories))
    await chosen.close()


async def _fresh(app: AppServer) -> list[float]:
    """Few questions, each given up after some seconds: a plan made without statistics may be a very bad one."""
    asked = queries(FRESH_QUESTIONS)
    async with connected(app.port, app.secret) as client:
        recall = recall_call(client, asked, AGENT, FRESH_SECONDS)

        async def recall_or_give_up() -> None:
            try:
                await recall()
            except grpc.aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.DEADLINE_EXCEEDED:
                    raise

        return await latencies_ms(recall_or_give_up, len(asked))


async def _rounds(options: Options, app: AppServer) -> list[list[float]]:
    asked = queries(options.recalls_a_round)
    async with connected(app.port, app.secret) as client:
        call = recall_call(client, asked, AGENT)
        await latencies_ms(call, min(20, len(asked)))
        return [await latencies_ms(call, len(asked)) for _ in range(ROUNDS)]
