"""A gRPC proxy that knows no service: passes calls on, does to them what it is told, and writes down what came by."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import grpc
import grpc.aio
from camillo_client.failures import BROKEN_WHILE_SENDING
from camillo_client.methods import method_named

from clients.conformance.answers import to_dict
from clients.conformance.faults import Failure, Fault

UNBOUNDED = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
BROKEN = Failure("UNAVAILABLE", "the scenario broke it off")
# A server that refuses an upload does it at its first message.
REFUSAL_SECONDS = 5.0
BY_ITSELF_SECONDS = 0.3
# A client of an endless stream sends no last message.
REST_SECONDS = 0.3
# gRPC tells years where a call has no deadline.
LONGEST_SECONDS = 1_000_000.0
# Headers of the client's connection to the proxy, not of the call.
NOT_PASSED_ON = ("user-agent", "te", "content-type", "grpc-")

Context = grpc.aio.ServicerContext[bytes, bytes]
Requests = AsyncIterator[bytes]


@dataclass(slots=True)
class SeenCall:
    """A call that came by."""

    method: str
    metadata: dict[str, Any]
    # Time left until its deadline; None: it has none.
    timeout_seconds: float | None
    at_seconds: float
    # The first message of the request.
    request: Any = None
    sent_messages: int = 0

    def as_dict(self) -> dict[str, Any]:
        return {
            "request": self.request,
            "metadata": self.metadata,
            "timeout_seconds": self.timeout_seconds,
            "at_seconds": self.at_seconds,
            "sent_messages": self.sent_messages,
        }


class Ended(Exception):
    """A call ends for its client with this status."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


@dataclass(slots=True)
class Proxy:
    """Stands between the clients and the server."""

    upstream: grpc.aio.Channel
    seen: list[SeenCall] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def calls_of(self, method: str) -> list[SeenCall]:
        """The calls of a method, by its short name, in the order they came."""
        return [call for call in self.seen if call.method == method]

    async def serve(self, path: str, requests: Requests, context: Context) -> None:
        """One call of any kind: a unary one is a stream of one message."""
        call = SeenCall(
            method=path.rpartition("/")[2],
            metadata=_by_key(context.invocation_metadata() or ()),
            timeout_seconds=_seconds_left(context),
            at_seconds=time.monotonic(),
        )
        self.seen.append(call)
        passage = Passage(call, path, self._fault_of(call.method), self.upstream)
        try:
            await passage.through(requests, context)
        except Ended as ended:
            failure = ended.failure
            await context.abort(failure.status_code, failure.message, failure.trailers())
        except grpc.aio.AioRpcError as error:
            if error.details() == BROKEN_WHILE_SENDING:
                error = await passage.refusal() or error
            trailers = tuple(error.trailing_metadata() or ())
            await context.abort(error.code(), error.details() or "", trailers)

    def _fault_of(self, method: str) -> Fault:
        told = next((each for each in self.faults if each.method == method and each.times), None)
        if told is None:
            return Fault(method)
        told.times -= 1
        told.befallen += 1
        return told


@dataclass(slots=True)
class Passage:
    """One call on its way to the server and back."""

    call: SeenCall
    path: str
    fault: Fault
    upstream: grpc.aio.Channel
    first: bytes = b""

    async def refusal(self) -> grpc.aio.AioRpcError | None:
        """The server's answer to the first message alone, where grpc.aio has made up a status in its place: it does so
        when a stream ends while it sends. None if the server does not refuse it."""
        method: Any = self.upstream.stream_stream(self.path)
        call = method(timeout=REFUSAL_SECONDS, metadata=_passed_on(self.call.metadata))
        answering = asyncio.create_task(call.read())
        try:
            # Not sending keeps grpc.aio from making it up again: a refusal of the metadata comes by itself.
            done, _ = await asyncio.wait({answering}, timeout=BY_ITSELF_SECONDS)
            if not done:
                await call.write(self.first)
            await answering
        except grpc.aio.AioRpcError as error:
            return None if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED else error
        finally:
            answering.cancel()
            call.cancel()
        return None

    async def through(self, requests: Requests, context: Context) -> None:
        """Ended or AioRpcError if it fails."""
        if self.fault.fail is not None:
            await self._note(requests)
            # A client waits from its answer on.
            self.call.at_seconds = time.monotonic()
            raise Ended(self.fault.fail)
        await asyncio.sleep(self.fault.delay_seconds)
        method: Any = self.upstream.stream_stream(self.path)
        call = method(timeout=_seconds_left(context), metadata=_passed_on(self.call.metadata))
        try:
            await self._both_ways(requests, call, context)
        finally:
            call.cancel()

    async def _note(self, requests: Requests) -> None:
        """Writes down the request of a call that goes no further, and lets the client send the rest.

        Otherwise grpc.aio may make up a status, as it does where a call ends while it sends."""
        async for message in requests:
            self._take(message)
            break
        with suppress(TimeoutError):
            async with asyncio.timeout(REST_SECONDS):
                async for _ in requests:
                    pass

    async def _both_ways(self, requests: Requests, call: Any, context: Context) -> None:
        sending = asyncio.create_task(self._send(requests, call))
        answering = asyncio.create_task(self._answer(call, context))
        try:
            await asyncio.wait({sending, answering}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                # Raises what broke it off.
                sending.result()
            await answering
        finally:
            sending.cancel()
            answering.cancel()

    async def _send(self, requests: Requests, call: Any) -> None:
        # The server may answer before it has read everything: then its answer says why.
        with suppress(grpc.RpcError, asyncio.InvalidStateError):
            async for message in requests:
                self._take(message)
                await call.write(message)
                if self.fault.cut_after_sent == self.call.sent_messages:
                    raise Ended(BROKEN)
            await call.done_writing()

    async def _answer(self, call: Any, context: Context) -> None:
        response = method_named(self.path).response
        answered = 0
        async for message in call:
            await asyncio.sleep(self.fault.delay_answer_seconds)
            if self.fault.lose_answer is not None:
                raise Ended(self.fault.lose_answer)
            await context.write(self.fault.rewritten(message, response))
            answered += 1
            if self.fault.cut_after_messages == answered:
                raise Ended(BROKEN)
            if self.fault.end_after_messages == answered:
                return
        context.set_trailing_metadata(tuple(await call.trailing_metadata() or ()))

    def _take(self, message: bytes) -> None:
        if not self.call.sent_messages:
            self.first = message
            self.call.request = to_dict(method_named(self.path).request.FromString(message))
        self.call.sent_messages += 1


class AnyMethod(grpc.GenericRpcHandler):
    """Hands every call to a proxy, as it is."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        path = handler_call_details.method

        async def serve(requests: Requests, context: Context) -> None:
            await self._proxy.serve(path, requests, context)

        return grpc.stream_stream_rpc_method_handler(serve)


def _by_key(metadata: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The values of a key that came several times stand beside each other, as in HTTP: nobody takes them for one."""
    told: dict[str, Any] = {}
    for key, value in metadata:
        told[key] = f"{told[key]}, {value}" if key in told else value
    return told


def _passed_on(metadata: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(pair for pair in metadata.items() if not pair[0].startswith(NOT_PASSED_ON))


def _seconds_left(context: Context) -> float | None:
    seconds = context.time_remaining()
    return None if seconds is None or seconds > LONGEST_SECONDS else seconds
