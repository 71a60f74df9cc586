"""The fake services behind a port, in the test's own loop or in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import grpc.aio
from clients.python.tests.fake_admin import FakeAdmin
from clients.python.tests.fake_artifacts import FakeArtifacts
from clients.python.tests.fake_service import Desk, FakeMemories

from camillo.v1.admin_service_pb2_grpc import add_AdminServiceServicer_to_server
from camillo.v1.artifact_service_pb2_grpc import add_ArtifactServiceServicer_to_server
from camillo.v1.memory_service_pb2_grpc import add_MemoryServiceServicer_to_server


class Pauses(list[float]):
    """The pauses a client would have made."""

    async def wait(self, seconds: float) -> None:
        self.append(seconds)


@dataclass
class FakeServer:
    """A running server and what stands behind it."""

    address: str
    desk: Desk
    memories: FakeMemories
    artifacts: FakeArtifacts


@asynccontextmanager
async def running() -> AsyncIterator[FakeServer]:
    """A server in the current loop."""
    desk = Desk()
    memories = FakeMemories(desk)
    artifacts = FakeArtifacts(desk)
    server = grpc.aio.server()
    add_MemoryServiceServicer_to_server(memories, server)
    add_AdminServiceServicer_to_server(FakeAdmin(desk), server)
    add_ArtifactServiceServicer_to_server(artifacts, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield FakeServer(f"127.0.0.1:{port}", desk, memories, artifacts)
    finally:
        await server.stop(None)


@contextmanager
def running_in_thread() -> Iterator[FakeServer]:
    """A server in a loop of its own, for callers that block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    context = running()
    try:
        yield asyncio.run_coroutine_threadsafe(context.__aenter__(), loop).result(10)
    finally:
        asyncio.run_coroutine_threadsafe(context.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
