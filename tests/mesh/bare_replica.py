"""A gRPC server that is well by its health, and else does what a test asks of it: it tells of Envoy, not of Camillo."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc
from camillo.v1.admin_service_pb2 import WhoAmIResponse
from grpc_health.v1 import health, health_pb2_grpc

from tests.ports import free_port

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[bytes, bytes]
    Conduct = Callable[[Context], Awaitable[None]]

WATCH = "/camillo.v1.MemoryService/WatchMemories"


async def answers(_: "Context") -> None:
    """Answers as it should."""


async def hangs(_: "Context") -> None:
    """Hangs for ever."""
    await asyncio.Event().wait()


def refuses(code: grpc.StatusCode) -> "Conduct":
    """Refuses with this code and no reason."""

    async def refuse(context: "Context") -> None:
        await context.abort(code, "as the test asked")

    return refuse


class BareReplica(grpc.GenericRpcHandler):
    """Takes every RPC, and answers with its own address as the tenant of WhoAmI."""

    def __init__(self) -> None:
        self.address = f"127.0.0.1:{free_port()}"
        self.conduct: Conduct = answers
        # The metadata of each call that came.
        self.calls: list[dict[str, Any]] = []
        self._server: grpc.aio.Server | None = None

    async def start(self) -> None:
        """Serves when it returns."""
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        self._server.add_generic_rpc_handlers((self,))
        health_pb2_grpc.add_HealthServicer_to_server(health.aio.HealthServicer(), self._server)
        assert self._server.add_insecure_port(self.address)
        await self._server.start()

    async def stop(self) -> None:
        """Breaks off what is under way. Safe if it does not run."""
        if self._server is not None:
            await self._server.stop(None)
            self._server = None

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Returns the handler of a method; gRPC asks for it at each call."""
        method = handler_call_details.method
        if method.startswith("/grpc.health"):
            return None
        if method == WATCH:
            return grpc.unary_stream_rpc_method_handler(self._watch)
        return grpc.unary_unary_rpc_method_handler(self._answer)

    async def _answer(self, _: bytes, context: "Context") -> bytes:
        self.calls.append(dict(context.invocation_metadata() or ()))
        await self.conduct(context)
        return WhoAmIResponse(tenant_id=self.address).SerializeToString()

    async def _watch(self, _: bytes, context: "Context") -> AsyncIterator[bytes]:
        yield await self._answer(b"", context)


@asynccontextmanager
async def bare_replicas(count: int) -> AsyncIterator[Sequence[BareReplica]]:
    """Starts so many replicas, which serve while the block runs."""
    replicas = [BareReplica() for _ in range(count)]
    async with AsyncExitStack() as stopping:
        for replica in replicas:
            await replica.start()
            stopping.push_async_callback(replica.stop)
        yield replicas
