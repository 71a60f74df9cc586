"""What the server's cache tells of a scope."""

from dataclasses import dataclass
from typing import Any

from camillo.v1 import admin_service_pb2, admin_service_pb2_grpc

from bench.measure.client import authorization, channel_to
from bench.measure.servers import AppServer


@dataclass(frozen=True, slots=True)
class CacheFacts:
    """What one scope takes in the cache: rows and bytes, as the server counts them for its budget."""

    memories: int
    bytes: int


async def cache_facts(app: AppServer, agent_id: str) -> CacheFacts | None:
    """None where the server does not hold the scope."""
    request = admin_service_pb2.ListIndexesRequest(page_size=1_000)
    async with channel_to(app.port) as channel:
        stub: Any = admin_service_pb2_grpc.AdminServiceStub(channel)
        while True:
            answer = await stub.ListIndexes(request, metadata=authorization(app.secret), timeout=30)
            for index in answer.indexes:
                if index.agent_id == agent_id:
                    return CacheFacts(index.memories, index.bytes)
            if not answer.next_page_token:
                return None
            request.page_token = answer.next_page_token
