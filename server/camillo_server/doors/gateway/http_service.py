"""The contract by HTTP and JSON: an ASGI application that finds the method, lets it pass the pipeline, and tells what
came of it."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

from camillo_server.doors.gateway import http_answers as answers
from camillo_server.doors.gateway.bindings import RouteMatch, Router
from camillo_server.doors.gateway.calls import CallFailed, LocalMethods
from camillo_server.doors.gateway.exchange import Exchange, Receive, Scope, Send
from camillo_server.doors.gateway.http_requests import read_message
from camillo_server.doors.gateway.json_bodies import JsonBody, bounds_of, fill
from camillo_server.doors.gateway.json_bounds import JsonBounds
from camillo_server.doors.rpc.call import principal
from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.rpc.request_bodies import HeldBody
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.off_loop import TimeSlices, off_loop


class HttpService:
    """An ASGI application of the contract's methods. Each call ends with its caller, or at its deadline."""

    def __init__(
        self,
        methods: LocalMethods,
        router: Router,
        max_message_bytes: int,
        default_deadline_seconds: float,
    ) -> None:
        self._methods = methods
        self._router = router
        self._max_message_bytes = max_message_bytes
        self._default_deadline_seconds = default_deadline_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP."""
        exchange = Exchange(scope, receive, send)
        raw_path = scope.get("raw_path") or scope["path"].encode()
        try:
            found = self._router.match(exchange.http_method, raw_path.decode("ascii"))
        except UnicodeDecodeError:
            await exchange.refuse(to_status(invalid_field("path", "must be percent-encoded UTF-8")))
            return
        if isinstance(found, RouteMatch):
            is_stream = found.binding.descriptor.server_streaming
            serve = self._stream if is_stream else self._once
            await exchange.answer(serve(exchange, found))
        elif found.allowed:
            await exchange.refuse_method(found.allowed)
        else:
            await exchange.refuse(Status(code=Code.NOT_FOUND, message="no method has this path"))

    async def _once(self, exchange: Exchange, found: RouteMatch) -> None:
        is_upload = found.binding.descriptor.client_streaming
        bodies = self._lines(exchange, found) if is_upload else self._body(exchange, found)
        arrival = exchange.arrival(bodies, None if is_upload else self._default_deadline_seconds)
        calling = self._methods.call(found.binding.method, arrival)
        message = await exchange.unless_gone(calling)
        cost = message.ByteSize() / 4
        encoded = await off_loop(cost, partial(answers.json_bytes, message))
        await exchange.respond(200, {"content-type": answers.JSON}, encoded)

    async def _stream(self, exchange: Exchange, found: RouteMatch) -> None:
        if exchange.wants_events:
            exchange.take_access_token()
        arrival = exchange.arrival(self._body(exchange, found), None)
        async with aclosing(self._methods.stream(found.binding.method, arrival)) as messages:
            first = await exchange.unless_gone(anext(messages, None))
            kind = answers.EVENTS if exchange.wants_events else answers.LINES
            await exchange.start(200, {"content-type": kind})
            await exchange.unless_gone(_send_all(exchange, messages, first))

    async def _body(self, exchange: Exchange, found: RouteMatch) -> AsyncIterator[bytes]:
        """The one message of a call."""
        bounds = bounds_of(found.binding.descriptor.input_type, self._max_message_bytes)

        def read(value: Any) -> bytes:
            message = read_message(found.binding, found.variables, exchange.query, value)
            last_id = exchange.headers.get("last-event-id", "")
            if last_id and found.binding.descriptor.server_streaming:
                _resume(message, last_id)
            return message.SerializeToString()

        with self._methods.bodies.held(principal().tenant_id) as held:
            encoded = await (await exchange.body(bounds, "body", held)).build(read)
        yield encoded

    async def _lines(self, exchange: Exchange, found: RouteMatch) -> AsyncIterator[bytes]:
        """The messages of a call that takes a stream of them, a line each. Raises InvalidField."""
        input_type = found.binding.descriptor.input_type
        bounds = bounds_of(input_type, self._max_message_bytes)
        with self._methods.bodies.held(principal().tenant_id) as held:
            async for line, where in lines_of(exchange.parts(), bounds, held):
                encoded = await line.build(partial(_message_of, input_type, where))
                held.resize(0)
                yield encoded


async def lines_of(
    parts: AsyncIterator[bytes], bounds: JsonBounds, held: HeldBody
) -> AsyncIterator[tuple[JsonBody, str]]:
    """The lines of a body that are not blank, the last one too where it has no end, and their names in errors. Raises
    what `JsonBody` raises."""
    slices, number, line = TimeSlices(), 0, None
    async for part in parts:
        begin = 0
        while begin < len(part):
            end = part.find(b"\n", begin)
            piece = part[begin:end] if end >= 0 else part[begin:]
            where = f"lines[{number}]"
            if line is None and piece and not piece.isspace():
                line = JsonBody(bounds, where, held)
            if line is not None:
                await line.add(piece)
            if end < 0:
                break
            begin, number = end + 1, number + 1
            if line is not None:
                yield line, where
                line = None
            await slices.spend()
    if line is not None:
        yield line, where


def _message_of(message_type: Any, where: str, value: Any) -> bytes:
    """Raises InvalidField."""
    message: Message = GetMessageClass(message_type)()
    fill(where, value, message)
    return message.SerializeToString()


def _resume(message: Message, last_id: str) -> None:
    """A browser that connects again sends the id of the last event, and the same query as before."""
    if name := answers.resumed_field(message.DESCRIPTOR):
        setattr(message, name, last_id)


async def _send_all(exchange: Exchange, messages: AsyncGenerator[Message], first: Message | None) -> None:
    is_events, last = exchange.wants_events, b""
    encode: Callable[[Message], bytes] = answers.event_bytes if is_events else answers.line_bytes
    try:
        if first is not None:
            await exchange.send(encode(first))
        async for message in messages:
            await exchange.send(encode(message))
    except CallFailed as error:
        failed = answers.failed_event_bytes if is_events else answers.failed_line_bytes
        last = failed(error.status)
    await exchange.end(last)
