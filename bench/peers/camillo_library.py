"""Camillo over gRPC through its Python client: what that adds, since peers are asked through theirs."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from camillo.v1 import memory_pb2 as pb
from camillo_client import AsyncCamillo

from bench.peers.material import Item, Material
from bench.peers.store import BUNDLE_TOKENS, HITS, Circumstances

PACKAGES = ("camillo-client",)
AGENT = "peers-client"


class Library:
    """One client, in a scope of its own."""

    def __init__(self, camillo: AsyncCamillo) -> None:
        self._camillo = camillo

    async def fill(self, items: Iterable[Item]) -> None:
        memories = (
            pb.NewMemory(memory_id=item.item_id, content=item.text, vector=pb.Vector(values=item.vector))
            for item in items
        )
        await self._camillo.remember_many(memories, timeout=120)

    async def search(self, query: Item) -> list[str]:
        answer = await self._camillo.recall(vector=query.vector, limit=HITS)
        return [hit.memory.memory_id for hit in answer.hits]

    async def bundle(self, query: Item) -> str:
        return (await self._camillo.context.bundle(query.text, max_tokens=BUNDLE_TOKENS)).prompt

    async def put(self, item: Item) -> None:
        await self._camillo.remember(item.text, memory_id=item.item_id, vector=item.vector)


@asynccontextmanager
async def opened(given: Circumstances, _material: Material) -> AsyncIterator[Library]:
    """The server runs already."""
    address = f"127.0.0.1:{given.port}"
    async with AsyncCamillo.connect(address, key=given.secret, agent_id=AGENT, timeout_seconds=30) as camillo:
        yield Library(camillo)
