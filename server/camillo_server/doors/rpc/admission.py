"""Checks that a call passes before its servicer: the role that its method needs, and the bounds of what is under way,
calls, streams, and waits for a caller. And one call as the logs and figures see it."""

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import grpc
from google.rpc.status_pb2 import Status

from camillo_server.doors.rpc.contract import (
    PERMISSION,
    READS_BY_FILTER,
    RETURNS_NO_CONTENT,
    described,
    option,
)
from camillo_server.doors.rpc.errors import internal_status, status_code, to_status
from camillo_server.doors.rpc.fields import member
from camillo_server.kernel.channel import Channel, ChannelPolicy, ReadLimit
from camillo_server.kernel.clock import SharedTimeout
from camillo_server.kernel.errors import DomainError, Overloaded, ScopeForbidden, StreamIdle
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Principal, Role
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
        self.total = 0
        self._of_tenant: dict[TenantId, int] = {}

    def begin(self, tenant_id: TenantId) -> None:
        """Counts one more; `end` it. Raises Overloaded."""
        free, own = self._limit - self.total, self._of_tenant.get(tenant_id, 0)
        if own >= free:
            self._instruments.record_rejection("overloaded")
            raise (Overloaded(own, f"{self._what} of the tenant") if free else Overloaded(self._limit, self._what))
        self.total += 1
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
        self.total -= 1
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


logger = logging.getLogger(__name__)
# Nobody comes any more when so many looks in a row have seen nobody. Callers that come back at once are not waited for
# longer than all looks take.
LOOK_SECONDS = 0.02
QUIET_LOOKS = 5
LONGEST_LOOKS = 50


@dataclass(slots=True)
class Observed:
    """A call: its method and caller, what it holds, and how it ends."""

    method: str
    metadata: dict[str, str]
    request_id: str
    began: float
    # The tenant and the bytes of the request in flight, if it is large.
    large_body: tuple[TenantId, int] | None = None
    code: str = "OK"
    # None until the credential is known.
    principal: Principal | None = None
    # Left when the caller has the status, the last one first.
    held: ExitStack | None = None

    @classmethod
    def of(cls, method: str, context: Any) -> Self:
        """A call that begins now."""
        metadata: dict[str, str] = {}
        for key, value in context.invocation_metadata() or ():
            if isinstance(value, str):
                # A key that comes twice is a list (RFC 9110, 5.3): of two credentials neither counts.
                metadata[key] = f"{metadata[key]}, {value}" if key in metadata else value
        # The caller's own id for the call, so that its logs and ours can be laid side by side.
        request_id = metadata.get("x-request-id", "")[:128] or os.urandom(8).hex()
        return cls(method, metadata, request_id, time.perf_counter())

    def hold(self, resource: AbstractContextManager[Any]) -> None:
        """Enters it, until the caller has the status. Raises what entering raises."""
        if self.held is None:
            self.held = ExitStack()
        self.held.enter_context(resource)

    def failed(self, error: Exception) -> Status:
        """The status that the caller is told; a defect is logged whole and told as nothing but its request id."""
        if isinstance(error, DomainError):
            self.code = status_code(error).name
            return to_status(error)
        self.code = "INTERNAL"
        logger.error("call failed", exc_info=error, extra={"method": self.method})
        return internal_status(self.request_id)


class Arrivals:
    """How many calls have come, and how many are under way."""

    def __init__(self, *admissions: Admission) -> None:
        self.count = 0
        self._admissions = admissions

    @property
    def under_way(self) -> int:
        return sum(each.total for each in self._admissions)

    async def ceased(self) -> None:
        """Returns when callers have heard that they are refused.

        gRPC holds calls that it has not handed over yet, and answers them CANCELLED at its stop, without a reason. It
        has no way to say "no more, and those to me": so each is refused by us, until none is left."""
        quiet = 0
        for _ in range(LONGEST_LOOKS):
            seen = self.count
            await asyncio.sleep(LOOK_SECONDS)
            quiet = quiet + 1 if seen == self.count else 0
            if quiet == QUIET_LOOKS:
                return


OPEN_SERVICES = ("/grpc.health.v1.", "/grpc.reflection.")


def is_open(method: str) -> bool:
    """Health and reflection answer without a credential: they tell nothing of anyone's data."""
    return method.startswith(OPEN_SERVICES)


def require_permission(method: str, caller: Principal) -> None:
    """Raises ScopeForbidden where the caller's role is too low, or its reading is bound and the method reads
    unbound."""
    role = required_role(method)
    if caller.role < role:
        caller.require(role)
    if caller.read_limit is not None and not is_open_to(method, caller.read_limit):
        raise ScopeForbidden("the credential is bound to a channel or a level, which this method does not take")


@cache
def is_open_to(method: str, limit: ReadLimit) -> bool:
    """Whether a credential with this limit may call a method: one that takes the channel in which it reads, or reads
    nothing. A method that is new is closed until somebody has looked at it."""
    if option(method, RETURNS_NO_CONTENT):
        return True
    fields = described(method).input_type.fields_by_name
    if "requests" in fields:
        fields = fields["requests"].message_type.fields_by_name
    return "channel" in fields or (option(method, READS_BY_FILTER) and not limit.channel)


def narrow(request: Any, limit: ReadLimit, policy: ChannelPolicy) -> None:
    """Lays the limit of the caller's credential over what the request asks to read. Raises ScopeForbidden."""
    fields = request.DESCRIPTOR.fields_by_name
    if "channel" in fields:
        channel = limit.narrowed(member(request.channel, Channel.PRIVATE), policy)
        if channel is None:
            raise ScopeForbidden("no channel of this server loads as little as the credential may read")
        request.channel = int(channel)
    elif "filter" in fields and limit.max_sensitivity:
        level = request.filter.max_sensitivity or Sensitivity.RESTRICTED
        request.filter.max_sensitivity = min(int(level), int(limit.max_sensitivity))
    elif "requests" in fields:
        for each in request.requests:
            narrow(each, limit, policy)


@cache
def required_role(method: str) -> Role:
    """The least role for a method; one without the option is for root alone, so that nothing opens by omission."""
    return Role(option(method, PERMISSION) or Role.ROOT)
