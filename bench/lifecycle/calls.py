"""The calls of bench.lifecycle: plain generated stubs."""

from collections.abc import AsyncIterator
from typing import Any

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.event_service_pb2_grpc import EventServiceStub
from camillo.v1.lifecycle_service_pb2_grpc import LifecycleServiceStub
from camillo.v1.memory_service_pb2_grpc import MemoryServiceStub
from camillo.v1.run_service_pb2_grpc import RunServiceStub
from google.protobuf.message import Message

from bench.measure.client import authorization

CALL_SECONDS = 120.0
PAGE = 1_000
SERVICES = (MemoryServiceStub, EventServiceStub, LifecycleServiceStub, RunServiceStub)


class LifecycleCalls:
    """Calls under one key. A request finds its method by its type."""

    def __init__(self, channel: grpc.aio.Channel, secret: str) -> None:
        self._metadata = authorization(secret)
        # Typed for the synchronous channel only.
        self._stubs: list[Any] = [stub(channel) for stub in SERVICES]

    async def __call__(self, request: Message, seconds: float = CALL_SECONDS) -> Any:
        """The answer. An import is a stream of this one message. Raises grpc.aio.AioRpcError."""
        name = type(request).__name__.removesuffix("Request")
        method = next(getattr(stub, name) for stub in self._stubs if hasattr(stub, name))
        sent = [request] if isinstance(request, service.ImportMemoriesRequest) else request
        return await method(sent, metadata=self._metadata, timeout=seconds)

    async def remember(self, agent_id: str, content: str, **fields: Any) -> pb.Memory:
        """The stored memory."""
        new = pb.NewMemory(content=content, **fields)
        memory: pb.Memory = (
            await self(service.RememberRequest(agent_id=agent_id, memory=new))
        ).memory
        return memory

    async def memories(self, agent_id: str) -> AsyncIterator[pb.Memory]:
        """All of an agent's, archived ones among them."""
        request = service.ListMemoriesRequest(
            agent_id=agent_id,
            filter=pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE),
            page_size=PAGE,
        )
        while True:
            page = await self(request)
            for memory in page.memories:
                yield memory
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token
