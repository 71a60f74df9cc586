"""The pipeline of every call. Before its servicer: a request id, the deadline, the credential, the role, its message,
which is read only then, and a slot among the calls in flight. After it: the error's status, the figures, the log.

One interceptor and not five, because the order is what matters, and here it can be read (docs/adr/calls.md).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence, Set
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Protocol

import grpc

from camillo_server.doors.identity.credentials import Peer
from camillo_server.doors.rpc.admission import (
    Admission,
    Arrivals,
    Observed,
    is_open,
    linger,
    receive,
    require_permission,
    required_role,
    send,
)
from camillo_server.doors.rpc.audited_calls import (
    NO_TENANTS,
    AuditedCalls,
    CallKind,
    call_kind,
    is_administrative,
)
from camillo_server.doors.rpc.call import (
    DEFAULT_AGENT_KEY,
    SPACE_KEY,
    Added,
    added_by,
    principal,
    scope_of_request,
    set_caller,
)
from camillo_server.doors.rpc.contract import ENDLESS, option
from camillo_server.doors.rpc.errors import abort
from camillo_server.doors.rpc.open_calls import OpenCalls, peer_of
from camillo_server.doors.rpc.request_bodies import LARGE_BYTES, Decoder, RequestBodies
from camillo_server.kernel.clock import SharedTimeout, set_deadline
from camillo_server.kernel.errors import DeadlineExceeded, ServerDraining, invalid_field
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import loop_turns, next_turn
from camillo_server.kernel.scope import Caller, Principal, Role
from camillo_server.settings.sections import ServerSettings
from camillo_server.storage.quotas import Quotas
from camillo_server.storage.receipts import NotedRefusal, begin_noting
from camillo_server.telemetry.instruments import Instruments
from camillo_server.telemetry.logging import request_id_var
from camillo_server.telemetry.tracing import Tracing

logger = logging.getLogger(__name__)

SLOW_SECONDS = 1.0
REFUSED = "PERMISSION_DENIED"
# Messages of a client stream between two checks of its credential.
MESSAGES_PER_CHECK = 64
if TYPE_CHECKING:
    Handler = grpc.RpcMethodHandler[Any, Any]
    Context = grpc.aio.ServicerContext[Any, Any]


# Answers the bodies of a call's messages, or sends a stream. Raises the error that the caller is told.
Answer = Callable[[AsyncIterator[bytes], Observed, "Context"], Awaitable[Any]]
KeepRefusals = Callable[[str, Sequence[NotedRefusal]], Awaitable[None]]


class Authentication(Protocol):
    """Turns the credential of a caller into a principal."""

    def cached(self, metadata: dict[str, str]) -> Principal | None: ...

    async def authenticate(self, metadata: dict[str, str], peer: Peer) -> Principal: ...


class Pipeline(grpc.aio.ServerInterceptor):
    """The only interceptor of the server."""

    def __init__(
        self,
        authentication: Authentication,
        settings: ServerSettings,
        instruments: Instruments,
        tracing: Tracing,
        quotas: Quotas,
        keep_refusals: KeepRefusals | None = None,
        audited: AuditedCalls | None = None,
    ) -> None:
        """`keep_refusals` is given what a writing call was refused for, before the call is answered; `audited` enters
        calls that change nothing."""
        self._keep_refusals = keep_refusals
        self._audited = audited
        self._quotas = quotas
        self._turns = loop_turns()
        self._authentication = authentication
        self._settings = settings
        self._instruments = instruments
        self._tracing = tracing
        self.bodies = RequestBodies(settings.max_bytes_in_flight, settings.default_deadline_seconds)
        self._idle = SharedTimeout(settings.stream_idle_seconds)
        self._open = OpenCalls(self._idle)
        self._handlers: dict[str, Handler] = {}
        self._calls = Admission(settings.max_in_flight, "calls", instruments)
        self._streams = Admission(settings.max_streams, "streams", instruments)
        self._watches: set[asyncio.Task[Any]] = set()
        self.arrivals = Arrivals(self._calls, self._streams)
        self._draining = False

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        self.arrivals.count += 1
        self._turns.arrived()
        method = handler_call_details.method
        handler = self._handlers.get(method)
        if handler is None:
            handler = await continuation(handler_call_details)
            if handler is None:
                return None
            wrapped = self._open.wrapped(handler) if is_open(method) else self._wrapped(method, handler)
            handler = self._handlers[method] = wrapped
        return handler

    def drain(self) -> None:
        """Ends the watches, which would never end by themselves, telling their callers to connect again. Calls and
        exports go on."""
        self._draining = True
        for task in self._watches:
            task.cancel()

    def _wrapped(self, method: str, handler: Handler) -> Handler:
        """The handler of a stream of bytes, also where a method takes one message: gRPC reads that message before it
        calls the handler, which asks for the credential first."""
        assert handler.request_deserializer is not None  # noqa: S101
        decoder = Decoder(handler.request_deserializer)
        serializer = handler.response_serializer
        if handler.response_streaming:
            serve: Any = handler.unary_stream
            if self._audited is not None:
                serve = self._audited.entered(method, serve, is_stream=True)
            answer = self._streaming(method, serve, decoder)
            answers = self._observed(method, answer, is_stream=True)
            return grpc.stream_stream_rpc_method_handler(answers, response_serializer=serializer)
        serve = handler.stream_unary if handler.request_streaming else handler.unary_unary
        if self._keep_refusals is not None and required_role(method) is not Role.READER:
            serve = _noting_refusals(method, serve, self._keep_refusals)
        if self._audited is not None:
            serve = self._audited.entered(method, serve, is_stream=False)
        if handler.request_streaming:
            call = self._observed(method, self._uploading(method, serve, decoder), is_stream=True)
        else:
            call = self._observed(method, self._unary(method, serve, decoder))
        return grpc.stream_unary_rpc_method_handler(call, response_serializer=serializer)

    def _observed(self, method: str, answer: Answer, *, is_stream: bool = False) -> Any:
        """Answers, with the error's status where that fails. Names the call in logs, times it, and counts it by its
        code."""
        audited = self._audited if is_administrative(method) else None
        bounded = answer if is_stream else self._bounded(answer)

        async def call(bodies: AsyncIterator[bytes], context: Context) -> Any:
            observed = Observed.of(method, context)
            request_id_var.set(observed.request_id)
            try:
                try:
                    # gRPC ends the calls that have a deadline.
                    answering = bounded if context.time_remaining() is None else answer
                    return await answering(bodies, observed, context)
                except Exception as error:  # noqa: BLE001
                    status = observed.failed(error)
                    if audited is not None and observed.code == REFUSED and observed.principal:
                        audited.note_refusal(_caller(observed, context), observed.code)
                return await abort(context, status)
            except asyncio.CancelledError:
                observed.code = "CANCELLED"
                raise
            finally:
                self._end(observed, is_stream=is_stream)

        return call

    def _end(self, observed: Observed, *, is_stream: bool) -> None:
        if observed.held is not None:
            observed.held.close()
        if observed.large_body is not None:
            self.bodies.release(*observed.large_body)
        method, code = observed.method, observed.code
        seconds = time.perf_counter() - observed.began
        self._instruments.record_request(method, code, seconds)
        if seconds > SLOW_SECONDS and not is_stream:
            extra = {"method": method, "code": code, "seconds": round(seconds, 3)}
            logger.info("slow call", extra=extra)

    def _unary(self, method: str, serve: Any, decoder: Decoder) -> Answer:
        turns, added = self._turns, added_by(method)
        audited, audited_tenants = self._audited, self._audited_tenants(method)

        async def answer(_: AsyncIterator[bytes], observed: Observed, context: Context) -> Any:
            tenant_id = await self._admit(observed, context)
            body = await self._receive(tenant_id, observed, context)
            # A slot is for a request that is there: who sends it slowly keeps nobody waiting.
            self._quotas.begin_call(tenant_id)
            self._calls.begin(tenant_id)
            self._instruments.in_flight += 1
            try:
                if not turns.take(tenant_id):
                    await turns.wait(tenant_id)
                request = await decoder.decode(body)
                if added is not None:
                    await self._quotas.require(scope_of_request(request), added(request, len(body)))
                response = await serve(request, context)
                if tenant_id in audited_tenants and audited is not None:
                    audited.note(request, response)
                return response
            finally:
                self._instruments.in_flight -= 1
                self._calls.end(tenant_id)

        return answer

    def _bounded(self, answer: Answer) -> Answer:
        """Ends a call at the default deadline. Raises DeadlineExceeded."""
        seconds = self._settings.default_deadline_seconds

        async def bounded(bodies: AsyncIterator[bytes], observed: Observed, context: Context) -> Any:
            try:
                async with asyncio.timeout(seconds) as bound:
                    return await answer(bodies, observed, context)
            except TimeoutError:
                if not bound.expired():
                    raise
                raise DeadlineExceeded from None

        return bounded

    def _uploading(self, method: str, serve: Any, decoder: Decoder) -> Answer:
        added = added_by(method)

        async def answer(bodies: AsyncIterator[bytes], observed: Observed, context: Context) -> Any:
            tenant_id = await self._admit(observed, context, endless=True)
            with self._streams.slot(tenant_id):
                messages = self._messages(bodies, decoder, added, observed, context)
                try:
                    return await serve(messages, context)
                except Exception:
                    await linger(context)
                    raise

        return answer

    async def _messages(
        self,
        bodies: AsyncIterator[bytes],
        decoder: Decoder,
        added: Added | None,
        observed: Observed,
        context: Context,
    ) -> AsyncIterator[Any]:
        """The messages, while the credential holds, and what they add is within the tenant's quotas. The last one is
        counted as in flight."""
        number = 0
        async for body in receive(bodies, self._idle):
            number += 1
            if number % MESSAGES_PER_CHECK == 0:
                await self._authenticate(observed.metadata, context)
            await next_turn()
            self._hold(principal().tenant_id, observed, body)
            message = await decoder.decode(body)
            if added is not None:
                await self._quotas.require(scope_of_request(message), added(message, len(body)))
            yield message

    def _audited_tenants(self, method: str) -> Set[TenantId]:
        """The tenants whose calls of a method are entered, now and whenever it is looked at."""
        if self._audited is None or call_kind(method) is not CallKind.READ:
            return NO_TENANTS
        return self._audited.reading

    def _streaming(self, method: str, serve: Any, decoder: Decoder) -> Answer:
        audited, audited_tenants = self._audited, self._audited_tenants(method)
        is_endless = option(method, ENDLESS)

        async def answer(_: AsyncIterator[bytes], observed: Observed, context: Context) -> None:
            tenant_id = await self._admit(observed, context, endless=True)
            request = await decoder.decode(await self._receive(tenant_id, observed, context))
            # A caller that takes nothing has its slot until it takes the status, too, or hangs up: a message waits with
            # it.
            observed.hold(self._streams.slot(tenant_id))
            served = serve(request, context)
            if tenant_id in audited_tenants and audited is not None:
                served = audited.noted(request, served, is_endless=is_endless)
            async with aclosing(served) as responses:
                unchecked = 0
                async for response in responses:
                    # The credential may have been revoked since the stream began.
                    unchecked += 1
                    if is_endless or unchecked == MESSAGES_PER_CHECK:
                        await self._authenticate(observed.metadata, context)
                        unchecked = 0
                    await send(context, response, self._idle)
                    await next_turn()

        return self._until_drained(answer) if is_endless else answer

    def _until_drained(self, answer: Answer) -> Answer:
        """Wraps an answer that never ends by itself. Raises ServerDraining where the server ends it."""

        async def watched(bodies: AsyncIterator[bytes], observed: Observed, context: Context) -> None:
            task = asyncio.current_task()
            assert task is not None  # noqa: S101
            self._watches.add(task)
            try:
                await answer(bodies, observed, context)
            except asyncio.CancelledError:
                if not self._draining:
                    raise
                task.uncancel()
                raise ServerDraining from None
            finally:
                self._watches.discard(task)

        return watched

    async def _admit(self, observed: Observed, context: Context, *, endless: bool = False) -> TenantId:
        """The tenant of the caller. Raises CredentialInvalid, ScopeForbidden, ServerDraining, InvalidField."""
        metadata = observed.metadata
        if self._draining:
            raise ServerDraining
        remaining = context.time_remaining()
        if remaining is not None:
            set_deadline(remaining)
        elif not endless:
            set_deadline(self._settings.default_deadline_seconds)
        caller = observed.principal = await self._authenticate(metadata, context)
        if self._tracing.enabled:
            # Only now: who has no credential chooses neither what is recorded nor its trace.
            observed.hold(self._tracing.start_span(observed.method, metadata))
        require_permission(observed.method, caller)
        method, request_id, space = observed.method, observed.request_id, metadata.get(SPACE_KEY, "")
        default_agent_id, is_reading = metadata.get(DEFAULT_AGENT_KEY, ""), required_role(method) is Role.READER
        set_caller(Caller(caller, default_agent_id, method, request_id, context.peer(), is_reading, space))
        return caller.tenant_id

    async def _receive(self, tenant_id: TenantId, observed: Observed, context: Context) -> bytes:
        """The body of a call that is admitted. Raises InvalidField, DeadlineExceeded, Overloaded."""
        body = await self.bodies.received(context.read(), tenant_id)
        if not isinstance(body, bytes):
            raise invalid_field("request", "is missing")
        if len(body) >= LARGE_BYTES:
            self._hold(tenant_id, observed, body)
        return body

    def _hold(self, tenant_id: TenantId, observed: Observed, body: bytes) -> None:
        """Counts a large body as in flight instead of the one before, until the call ends. Raises Overloaded."""
        if observed.large_body is not None:
            self.bodies.release(*observed.large_body)
            observed.large_body = None
        if len(body) >= LARGE_BYTES:
            self.bodies.hold(tenant_id, len(body))
            observed.large_body = tenant_id, len(body)

    async def _authenticate(self, metadata: dict[str, str], context: Context) -> Principal:
        """Raises CredentialInvalid, StorageUnavailable, Overloaded."""
        principal = self._authentication.cached(metadata)
        if principal is None:
            principal = await self._authentication.authenticate(metadata, peer_of(context))
        return principal


def _caller(observed: Observed, context: Context) -> Caller:
    """The caller of a call with a credential, whose method may have been refused before the caller was set."""
    assert observed.principal is not None  # noqa: S101
    return Caller(observed.principal, "", observed.method, observed.request_id, context.peer() or "")


def _noting_refusals(method: str, serve: Any, keep: KeepRefusals) -> Any:
    name = method.removeprefix("/camillo.v1.").replace("/", ".")

    async def served(request: Any, context: Context) -> Any:
        noted = begin_noting()
        try:
            return await serve(request, context)
        finally:
            if noted:
                await keep(name, noted)

    return served
