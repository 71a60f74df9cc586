"""Embedding a scope's rows: the next batch is embedded while one is stored, and what fails or ends midway loses
nothing."""

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from camillo_server.across.admin.store.admin_store import AdminStore
from camillo_server.across.lifecycle import embed_scope
from camillo_server.across.lifecycle.embed_scope import EmbedScope
from camillo_server.across.lifecycle.store.embedding_backlog import EmbeddingBacklog
from camillo_server.assembly.declared import FORGETTABLES
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.errors import NotFound
from camillo_server.models.embedding.lexical import RandomEmbedder
from camillo_server.models.embedding.text_embedding import TextEmbedding
from numpy.typing import NDArray

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.storage.locking import scope_held
from tests.storage.memories.replicas import ALICE, DIMENSIONS, Replica, new_row, replica

TEXTS = ("one", "二", "שלוש", "🐄🐄🐄🐄", "خمسة", "six")
BATCH = 2


class Announced(RandomEmbedder):
    """Says when each batch is embedded."""

    def __init__(self) -> None:
        super().__init__(DIMENSIONS)
        self.batches = list[Sequence[str]]()
        self.second = asyncio.Event()

    async def embed(self, texts: Sequence[str], *more: Any) -> NDArray[np.float32]:
        self.batches.append(texts)
        if len(self.batches) == 2:
            self.second.set()
        return await super().embed(texts, *more)


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> Announced:
    monkeypatch.setattr(embed_scope, "BATCH", BATCH)
    return Announced()


async def remember_without_vectors(here: Replica) -> EmbeddingBacklog:
    await here.remember_many([new_row(text) for text in TEXTS])
    return EmbeddingBacklog(here.database, here.notifier, SystemClock())


async def waiting(backlog: EmbeddingBacklog) -> set[str]:
    return {each.text for each in await backlog.waiting(ALICE, None, len(TEXTS))}


async def test_the_next_batch_is_embedded_while_one_waits_to_be_stored(
    database: TestDatabase, embedder: Announced
) -> None:
    async with replica(database) as here:
        backlog = await remember_without_vectors(here)
        work = EmbedScope(backlog, TextEmbedding(embedder, PATIENCE_SECONDS, lambda reason: None))
        with scope_held(database, ALICE.tenant_id, ALICE.agent_id):
            embedding = asyncio.create_task(work.embed(ALICE, 0))
            async with asyncio.timeout(PATIENCE_SECONDS):
                await embedder.second.wait()
            assert await waiting(backlog) == set(TEXTS)
        assert await embedding
        assert await waiting(backlog) == set()
        assert sorted(text for batch in embedder.batches for text in batch) == sorted(TEXTS)


async def test_whoever_is_stopped_midway_leaves_the_rest_waiting(database: TestDatabase, embedder: Announced) -> None:
    async with replica(database) as here:
        backlog = await remember_without_vectors(here)
        work = EmbedScope(backlog, TextEmbedding(embedder, PATIENCE_SECONDS, lambda reason: None))
        with scope_held(database, ALICE.tenant_id, ALICE.agent_id):
            embedding = asyncio.create_task(work.embed(ALICE, 0))
            async with asyncio.timeout(PATIENCE_SECONDS):
                await embedder.second.wait()
            embedding.cancel()
            await asyncio.wait([embedding])
        assert await waiting(backlog) == set(TEXTS)
        assert await work.embed(ALICE, 0)
        assert await waiting(backlog) == set()


async def test_an_agent_that_is_deleted_meanwhile_stays_deleted(database: TestDatabase, embedder: Announced) -> None:
    async with replica(database) as here:
        backlog = await remember_without_vectors(here)
        found = await backlog.waiting(ALICE, None, len(TEXTS))
        await backlog.store(ALICE, found[:1], [None], "lexical")
        assert len(await waiting(backlog)) == len(TEXTS) - 1
        administration = AdminStore(here.database, here.notifier, FORGETTABLES)
        await administration.delete_agent(ALICE.tenant_id, ALICE, None, SystemClock().now())
        await backlog.store(ALICE, found[1:], [None] * (len(TEXTS) - 1), "lexical")
        with pytest.raises(NotFound):
            await administration.delete_agent(ALICE.tenant_id, ALICE, None, SystemClock().now())
