"""Streams that outlive a connection."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol, TypeVar

from grpc import StatusCode
from grpc.aio import UnaryStreamMultiCallable

from camillo_client._async.calls import Calls
from camillo_client.errors import CamilloError, Failure, Overloaded, Unavailable
from camillo_client.streams import is_worth_waiting, pause_seconds

# A watch has no end; a server that closes one in good order is going away.
ENDED = Failure(StatusCode.UNAVAILABLE, "the server ended the watch")
# Most failures in a row, without progress between them, after which a read, a search or an upload tries again.
MAX_FAILURES = 3


class Resumable(Protocol):
    """A request or a change with a resume token."""

    resume_token: str


class WatchAnswer(Protocol):
    """A message of a watch."""

    @property
    def change(self) -> Resumable: ...


class Paged(Protocol):
    """A request of an export."""

    page_token: str


class ExportAnswer(Protocol):
    """A message of an export."""

    @property
    def next_page_token(self) -> str: ...


R = TypeVar("R")
ExportQ = TypeVar("ExportQ", bound=Paged)
ExportR = TypeVar("ExportR", bound=ExportAnswer)
WatchQ = TypeVar("WatchQ", bound=Resumable)
WatchR = TypeVar("WatchR", bound=WatchAnswer)


@dataclass(frozen=True, slots=True)
class Patience:
    """How often in a row a watch connects again without getting a change, and how long each connection may last."""

    max_reconnects: int
    timeout: float | None


async def resumed_watch(
    calls: Calls,
    method: UnaryStreamMultiCallable[WatchQ, WatchR],
    request: WatchQ,
    patience: Patience,
) -> AsyncGenerator[WatchR]:
    """The messages of a watch, which resumes behind the last one returned when the server goes away."""
    failures = 0
    while True:
        failure: Unavailable | Overloaded = Unavailable(ENDED)
        try:
            async with aclosing(calls.stream(method, request, patience.timeout)) as answers:
                async for answer in answers:
                    failures = 0
                    request.resume_token = answer.change.resume_token
                    yield answer
        except (Unavailable, Overloaded) as error:
            # Overloaded, too: when a server comes back, all its watchers do.
            failure = error
        failures += 1
        await wait_after(calls, failure, failures, patience.max_reconnects)


async def resumed(
    calls: Calls, begin: Callable[[], AsyncGenerator[R]], is_complete: Callable[[], bool]
) -> AsyncGenerator[R]:
    """The messages of a stream that is begun anew after a break, unless it is complete; `begin` knows where."""
    failures = 0
    while True:
        try:
            async with aclosing(begin()) as messages:
                async for message in messages:
                    failures = 0
                    yield message
            return
        except (Unavailable, Overloaded) as error:
            if is_complete():
                return
            failures += 1
            await wait_after(calls, error, failures)


async def resumed_export(
    calls: Calls,
    method: UnaryStreamMultiCallable[ExportQ, ExportR],
    request: ExportQ,
    timeout: float | None,
) -> AsyncGenerator[ExportR]:
    """The messages of an export, which goes on behind the last one after a break, for as long as each connection brings
    one."""
    while True:
        begun_at = request.page_token
        try:
            async with aclosing(calls.stream(method, request, timeout)) as parts:
                async for part in parts:
                    yield part
                    request.page_token = part.next_page_token
            return
        except (Unavailable, Overloaded) as error:
            if request.page_token == begun_at:
                raise
            await wait_after(calls, error, 1)


async def wait_after(calls: Calls, error: CamilloError, failures: int, max_failures: int = MAX_FAILURES) -> None:
    """Waits before the next attempt; raises the failure if it is one too many, or if the server asks for too long a
    pause."""
    if failures > max_failures or not is_worth_waiting(error.retry_after_seconds):
        raise error
    await calls.pause(pause_seconds(failures, error.retry_after_seconds))
