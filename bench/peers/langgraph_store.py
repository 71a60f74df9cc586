"""LangGraph's AsyncPostgresStore, with the index and the connection pool of its documentation."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langgraph.store.base import PutOp
from langgraph.store.postgres.aio import AsyncPostgresStore

from bench.peers.material import DIMENSIONS, Item, Material
from bench.peers.store import HITS, Circumstances, packed

PACKAGES = ("langgraph-checkpoint-postgres", "langgraph-checkpoint", "psycopg")
NAMESPACE = ("memories", "peers")
BATCH = 500


class LangGraphStore:
    """One store, in one namespace."""

    def __init__(self, store: Any) -> None:
        self._store = store

    async def fill(self, items: Iterable[Item]) -> None:
        puts = [PutOp(NAMESPACE, item.item_id, {"text": item.text}) for item in items]
        for start in range(0, len(puts), BATCH):
            await self._store.abatch(puts[start : start + BATCH])

    async def search(self, query: Item) -> list[str]:
        return [hit.key for hit in await self._hits(query)]

    async def bundle(self, query: Item) -> str:
        return packed(hit.value["text"] for hit in await self._hits(query))

    async def _hits(self, query: Item) -> list[Any]:
        hits: list[Any] = await self._store.asearch(NAMESPACE, query=query.text, limit=HITS)
        return hits

    async def put(self, item: Item) -> None:
        await self._store.aput(NAMESPACE, item.item_id, {"text": item.text})


@asynccontextmanager
async def opened(given: Circumstances, material: Material) -> AsyncIterator[LangGraphStore]:
    """Tables and the HNSW index are what its own `setup` makes."""

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return [material.vector_of(text) for text in texts]

    index = {"dims": DIMENSIONS, "embed": embed, "fields": ["text"]}
    pool = {"min_size": 5, "max_size": 20}
    async with AsyncPostgresStore.from_conn_string(given.postgres_url, pool_config=pool, index=index) as store:
        await store.setup()
        yield LangGraphStore(store)
