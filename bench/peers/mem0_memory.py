"""mem0's AsyncMemory on pgvector with HNSW, without a language model (`infer=False`)."""

import hashlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from mem0 import AsyncMemory

from bench.peers.material import DIMENSIONS, Item, Material
from bench.peers.store import HITS, Circumstances, packed

PACKAGES = ("mem0ai", "psycopg")
USER = "peers"
BATCH = 500
# Made, never asked: `infer=False` needs no language model, and the embedder is replaced.
UNUSED = {"provider": "openai", "config": {"api_key": "unused"}}


class Embedder:
    """Looks vectors up; what mem0 asks of an embedder."""

    def __init__(self, material: Material) -> None:
        self._material = material

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self._material.vector_of(text)


class Mem0:
    """The memories of one user."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    async def fill(self, items: Iterable[Item]) -> None:
        """Fills its vector store with what `add` hands to it: `add` itself takes one after the other."""
        remaining = list(items)
        for start in range(0, len(remaining), BATCH):
            batch = remaining[start : start + BATCH]
            self._memory.vector_store.insert(
                vectors=[item.vector for item in batch],
                payloads=[_payload(item.text) for item in batch],
                ids=[item.item_id for item in batch],
            )

    async def search(self, query: Item) -> list[str]:
        return [hit["id"] for hit in await self._hits(query)]

    async def bundle(self, query: Item) -> str:
        return packed(hit["memory"] for hit in await self._hits(query))

    async def _hits(self, query: Item) -> list[dict[str, Any]]:
        answer = await self._memory.search(query.text, filters={"user_id": USER}, top_k=HITS)
        hits: list[dict[str, Any]] = answer["results"]
        return hits

    async def put(self, item: Item) -> None:
        await self._memory.add(item.text, user_id=USER, infer=False)


@asynccontextmanager
async def opened(given: Circumstances, material: Material) -> AsyncIterator[Mem0]:
    """Opens mem0 with a connection for each of 16 callers; by default there are five."""
    store = {
        "connection_string": given.postgres_url,
        "collection_name": "memories",
        "embedding_model_dims": DIMENSIONS,
        "hnsw": True,
        "maxconn": 16,
    }
    config = {
        "vector_store": {"provider": "pgvector", "config": store},
        "llm": UNUSED,
        "embedder": UNUSED,
        "history_db_path": str(given.own_directory / "history.db"),
    }
    memory = AsyncMemory.from_config(config)
    memory.embedding_model = Embedder(material)
    yield Mem0(memory)
    memory.vector_store.connection_pool.close()


def _payload(text: str) -> dict[str, str]:
    now = datetime.now(UTC).isoformat()
    return {
        "user_id": USER,
        "role": "user",
        "data": text,
        "hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
        "created_at": now,
        "updated_at": now,
        "text_lemmatized": text,
    }
