"""Bodies of requests: received only from callers who may call, bounded in sum, and parsed only when their lists are no
longer than the contract allows.

Parsing takes up to 66 times the bytes of a message: an empty message in a list has 2 bytes on the wire and 132 in
memory. So the fields of a large body are counted before, where it may have many small ones."""

from __future__ import annotations

import asyncio
import math
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from google.protobuf.message import DecodeError

from camillo_server.doors.rpc.field_limits import max_items
from camillo_server.doors.rpc.request_sizes import max_request_bytes
from camillo_server.kernel.clock import SharedTimeout
from camillo_server.kernel.errors import DeadlineExceeded, InvalidField, Overloaded, invalid_field
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, FairSlots, off_loop
from camillo_server.kernel.system import return_freed_memory

# Below this a body is parsed at once: it takes no more than 4 MiB then, and less than two milliseconds.
LARGE_BYTES = 64 * 1024
# Counting this many fields takes a quarter of a millisecond. A body of no more is parsed as fast as it is copied.
FEW_FIELDS, MAX_SIMPLE_BYTES = 64, 1024 * 1024
# Fields of a body, those of its messages included. Parsed they take 50 MiB at most.
MAX_FIELDS = 400_000
# A text, list or message of less than 32 bytes has its length in one byte below this; few other bytes are, but line
# ends and vectors. With fewer of them parsing takes 13 MiB and five times the body at most: counting would take longer.
MAX_SMALL, SMALL_BYTES = 100_000, 32
# Bodies of a tenant that may arrive at once; its other calls wait for them. One that has arrived takes no time.
MAX_RECEIVING = 32
# A large body was received before it is refused, for which everybody waits some milliseconds.
RETRY_SECONDS = 1.0
# The share of a tenant in the bytes that all tenants may have in flight.
TENANT_SHARE = 0.25
# Memory of bodies of so many bytes is returned to the system so long after the last one.
RETURNED_BYTES, RETURN_SECONDS = 1024 * 1024, 1.0

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
FIXED_BYTES = {FIXED64: 8, FIXED32: 4}


class RequestBodies:
    """Receives bodies, and counts large ones against `max_bytes` from `hold` until `release`."""

    def __init__(self, max_bytes: int, receive_seconds: float) -> None:
        self._max_bytes = max_bytes
        self._timeout = SharedTimeout(receive_seconds)
        self._receiving = FairSlots(sys.maxsize, per_tenant=MAX_RECEIVING)
        self._held: Counter[TenantId] = Counter()
        self._returning: asyncio.TimerHandle | None = None

    async def received(self, reading: Awaitable[Any], tenant_id: TenantId) -> Any:
        """Body that is read once the tenant may receive one more. Raises DeadlineExceeded."""
        if not self._receiving.take(tenant_id):
            await self._receiving.wait(tenant_id)
        try:
            return await self._timeout.wait(reading)
        except TimeoutError:
            raise DeadlineExceeded from None
        finally:
            self._receiving.release(tenant_id)

    @contextmanager
    def held(self, tenant_id: TenantId) -> Iterator[HeldBody]:
        """A body of a door that receives it itself, in parts."""
        body = HeldBody(self, tenant_id)
        try:
            yield body
        finally:
            body.resize(0)

    def release(self, tenant_id: TenantId, size: int) -> None:
        """Forgets a body of this size."""
        self._held[tenant_id] -= size
        self._held += Counter()
        if size >= RETURNED_BYTES:
            # Not between two of them, which use it again: meanwhile who asks for memory would wait.
            if self._returning is not None:
                self._returning.cancel()
            loop = asyncio.get_running_loop()
            self._returning = loop.call_later(RETURN_SECONDS, self._return_memory)

    def _return_memory(self) -> None:
        """Returns the memory of all bodies that came until then, in a thread."""
        self._returning = None
        # Not where the process is about to end, which has no more threads.
        with suppress(RuntimeError):
            asyncio.get_running_loop().run_in_executor(None, return_freed_memory)

    def hold(self, tenant_id: TenantId, size: int) -> None:
        """Counts a body; one that is alone has room, however large it is. Raises Overloaded."""
        own, total = self._held[tenant_id], self._held.total()
        share = int(self._max_bytes * TENANT_SHARE)
        if own and own + size > share:
            raise Overloaded(share, "bytes of the tenant's requests in flight", retry_after_seconds=RETRY_SECONDS)
        if total and total + size > self._max_bytes:
            raise Overloaded(self._max_bytes, "bytes of requests in flight", retry_after_seconds=RETRY_SECONDS)
        self._held[tenant_id] = own + size


class HeldBody:
    """The bytes of one body, and of what is made of it, which count while they are large."""

    def __init__(self, bodies: RequestBodies, tenant_id: TenantId) -> None:
        self._bodies = bodies
        self._tenant_id = tenant_id
        self._size = 0

    def resize(self, size: int) -> None:
        """Counts so many instead of those before. Raises Overloaded."""
        if self._size:
            self._bodies.release(self._tenant_id, self._size)
            self._size = 0
        if size >= LARGE_BYTES:
            self._bodies.hold(self._tenant_id, size)
            self._size = size


class Decoder:
    """Turns bodies into the requests of one method, by the `FromString` of their message type."""

    def __init__(self, parse: Callable[[bytes], Any]) -> None:
        self._parse = parse
        # Methods of the benchmarks take bytes.
        self._type = getattr(getattr(parse, "__self__", None), "DESCRIPTOR", None)
        self._max_bytes = math.inf if self._type is None else max_request_bytes(self._type)

    async def decode(self, body: bytes) -> Any:
        """The request. Raises InvalidField."""
        if len(body) > self._max_bytes:
            raise invalid_field("request", f"must have at most {self._max_bytes} bytes in this method")
        try:
            if len(body) < LARGE_BYTES or self._is_simple(body):
                return self._parse(body)
            return await off_loop(UNBOUNDED, partial(self._parse_large, body))
        except DecodeError:
            raise _unreadable() from None

    def _is_simple(self, body: bytes) -> bool:
        """Whether it is one long text or a part of a file."""
        return len(body) <= MAX_SIMPLE_BYTES and self._count(body, FEW_FIELDS) <= FEW_FIELDS

    def _parse_large(self, body: bytes) -> Any:
        small_values = np.count_nonzero(np.frombuffer(body, np.uint8) < SMALL_BYTES)
        if small_values > MAX_SMALL and self._count(body, MAX_FIELDS) > MAX_FIELDS:
            raise invalid_field("request", f"must have at most {MAX_FIELDS} fields")
        return self._parse(body)

    def _count(self, body: bytes, stop: int) -> int:
        return 0 if self._type is None else count_fields(body, self._type, stop)


class Field(NamedTuple):
    """A list or a message among the fields of a message type."""

    name: str
    max_items: float
    # None: not a message.
    message_type: Any


def count_fields(body: bytes, message_type: Any, stop: int) -> int:
    """The number of fields of a message and of all messages in it, without parsing it; `stop` + 1 if there are more
    than that. Raises InvalidField for a list that is too long, and for bytes that are no message.

    The wire format is that of https://protobuf.dev/programming-guides/encoding/.
    """
    total, pending = 0, [("", 0, len(body), message_type)]
    while pending:
        path, at, end, described = pending.pop()
        listed, counts = _lists_and_messages(described), Counter[int]()
        for number, first, last in _fields(body, at, end):
            total += 1
            if total > stop:
                return total
            if (field := listed.get(number)) is None:
                continue
            counts[number] += 1
            if counts[number] > field.max_items:
                problem = f"must have at most {field.max_items:.0f} values, has more"
                raise invalid_field(path + field.name, problem)
            if field.message_type is not None:
                pending.append((f"{path}{field.name}.", first, last, field.message_type))
    return total


def _fields(body: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The numbers of a message's fields, and where in the body their values begin and end. Raises InvalidField."""
    try:
        while at < end:
            tag, at = _varint(body, at)
            kind, start = tag & 7, at
            if kind == LENGTH:
                size, start = _varint(body, at)
                at = start + size
            elif kind == VARINT:
                _, at = _varint(body, at)
            else:
                # A group has no size; no message of the contract has one.
                at += FIXED_BYTES[kind]
            if at > end:
                raise _unreadable()
            yield tag >> 3, start, at
    except (IndexError, KeyError):
        raise _unreadable() from None


@cache
def _lists_and_messages(message_type: Any) -> dict[int, Field]:
    """The fields of which a body may have many, or which have fields themselves, by number."""
    return {
        field.number: Field(field.name, max_items(field) if field.is_repeated else math.inf, field.message_type)
        for field in message_type.fields
        if field.is_repeated or field.message_type is not None
    }


def _unreadable() -> InvalidField:
    return invalid_field("request", "is not a message of this method (is its text valid UTF-8?)")


def _varint(body: bytes, at: int) -> tuple[int, int]:
    """The number at a position, and the position behind it. Raises IndexError."""
    value = 0
    for shift in range(0, 70, 7):
        byte = body[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise IndexError
