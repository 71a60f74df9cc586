"""Camillo over gRPC, asked by plain generated stubs like in the other benchmarks."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import snapshot_service_pb2 as snapshots

from bench.measure.client import Client, connected, import_batches
from bench.peers.material import Item, Material
from bench.peers.store import BUNDLE_TOKENS, HITS, Circumstances

PACKAGES = ("grpcio",)
AGENT = "peers"


class Stubs:
    """One connection."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def fill(self, items: Iterable[Item]) -> None:
        """Imports the items with ids of ours, by which the answers are checked."""
        memories = [
            pb.Memory(memory_id=item.item_id, content=item.text, vector=pb.Vector(values=item.vector)) for item in items
        ]
        await self._client.import_serialized(import_batches(AGENT, memories))

    async def search(self, query: Item) -> list[str]:
        vector = pb.Vector(values=query.vector)
        request = service.RecallRequest(agent_id=AGENT, vector=vector, limit=HITS)
        return [hit.memory.memory_id for hit in (await self._client(request)).hits]

    async def bundle(self, query: Item) -> str:
        request = snapshots.BuildBundleRequest(agent_id=AGENT, query_text=query.text, max_tokens=BUNDLE_TOKENS)
        return str((await self._client(request)).bundle.prompt)

    async def put(self, item: Item) -> None:
        vector = pb.Vector(values=item.vector)
        memory = pb.NewMemory(memory_id=item.item_id, content=item.text, vector=vector)
        await self._client(service.RememberRequest(request_id=item.item_id, agent_id=AGENT, memory=memory))


@asynccontextmanager
async def opened(given: Circumstances, _material: Material) -> AsyncIterator[Stubs]:
    """The server runs already."""
    async with connected(given.port, given.secret) as client:
        yield Stubs(client)
