"""A10: bundles with retrieval over 100,000 chunks of one scope, alone and 16 at once. The goals in milliseconds are measured
by `python -m bench.context`; here p95 has to hold what the design asks, whatever else the machine does. With
CAMILLO_TEST_BUNDLES=1000 it is as long as there."""

import asyncio
import os
import time
from collections.abc import AsyncIterator

import pytest
from camillo_client import AsyncCamillo
from camillo_server.kernel.scope import Role

from bench.app_server import TENANT
from bench.material.corpus import Corpus
from bench.material.fill import as_chunk, fill_scope
from bench.material.texts import Texts
from tests.patience import FACTOR
from tests.scenarios.conftest import in_memory
from tests.server_fixtures import (
    DIMENSIONS,
    Server,
    StartServer,
    create_key,
    create_tenant,
)

CHUNKS = 100_000
BUNDLES = int(os.environ.get("CAMILLO_TEST_BUNDLES", "160"))
AGENTS = 16
DESIGN_SECONDS = 0.500
AGENT = "large"

pytestmark = pytest.mark.timeout(400)


@pytest.fixture
async def server(start_server: StartServer) -> Server:
    return await start_server()


@pytest.fixture
async def large(server: Server) -> AsyncIterator[AsyncCamillo]:
    """A client of an agent with 100,000 chunks, in memory."""
    create_tenant(server.database, TENANT, server.clock.now())
    corpus = Corpus(CHUNKS, DIMENSIONS)
    model_id = server.app.kernel.providers.choice.embedder.model_id
    fill_scope(server.database.superuser_url, AGENT, corpus, model_id, kept_as=as_chunk)
    key = create_key(server.database, TENANT, AGENT, Role.WRITER, server.clock.now())
    async with server.client(key) as client:
        await in_memory(client)
        yield client


async def bundles(client: AsyncCamillo, queries: list[str]) -> list[float]:
    """How long each took, in order of length."""
    taken = []
    for query in queries:
        started = time.perf_counter()
        bundle = await client.context.bundle(query)
        taken.append(time.perf_counter() - started)
        assert 0 < bundle.provenance.candidate_pool_size <= 2_000
        assert 0 < bundle.provenance.scored <= 200
        assert bundle.tokens <= 65_000
        assert bundle.sections
    return sorted(taken)


async def test_retrieval_is_bounded_and_quick_alone_and_for_many(large: AsyncCamillo) -> None:
    queries = Texts(21).queries(BUNDLES)
    alone = await bundles(large, queries)
    assert alone[BUNDLES * 95 // 100] <= DESIGN_SECONDS * FACTOR
    each = BUNDLES // AGENTS
    crowds = [queries[start : start + each] for start in range(0, each * AGENTS, each)]
    taken = await asyncio.gather(*(bundles(large, crowd) for crowd in crowds))
    assert sum(map(len, taken)) == each * AGENTS
