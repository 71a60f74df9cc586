"""Calls of the contract's methods in this process: through the pipeline that calls by gRPC pass, and over no socket."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import grpc
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status

from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.rpc.pipeline import Pipeline
from camillo_server.doors.rpc.server import Registration
from camillo_server.kernel.errors import DeadlineExceeded

DETAILS_KEY = "grpc-status-details-bin"
# Messages of a stream that are made before the caller takes them.
MAX_WAITING_MESSAGES = 1


class CallFailed(Exception):
    """The status that a call ended with, which is not OK."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.message)
        self.status = status


@dataclass(slots=True)
class Arrival:
    """Who calls, with what: metadata of lower-case keys, the body as protobuf, the time left, where from."""

    metadata: Sequence[tuple[str, str]]
    bodies: AsyncIterator[bytes]
    peer: str
    deadline_seconds: float | None = None
    # As gRPC tells of a verified certificate.
    auth: Mapping[str, Sequence[bytes]] = field(default_factory=dict)
    # The door by which the call came, as the account of tokens names it.
    door: str = "http"


async def one_message(request: Message) -> AsyncIterator[bytes]:
    """The messages of a call that takes one."""
    yield request.SerializeToString()


class _Context:
    """The part of `grpc.aio.ServicerContext` that the pipeline uses."""

    def __init__(self, arrival: Arrival, write: Callable[[Any], Any] | None = None) -> None:
        self._arrival = arrival
        self._write = write
        self.door = arrival.door
        seconds = arrival.deadline_seconds
        self._ends_at = None if seconds is None else time.monotonic() + seconds

    def invocation_metadata(self) -> Sequence[tuple[str, str]]:
        return self._arrival.metadata

    def time_remaining(self) -> float | None:
        return None if self._ends_at is None else max(0.0, self._ends_at - time.monotonic())

    def peer(self) -> str:
        return self._arrival.peer

    def auth_context(self) -> Mapping[str, Sequence[bytes]]:
        return self._arrival.auth

    async def read(self) -> Any:
        return await anext(self._arrival.bodies, grpc.aio.EOF)

    async def write(self, message: Message) -> None:
        assert self._write is not None  # noqa: S101 (of streams alone)
        await self._write(message)

    async def abort(
        self, code: grpc.StatusCode, details: str, trailing_metadata: Sequence[tuple[str, bytes]]
    ) -> NoReturn:
        encoded = dict(trailing_metadata).get(DETAILS_KEY)
        status = Status(code=code.value[0], message=details)
        if encoded is not None:
            status.ParseFromString(encoded)
        raise CallFailed(status)


class LocalMethods:
    """The methods of all services by name, each behind the pipeline."""

    def __init__(self, pipeline: Pipeline, services: Sequence[Registration]) -> None:
        self._pipeline = pipeline
        # Counts what a door has received and not yet handed on.
        self.bodies = pipeline.bodies
        self._generic: list[Any] = []
        for register in services:
            register(self)

    def add_generic_rpc_handlers(self, handlers: Sequence[Any]) -> None:
        """Called by the code that is generated for a service."""
        self._generic += handlers

    def add_registered_method_handlers(self, *_: object) -> None:
        """Leaves them out: they come as generic handlers, too."""

    async def call(self, method: str, arrival: Arrival) -> Message:
        """The answer of a method that answers once. Raises CallFailed."""
        handler: Any = await self._handler(method)
        try:
            async with asyncio.timeout(arrival.deadline_seconds):
                answer: Message = await handler.stream_unary(arrival.bodies, _Context(arrival))
        except TimeoutError:
            raise CallFailed(to_status(DeadlineExceeded())) from None
        return answer

    async def stream(self, method: str, arrival: Arrival) -> AsyncGenerator[Message]:
        """The messages of a method that answers with a stream. Raises CallFailed. Close it: it ends the call."""
        handler: Any = await self._handler(method)
        waiting: asyncio.Queue[Message] = asyncio.Queue(MAX_WAITING_MESSAGES)
        context = _Context(arrival, waiting.put)
        serving = asyncio.ensure_future(handler.stream_stream(arrival.bodies, context))
        taking = asyncio.ensure_future(waiting.get())
        try:
            while True:
                await asyncio.wait({taking, serving}, return_when=asyncio.FIRST_COMPLETED)
                if taking.done():
                    yield taking.result()
                    taking = asyncio.ensure_future(waiting.get())
                    continue
                while not waiting.empty():
                    yield waiting.get_nowait()
                await serving
                return
        finally:
            taking.cancel()
            serving.cancel()
            await asyncio.gather(taking, serving, return_exceptions=True)

    async def _handler(self, method: str) -> Any:
        details: Any = _Details(method)
        handler = await self._pipeline.intercept_service(self._found, details)
        if handler is None:
            raise LookupError(f"{method} is of no service here")
        return handler

    async def _found(self, details: Any) -> Any:
        for each in self._generic:
            if (handler := each.service(details)) is not None:
                return handler
        return None


@dataclass(frozen=True, slots=True)
class _Details:
    method: str
    invocation_metadata: Sequence[tuple[str, str]] = ()
