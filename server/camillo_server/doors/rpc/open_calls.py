"""Calls that need no credential, health and reflection: small, and from each address few at a time; and whom a call
comes from."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from ipaddress import IPv6Network, ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from weakref import WeakValueDictionary

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2, health_pb2_grpc

from camillo_server.doors.identity.credentials import Peer
from camillo_server.doors.rpc.admission import receive, send
from camillo_server.doors.rpc.errors import abort, to_status
from camillo_server.kernel.clock import SharedTimeout
from camillo_server.kernel.errors import (
    DeadlineExceeded,
    DomainError,
    Overloaded,
    invalid_field,
)

if TYPE_CHECKING:
    import grpc

    Handler = grpc.RpcMethodHandler[Any, Any]
    Context = grpc.aio.ServicerContext[Any, Any]


# A site has so many bits of an IPv6 address, and chooses the others as it likes.
SITE_BITS = 64
MAX_CERTIFICATES = 1024


def peer_of(context: grpc.aio.ServicerContext[Any, Any]) -> Peer:
    """The peer of a call."""
    tls = context.auth_context()
    # Only the URIs of the certificate that TLS has verified: any text may stand among its other names.
    uris = tuple(uri.decode("utf-8", "replace") for uri in tls.get("peer_uri", ()))
    [certificate] = tls.get("x509_pem_cert", (None,))
    ends = _end_of(certificate) if certificate else None
    return Peer(address_of(context.peer()), uris, ends)


@lru_cache(MAX_CERTIFICATES)
def _end_of(certificate: bytes) -> datetime:
    from cryptography.x509 import load_pem_x509_certificate

    return load_pem_x509_certificate(certificate).not_valid_after_utc


def address_of(peer: str) -> str:
    """The address in the name that gRPC gives to a connection: `ipv4:10.0.0.1:50412`, `ipv6:%5B::1%5D:50412`."""
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return kind
    address = ip_address(rest.rpartition(":")[0].strip("[]").partition("%")[0])
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address, SITE_BITS), strict=False))


# A request is the name of a service. gRPC takes any message up to the limit of the server before it can be looked at:
# so few are received at a time.
MAX_BYTES = 4096
MAX_RECEIVING, MAX_RECEIVING_OF_ADDRESS = 32, 4
RECEIVE_SECONDS = 5.0
MAX_STREAMS, MAX_STREAMS_OF_ADDRESS = 1024, 128


class OpenCalls:
    """Bounds for them all."""

    def __init__(self, idle: SharedTimeout) -> None:
        self._idle = idle
        self._receiving = asyncio.Semaphore(MAX_RECEIVING)
        # An address is forgotten when it has no call.
        self._receiving_of: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._streams: Counter[str] = Counter()

    def wrapped(self, handler: Handler) -> Handler:
        """The handler of bytes, which are bounded before they are parsed."""
        serve: Any = handler.unary_unary or handler.unary_stream or handler.stream_stream
        parse: Any = handler.request_deserializer

        async def unary(context: Context) -> Any:
            return await serve(_parsed(parse, await self._received(context)), context)

        async def watch(context: Context) -> None:
            with self._stream(context):
                await unary(context)

        async def converse(bodies: AsyncIterator[bytes], context: Context) -> None:
            with self._stream(context):
                async for response in serve(self._requests(parse, bodies), context):
                    await send(context, response, self._idle)

        async def call(bodies: AsyncIterator[bytes], context: Context) -> Any:
            try:
                if handler.request_streaming:
                    return await converse(bodies, context)
                return await (watch if handler.response_streaming else unary)(context)
            except DomainError as error:
                status = to_status(error)
            return await abort(context, status)

        serializer = handler.response_serializer
        if handler.response_streaming:
            return grpc.stream_stream_rpc_method_handler(call, response_serializer=serializer)
        return grpc.stream_unary_rpc_method_handler(call, response_serializer=serializer)

    async def _received(self, context: Context) -> Any:
        address = address_of(context.peer())
        slots = self._receiving_of.get(address) or asyncio.Semaphore(MAX_RECEIVING_OF_ADDRESS)
        self._receiving_of[address] = slots
        try:
            async with slots, self._receiving, asyncio.timeout(RECEIVE_SECONDS):
                return await context.read()
        except TimeoutError:
            raise DeadlineExceeded from None

    async def _requests(self, parse: Any, bodies: AsyncIterator[bytes]) -> AsyncIterator[Any]:
        async for body in receive(bodies, self._idle):
            yield _parsed(parse, body)

    @contextmanager
    def _stream(self, context: Context) -> Iterator[None]:
        """Raises Overloaded."""
        address = address_of(context.peer())
        if self._streams[address] >= MAX_STREAMS_OF_ADDRESS:
            raise Overloaded(MAX_STREAMS_OF_ADDRESS, "streams of one address without a credential")
        if self._streams.total() >= MAX_STREAMS:
            raise Overloaded(MAX_STREAMS, "streams without a credential")
        self._streams[address] += 1
        try:
            yield
        finally:
            self._streams[address] -= 1
            self._streams += Counter()


def _parsed(parse: Any, body: Any) -> Any:
    """Raises InvalidField."""
    if not isinstance(body, bytes) or len(body) > MAX_BYTES:
        raise invalid_field("request", f"must be a message of at most {MAX_BYTES} bytes")
    try:
        return parse(body)
    except DecodeError:
        raise invalid_field("request", "is not a message of this method") from None


Status = health_pb2.HealthCheckResponse


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """Tells by name which services and which parts of the server are serving."""

    def __init__(self, send_seconds: float) -> None:
        self._idle = SharedTimeout(send_seconds)
        self._statuses: dict[str, Any] = {}
        self._changed = asyncio.Event()
        self._is_leaving = False
        self._has_ended = False

    def set(self, name: str, *, is_serving: bool) -> None:
        """Tells everyone who watches, unless the server leaves."""
        if not self._is_leaving:
            self._tell({name: Status.SERVING if is_serving else Status.NOT_SERVING})

    def is_serving(self, name: str) -> bool | None:
        """Whether the name is serving; None for a name that is not known."""
        status = self._statuses.get(name)
        return None if status is None else bool(status == Status.SERVING)

    def leave(self) -> None:
        """Reports everything as not serving from here on."""
        self._is_leaving = True
        self._tell(dict.fromkeys(self._statuses, Status.NOT_SERVING))

    def end(self) -> None:
        """Ends the watches."""
        self._has_ended = True
        self._tell({})

    async def Check(self, request: Any, context: Any) -> Any:  # noqa: N802
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, "unknown service")
        return Status(status=status)

    async def Watch(self, request: Any, context: Any) -> None:  # noqa: N802
        sent = None
        while not self._has_ended:
            changed = self._changed
            status = self._statuses.get(request.service, Status.SERVICE_UNKNOWN)
            if status != sent:
                await send(context, Status(status=status), self._idle)
                sent = status
            await changed.wait()

    def _tell(self, statuses: dict[str, Any]) -> None:
        self._statuses |= statuses
        self._changed.set()
        self._changed = asyncio.Event()
