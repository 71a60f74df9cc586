"""A provider that costs money, from end to end: what a tenant may spend, and what goes on without."""

import asyncio
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.embeddings_server import DIMENSIONS, TOKENS_PER_TEXT, EmbeddingsServer, embeddings_server, status
from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import get, recall, remember
from tests.server_fixtures import Server, StartServer

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")

DOLLARS_PER_MILLION = 1_000.0
# Enough for what two short texts may cost at most, as long as only what they cost is taken: a few cents each.
TEXT_DOLLARS = TOKENS_PER_TEXT * DOLLARS_PER_MILLION / 1_000_000


@pytest.fixture
def provider() -> Iterator[EmbeddingsServer]:
    with embeddings_server() as running:
        yield running


def settings(provider: EmbeddingsServer, **changed: Any) -> dict[str, Any]:
    return {
        "embedding_model": "litellm",
        "embedding_dimensions": DIMENSIONS,
        "embed_timeout_seconds": 20,
        "litellm_model": "openai/test",
        "litellm_api_base": provider.url,
        "litellm_api_key": "sk-test",
        "litellm_price_per_million_tokens": DOLLARS_PER_MILLION,
        "litellm_retries": 0,
        **changed,
    }


def spent(server: Server, tenant_id: str = "acme") -> float:
    with psycopg.connect(server.database.superuser_url) as connection:
        row = connection.execute(
            "select coalesce(sum(nano_usd), 0) / 1e9 from camillo.embedding_spend where tenant_id = %s", (tenant_id,)
        ).fetchone()
    assert row is not None
    return float(row[0])


async def until_embedded(server: Server, memory_id: str) -> None:
    async with asyncio.timeout(2 * PATIENCE_SECONDS):
        while not (await get(server.alice, memory_id)).vector_model_id:
            pass


@pytest.mark.caches
async def test_what_is_stored_and_asked_is_embedded_and_paid_by_its_tenant(
    start_server: StartServer, provider: EmbeddingsServer
) -> None:
    server = await start_server(memory=settings(provider, embedding_budget_usd=10))
    stored = await remember(server.alice, "一只耐心的斑马 🦓")
    assert stored.vector_model_id == f"litellm-openai/test-{DIMENSIONS}"
    answer = await recall(server.alice, "a patient zebra")
    assert not answer.degraded
    assert spent(server) == pytest.approx(2 * TEXT_DOLLARS)
    assert spent(server, "rival") == 0
    await recall(server.alice, "a patient zebra")
    assert provider.requests == [["一只耐心的斑马 🦓"], ["a patient zebra"]]
    figures = server.app.kernel.providers.choice.embedder.figures  # type: ignore[attr-defined]
    assert figures.nano_usd == pytest.approx(2 * TEXT_DOLLARS * 1e9)


async def test_without_budget_writes_go_through_and_queries_go_by_words(
    start_server: StartServer, provider: EmbeddingsServer
) -> None:
    poor = settings(provider, embedding_budget_usd=4.5 * TEXT_DOLLARS)
    server = await start_server(memory=poor)
    first = await remember(server.alice, "zebra one")
    assert first.vector_model_id
    kept = [await remember(server.alice, f"zebra {number}") for number in range(2, 8)]
    assert kept[-1].vector_model_id == ""
    asked = len(provider.requests)
    answer = await recall(server.alice, "zebra")
    assert pb.DEGRADED_REASON_EMBEDDING_UNAVAILABLE in answer.degraded
    assert len(answer.hits) == 7
    assert len(provider.requests) == asked, "nothing is asked that cannot be paid"
    assert spent(server) <= 4.5 * TEXT_DOLLARS
    rival = service.RememberRequest(memory=pb.NewMemory(content="zebra"))
    assert (await server.rival(rival)).memory.vector_model_id, "another tenant has its own"


async def test_what_had_to_wait_is_embedded_when_the_budget_allows_it(
    start_server: StartServer, provider: EmbeddingsServer
) -> None:
    without = settings(provider, embedding_budget_usd=0)
    server = await start_server(memory=without)
    stored = await remember(server.alice, "مرحبا zebra")
    assert stored.vector_model_id == ""
    await server.app.stop()
    assert provider.requests == []
    richer = await start_server(memory=settings(provider, embedding_budget_usd=10))
    await until_embedded(richer, stored.memory_id)
    answer = await recall(richer.alice, "مرحبا zebra")
    assert not answer.degraded
    assert answer.hits[0].breakdown.dense.raw == pytest.approx(1.0, abs=1e-3)


async def test_a_provider_that_is_down_degrades_and_recovers(
    start_server: StartServer, provider: EmbeddingsServer
) -> None:
    server = await start_server(memory=settings(provider))
    provider.always = status(503)
    stored = await remember(server.alice, "zebra")
    assert stored.vector_model_id == ""
    answer = await recall(server.alice, "zebra")
    assert pb.DEGRADED_REASON_EMBEDDING_UNAVAILABLE in answer.degraded
    provider.always = None
    answer = await recall(server.alice, "zebra")
    assert pb.DEGRADED_REASON_EMBEDDING_UNAVAILABLE not in answer.degraded
