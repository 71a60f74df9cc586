"""A10: bundles with retrieval over 100,000 chunks of one scope, alone and 16 at once. Their goals in milliseconds are
measured by `python -m bench.context`; here they are compared with bundles over 1,000 chunks of the same moments. With
CAMILLO_TEST_BUNDLES=1000 it is as long as there."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from camillo_client import AsyncCamillo
from camillo_server.kernel.scope import Role

from bench.app_server import TENANT
from bench.material.corpus import Corpus
from bench.material.fill import as_chunk, fill_scope
from bench.material.texts import Texts
from tests.scenarios.conftest import in_memory
from tests.scenarios.timing import p95, seconds_of
from tests.server_fixtures import DIMENSIONS, Server, StartServer
from tests.tenant_keys import create_key, create_tenant

SMALL, LARGE = 1_000, 100_000
MAX_GROWTH = 8
BUNDLES = int(os.environ.get("CAMILLO_TEST_BUNDLES", "160"))
AGENTS = 16

pytestmark = [pytest.mark.caches, pytest.mark.timeout(400)]


@pytest.fixture
async def server(start_server: StartServer) -> Server:
    return await start_server()


@pytest.fixture
async def clients(server: Server) -> AsyncIterator[list[AsyncCamillo]]:
    """Clients of an agent with 1,000 chunks and of one with 100,000, both in memory."""
    create_tenant(server.database, TENANT, server.clock.now())
    model_id = server.app.kernel.providers.choice.embedder.model_id
    async with AsyncExitStack() as closing:
        clients = []
        for chunks in (SMALL, LARGE):
            agent_id, corpus = f"of-{chunks}", Corpus(chunks, DIMENSIONS)
            fill_scope(server.database.superuser_url, agent_id, corpus, model_id, kept_as=as_chunk)
            key = create_key(server.database, TENANT, agent_id, Role.WRITER, server.clock.now())
            clients.append(await closing.enter_async_context(server.client(key)))
            await in_memory(clients[-1])
        yield clients


async def bundle_seconds(client: AsyncCamillo, query: str) -> float:
    """How long a bundle takes, which is bounded however many chunks there are."""
    seconds, bundle = await seconds_of(client.context.bundle(query))
    assert 0 < bundle.provenance.candidate_pool_size <= 2_000
    assert 0 < bundle.provenance.scored <= 200
    assert bundle.tokens <= 65_000
    assert bundle.sections
    return seconds


async def test_retrieval_is_bounded_and_quick_alone_and_for_many(clients: list[AsyncCamillo]) -> None:
    queries = Texts(21).queries(BUNDLES)
    taken = [[await bundle_seconds(client, query) for client in clients] for query in queries]
    small, large = map(p95, zip(*taken, strict=True))
    print(f"A10: {large * 1000:.1f} ms, of {SMALL} chunks {small * 1000:.1f} ms")
    assert large <= MAX_GROWTH * small

    async def ask(queries: list[str]) -> int:
        return len([await bundle_seconds(clients[-1], query) for query in queries])

    each = BUNDLES // AGENTS
    crowds = [queries[start : start + each] for start in range(0, each * AGENTS, each)]
    assert sum(await asyncio.gather(*map(ask, crowds))) == each * AGENTS
