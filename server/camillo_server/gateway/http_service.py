"""The contract by HTTP and JSON: an ASGI application that finds the method, lets it pass the pipeline, and tells what came of it."""

import asyncio
import os
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Mapping,
    MutableMapping,
)
from contextlib import aclosing
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from google.protobuf.message import Message
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

from camillo_server.gateway import http_answers as answers
from camillo_server.gateway.bindings import RouteMatch, Router
from camillo_server.gateway.calls import Arrival, CallFailed, LocalMethods
from camillo_server.gateway.http_requests import read_message
from camillo_server.kernel.errors import InvalidField, invalid_field
from camillo_server.kernel.off_loop import off_loop
from camillo_server.rpc.errors import to_status

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
# Reading and writing JSON, for a byte of it.
JSON_MICROSECONDS = 0.05
# Unary answers are not chunked, and a caller who is slow keeps nothing but its connection.
HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
TIMEOUT_KEYS = ("x-request-timeout", "grpc-timeout")
GRPC_UNITS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
MAX_DEADLINE_SECONDS = 3600.0


class CallerGone(Exception):
    """The caller has hung up: there is nobody to answer."""


class HttpService:
    """An ASGI application of the contract's methods. Each call ends with its caller, or at its deadline."""

    def __init__(
        self,
        methods: LocalMethods,
        router: Router,
        max_body_bytes: int,
        default_deadline_seconds: float,
    ) -> None:
        self._methods = methods
        self._router = router
        self._max_body_bytes = max_body_bytes
        self._default_deadline_seconds = default_deadline_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP."""
        metadata = request_metadata(scope)
        respond = partial(_respond, send, metadata["x-request-id"])
        accept = metadata.get("accept", "")
        raw_path = scope.get("raw_path") or scope["path"].encode()
        try:
            found = self._router.match(scope["method"], raw_path.decode("ascii"))
        except UnicodeDecodeError:
            status = to_status(invalid_field("path", "must be percent-encoded UTF-8"))
            await respond(*answers.failure(status, accept))
            return
        if not isinstance(found, RouteMatch):
            await respond(*_not_found(found.allowed, accept))
            return
        try:
            call = _Call(found, metadata, scope, receive, self._max_body_bytes)
            if found.binding.descriptor.server_streaming:
                await self._stream(call, send, accept)
            else:
                await self._answer(call, respond)
        except InvalidField as error:
            await respond(*answers.failure(to_status(error), accept))
        except CallFailed as error:
            await respond(*answers.failure(error.status, accept))
        except CallerGone:
            return

    async def _answer(self, call: "_Call", respond: Callable[..., Awaitable[None]]) -> None:
        arrival = call.arrival(self._default_deadline_seconds)
        message = await call.unless_gone(self._methods.call(call.method, arrival))
        cost = message.ByteSize() * JSON_MICROSECONDS
        body = await off_loop(cost, partial(answers.json_bytes, message))
        await respond(200, {"content-type": answers.JSON}, body)

    async def _stream(self, call: "_Call", send: Send, accept: str) -> None:
        is_events = answers.EVENTS in accept
        encode = answers.event_bytes if is_events else _line
        messages = self._methods.stream(call.method, call.arrival(None))
        first = await call.unless_gone(anext(messages, None))
        headers = {"content-type": answers.EVENTS if is_events else answers.LINES}
        await _start(send, 200, {**headers, "x-request-id": call.metadata["x-request-id"]})
        await call.unless_gone(_send_all(messages, first, encode, send, is_events=is_events))


class _Call:
    """A request whose method is known, and which is read only when the pipeline asks for it."""

    def __init__(
        self,
        found: RouteMatch,
        metadata: Mapping[str, str],
        scope: Scope,
        receive: Receive,
        max_body_bytes: int,
    ) -> None:
        self._found = found
        self._scope = scope
        self._receive = receive
        self._max_body_bytes = max_body_bytes
        self._is_read = asyncio.Event()
        self.metadata = metadata
        self.method = found.binding.method

    def arrival(self, default_seconds: float | None) -> Arrival:
        """As the methods take it. Raises InvalidField."""
        seconds = _deadline(self.metadata, default_seconds)
        return Arrival([*self.metadata.items()], self._bodies(), peer_of(self._scope), seconds)

    async def unless_gone(self, work: Awaitable[Any]) -> Any:
        """What comes of the work. Ends it and raises CallerGone where the caller hangs up before."""
        working = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(self._gone())
        try:
            await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
            # A caller who hangs up while the body is read ends the work from within.
            if not working.done() or working.cancelled():
                raise CallerGone
            return working.result()
        finally:
            for task in (working, gone):
                task.cancel()
            await asyncio.gather(working, gone, return_exceptions=True)

    async def _gone(self) -> None:
        await self._is_read.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _bodies(self) -> AsyncIterator[bytes]:
        body = await _body(self._receive, self._max_body_bytes)
        self._is_read.set()
        cost = len(body) * JSON_MICROSECONDS
        yield await off_loop(cost, partial(self._read, body))

    def _read(self, body: bytes) -> bytes:
        query = parse_qsl(
            self._scope["query_string"].decode("ascii", "replace"), keep_blank_values=True
        )
        message = read_message(self._found.binding, self._found.variables, query, body)
        last_id = self.metadata.get("last-event-id", "")
        if last_id and self._found.binding.descriptor.server_streaming:
            _resume(message, last_id)
        return message.SerializeToString()


async def _body(receive: Receive, max_bytes: int) -> bytes:
    """The whole body. Raises InvalidField where it is too large."""
    parts, size, more = list[bytes](), 0, True
    while more:
        part = await receive()
        if part["type"] == "http.disconnect":
            # To the pipeline it is what a cancelled call of gRPC is.
            raise asyncio.CancelledError
        parts.append(part.get("body", b""))
        size += len(parts[-1])
        if size > max_bytes:
            raise invalid_field("body", f"must have at most {max_bytes} bytes")
        more = part.get("more_body", False)
    return b"".join(parts)


def _resume(message: Message, last_id: str) -> None:
    """A browser that connects again sends the id of the last event, and the same query as before."""
    if name := answers.resumed_field(message.DESCRIPTOR):
        setattr(message, name, last_id)


async def _send_all(
    messages: AsyncGenerator[Message],
    first: Message | None,
    encode: Callable[[Message], bytes],
    send: Send,
    *,
    is_events: bool,
) -> None:
    last = b""
    async with aclosing(messages):
        try:
            if first is not None:
                await _send_part(send, encode(first))
            async for message in messages:
                await _send_part(send, encode(message))
        except CallFailed as error:
            failed = answers.failed_event_bytes if is_events else answers.failed_line_bytes
            last = failed(error.status)
    await send({"type": "http.response.body", "body": last})


async def _send_part(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _start(send: Send, status: int, headers: Mapping[str, str]) -> None:
    named = {**HEADERS, **headers}
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in named.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})


async def _respond(
    send: Send, request_id: str, status: int, headers: Mapping[str, str], body: bytes
) -> None:
    length = {"content-length": str(len(body)), "x-request-id": request_id}
    await _start(send, status, {**headers, **length})
    await send({"type": "http.response.body", "body": body})


def _line(message: Message) -> bytes:
    return answers.json_bytes(message) + b"\n"


def _not_found(allowed: Any, accept: str) -> tuple[int, Mapping[str, str], bytes]:
    if not allowed:
        status = Status(code=Code.NOT_FOUND, message="no method has this path")
        return answers.failure(status, accept)
    status = Status(code=Code.UNIMPLEMENTED, message="this path has no such method of HTTP")
    _, headers, body = answers.failure(status, accept)
    return 405, {**headers, "allow": ", ".join(allowed)}, body


def peer_of(scope: Scope) -> str:
    """Where a request comes from, as gRPC tells it."""
    host, port = scope.get("client") or ("", 0)
    return f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"


def request_metadata(scope: Scope) -> dict[str, str]:
    """The headers as metadata. A name that comes twice is a list (RFC 9110, 5.3): of two credentials neither counts."""
    metadata: dict[str, str] = {}
    for encoded, value in scope["headers"]:
        key, text = encoded.decode("latin-1").lower(), value.decode("latin-1")
        metadata[key] = f"{metadata[key]}, {text}" if key in metadata else text
    metadata["x-request-id"] = metadata.get("x-request-id", "")[:128] or os.urandom(8).hex()
    return metadata


def _deadline(metadata: Mapping[str, str], default: float | None) -> float | None:
    """The seconds that a caller gives a call. Raises InvalidField."""
    key = next((each for each in TIMEOUT_KEYS if each in metadata), None)
    if key is None:
        return default
    text = metadata[key]
    unit = GRPC_UNITS.get(text[-1:], 0.0) if key == "grpc-timeout" else 1.0
    number = text[:-1] if key == "grpc-timeout" else text
    try:
        seconds = float(number) * unit
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        form = "digits and one of HMSmun" if key == "grpc-timeout" else "seconds above 0"
        raise invalid_field(key, f"must be {form}")
    return min(seconds, MAX_DEADLINE_SECONDS)
