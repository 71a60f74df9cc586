"""Qdrant's local client: in this process, without an index, kept on disk."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from qdrant_client import AsyncQdrantClient, models

from bench.peers.material import DIMENSIONS, Item, Material
from bench.peers.store import HITS, Circumstances, packed

PACKAGES = ("qdrant-client",)
COLLECTION = "memories"
BATCH = 500


class QdrantCollection:
    """One collection."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def fill(self, items: Iterable[Item]) -> None:
        """It commits each point by itself, which takes minutes if each is synced to disk, so that is off meanwhile."""
        connection = self._client._client.collections[COLLECTION].storage.storage
        connection.execute("pragma synchronous = off")
        remaining = list(items)
        for start in range(0, len(remaining), BATCH):
            await self._upsert(remaining[start : start + BATCH])
        connection.execute("pragma synchronous = full")

    async def search(self, query: Item) -> list[str]:
        return [str(point.id) for point in await self._points(query)]

    async def bundle(self, query: Item) -> str:
        return packed(point.payload["text"] for point in await self._points(query))

    async def _points(self, query: Item) -> list[Any]:
        answer = await self._client.query_points(COLLECTION, query=query.vector, limit=HITS)
        points: list[Any] = answer.points
        return points

    async def put(self, item: Item) -> None:
        await self._upsert([item])

    async def _upsert(self, items: list[Item]) -> None:
        points = [
            models.PointStruct(id=item.item_id, vector=item.vector, payload={"text": item.text}) for item in items
        ]
        await self._client.upsert(COLLECTION, points=points)


@asynccontextmanager
async def opened(given: Circumstances, _material: Material) -> AsyncIterator[QdrantCollection]:
    """A path rather than `:memory:`, since the others keep what they are given, too."""
    client = AsyncQdrantClient(path=given.directory)
    vectors = models.VectorParams(size=DIMENSIONS, distance=models.Distance.COSINE)
    await client.create_collection(COLLECTION, vectors_config=vectors)
    yield QdrantCollection(client)
    await client.close()
