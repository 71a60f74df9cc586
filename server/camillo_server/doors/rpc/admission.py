"""Bounds of what is under way: how many calls, or streams, at once, and how long a stream waits for its caller."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import grpc

from camillo_server.kernel.clock import SharedTimeout
from camillo_server.kernel.errors import Overloaded, StreamIdle
from camillo_server.kernel.ids import TenantId
from camillo_server.telemetry.instruments import Instruments

# How much a refused caller may still send, and how long to wait for its next message.
LINGER_BYTES = 16 * 1024 * 1024
LINGER_SECONDS = 0.2


class Admission:
    """Bounds how many run at once in all. A tenant may have no more than are free for the others: half if it is alone,
    a third each if two are at their bound."""

    def __init__(self, limit: int, what: str, instruments: Instruments) -> None:
        self._limit, self._what = limit, what
        self._instruments = instruments
        self._total = 0
        self._of_tenant: dict[TenantId, int] = {}

    def begin(self, tenant_id: TenantId) -> None:
        """Counts one more; `end` it. Raises Overloaded."""
        free, own = self._limit - self._total, self._of_tenant.get(tenant_id, 0)
        if own >= free:
            self._instruments.record_rejection("overloaded")
            raise (Overloaded(own, f"{self._what} of the tenant") if free else Overloaded(self._limit, self._what))
        self._total += 1
        self._of_tenant[tenant_id] = own + 1

    @contextmanager
    def slot(self, tenant_id: TenantId) -> Iterator[None]:
        """One more, for as long as it lasts. Raises Overloaded."""
        self.begin(tenant_id)
        try:
            yield
        finally:
            self.end(tenant_id)

    def end(self, tenant_id: TenantId) -> None:
        self._total -= 1
        if self._of_tenant[tenant_id] > 1:
            self._of_tenant[tenant_id] -= 1
        else:
            del self._of_tenant[tenant_id]


async def receive(messages: AsyncIterator[bytes], idle: SharedTimeout) -> AsyncIterator[bytes]:
    """The messages of a caller. Raises StreamIdle where the next one does not come in time."""
    messages = aiter(messages)
    while True:
        try:
            message = await idle.wait(anext(messages))
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise StreamIdle(idle.seconds) from None
        yield message


async def send(context: Any, message: Any, idle: SharedTimeout) -> None:
    """Sends a message, when the caller has room for it. Raises StreamIdle where it has none in time, CancelledError
    where it has hung up."""
    try:
        await idle.wait(context.write(message))
    except TimeoutError:
        raise StreamIdle(idle.seconds) from None
    except grpc.aio.InternalError:
        # All that it says of a caller who is gone while a message is on its way; the call itself is cancelled a moment
        # later.
        raise asyncio.CancelledError from None


async def linger(context: Any) -> None:
    """Reads what a caller goes on sending before it is refused. A client of grpc.aio that sends as its stream ends is
    told INTERNAL instead of the status (https://github.com/grpc/grpc/issues/36066); one that has ended, or pauses, is
    told it."""
    received = 0
    with suppress(TimeoutError):
        while received < LINGER_BYTES:
            async with asyncio.timeout(LINGER_SECONDS):
                body = await context.read()
            if body is grpc.aio.EOF:
                return
            received += len(body)
