"""Whole numbers that a double cannot hold keep their digits."""

import pytest
from camillo.v1.memory_pb2 import Memory
from camillo.v1.memory_service_pb2 import RememberRequest
from camillo_server.doors.gateway.json_bodies import fill


@pytest.mark.parametrize("number", [1234567890123456789, -1234567890123456790, 2**53 + 1, 2**64])
def test_a_long_whole_number_becomes_a_text_and_a_shorter_one_stays_a_number(number: int) -> None:
    message = RememberRequest()
    metadata = {"id": number, "n": 7, "share": 0.5, "is": True}
    fill("body", {"memory": {"content": "x", "metadata": metadata}}, message)
    assert dict(message.memory.metadata) == metadata | {"id": str(number)}


def test_a_field_of_whole_numbers_is_read_as_before() -> None:
    message = Memory()
    fill("body", {"version": 2**53 + 1}, message)
    assert message.version == 2**53 + 1
