"""Camillo over gRPC, asked by plain generated stubs like in the other benchmarks."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, cast

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import memory_service_pb2_grpc as stubs

from bench.measure.client import authorization, channel_to, import_messages
from bench.peers.material import Item, Material
from bench.peers.store import HITS, Circumstances

PACKAGES = ("grpcio",)
AGENT = "peers"
BATCH = 500


class Stubs:
    """One connection."""

    def __init__(self, channel: grpc.aio.Channel, secret: str) -> None:
        self._channel = channel
        self._secret = secret
        self._metadata = authorization(secret)
        self._stub = cast("Any", stubs.MemoryServiceStub(channel))

    async def fill(self, items: Iterable[Item]) -> None:
        await import_messages(self._channel, self._secret, _import_messages(list(items)))

    async def search(self, query: Item) -> list[str]:
        request = service.RecallRequest(
            agent_id=AGENT, vector=pb.Vector(values=query.vector), limit=HITS
        )
        answer = await self._stub.Recall(request, metadata=self._metadata, timeout=30)
        return [hit.memory.memory_id for hit in answer.hits]

    async def put(self, item: Item) -> None:
        memory = pb.NewMemory(
            memory_id=item.item_id, content=item.text, vector=pb.Vector(values=item.vector)
        )
        request = service.RememberRequest(request_id=item.item_id, agent_id=AGENT, memory=memory)
        await self._stub.Remember(request, metadata=self._metadata, timeout=30)


@asynccontextmanager
async def opened(given: Circumstances, _material: Material) -> AsyncIterator[Stubs]:
    """The server runs already."""
    async with channel_to(given.port) as channel:
        yield Stubs(channel, given.secret)


def _import_messages(items: list[Item]) -> list[bytes]:
    """With ids of ours, by which the answers are checked."""
    messages = []
    for start in range(0, len(items), BATCH):
        memories = [
            pb.Memory(
                memory_id=item.item_id, content=item.text, vector=pb.Vector(values=item.vector)
            )
            for item in items[start : start + BATCH]
        ]
        message = service.ImportMemoriesRequest(agent_id="" if start else AGENT, memories=memories)
        messages.append(message.SerializeToString())
    return messages
