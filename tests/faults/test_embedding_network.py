"""A provider of vectors behind a network that fails: words answer in time, writes get their vectors afterwards, by
themselves."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from urllib.parse import urlsplit

import pytest
from camillo.v1 import memory_pb2 as pb

from tests.embeddings_server import (
    DIMENSIONS,
    EmbeddingsServer,
    Failure,
    embeddings_server,
    garbage,
    reset,
    too_few,
    too_short,
)
from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.rpc.embedding.test_embedding_budget import until_embedded
from tests.rpc.memories.calls import recall, remember
from tests.server_fixtures import Server, StartServer
from tests.tcp_proxy import TcpProxy, tcp_proxy

# One worker imports the library, which takes three seconds.
pytestmark = [pytest.mark.xdist_group("litellm"), pytest.mark.timeout(170)]

# Less than a request and its answer take at a kilobyte a second, and more than well answered ones.
EMBED_SECONDS = 0.5
# Time that a call may take besides its wait for a vector.
CALL_SECONDS = 5.0 * FACTOR
Fault = Callable[[TcpProxy, EmbeddingsServer], Awaitable[None]]


async def hang(proxy: TcpProxy, provider: EmbeddingsServer) -> None:
    proxy.cut()


async def break_off(proxy: TcpProxy, provider: EmbeddingsServer) -> None:
    """Ends every connection without an answer, those to come as well."""
    proxy.reset()
    provider.always = reset


async def crawl(proxy: TcpProxy, provider: EmbeddingsServer) -> None:
    """The answer has a few hundred bytes, the request as many."""
    proxy.bytes_per_second = 1_024


async def refuse(proxy: TcpProxy, provider: EmbeddingsServer) -> None:
    await proxy.refuse()
    proxy.reset()


def answer(failure: Failure) -> Fault:
    async def fail(proxy: TcpProxy, provider: EmbeddingsServer) -> None:
        provider.always = failure

    return fail


FAULTS = {
    "hangs": hang,
    "resets": break_off,
    "one kilobyte a second": crawl,
    "refuses": refuse,
    "garbage": answer(garbage),
    "a vector too few": answer(too_few),
    "vectors of another size": answer(too_short),
}


async def mend(proxy: TcpProxy, provider: EmbeddingsServer) -> None:
    provider.always = None
    proxy.bytes_per_second = 0
    proxy.heal()
    await proxy.refuse()
    await proxy.listen()


@pytest.fixture
def provider() -> Iterator[EmbeddingsServer]:
    with embeddings_server() as running:
        yield running


@pytest.fixture
async def proxy(provider: EmbeddingsServer) -> AsyncIterator[TcpProxy]:
    address = urlsplit(provider.url)
    assert address.hostname
    assert address.port
    async with tcp_proxy(address.hostname, address.port) as proxy:
        yield proxy


@pytest.fixture
async def server(start_server: StartServer, proxy: TcpProxy, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr("camillo_server.storage.jobs.board.GATHER_SECONDS", 0.02)
    return await start_server(
        memory={
            "embedding_model": "litellm",
            "embedding_dimensions": DIMENSIONS,
            "embed_timeout_seconds": EMBED_SECONDS,
            "litellm_model": "openai/test",
            "litellm_api_base": f"http://127.0.0.1:{proxy.port}/v1",
            "litellm_api_key": "sk-test",
            "litellm_retries": 0,
            "litellm_timeout_seconds": EMBED_SECONDS,
            "litellm_breaker_seconds": 0.2,
            "embedding_cache_size": 0,
        },
        jobs={"first_retry_seconds": 0.1, "longest_retry_seconds": 0.5},
    )


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_provider_that_fails_delays_nobody_and_vectors_come_when_it_is_back(
    server: Server, proxy: TcpProxy, provider: EmbeddingsServer, fault: str
) -> None:
    instruments = server.app.kernel.telemetry.instruments
    async with asyncio.timeout(PATIENCE_SECONDS):
        # The library is imported by the first call that needs it.
        while not (await remember(server.alice, "before 茶")).vector_model_id:
            pass
    await FAULTS[fault](proxy, provider)
    failures = sum(instruments.embedding_failures.values())
    started = time.monotonic()
    stored = await remember(server.alice, "zebra 茶 during")
    answer = await recall(server.alice, "zebra")
    assert time.monotonic() - started < 2 * (EMBED_SECONDS + CALL_SECONDS)
    assert stored.vector_model_id == ""
    assert pb.DEGRADED_REASON_EMBEDDING_UNAVAILABLE in answer.degraded
    assert "zebra 茶 during" in [hit.memory.content for hit in answer.hits]
    assert sum(instruments.embedding_failures.values()) > failures
    await mend(proxy, provider)
    await until_embedded(server, stored.memory_id)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (answer := await recall(server.alice, "zebra")).degraded:
            pass
    assert answer.model_id == f"litellm-openai/test-{DIMENSIONS}"
