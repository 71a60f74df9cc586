"""Channels, and calls on them with the credential, a deadline and typed errors."""

from __future__ import annotations

import time
from asyncio import sleep, to_thread
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
)
from typing import TYPE_CHECKING, Protocol, TypeVar

from grpc import RpcError, StatusCode
from grpc.aio import (
    Channel,
    StreamUnaryMultiCallable,
    UnaryStreamMultiCallable,
    UnaryUnaryMultiCallable,
    insecure_channel,
    secure_channel,
)

from camillo_client.call_metadata import CallMetadata
from camillo_client.errors import DeadlineExceeded, Failure, Overloaded, Unavailable
from camillo_client.failures import from_rpc_error
from camillo_client.target import Target

if TYPE_CHECKING:
    from camillo_client.local_server import LocalServer

T = TypeVar("T")
Q = TypeVar("Q")
R = TypeVar("R")


class PageRequest(Protocol):
    """A request for one page of a list."""

    page_token: str


class Page(Protocol):
    """One page of a list."""

    next_page_token: str


PQ = TypeVar("PQ", bound=PageRequest)
PR = TypeVar("PR", bound=Page)

OVERLOADED_RETRIES = 3


class Calls:
    """Settings and calls that all parts of a client share."""

    # A server on this machine that may be started again when it has died.
    server: LocalServer | None = None

    def __init__(
        self,
        key: str,
        timeout_seconds: float,
        pause: Callable[[float], Awaitable[None]] = sleep,
        agent_id: str = "",
        refusal: str = "",
    ) -> None:
        self._metadata = CallMetadata(key, agent_id)
        self._refusal = refusal
        self._timeout_seconds = timeout_seconds
        self.pause = pause

    async def unary(self, method: UnaryUnaryMultiCallable[Q, R], request: Q, timeout: float | None = None) -> R:
        """The answer; while the server is overloaded, waits as long as it asks and calls again, within the timeout. A
        local server that has died is started again, once."""
        return await self.unary_until(method, request, self.deadline(timeout))

    def deadline(self, timeout: float | None) -> float:
        """The time at which a unary call that begins now has to be over, repetitions included; None means the
        client's own timeout."""
        return time.monotonic() + (self._timeout_seconds if timeout is None else timeout)

    async def unary_until(self, method: UnaryUnaryMultiCallable[Q, R], request: Q, deadline: float) -> R:
        """Calls like `unary`, for several calls that share one deadline."""
        retries = 0
        server = self.server
        while True:
            try:
                # gRPC would not try again at once where it has just failed to connect.
                return await self._attempt(method, request, deadline, waits=server is not self.server)
            except Unavailable as error:
                # With a reason, it is the server's own answer.
                if error.reason or server is None:
                    raise
                if not await to_thread(server.revive, deadline - time.monotonic()):
                    raise
                server = None
                continue
            except Overloaded as error:
                seconds = error.retry_after_seconds
                is_late = seconds is None or time.monotonic() + seconds >= deadline
                if seconds is None or is_late or retries == OVERLOADED_RETRIES:
                    raise
            retries += 1
            await self.pause(seconds)

    async def _attempt(
        self, method: UnaryUnaryMultiCallable[Q, R], request: Q, deadline: float, *, waits: bool = False
    ) -> R:
        seconds_left = deadline - time.monotonic()
        if seconds_left <= 0:
            # gRPC would send it all the same and let the answer race the timer.
            raise DeadlineExceeded(_never_sent(request))
        metadata = self._metadata.of(_agent_id(request))
        try:
            return await method(request, timeout=seconds_left, metadata=metadata, wait_for_ready=waits or None)
        except RpcError as error:
            raise from_rpc_error(error, _request_id(request), self._refusal) from error

    async def stream(
        self, method: UnaryStreamMultiCallable[Q, R], request: Q, timeout: float | None = None
    ) -> AsyncGenerator[R]:
        """The messages of a server stream; closing the generator cancels the call."""
        metadata = self._metadata.of(_agent_id(request))
        call = method(request, timeout=timeout, metadata=metadata)
        try:
            async for response in call:
                yield response
        except RpcError as error:
            raise from_rpc_error(error, refusal=self._refusal) from error
        finally:
            call.cancel()

    async def upload(
        self,
        method: StreamUnaryMultiCallable[Q, R],
        requests: AsyncIterator[Q],
        timeout: float | None = None,
        agent_id: str | None = None,
    ) -> R:
        """The answer to a client stream for this agent."""
        metadata = self._metadata.of(agent_id)
        try:
            return await method(requests, timeout=timeout, metadata=metadata)
        except RpcError as error:
            raise from_rpc_error(error, refusal=self._refusal) from error

    async def pages(self, ask: Callable[[PQ], Awaitable[PR]], request: PQ) -> AsyncGenerator[PR]:
        """All pages of a list, each requested when the one before has been used."""
        while True:
            page = await ask(request)
            yield page
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


async def each(items: AsyncIterable[T] | Iterable[T]) -> AsyncIterator[T]:
    """The items of either kind of iterable."""
    # [async only]
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
        return
    # [/async only]
    for item in items:
        yield item


def open_channel(target: Target) -> Channel:
    """A channel; it connects with the first call."""
    if target.tls is None:
        return insecure_channel(target.address, options=target.options())
    return secure_channel(target.address, target.tls.credentials(), options=target.options())


def _agent_id(request: object) -> str | None:
    # Not every request has a scope: such a call goes where the client's own go.
    return getattr(request, "agent_id", None)


def _request_id(request: object) -> str:
    # Reads have none.
    return getattr(request, "request_id", "")


def _never_sent(request: object) -> Failure:
    return Failure(
        StatusCode.DEADLINE_EXCEEDED,
        "the timeout had passed before the call was sent",
        request_id=_request_id(request),
    )
