"""The fields of a body are counted without parsing it, and refused where they are more than the contract allows."""

import asyncio
import random
from typing import Any

import pytest
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.event_service_pb2 import RecordEventRequest
from camillo_server.doors.rpc import request_bodies
from camillo_server.doors.rpc.request_bodies import (
    LARGE_BYTES,
    MAX_FIELDS,
    MAX_RECEIVING,
    Decoder,
    RequestBodies,
    count_fields,
)
from camillo_server.kernel.errors import InvalidField
from camillo_server.kernel.ids import TenantId
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import Value

from tests.cases import each_case
from tests.rpc.random_messages import RandomMessages
from tests.rpc.test_random_requests import METHODS

MEMORIES = service.BatchRememberRequest.DESCRIPTOR
REMEMBER = Decoder(service.BatchRememberRequest.FromString)
# Each ends before its time, or is no message at all.
BROKEN = (b"\x0a", b"\x0a\x05ab", b"\xff" * 100_000, b"\x0a\xff\xff\xff\xff\x0f", b"\x0e\x01", b"\x0d\x01")


def fields(message: Message) -> int:
    """The number of fields on the wire: a list of messages or texts has one for each, one of numbers has one in all."""
    return sum(_fields(field, value) for field, value in message.ListFields())


def _fields(field: Any, value: Any) -> int:
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        # Each entry has a key and a value.
        return sum(3 + fields(each) for each in value.values())
    if kind is not None:
        values = value if field.is_repeated else [value]
        return sum(1 + fields(each) for each in values)
    return 1 if field.is_packed or not field.is_repeated else len(value)


@each_case("method", METHODS)
def test_fields_are_counted_as_they_are_on_the_wire(method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "max_items", lambda _: 10_000)
    request_bodies._lists_and_messages.cache_clear()
    messages = RandomMessages(7, {})
    for _ in range(30):
        request = GetMessageClass(method.input_type)()
        messages.new(request)
        assert count_fields(request.SerializeToString(), method.input_type, MAX_FIELDS) == fields(request)
    request_bodies._lists_and_messages.cache_clear()


def test_a_list_that_is_too_long_is_named() -> None:
    limit = 1000
    request = service.BatchRememberRequest(memories=[{"content": "漢字 👋🏽"}] * limit)
    assert count_fields(request.SerializeToString(), MEMORIES, MAX_FIELDS) == 2 * limit
    request.memories.add()
    with pytest.raises(InvalidField, match="memories: must have at most 1000 values, has more"):
        count_fields(request.SerializeToString(), MEMORIES, MAX_FIELDS)


def test_a_list_within_a_list_is_named_with_its_path() -> None:
    request = service.BatchRememberRequest(memories=[{"content": "x"}, {"content": "y"}])
    request.memories[1].tags.extend(["a"] * 10_001)
    with pytest.raises(InvalidField, match=r"memories\.tags: must have at most"):
        count_fields(request.SerializeToString(), MEMORIES, MAX_FIELDS)


def test_counting_stops_where_there_are_too_many() -> None:
    request = RecordEventRequest(event={"json": {"a": [{"b": None}] * 1000}})
    body, described = request.SerializeToString(), RecordEventRequest.DESCRIPTOR
    count = count_fields(body, described, MAX_FIELDS)
    assert count > 3000
    assert count_fields(body, described, count) == count
    assert count_fields(body, described, 100) == 101


def test_lists_within_lists_need_no_stack() -> None:
    levels, body = 5_000, b""
    for _ in range(levels):
        # A value that is a list, which has one value.
        body = b"\x0a" + varint(len(body)) + body
        body = b"\x32" + varint(len(body)) + body
    assert count_fields(body, Value.DESCRIPTOR, MAX_FIELDS) == 2 * levels


@each_case("body", BROKEN)
async def test_what_is_no_message_is_a_bad_argument(body: bytes) -> None:
    with pytest.raises(InvalidField, match="request: is not a message of this method"):
        count_fields(body, MEMORIES, MAX_FIELDS)
    with pytest.raises(InvalidField, match="request: is not a message of this method"):
        await REMEMBER.decode(body)


def test_a_group_hides_nothing() -> None:
    group = b"\x0b\x0c"
    assert service.BatchRememberRequest.FromString(group) is not None
    with pytest.raises(InvalidField, match="request: is not a message of this method"):
        count_fields(group + b"\x0a\x00" * 2_000, MEMORIES, MAX_FIELDS)


async def test_random_bytes_are_a_bad_argument_or_a_request() -> None:
    dice = random.Random(7)  # noqa: S311
    refused = 0
    for _ in range(300):
        body = dice.randbytes(dice.choice((3, 50, LARGE_BYTES)))
        try:
            await REMEMBER.decode(body)
        except InvalidField:
            refused += 1
    assert refused > 200


@pytest.mark.parametrize("text", ["x", "שלום 👋🏽", "漢字" * LARGE_BYTES])
async def test_a_request_is_read_whole(text: str) -> None:
    request = service.BatchRememberRequest(memories=[{"content": text}])
    assert await REMEMBER.decode(request.SerializeToString()) == request


class Sender:
    """A call whose body comes when it is told to."""

    def __init__(self) -> None:
        self.is_asked, self.sends = asyncio.Event(), asyncio.Event()

    async def read(self) -> bytes:
        self.is_asked.set()
        await self.sends.wait()
        return b"x"


async def test_a_tenant_receives_so_many_bodies_at_once_and_nothing_is_kept_of_it() -> None:
    bodies, senders = RequestBodies(1, receive_seconds=60), [Sender() for _ in range(40)]

    def receive(sender: Any, tenant_id: str) -> asyncio.Task[bytes]:
        return asyncio.create_task(bodies.received(sender.read(), TenantId(tenant_id)))

    received = [receive(sender, "acme") for sender in senders]
    # Another tenant has its own places, however many wait.
    rival = Sender()
    rivals = receive(rival, "rival")
    await rival.is_asked.wait()
    assert [sender.is_asked.is_set() for sender in senders] == [
        number < MAX_RECEIVING for number in range(len(senders))
    ]
    for sender in [rival, *senders]:
        sender.sends.set()
    assert await asyncio.gather(rivals, *received) == [b"x"] * 41
    assert bodies._receiving._taken == {}


def varint(value: int) -> bytes:
    data = b""
    while value > 0x7F:
        data, value = data + bytes([value & 0x7F | 0x80]), value >> 7
    return data + bytes([value])
